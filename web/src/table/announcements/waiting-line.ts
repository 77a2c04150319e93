/** One sentence for someone who waits for a seat. */
import { say } from '../../i18n'
import type { TableState } from '../../state/table.svelte'

export function waitingLine({ table, view, nextSeat }: TableState): string {
  const name = (seat: number | null | undefined) => table?.seats.find((one) => one.seat === seat)?.name ?? ''
  if (nextSeat === null) return say('web.seats.asked', { name: name(table?.host) })
  const isLast = view?.now != null && view.now.number === view.numbers.at(-1)
  return say(isLast ? 'web.seats.after_game' : 'web.seats.next_deal', { seat: name(nextSeat) })
}

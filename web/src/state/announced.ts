/**
 * What is worth a line on the table, because it is easily missed: special cards, who named the trump, a card passed on, a new
 * host. Bids and cards can be seen; the log tells them.
 */
import { cardPhrase } from '../cards/names'
import { say, signed } from '../i18n'
import type { Snapshot, Table, View } from '../protocol'

export function announced({ view, events }: Pick<Snapshot, 'view' | 'events'>): string[] {
  const name = (seat: number) => view.names[seat] ?? ''
  return events.flatMap((event): string[] => {
    switch (event.event) {
      case 'exchanged': {
        const card = cardPhrase(event.card)
        return [event.seat === view.seat ? say('web.event.exchanged_own', { card }) : say('web.event.exchanged', { name: name(event.seat), card })]
      }
      case 'trump_settled':
        if (event.named_by === null || event.named_by === view.seat) return []
        return [say('web.event.named', { name: name(event.named_by), trump: { key: `colour.${event.colour ?? 'none'}` } })]
      case 'trick_ended':
        return event.winner === null ? [say('web.event.bombed')] : []
      case 'cards_passed':
        return [receivedLine(view) ?? say('web.log.passed')]
      case 'bid_changed': {
        const bid = view.now?.bids[event.seat] ?? null // null where bids are secret
        if (event.seat === view.seat) return []
        return [bid === null ? say('web.log.changed', { name: name(event.seat), change: signed(event.change) }) : say('web.event.changed', { name: name(event.seat), bid })]
      }
      default:
        return []
    }
  })
}

/** X7: which card this player has just received, and from whom; null where nothing was passed, or for a spectator. */
export function receivedLine({ seat, names, now }: Pick<View, 'seat' | 'names' | 'now'>): string | null {
  const card = now?.passes.at(-1)?.received
  if (card == null || seat === null) return null
  return say('web.event.received', { card: cardPhrase(card), name: names[(seat - 1 + names.length) % names.length] ?? '' })
}

/** Whether this player has become the host, and why. */
export function newHostLine(before: Table | null, { host, seats }: Table, seat: number | null): string | null {
  if (!before || seat === null || host !== seat || before.host === seat || before.host === null) return null
  const earlier = before.seats[before.host]
  const now = seats[before.host]
  const isStillHere = now?.kind === 'person' && now.name === earlier?.name && now.is_connected
  return isStillHere ? say('web.event.host') : say('web.event.host_left', { name: earlier?.name ?? '' })
}

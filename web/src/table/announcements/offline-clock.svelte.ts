/** Counts down for an awaited player who is disconnected: when the time is up, a bot plays. */
import type { TableState } from '../../state/table.svelte'
import type { Offline } from './status-line'

export class OfflineClock {
  #now = $state(performance.now())
  readonly #game: () => TableState
  readonly #seat = $derived.by(() => {
    const { table, view } = this.#game()
    return table?.seats.find((one) => view?.awaited.includes(one.seat) && one.grace_ms != null)
  })
  /** The player, and the seconds that are left; null where everybody who is awaited is connected. */
  readonly waiting: Offline | null = $derived.by(() => {
    const lost = this.#seat
    if (!lost) return null
    const left = (lost.grace_ms ?? 0) - (this.#now - (this.#game().lostSince[lost.seat] ?? 0))
    return left > 0 ? { name: lost.name ?? '', seconds: Math.ceil(left / 1000) } : null
  })

  /** To be called while a component is set up: the clock stops with that component. */
  constructor(game: () => TableState) {
    this.#game = game
    $effect(() => {
      if (!this.#seat) return
      this.#now = performance.now()
      const ticking = setInterval(() => (this.#now = performance.now()), 500)
      return () => clearInterval(ticking)
    })
  }
}

/**
 * Snapshots that wait to be shown. A completed trick is shown for a moment, then it is swept to the player who took it, and
 * only then the next snapshot is shown: a card led to the next trick must not fly through the last one. When a round ends, the
 * server sends it scored first (phase `deal`) and then the next one dealt: the first stays until it is read.
 */
import type { Snapshot } from '../protocol'

/** A snapshot and when it came: its clocks run from then, however long it waits to be shown. */
export type TimedSnapshot = Snapshot & { at: number }

/** Milliseconds for which a completed trick stays in the middle: long enough to see who won. */
export const TRICK_REST = 1100
/** Milliseconds that it takes to sweep a trick. CardLayer moves cards in the same time. */
export const TRICK_SWEEP = 240
/** Milliseconds for which the end of a round is shown, unless the player goes on earlier. */
export const ROUND_REST = 9000
/** The longest that a timer can wait, in milliseconds: some weeks. */
const NO_LIMIT = 2 ** 31 - 1
/** A queue as long as this does not wait any more. */
const MOST_WAITING = 8

interface Parts {
  show: (snapshot: TimedSnapshot) => void
  pace: () => number // a factor for these pauses; 0 for none
  beat: () => number // a factor for motion; 0 for none
  seat: () => number | null // whose clock counts
  isUnhurried?: boolean // the end of a round stays until the player goes on, unless the player's clock is running
}

export class SnapshotQueue {
  /** Whether the trick that was just completed still lies in the middle. */
  isResting = $state(false)
  /** Whether the last trick is moving to the player who took it. */
  isSweeping = $state(false)
  readonly #parts: Parts
  #waiting: TimedSnapshot[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #readUntil: number | undefined // set while the end of a round is shown

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The newest snapshot that waits; undefined where everything is shown. */
  get newest(): TimedSnapshot | undefined {
    return this.#waiting.at(-1)
  }

  add(snapshot: TimedSnapshot): void {
    this.#waiting.push(snapshot)
    if (this.#readUntil !== undefined) this.#restRound()
    this.#next()
  }

  /** Leaves what is shown for what comes after it. */
  goOn(): void {
    this.#stopResting()
    this.#next()
  }

  /** Forgets everything that waits. */
  clear(): void {
    this.#waiting = []
    this.#stopResting()
  }

  #next(): void {
    if (this.#timer !== undefined && this.#waiting.length < MOST_WAITING) return
    const next = this.#waiting.shift()
    if (!next) return
    this.#stopResting()
    this.#parts.show(next)
    const pace = this.#parts.pace()
    if (pace === 0 || !next.events.some((event) => event.event === 'trick_ended')) return this.#afterTrick(next)
    this.isResting = true
    this.#rest(TRICK_REST * pace, () => {
      this.isResting = false
      this.#sweep(next)
    })
  }

  #sweep(next: TimedSnapshot): void {
    const motion = this.#parts.beat()
    if (motion === 0 || next.view.phase === 'deal') return this.#afterTrick(next)
    this.isSweeping = true
    this.#rest(TRICK_SWEEP * motion, () => {
      this.isSweeping = false
      this.#afterTrick(next)
    })
  }

  #afterTrick({ view }: Snapshot): void {
    if (view.phase === 'deal') this.#restRound()
    else this.#next()
  }

  /** Shows the end of a round until it has been read; shorter where the reader's own clock is running already. */
  #restRound(): void {
    const now = performance.now()
    this.#readUntil ??= now + (this.#parts.isUnhurried ? NO_LIMIT : ROUND_REST)
    const left = this.newest?.clocks.find((clock) => clock.seat === this.#parts.seat())?.left_ms
    if (left != null) this.#readUntil = Math.min(this.#readUntil, now + left / 5)
    clearTimeout(this.#timer)
    this.#rest(this.#readUntil - now, () => this.#next())
  }

  #rest(ms: number, then: () => void): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      then()
    }, ms)
  }

  #stopResting(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#readUntil = undefined
    this.isResting = false
    this.isSweeping = false
  }
}

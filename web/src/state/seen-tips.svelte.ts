/** The tips that this player has seen, kept in this browser: each is shown once. */
import { store, stored } from '../storage'

interface Kept {
  seen: readonly string[]
  areOff: boolean // the player wants no more tips
}

const KEY = 'foretell.tips'
const NONE: Kept = { seen: [], areOff: false }

function storedTips(): Kept {
  const { seen, areOff } = (stored(KEY) ?? {}) as Partial<Record<keyof Kept, unknown>>
  return { seen: Array.isArray(seen) ? seen.filter((one) => typeof one === 'string') : [], areOff: areOff === true }
}

class SeenTips {
  /** The newest value. It is not read from `#shown`, which holds the value before the change while an effect is cleaned up. */
  #kept = storedTips()
  #shown = $state.raw(this.#kept)
  /** When the player last asked for all tips again, in milliseconds as `performance.now()` counts them. */
  forgottenAt = -Infinity

  get areOff(): boolean {
    return this.#shown.areOff
  }

  has(tip: string): boolean {
    return this.#shown.seen.includes(tip)
  }

  add(tip: string): void {
    if (!this.#kept.seen.includes(tip)) this.#keep({ ...this.#kept, seen: [...this.#kept.seen, tip] })
  }

  turnOff(): void {
    this.#keep({ ...this.#kept, areOff: true })
  }

  /** All tips are shown again. */
  forget(): void {
    this.forgottenAt = performance.now()
    this.#keep(NONE)
  }

  #keep(kept: Kept): void {
    this.#kept = this.#shown = kept
    store(KEY, kept)
  }
}

export const seenTips = new SeenTips()

/** Asks for a review again and again until it is there. When nobody asks any more, the server stops working on it. */
import { Unreachable } from '../net/api'
import { retryLater } from '../net/retry'
import type { GameReview } from '../protocol'

const EVERY = 600

export class Asking {
  /** Null until it is asked for. */
  state = $state.raw<GameReview | null>(null)
  isAsking = $state(false)
  error = $state('')
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #callOff: () => void = () => undefined
  #isStopped = false
  readonly #review: () => Promise<GameReview>

  constructor(review: () => Promise<GameReview>) {
    this.#review = review
  }

  start(): void {
    if (this.isAsking) return
    this.#isStopped = false
    this.isAsking = true
    this.error = ''
    void this.#ask()
  }

  stop(): void {
    this.#isStopped = true
    this.isAsking = false
    clearTimeout(this.#timer)
    this.#callOff()
  }

  /** Asks now instead of later. */
  readonly again = () => {
    this.#callOff()
    if (this.isAsking) void this.#ask()
  }

  async #ask(): Promise<void> {
    try {
      const state = await this.#review()
      if (this.#isStopped) return
      this.state = state
      this.error = ''
      this.#failures = 0
      if (state.review) this.isAsking = false
      else this.#timer = setTimeout(() => void this.#ask(), EVERY)
    } catch (problem) {
      if (this.#isStopped) return
      this.error = problem instanceof Error ? problem.message : String(problem)
      if (problem instanceof Unreachable) this.#callOff = retryLater(() => void this.#ask(), this.#failures++)
      else this.isAsking = false
    }
  }
}

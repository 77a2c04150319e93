/**
 * Something that the page needs from the server. It is asked for until it comes: a server that cannot be reached is
 * asked again by itself. What the server refuses is final.
 */
import { Unreachable } from './api'
import { retryLater } from './retry'

export class Loaded<T> {
  /** Null until it has come. */
  value = $state.raw<T | null>(null)
  /** Why it has not come yet. */
  error = $state.raw<Error | null>(null)
  readonly #load: () => Promise<T>
  #failures = 0
  #isLoading = false
  #isClosed = false
  #callOff: () => void = () => undefined

  constructor(load: () => Promise<T>) {
    this.#load = load
    this.again()
  }

  /** Whether another attempt may help. */
  get canRetry(): boolean {
    return this.error instanceof Unreachable
  }

  /** Asks now instead of later. */
  readonly again = () => {
    this.#callOff()
    if (!this.#isLoading && this.value === null) void this.#ask()
  }

  /** Nobody needs it any more. */
  close(): void {
    this.#isClosed = true
    this.#callOff()
  }

  async #ask(): Promise<void> {
    this.#isLoading = true
    try {
      this.value = await this.#load()
      this.error = null
    } catch (problem) {
      this.error = problem instanceof Error ? problem : new Error(String(problem))
      if (this.canRetry && !this.#isClosed) this.#callOff = retryLater(this.again, this.#failures++)
    } finally {
      this.#isLoading = false
    }
  }
}

/** Lines that are announced on the table, one after the other, each long enough to be read. */

/** Milliseconds for which a line is shown, and for which it is shown if others wait. */
export const SHOWN_FOR = 3500
export const SHOWN_AT_LEAST = 1200

export class Announcements {
  /** The line that is shown now. */
  line = $state.raw<string | null>(null)
  #waiting: string[] = []
  #since = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  add(...lines: string[]): void {
    this.#waiting.push(...lines)
    if (lines.length > 0) this.#goOn()
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
    this.line = null
  }

  /** Shows the next line, now or when the one that is shown has been there for long enough. */
  #goOn(): void {
    clearTimeout(this.#timer)
    const least = this.#waiting.length > 0 ? SHOWN_AT_LEAST : SHOWN_FOR
    const left = this.line === null ? 0 : this.#since + least - performance.now()
    if (left > 0) {
      this.#timer = setTimeout(() => this.#goOn(), left)
      return
    }
    this.line = this.#waiting.shift() ?? null
    this.#since = performance.now()
    if (this.line !== null) this.#goOn()
  }
}

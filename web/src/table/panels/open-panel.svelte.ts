/**
 * The panel that is open over the table. It is a step in the browser's history, so that a phone's back gesture closes
 * the panel before it leaves the table.
 */
import type { Panel } from './panel-names'

export class OpenPanel {
  name = $state<Panel | null>(null)
  /** Where the players' rules are opened. */
  rule = $state('')
  /** The page has called `history.back()` itself, and the browser has not arrived there yet. */
  #isGoingBack = false

  open(next: Panel, rule = ''): void {
    if (!this.name && !this.#isGoingBack) this.#addStep()
    this.name = next
    this.rule = rule
  }

  close(): void {
    if (this.name && (history.state as { isPanel?: boolean } | null)?.isPanel) {
      this.#isGoingBack = true
      history.back()
    }
    this.name = null
  }

  /** For the window's `popstate`. */
  onHistoryChange(): void {
    if (!this.#isGoingBack) this.name = null
    else if (this.name) this.#addStep() // a panel was opened meanwhile
    this.#isGoingBack = false
  }

  #addStep(): void {
    history.pushState({ ...(history.state as object | null), isPanel: true }, '')
  }
}

/** Where the keyboard and a screen reader are, when what they were on is gone: on what is asked, or else in the hand. */

const HEIRS = ['.prompt button:enabled', '.over .button.primary', '.piece.hand[tabindex="0"]:enabled']

const isLost = (element: Element | null) => element === null || element === document.body || element.matches(':disabled')

/** An attachment for the stage. A card that is put down and a question that is answered hand the focus on. */
export function keepsFocus(stage: HTMLElement): () => void {
  let isHere = false
  const moved = (event: FocusEvent) => (isHere = stage.contains(event.target as Node))
  const changed = () => {
    if (!isHere || !isLost(document.activeElement)) return
    for (const heir of HEIRS) {
      const found = stage.querySelector<HTMLElement>(heir)
      if (found) return found.focus({ preventScroll: true })
    }
  }
  const observer = new MutationObserver(changed)
  observer.observe(stage, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', moved)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', moved)
  }
}

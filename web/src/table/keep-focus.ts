/** Where the keyboard and a screen reader are, when what they were on is gone. */

const isLost = (element: Element | null) => element === null || element === document.body || element.matches(':disabled')

/** An attachment: what is gone from within hands the focus on to the first of its heirs that is there. */
const handsOnTo = (heirs: readonly string[]) => (place: HTMLElement) => {
  let isHere = false
  const moved = (event: FocusEvent) => (isHere = place.contains(event.target as Node))
  const changed = () => {
    if (!isHere || !isLost(document.activeElement)) return
    for (const heir of heirs) {
      const found = place.querySelector<HTMLElement>(heir)
      if (found) return found.focus({ preventScroll: true })
    }
  }
  const observer = new MutationObserver(changed)
  observer.observe(place, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', moved)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', moved)
  }
}

/** At the table, after a card that was put down and a question that was answered: what is asked, or else the hand. */
export const keepsFocus = handsOnTo(['.prompt button:enabled', '.over .button.primary', '.piece.hand[tabindex="0"]:enabled'])
/** Before the game, after sitting down, moving or removing someone: what is to be pressed next. */
export const keepsFocusBefore = handsOnTo(['.start', '.button.primary'])

/** Where the focus goes when the element that had it disappears: keyboards and screen readers must not lose their place. */

const isLost = (element: Element | null) => element === null || element === document.body || element.matches(':disabled')

/** An attachment: when the focused element inside disappears, the first of these elements that exists is focused. */
const passesFocusTo = (successors: readonly string[]) => (place: HTMLElement) => {
  let isHere = false
  const moved = (event: FocusEvent) => (isHere = place.contains(event.target as Node))
  const changed = () => {
    if (!isHere || !isLost(document.activeElement)) return
    for (const successor of successors) {
      const found = place.querySelector<HTMLElement>(successor)
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

/** At the table, after a card was put down or a question answered: the next question, or else the hand. */
export const keepsFocus = passesFocusTo(['.prompt button:enabled', '.over .button.primary', '.piece.hand[tabindex="0"]:enabled'])
/** When the game ends and the table disappears: the heading that says who has won. The next Tab leads to what one can do. */
export const keepsFocusAtTheEnd = passesFocusTo(['.podium-title'])
/** Before the game, after sitting down, moving or removing someone: the button to press next. */
export const keepsFocusBefore = passesFocusTo(['.start', '.button.primary'])

/** The keyboard of a replay. */
import type { ReplayPlayer } from './replay-player.svelte'

/** What uses these keys itself. */
const OWN_KEYS = 'input, select, textarea, dialog, [contenteditable]'
const PRESSED = 'button, a, summary'

/** Does what a key asks for, and says whether it asks for anything. Shift with an arrow goes by tricks. */
export function pressed(event: KeyboardEvent, player: ReplayPlayer, hasCoach: boolean): boolean {
  const target = event.target instanceof Element ? event.target : null
  if (event.altKey || event.ctrlKey || event.metaKey || target?.closest(OWN_KEYS)) return false
  switch (event.key) {
    case 'ArrowRight':
      player.pause()
      if (event.shiftKey) player.nextTrick()
      else player.forward()
      return true
    case 'ArrowLeft':
      if (event.shiftKey) player.previousTrick()
      else player.back()
      return true
    case 'Home':
      player.toStep(0)
      return true
    case 'End':
      player.toStep(Infinity)
      return true
    case 'PageDown':
      player.pause()
      player.nextRound()
      return true
    case 'PageUp':
      player.previousRound()
      return true
    case ' ':
      if (target?.closest(PRESSED)) return false // it presses the button that has the focus
      player.toggle()
      return true
    case 'm':
      if (hasCoach) player.seekMistake()
      return hasCoach
    case 'o':
      player.isOpen = !player.isOpen
      return true
    default:
      return false
  }
}

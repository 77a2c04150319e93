import type { RoundView, TrickView } from '../protocol'

/** The trick to be shown in the middle: the one being played, or the last one while it is still looked at. */
export function shownTrick(now: RoundView, isResting: boolean): TrickView | null {
  const last = now.tricks.at(-1)
  if (isResting && last) return last
  return now.trick && now.trick.faces.length > 0 ? now.trick : null
}

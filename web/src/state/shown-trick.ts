import { isBomb } from '../cards/names'
import type { RoundView, TrickView } from '../protocol'

/** The trick to be shown in the middle: the one being played, or the last one while it is still looked at. */
export function shownTrick(now: RoundView, isResting: boolean): TrickView | null {
  const last = now.tricks.at(-1)
  if (isResting && last) return last
  return now.trick && now.trick.faces.length > 0 ? now.trick : null
}

/** The seat whose card is marked as winning. None with the Bomb in the trick, which belongs to nobody (X5). */
export function markedWinner(trick: TrickView, now: RoundView): number | null {
  if (trick.faces.some(isBomb)) return null
  return trick === now.trick ? now.winning : (trick.winner ?? null)
}

/** X7: the card that this seat has just been passed, until it plays its next card. */
export function justReceived(now: RoundView, seat: number | null): string | null {
  const pass = now.passes.at(-1)
  if (seat === null || !pass || pass.trick !== now.tricks.length - 1) return null
  const trick = now.trick
  const hasPlayed = trick !== null && (seat - trick.leader + now.bids.length) % now.bids.length < trick.faces.length
  return hasPlayed ? null : pass.received
}

/** How the bids compare with the number of tricks: "3 over", "2 under". Shown for information; no rule depends on it. */
import { say } from '../../i18n'
import type { RoundView } from '../../protocol'

export const sumOfBids = (now: RoundView): number | null =>
  now.bids.every((bid, seat) => bid !== null || !now.has_bid[seat]) ? now.bids.reduce<number>((sum, bid) => sum + (bid ?? 0), 0) : null

/** How far over (positive) or under the bids are; null while they are not all known. */
export function overOrUnder(now: RoundView): number | null {
  const sum = sumOfBids(now)
  return sum === null || !now.has_bid.every(Boolean) ? null : sum - now.hand_size
}

/** The same as a sentence, also while the bids are being made. */
export function bidBalance(now: RoundView): string {
  const over = overOrUnder(now)
  if (over !== null) return say(over > 0 ? 'web.balance.over' : over < 0 ? 'web.balance.under' : 'web.balance.even', { count: Math.abs(over) })
  const sum = sumOfBids(now)
  return sum === null || !now.has_bid.some(Boolean) ? '' : say('web.balance.so_far', { sum, count: now.hand_size })
}

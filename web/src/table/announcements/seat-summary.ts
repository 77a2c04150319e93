/** A seat in one sentence, for screen readers. */
import { points, say } from '../../i18n'
import type { Seat, View } from '../../protocol'

export function seatSummary(view: View, seat: number, who: Seat | undefined): string {
  const now = view.now
  const said: string[] = [view.names[seat] ?? '']
  if (now) {
    const bid = now.bids[seat] ?? null
    if (bid !== null) said.push(say('web.seat.bid_and_made', { bid, made: now.won[seat] ?? 0 }))
    else if (now.has_bid[seat]) said.push(say('web.seat.bid_unseen', { made: now.won[seat] ?? 0 }))
    else said.push(say('web.seat.no_bid'))
    if (now.dealer === seat) said.push(say('web.seat.dealer'))
  }
  if (view.awaited.includes(seat)) said.push(say('web.seat.turn'))
  if (who?.kind === 'bot') said.push(say('web.seat.bot'))
  else if (who?.is_played_by_bot) said.push(say('web.seat.bot_plays'))
  else if (who && (who.is_away || !who.is_connected)) said.push(say('web.seat.away'))
  if (who?.next_name) said.push(say('web.seats.from_next_deal', { name: who.next_name }))
  said.push(say('web.seat.total', { points: points(view.totals[seat] ?? 0) }))
  return said.join(', ')
}

/**
 * The end of a round and the deal of the next come as one message, since nobody decides anything between them. At a
 * table there is a moment in between: it is put together here from what was shown before and the events, which hold
 * every fact of it.
 */
import type { GameEvent, Snapshot, TrickView, View } from '../protocol'

const eventOf = <Name extends GameEvent['event']>(events: readonly GameEvent[], name: Name) =>
  events.find((event): event is Extract<GameEvent, { event: Name }> => event.event === name)

/** The moments that a message stands for, in order; mostly just itself. */
export function moments(before: Snapshot | null, snapshot: Snapshot): Snapshot[] {
  const at = snapshot.events.findIndex((event) => event.event === 'round_dealt')
  const scored = eventOf(snapshot.events, 'round_scored')
  if (!before || before.game !== snapshot.game || at < 0 || !scored) return [snapshot]
  const ending = snapshot.events.slice(0, at)
  const view = ended(before.view, snapshot.view, ending, scored.bids, scored.won, scored.points)
  return view ? [{ ...snapshot, view, events: ending, clocks: [] }, { ...snapshot, events: snapshot.events.slice(at) }] : [snapshot]
}

function ended(before: View, after: View, events: readonly GameEvent[], bids: number[], won: number[], points: number[]): View | null {
  const now = before.now
  if (!now) return null
  const played = eventOf(events, 'played')
  const end = eventOf(events, 'trick_ended')
  let tricks = now.tricks
  if (played && end && now.trick) {
    const last: TrickView = { leader: now.trick.leader, faces: [...now.trick.faces, played.face], winner: end.winner, next_leader: end.next_leader }
    tricks = [...tricks, last]
  }
  const shown = eventOf(events, 'bids_shown')?.bids ?? now.bids
  return {
    ...before,
    sheet: after.sheet,
    totals: after.totals,
    phase: 'scored',
    awaited: [],
    decision: null,
    legal: [],
    now: {
      ...now,
      tricks,
      trick: null,
      winning: null,
      demanded: null,
      hand: now.hand === null ? null : [],
      hand_sizes: now.hand_sizes.map(() => 0),
      bids: shown,
      bids_are_shown: true,
      has_passed: null,
      won,
      needs: bids.map((bid, seat) => bid - won[seat]!),
      change: eventOf(events, 'bid_changed')?.change ?? now.change,
      points,
    },
  }
}

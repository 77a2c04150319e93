import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { GameEvent, Snapshot } from '../src/protocol'
import { ROUND_REST, SnapshotQueue, TRICK_REST, TRICK_SWEEP, type TimedSnapshot } from '../src/state/snapshot-queue.svelte'

const PLAYED: GameEvent = { event: 'played', seat: 0, face: 'R2' }
const TAKEN: GameEvent = { event: 'trick_ended', winner: 2, next_leader: 2 }
const SCORED: GameEvent = { event: 'round_scored', bids: [0], won: [0], points: [20], totals: [20] }
const DEALT: GameEvent = { event: 'round_dealt', number: 2, dealer: 1, hand_size: 2, turned_up: 'G4' }

function snapshot(number: number, phase: string, events: GameEvent[], left: number | null = null): TimedSnapshot {
  const clocks = left === null ? [] : [{ seat: 0, left_ms: left, patience_ms: null }]
  return { type: 'snapshot', game: 'g', number, clocks, events, view: { phase } as Snapshot['view'], at: 0 }
}
const card = (number: number) => snapshot(number, 'play', [PLAYED])
const trick = (number: number) => snapshot(number, 'play', [PLAYED, TAKEN])
const end = snapshot(6, 'deal', [PLAYED, TAKEN, SCORED])
const deal = snapshot(6, 'bid', [DEALT])

describe('snapshots', () => {
  let shown: [number, string][]
  const queue = (pace = 1, isUnhurried = false, beat = 0) => new SnapshotQueue({ show: ({ number, view }) => shown.push([number, view.phase]), pace: () => pace, beat: () => beat, seat: () => 0, isUnhurried })
  beforeEach(() => {
    shown = []
    vi.useFakeTimers()
  })
  afterEach(() => vi.useRealTimers())

  it('are shown as they come', () => {
    const all = queue()
    all.add(card(1))
    all.add(card(2))
    expect(shown).toEqual([[1, 'play'], [2, 'play']])
  })

  it('wait while a trick is looked at', () => {
    const all = queue()
    all.add(trick(1))
    all.add(card(2))
    expect([shown.length, all.isResting, all.newest?.number]).toEqual([1, true, 2])
    vi.advanceTimersByTime(TRICK_REST)
    expect([shown.length, all.isResting, all.newest]).toEqual([2, false, undefined])
  })

  it('wait until the trick has been swept, where cards move', () => {
    const all = queue(1, false, 1)
    all.add(trick(1))
    all.add(card(2))
    vi.advanceTimersByTime(TRICK_REST)
    expect([shown.length, all.isResting, all.isSweeping]).toEqual([1, false, true])
    all.add(card(3))
    vi.advanceTimersByTime(TRICK_SWEEP - 1)
    expect(shown.length).toBe(1)
    vi.advanceTimersByTime(1)
    expect([shown.length, all.isSweeping]).toEqual([3, false])
  })

  it('show the last trick, then the scored round, then the next deal', () => {
    const all = queue()
    all.add(end)
    all.add(deal)
    expect([shown, all.isResting]).toEqual([[[6, 'deal']], true])
    vi.advanceTimersByTime(TRICK_REST)
    expect([shown.length, all.isResting]).toEqual([1, false])
    vi.advanceTimersByTime(ROUND_REST - 1)
    expect(shown.length).toBe(1)
    vi.advanceTimersByTime(1)
    expect(shown).toEqual([[6, 'deal'], [6, 'bid']])
  })

  it('go on when the player has read the end of the round', () => {
    const all = queue(0)
    all.add(end)
    all.add(deal)
    expect(shown).toEqual([[6, 'deal']])
    all.goOn()
    expect(shown).toEqual([[6, 'deal'], [6, 'bid']])
  })

  it('wait for a player who is not hurried, but not longer than their clock allows', () => {
    const all = queue(0, true)
    all.add(end)
    all.add(deal)
    vi.advanceTimersByTime(100 * ROUND_REST)
    all.add(card(7))
    expect(shown).toEqual([[6, 'deal']])
    all.goOn()
    expect(shown.length).toBe(3)
    all.add(end)
    all.add(snapshot(6, 'bid', [DEALT], 5000))
    vi.advanceTimersByTime(1000)
    expect(shown.length).toBe(5)
  })

  it("wait less where the player's clock is running", () => {
    const all = queue(0)
    all.add(end)
    all.add(snapshot(6, 'bid', [DEALT], 5000))
    vi.advanceTimersByTime(1000)
    expect(shown.length).toBe(2)
  })

  it('do not pile up', () => {
    const all = queue()
    for (let number = 1; number <= 10; number++) all.add(trick(number))
    expect(shown.length).toBeGreaterThan(1)
  })

  it('that wait are dropped when the queue is cleared', () => {
    const all = queue()
    all.add(trick(1))
    all.add(card(2))
    all.clear()
    vi.advanceTimersByTime(60_000)
    expect([shown.length, all.isResting]).toEqual([1, false])
  })
})

/** Positions in a replay, their addresses, the games in a file, and the room for open hands. */
import { describe, expect, it } from 'vitest'
import type { Frame, ReviewedChoice } from '../src/protocol'
import { openHandSize } from '../src/replay/open-hands'
import { addressOf, mistakeAfter, mistakeAt, positionIn, stepBefore, trickAfter, trickBefore, trickStarts } from '../src/replay/positions'
import { tableLayout } from '../src/table/board/table-layout'

/** Two seats' worth of frames: the deal, two bids, two tricks of two cards with a pass between them. */
const DECISIONS = [null, '3:bid:0', '3:bid:0', '3:play:0', '3:play:0', '3:pass:1', '3:pass:1', '3:play:1', '3:play:1']
const frames = DECISIONS.map((decision, step) => ({ decision, seat: decision === null ? null : (step + 1) % 2 })) as unknown as Frame[]
const choice = (round: number, decision: string, seat: number, cost: number) => ({ round, decision, seat, cost }) as ReviewedChoice

describe('tricks', () => {
  it('begin before their first card', () => {
    expect(trickStarts(frames)).toEqual([2, 6])
  })
  it('are gone through one by one, from the deal to the end of the round', () => {
    const forward = [0, 1, 2, 3, 6, 7, 8].map((step) => trickAfter(frames, step))
    expect(forward).toEqual([2, 2, 6, 6, 8, 8, 8])
    const back = [0, 1, 2, 3, 6, 7, 8].map((step) => trickBefore(frames, step))
    expect(back).toEqual([0, 0, 0, 2, 2, 6, 6])
  })
})

describe('mistakes', () => {
  const mistakes = [choice(2, '2:bid:0', 0, 4), choice(3, '3:play:0', 0, 2), choice(3, '3:play:1', 0, 1), choice(5, '4:bid:0', 0, 3)]
  it('are shown at the moment before the choice', () => {
    expect(stepBefore(frames, 0, '3:play:0')).toBe(2)
    expect(stepBefore(frames, 1, '3:bid:0')).toBe(1)
    expect(stepBefore(frames, 0, '9:play:0')).toBeNull()
  })
  it('are found after the position, in this round and in later ones', () => {
    const after = (step: number) => mistakeAfter(mistakes, frames, [2, 3, 5], { round: 3, step })?.decision
    expect([0, 1, 2, 5, 6, 8].map(after)).toEqual(['3:play:0', '3:play:0', '3:play:1', '3:play:1', '4:bid:0', '4:bid:0'])
    expect(mistakeAfter(mistakes, frames, [2, 3], { round: 3, step: 8 })).toBeNull()
  })
  it('belong to the choice that comes next', () => {
    expect(mistakeAt(mistakes, frames, 3, 2)?.decision).toBe('3:play:0')
    expect(mistakeAt(mistakes, frames, 3, 3)).toBeNull()
    expect(mistakeAt([choice(3, '3:play:0', 0, 0)], frames, 3, 2)).toBeNull()
    expect(mistakeAt(mistakes, frames, 3, 8)).toBeNull()
  })
})

describe('addresses', () => {
  it('say everything about a position', () => {
    const position = { round: 7, step: 12, seat: 2, isOpen: false, decision: null }
    const address = addressOf('a game', position)
    expect(address).toBe('/replay/a%20game/7/12?seat=2&hidden')
    expect(positionIn('7/12?seat=2&hidden')).toEqual(position)
  })
  it('may leave everything out, or say nonsense', () => {
    const start = { round: null, step: 0, seat: 0, isOpen: true, decision: null }
    expect(positionIn('?')).toEqual(start)
    expect(positionIn('x/-3?seat=99999')).toEqual(start)
    expect(positionIn('3/0?seat=1&at=3:play:2')).toEqual({ ...start, round: 3, seat: 1, decision: '3:play:2' })
  })
})

describe('open hands', () => {
  it.each([
    [3, 20, 360, 482],
    [4, 15, 360, 482],
    [5, 12, 390, 690],
    [6, 10, 390, 690],
    [3, 20, 1040, 800],
    [6, 10, 844, 294],
  ])('%i players with %i cards each fit below their seats on %i × %i', (players, cards, width, height) => {
    const closed = tableLayout({ width, height }, players, cards)
    const { width: card, perLine, strip } = openHandSize(closed, cards)
    const open = tableLayout({ width, height }, players, cards, cards, strip)
    expect(open.seats.map(({ width }) => width)).toEqual(closed.seats.map(({ width }) => width))
    for (const seat of open.seats) {
      expect(perLine * card * 0.42).toBeLessThanOrEqual(seat.width)
      expect(Math.ceil(cards / perLine) * (card * 0.64 + 2)).toBeLessThanOrEqual(strip)
      expect(seat.x).toBeGreaterThanOrEqual(0)
      expect(seat.x + seat.width).toBeLessThanOrEqual(width)
      const isBesideOwn = seat.x + seat.width <= open.own.x || seat.x >= open.own.x + open.own.width
      expect(isBesideOwn || seat.y + seat.height <= open.own.y).toBe(true)
    }
    expect(open.trick.height).toBeGreaterThanOrEqual(60)
  })
})

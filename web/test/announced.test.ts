import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import type { GameEvent, Table, View } from '../src/protocol'
import { announced, newHostLine } from '../src/state/announced'
import { Announcements, SHOWN_AT_LEAST, SHOWN_FOR } from '../src/state/announcements.svelte'
import { logLines } from '../src/state/event-log'
import { justReceived, markedWinner } from '../src/state/shown-trick'

const NAMES = ['Ada', 'Merlin', 'Rui']
const view = (now: object = {}, seat: number | null = 0) => ({ seat, names: NAMES, now: { passes: [], bids: [1, 0, 2], ...now } }) as unknown as View
const lines = (event: GameEvent, seen = view()) => announced({ view: seen, events: [event] })

describe('what is announced on the table', () => {
  it('is a bombed trick, but no other', () => {
    expect(lines({ event: 'trick_ended', winner: null, next_leader: 1 })).toEqual(['The Bomb: nobody takes this trick'])
    expect(lines({ event: 'trick_ended', winner: 1, next_leader: 1 })).toEqual([])
  })

  it('is the trump that another player names', () => {
    expect(lines({ event: 'trump_settled', colour: 'B', named_by: 1, rule: 'T3' })).toEqual(['Merlin names blue'])
    expect(lines({ event: 'trump_settled', colour: null, named_by: 2, rule: 'X6' })).toEqual(['Rui names no trump'])
    expect(lines({ event: 'trump_settled', colour: 'B', named_by: 0, rule: 'T3' })).toEqual([])
    expect(lines({ event: 'trump_settled', colour: 'B', named_by: null, rule: 'T1' })).toEqual([])
  })

  it('is who exchanged the Werewolf', () => {
    expect(lines({ event: 'exchanged', seat: 1, card: 'B10' })).toEqual(['Merlin took the blue 10 for the Werewolf'])
    expect(lines({ event: 'exchanged', seat: 0, card: 'NR' })).toEqual(['You took a Jester for the Werewolf'])
  })

  it('is the card that was received, from the neighbour on the right', () => {
    const seen = view({ passes: [{ trick: 0, gave: 'R2', received: 'B6' }] })
    expect(lines({ event: 'cards_passed' }, seen)).toEqual(['You received the blue 6 from Rui'])
    expect(lines({ event: 'cards_passed' }, view({}, null))).toEqual(['Everyone has passed a card to the left'])
  })

  it('is a bid that the Cloud has changed; how much, where the bid is secret', () => {
    expect(lines({ event: 'bid_changed', seat: 2, change: 1 })).toEqual(['The Cloud: Rui now bids 2'])
    expect(lines({ event: 'bid_changed', seat: 2, change: 1 }, view({ bids: [1, null, null] }))).toEqual(['Rui: the Cloud changes the bid by +1'])
    expect(lines({ event: 'bid_changed', seat: 0, change: 1 })).toEqual([])
  })
})

describe('a new host', () => {
  const table = (host: number, ...isConnected: boolean[]) => ({ host, seats: NAMES.map((name, seat) => ({ kind: 'person', name, is_connected: isConnected[seat] ?? true })) }) as unknown as Table

  it('is told why', () => {
    expect(newHostLine(table(1), table(0, true, false), 0)).toBe('Merlin left; you are the host now')
    expect(newHostLine(table(1), table(0), 0)).toBe('You are the host now')
  })

  it('is not told again, and nobody else is', () => {
    expect(newHostLine(table(0), table(0), 0)).toBeNull()
    expect(newHostLine(table(1), table(2), 0)).toBeNull()
    expect(newHostLine(null, table(0), 0)).toBeNull()
  })
})

test('a player who names no trump is not said to make it trump', () => {
  const [line] = logLines({ view: view(), events: [{ event: 'trump_settled', colour: null, named_by: 1, rule: 'T3' }] })
  expect(line?.text).toBe('Merlin: no trump')
})

test('no card is marked as winning once the Bomb lies in the trick', () => {
  const now = (faces: string[]) => {
    const trick = { leader: 0, faces }
    return [trick, { trick, winning: 1 }] as unknown as Parameters<typeof markedWinner>
  }
  expect(markedWinner(...now(['R2', 'R9']))).toBe(1)
  expect(markedWinner(...now(['R2', 'R9', 'BOMB']))).toBeNull()
})

test('a card that was received is marked until the player plays', () => {
  const now = (leader: number, faces: string[], tricks = 1) => ({ passes: [{ trick: 0, gave: 'R2', received: 'B6' }], tricks: Array(tricks), trick: { leader, faces }, bids: [0, 0, 0] }) as unknown as Parameters<typeof justReceived>[0]
  expect(justReceived(now(1, []), 0)).toBe('B6')
  expect(justReceived(now(1, ['R1', 'R3']), 0)).toBe('B6')
  expect(justReceived(now(1, ['R1', 'R3', 'R4']), 0)).toBeNull()
  expect(justReceived(now(0, [], 2), 0)).toBeNull()
  expect(justReceived(now(1, []), null)).toBeNull()
})

describe('announcements', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are shown one after the other, each long enough to be read', () => {
    const all = new Announcements()
    all.add('one', 'two')
    expect(all.line).toBe('one')
    vi.advanceTimersByTime(SHOWN_AT_LEAST - 1)
    expect(all.line).toBe('one')
    vi.advanceTimersByTime(1)
    expect(all.line).toBe('two')
    vi.advanceTimersByTime(SHOWN_FOR - 1)
    expect(all.line).toBe('two')
    vi.advanceTimersByTime(1)
    expect(all.line).toBeNull()
  })

  it('make way for a newer one', () => {
    const all = new Announcements()
    all.add('one')
    vi.advanceTimersByTime(SHOWN_AT_LEAST)
    all.add('two')
    expect(all.line).toBe('two')
    all.clear()
    expect(all.line).toBeNull()
  })
})

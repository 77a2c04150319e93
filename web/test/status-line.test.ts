import { expect, test } from 'vitest'
import type { View } from '../src/protocol'
import { statusLine } from '../src/table/announcements/status-line'

const asked = (hand: string, legal = hand) =>
  ({
    phase: 'play',
    seat: 0,
    awaited: [0],
    legal: legal.split(' ').map((card) => `play ${card}`),
    now: { demanded: 'R', hand: [...new Set(hand.split(' ').map((card) => card.split(':')[0]))], trick: { faces: ['R5'] } },
  }) as unknown as View

test('a player with the colour that was led is asked to follow it', () => {
  expect(statusLine(asked('R2 B4 ZB', 'R2 ZB'))).toBe('Your turn: follow red')
  expect(statusLine(asked('R2 R4'))).toBe('Your turn: follow red')
})

test('a player without it is told that every card may be played', () => {
  expect(statusLine(asked('B2 ZR NR'))).toBe('Your turn: no red, play any card')
  expect(statusLine(asked('B2 JUGGLER', 'B2 JUGGLER:B JUGGLER:R'))).toBe('Your turn: no red, play any card')
})

test('a countdown takes the place of a player who is thinking but has lost the connection', () => {
  const view = { ...asked('R2'), seat: 1, names: ['Anna', 'Bo'] } as View
  expect(statusLine(view)).toBe('Anna is thinking')
  expect(statusLine(view, { name: 'Anna', seconds: 12 })).toBe('Anna is offline; a bot plays in 12 s')
})

test('not where the server bars some of them', () => {
  expect(statusLine(asked('B2 ZR', 'B2'))).toBe('Your turn: you have no red')
})

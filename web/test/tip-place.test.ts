import { describe, expect, test } from 'vitest'
import { around, tipPlace, type Rect } from '../src/guide/tip-place'

const ROOM: Rect = { x: 0, y: 50, width: 390, height: 780 }
const TIP = { width: 300, height: 100 }
const box = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height })
const meet = (one: Rect, other: Rect) => one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height

describe('the place of a tip', () => {
  test('is near its subject, but not over it', () => {
    const about = box(10, 120, 50, 70)
    const place = { ...tipPlace(TIP, ROOM, about, [], []), ...TIP }
    expect(meet(place, about)).toBe(false)
    expect(place.y - about.y - about.height).toBeLessThan(12)
  })

  test('is free of what must be tapped, and covers other things rather than that', () => {
    const hand = box(0, 700, 390, 130)
    const question = box(8, 500, 374, 190)
    const seats = box(0, 50, 390, 430)
    const place = { ...tipPlace(TIP, ROOM, question, [hand, question], [seats]), ...TIP }
    expect(meet(place, hand) || meet(place, question)).toBe(false)
    expect(meet(place, seats)).toBe(true)
  })

  test('is inside the room, even for a subject outside it', () => {
    const place = tipPlace(TIP, ROOM, box(300, 10, 60, 24), [], [])
    expect(place).toEqual({ x: 90, y: 50 })
  })

  test('goes around a card rather than over it', () => {
    const card = box(4, 60, 56, 80)
    const place = { ...tipPlace(TIP, ROOM, box(60, 10, 60, 24), [], [card]), ...TIP }
    expect(meet(place, card)).toBe(false)
  })

  test('a room that is too small is no reason to fail', () => {
    expect(tipPlace({ width: 900, height: 900 }, ROOM, box(0, 60, 10, 10), [], [])).toEqual({ x: 0, y: 50 })
  })
})

test('the box around several boxes', () => {
  expect(around([box(10, 10, 10, 10), box(40, 5, 10, 10)])).toEqual(box(10, 5, 40, 15))
})

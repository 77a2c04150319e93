import { describe, expect, it } from 'vitest'
import { LEAST_VISIBLE, RATIO, fanBox, handPlace, seatPlace, tableLayout, trickPlace, type Box, type Place, type Size } from '../src/table/board/table-layout'

/** The table's box on common screens: below a bar of 48 px and, from 1100 px of width on, beside a panel of 340 px. */
const TABLES = [
  [360, 592],
  [390, 796],
  [768, 976],
  [760, 652], // 1100 × 700
  [940, 752], // 1280 × 800
  [1100, 852], // 1440 × 900
  [1580, 1032], // 1920 × 1080
  [844, 342], // a phone held sideways
] as const
const PLAYERS = [3, 4, 5, 6]
const COUNTS = Array.from({ length: 20 }, (_, place) => place + 1)

const bounds = (place: Place): Box => {
  // of the turned card
  const turn = (Math.abs(place.turn) * Math.PI) / 180
  const height = place.width * RATIO
  const width = place.width * Math.cos(turn) + height * Math.sin(turn)
  const tall = place.width * Math.sin(turn) + height * Math.cos(turn)
  return { x: place.x - width / 2, y: place.y - tall / 2, width, height: tall }
}
const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height

/** Whether a box lies on the table; a fanned hand may reach a few pixels below its edge. */
const isOnTable = (box: Box, table: Size, below = 0) => box.x >= 0 && box.y >= 0 && box.x + box.width <= table.width && box.y + box.height <= table.height + below

describe.each(TABLES)('a table of %i × %i', (width, height) => {
  const size = { width, height }

  describe.each(PLAYERS)('with %i players', (players) => {
    it.each(COUNTS)('shows every card of a hand of %i, each within reach', (count) => {
      const table = tableLayout(size, players, count)
      const places = COUNTS.slice(0, count).map((_, index) => handPlace(table, index, count))
      for (const [index, place] of places.entries()) {
        const box = bounds(place)
        expect(isOnTable(box, size, 3)).toBe(true)
        // what is to be done stands in the player's own seat, and a lifted card leaves it in sight
        expect(box.y - table.lift).toBeGreaterThanOrEqual(table.own.y + table.own.height)
        const next = places[index + 1]
        const isSameRow = next !== undefined && next.x > place.x
        // later cards lie on top: what is left of this one in its row is the step to the next
        if (isSameRow) expect(next.x - place.x).toBeGreaterThanOrEqual(LEAST_VISIBLE)
      }
      // an upper row shows its number and symbol above the lower one
      const lower = places.find((place) => place.y > places[0]!.y + 20)
      if (lower) expect(lower.y - places[0]!.y).toBeGreaterThanOrEqual(LEAST_VISIBLE)
    })

    it.each(COUNTS)('keeps the seats, the trick, the card turned up and a hand of %i apart', (count) => {
      const table = tableLayout(size, players, count)
      expect(table.seats).toHaveLength(players - 1)
      const boxes = [...table.seats, table.own, table.hand]
      for (const [place, one] of boxes.entries()) {
        expect(isOnTable(one, size)).toBe(true)
        for (const other of boxes.slice(place + 1)) expect(overlap(one, other)).toBe(false)
      }
      for (let place = 0; place < players; place++) {
        const card = bounds(trickPlace(table, place, players))
        for (const box of table.seats) expect(overlap(card, box)).toBe(false)
        expect(overlap(card, table.own)).toBe(false)
        expect(overlap(card, table.hand)).toBe(false)
        expect(isOnTable(card, size)).toBe(true)
      }
      const stock = bounds(table.stock)
      expect(isOnTable(stock, size)).toBe(true)
      for (const box of boxes) expect(overlap(stock, box)).toBe(false)
    })

    it('lays each card of a trick where its corner stays in sight', () => {
      const table = tableLayout(size, players, 5)
      const places = Array.from({ length: players }, (_, place) => trickPlace(table, place, players))
      for (const [at, one] of places.entries())
        for (const other of places.slice(at + 1))
          // the number and the symbol take the left third and the upper two fifths
          expect(Math.abs(one.x - other.x) >= one.width * 0.36 || Math.abs(one.y - other.y) >= one.width * RATIO * 0.4).toBe(true)
    })

    it.each(COUNTS.slice(0, 60 / players))('keeps a trick off the card turned up, with a hand of %i', (count) => {
      const table = tableLayout(size, players, count)
      for (let place = 0; place < players; place++)
        expect(overlap(bounds(trickPlace(table, place, players)), bounds(table.stock))).toBe(false)
    })

    it.each(COUNTS.slice(0, 60 / players))('has room for a fan of answers above any card of a hand of %i', (count) => {
      const table = tableLayout(size, players, count)
      if (table.isShort) return // there the answers stand in the line of the player's own seat
      const others = Array.from({ length: players - 1 }, (_, place) => bounds(trickPlace(table, place + 1, players)))
      for (let index = 0; index < count; index++) {
        const fan = fanBox(table, handPlace(table, index, count).x, 4)
        expect(isOnTable(fan, size)).toBe(true)
        for (const box of [...others, ...table.seats, table.own, table.hand, bounds(table.stock)]) expect(overlap(fan, box)).toBe(false)
      }
    })

    it('seats the others clockwise from the left', () => {
      const table = tableLayout(size, players, 5)
      const middles = Array.from({ length: players - 1 }, (_, place) => seatPlace(table, place + 1).x)
      expect(middles).toEqual([...middles].sort((a, b) => a - b))
    })
  })
})

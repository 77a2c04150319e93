import { describe, expect, it } from 'vitest'
import { COLOURS, DASHES, RING, initial } from '../src/parts/player-marks'

describe('the initial of a name', () => {
  it.each([
    ['ada', 'A'],
    ['  Bo', 'B'],
    ['e\u0301mile', 'E\u0301'], // an accent of its own belongs to its letter
    ['👩‍🚀 Zoe', '👩‍🚀'],
    ['🇭🇺', '🇭🇺'],
    ['ßen', 'ß'],
    ['', ''],
  ])('%s: %s', (name, first) => expect(initial(name)).toBe(first))
})

describe('what tells players apart', () => {
  it('is another colour and other dashes for each of six', () => {
    expect(new Set(COLOURS).size).toBe(6)
    expect(new Set(DASHES).size).toBe(6)
  })
  it('closes the ring without a rest', () => {
    for (const [seat, dashes] of DASHES.entries()) {
      const turn = dashes.split(' ').reduce((sum, part) => sum + Number(part), 0)
      if (turn > 0) expect(RING[seat]! % turn).toBe(0)
    }
  })
})

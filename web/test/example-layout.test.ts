import { describe, expect, test } from 'vitest'
import { CARD, pieces, ROW } from '../src/handbook/example-layout'
import { exampleOf, sectionOf, SECTIONS } from '../src/handbook/handbook'

const examples = SECTIONS.flatMap(({ examples }) => examples).map(exampleOf)

describe.each([272, 330])('examples in %i pixels', (width) => {
  test.each(examples.map((example) => [example.key, example] as const))('%s: every card is inside, and none covers another', (_, example) => {
    for (const step of example.steps) {
      const found = pieces(step, width)
      for (const { x, y } of found) {
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x + CARD.width).toBeLessThanOrEqual(width)
        expect(y + CARD.height).toBeLessThanOrEqual(ROW * (example.names.length + 1))
      }
      for (const one of found) for (const other of found) if (one !== other && one.y === other.y) expect(Math.abs(one.x - other.x)).toBeGreaterThan(CARD.width * 0.7)
    }
  })
})

test('a card is barred only in the hand of the player to move', () => {
  const step = exampleOf('follow').steps[1]!
  expect(pieces(step, 330).filter(({ isBarred }) => isBarred).map(({ card }) => card)).toEqual(['R9'])
})

test('the card that takes the trick is marked, with what was declared', () => {
  const step = exampleOf('shapeshifter').steps.at(-1)!
  expect(pieces(step, 330).filter(({ isWinning }) => isWinning)).toMatchObject([{ card: 'SHAPESHIFTER', face: 'SHAPESHIFTER:Z' }])
})

test('a section is found by its rules and by its key', () => {
  expect(sectionOf('P3')?.key).toBe('play')
  expect(sectionOf('cloud')?.paragraphs[0]).toEqual(['X8'])
  expect(sectionOf('P99')).toBeUndefined()
})

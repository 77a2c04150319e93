import { describe, expect, it } from 'vitest'
import { foresightLayout } from '../src/table/board/foreseen-layout'
import { LEAST_VISIBLE, RATIO } from '../src/table/board/table-layout'

describe('the cards foreseen', () => {
  const rooms = [[290, 150], [310, 290], [690, 480], [760, 380], [816, 96]] as const
  for (const [width, height] of rooms)
    for (const hands of [2, 3, 4, 5])
      for (const cards of [1, 2, 5, 9, 10, 12, 15, 20]) {
        if (cards * (hands + 1) > 60) continue
        it(`${hands} hands of ${cards} in ${width} × ${height}`, () => {
          const { cardWidth, step, perLine, isRow } = foresightLayout(width, height, hands, cards)
          if (isRow) {
            expect(hands * ((perLine - 1) * step + cardWidth)).toBeLessThanOrEqual(width)
            expect(20 + cardWidth * RATIO).toBeLessThanOrEqual(height)
            return
          }
          expect((perLine - 1) * step + cardWidth).toBeLessThanOrEqual(width + 0.01)
          const lines = Math.ceil(cards / perLine)
          // every card can be read, and all hands fit unless they are as small as they get
          if (cards > 1) expect(step).toBeGreaterThanOrEqual(LEAST_VISIBLE)
          if (cardWidth > 26) expect(hands * (20 + lines * cardWidth * RATIO)).toBeLessThanOrEqual(height + 0.01)
        })
      }
  it('are large where there is room', () => {
    expect(foresightLayout(310, 290, 2, 1).cardWidth).toBeGreaterThan(80)
  })
})

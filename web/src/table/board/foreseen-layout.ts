/** Foresight: the others' cards, shown as large as there is room for while the bids are made. */
import { LEAST_VISIBLE, RATIO } from './table-layout'

export interface ForesightLayout {
  cardWidth: number
  step: number // from one card to the next
  perLine: number
  isRow: boolean // the hands side by side; otherwise one below the other
}

const LARGEST = 92
const SMALLEST = 26
const NAME = 20
const GAP = 4

/** One way to lay them out: each hand under its name, in this number of lines. */
function tried(width: number, height: number, cards: number, lines: number, isRow: boolean): ForesightLayout {
  const perLine = Math.max(1, Math.ceil(cards / lines))
  const cardWidth = Math.max(SMALLEST, Math.min(LARGEST, ((height - NAME - GAP) / lines - 1) / RATIO, width))
  const step = perLine < 2 ? cardWidth : Math.min(cardWidth + GAP, (width - cardWidth) / (perLine - 1))
  return { cardWidth, step, perLine, isRow }
}

/** The way with the largest cards, among those that show enough of each card. */
export function foresightLayout(width: number, height: number, hands: number, cards: number): ForesightLayout {
  const ways = [1, 2, 3].flatMap((lines) => [
    tried(width / hands - 3 * GAP, height, cards, lines, true),
    tried(width, height / hands, cards, lines, false),
  ])
  const isFitting = ({ cardWidth, perLine, isRow }: ForesightLayout) =>
    (NAME + Math.ceil(cards / perLine) * cardWidth * RATIO) * (isRow ? 1 : hands) <= height + 1
  const readable = (way: ForesightLayout) => Math.min(way.step, LEAST_VISIBLE) + (isFitting(way) ? LEAST_VISIBLE : 0)
  return ways.reduce((best, way) => (readable(way) - readable(best) || Math.min(way.step, way.cardWidth) - Math.min(best.step, best.cardWidth)) > 0 ? way : best)
}

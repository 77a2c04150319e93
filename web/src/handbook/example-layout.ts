/** Where everything of an example lies: a row for the card turned up, and below it a row for each seat. */
import type { Step } from './handbook'

export const CARD = { width: 42, height: 59 }
export const ROW = 66
const LABEL = 96
const EDGE = 4

export interface Piece {
  /** The card's code without a declaration: it stays the same piece wherever it goes. */
  card: string
  face: string
  x: number
  y: number
  isBarred: boolean
  isWinning: boolean
}

/** The place of a row's cards: row 0 has the card turned up, row 1 the first seat. */
const top = (row: number) => row * ROW + (ROW - CARD.height) / 2

/** Every card on the table; `width` is that of the whole picture, in pixels. */
export function pieces(step: Step, width: number): Piece[] {
  const right = width - CARD.width - EDGE // where cards are played
  const room = right - 14 - LABEL - CARD.width
  const found: Piece[] = [{ card: step.turned_up, face: step.turned_up, x: LABEL, y: top(0), isBarred: false, isWinning: false }]
  for (const [seat, hand] of step.hands.entries()) {
    const gap = hand.length > 1 ? Math.min(CARD.width + 5, room / (hand.length - 1)) : 0
    const allowed = step.asked?.seat === seat ? step.asked.cards : undefined
    for (const [place, card] of hand.entries())
      found.push({ card, face: card, x: LABEL + place * gap, y: top(seat + 1), isBarred: allowed !== undefined && !allowed.includes(card), isWinning: false })
  }
  for (const { seat, face } of step.trick) found.push({ card: face.split(':')[0]!, face, x: right, y: top(seat + 1), isBarred: false, isWinning: seat === step.winner })
  return found.sort((one, other) => one.card.localeCompare(other.card)) // the same order in every step: no element is moved in the document
}

/** How large the cards of open hands are drawn below the seats, and how much room they need there. */
import type { TableLayout } from '../table/board/table-layout'

/** Widths of a whole card, of which only the corner is drawn: `MiniCard.svelte` has the same shares of it. */
const WIDTHS = [62, 54, 46, 38] as const
const SHARE_ACROSS = 0.42
const SHARE_DOWN = 0.64
const LINE_GAP = 2
const MARGIN = 6
/** The share of the board's height that the hands below one row of seats may take, with one row and with two. */
const MOST = { 1: 0.16, 2: 0.1 } as const

export interface OpenHandSize {
  width: number // of a whole card
  perLine: number
  strip: number // the height of all lines together
}

/** The largest cards that leave enough room for the trick, and otherwise the smallest. */
export function openHandSize({ seats, size }: Pick<TableLayout, 'seats' | 'size'>, cards: number): OpenHandSize {
  const seatWidth = seats[0]!.width
  const rows = seats.some((seat) => seat.y !== seats[0]!.y) ? 2 : 1
  const ways = WIDTHS.map((width): OpenHandSize => {
    const perLine = Math.max(1, Math.floor(seatWidth / (width * SHARE_ACROSS + 1)))
    return { width, perLine, strip: Math.ceil(Math.ceil(cards / perLine) * (width * SHARE_DOWN + LINE_GAP)) + MARGIN }
  })
  return ways.find(({ strip }) => strip <= MOST[rows] * size.height) ?? ways.at(-1)!
}

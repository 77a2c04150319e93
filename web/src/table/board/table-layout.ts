/**
 * Where everything lies on the table: pure functions of the table's size, the number of players and the place of a
 * card in its zone. Nothing here touches the page, so all of it is tested without one.
 *
 * Coordinates are pixels in the table's box; a card is placed by its centre. Place 0 is the player's own seat, at the
 * bottom; the others follow clockwise from the left, as they sit (D1).
 */

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Place {
  x: number
  y: number
  width: number
  turn: number
}

export interface Size {
  width: number
  height: number
}

export interface TableLayout {
  size: Size
  seats: Box[] // of the others, clockwise from the left
  own: Box // the player's own seat
  hand: Box
  trick: Box
  stock: Place // the turned-up card
  cardWidth: number // in the hand
  trickWidth: number // in the trick
  lift: number // how far a lifted card rises: not as far as the player's own seat
  rows: 1 | 2
  isShort: boolean // a phone held sideways
}

export const RATIO = 1.4
/** The least width of a card, in pixels, that can still be read and tapped. */
export const LEAST_VISIBLE = 24
/** Below this height, in pixels, it is a phone held sideways: every line counts. */
const SHORT = 420
/** The bright edge around a lifted card, in pixels. */
export const LIFTED_EDGE = 3
const MARGIN = 8
const GAP = 6

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))

/** Two rows where one would show too little of each card for a thumb; a mouse needs a little less. */
function rowsFor(count: number, width: number, cardWidth: number, share: number): 1 | 2 {
  if (count < 2) return 1
  const step = (width - 2 * MARGIN - cardWidth) / (count - 1)
  return step < Math.max(LEAST_VISIBLE, cardWidth * share) ? 2 : 1
}

/** How far the lower row lies below the upper one, whose numbers and symbols stay in sight. */
const rowDrop = (cardWidth: number) => Math.round(cardWidth * 0.66)

/** Fractions of the width, and which row: 0 at the top, 1 below it, at the sides. */
const ARC: Record<number, readonly (readonly [number, 0 | 1])[]> = {
  2: [[0.2, 0], [0.8, 0]],
  3: [[0, 1], [0.5, 0], [1, 1]],
  4: [[0, 1], [0.24, 0], [0.76, 0], [1, 1]],
  5: [[0, 1], [0, 0], [0.5, 0], [1, 0], [1, 1]],
}

/** `strip` is the height below each of the other seats for their open hands, in a replay. */
export function tableLayout(size: Size, players: number, cards: number, dealt = cards, strip = 0): TableLayout {
  const { width, height } = size
  const isShort = height < SHORT
  const isWide = width >= 600
  const isRoomy = width >= 740 && width > height && !isShort // a laptop
  // by the number of cards dealt, not of those left: cards keep their size during the round
  const cardWidth = Math.round(clamp(Math.min(width * (dealt > 12 ? 0.17 : 0.2), height * (isShort ? 0.2 : isRoomy ? 0.155 : 0.135)), 44, isRoomy ? 124 : 108))
  const handWidth = Math.min(width, isRoomy ? 1100 : 1000)
  const rows = rowsFor(cards, handWidth, cardWidth, isRoomy ? 0.4 : 0.41)
  const cardHeight = cardWidth * RATIO
  const handHeight = cardHeight + (rows === 2 ? rowDrop(cardWidth) : 0) + (isShort ? 4 : 14)
  const hand: Box = { x: (width - handWidth) / 2, y: height - handHeight, width: handWidth, height: handHeight }

  const ownHeight = isShort ? 36 : 46
  const ownWidth = Math.min(width - 2 * MARGIN, 440)
  const lift = Math.round(cardWidth * (isShort ? 0.14 : 0.2))
  const own: Box = { x: (width - ownWidth) / 2, y: hand.y - lift - LIFTED_EDGE - ownHeight, width: ownWidth, height: ownHeight }

  const others = players - 1
  const seatHeight = (isShort ? 50 : height < 620 ? 62 : isRoomy && height > 700 ? 76 : 70) + strip
  const perRow = others === 5 ? 3 : 2
  const seatWidth = Math.round(Math.min(isRoomy && width >= 1000 ? 214 : isWide ? 190 : 168, (width - 2 * MARGIN - (perRow - 1) * GAP) / perRow, isWide ? width * 0.24 : 999))
  const sideDrop = isWide ? clamp((own.y - 2 * seatHeight) * 0.35, GAP, 130) : GAP
  // on the widest screens the seats stay close to the trick
  const edge = Math.max(0, (width - (others > 3 ? 1040 : 950)) / 2)
  const seats = (ARC[others] ?? ARC[2]!).map(([across, row]): Box => {
    const span = width - 2 * (edge + MARGIN)
    return {
      x: Math.round(edge + MARGIN + clamp(across * span - seatWidth / 2, 0, span - seatWidth)),
      y: Math.round(MARGIN / 2 + row * (seatHeight + sideDrop)),
      width: seatWidth,
      height: seatHeight,
    }
  })

  const lowest = (row: Box[]) => row.reduce((low, seat) => Math.max(low, seat.y + seat.height), 0)
  const hasSides = others > 2
  // Between the side seats when there is room beside them, below all seats otherwise.
  const between = isWide && hasSides
  const top = between ? lowest(seats.filter((seat) => seat.y < MARGIN)) : lowest(seats)
  const left = between ? edge + MARGIN + seatWidth + GAP : edge + MARGIN
  const trick: Box = { x: left, y: top + GAP, width: width - 2 * left, height: Math.max(60, own.y - top - 2 * GAP) }

  const trickWidth = Math.round(clamp(Math.min(trick.height / (players > 4 ? 2.35 : 2.2), trick.width / (players > 4 ? 5.2 : isRoomy ? 4.1 : 4.6), cardWidth * 1.3), 38, 128))
  // In the upper left corner of the trick, clear of the cards that are played.
  const stockWidth = Math.round(clamp(trickWidth * 0.64, 34, 62))
  const stock: Place = {
    x: trick.x + stockWidth / 2 + 2,
    y: trick.y + (stockWidth * RATIO) / 2 + 2,
    width: stockWidth,
    turn: 0,
  }
  return { size, seats, own, hand, trick, stock, cardWidth, trickWidth, lift, rows, isShort }
}

/** The size of one answer in the fan above a card, in pixels: for a thumb, and where there is room. */
const ANSWER: Size = { width: 56, height: 45 }
const LARGE_ANSWER: Size = { width: 74, height: 58 }
const ANSWER_GAP = 4 // DeclarationFan has the same number, and that of FAN_RISE
/** How far the middle of the fan stands above its ends. */
const FAN_RISE = 4

/**
 * The fan of answers above a lifted card whose middle is at `x`: what the card is declared as. It stands above the player's own
 * seat, at the foot of the trick, where this player has not played yet. A short screen has no room for it.
 */
export function fanBox({ size, own }: TableLayout, x: number, answers: number): Box {
  const answer = size.width >= 740 ? LARGE_ANSWER : ANSWER
  const width = answers * answer.width + (answers - 1) * ANSWER_GAP
  const height = answer.height + FAN_RISE
  return { x: clamp(x - width / 2, MARGIN, size.width - MARGIN - width), y: own.y - height, width, height }
}

/** A card of the player's hand. */
export function handPlace(table: TableLayout, index: number, count: number): Place {
  const { hand, cardWidth, rows } = table
  const isFlat = table.size.height < SHORT
  const cardHeight = cardWidth * RATIO
  const upper = rows === 2 ? Math.ceil(count / 2) : 0
  const row = rows === 2 && index >= upper ? 1 : 0
  const inRow = rows === 1 ? count : row === 0 ? upper : count - upper
  const at = rows === 2 && row === 1 ? index - upper : index
  const room = hand.width - 2 * MARGIN - cardWidth
  const step = inRow < 2 ? 0 : Math.min(cardWidth * 1.04, room / (inRow - 1))
  const middle = (inRow - 1) / 2
  const away = at - middle
  const isFanned = rows === 1 && inRow > 2 && !isFlat
  const bend = isFanned ? Math.min(1.3, 9 / inRow) : 0
  const sag = isFanned ? (away / middle) ** 2 * 6 : 0
  return {
    x: hand.x + hand.width / 2 + away * step,
    y: hand.y + cardHeight / 2 + (row === 1 ? rowDrop(cardWidth) : 0) + sag,
    width: cardWidth,
    turn: away * bend,
  }
}

/** Where the seat at `place` (0 is the player's own, then clockwise) lays its card: on its side of the trick's middle. */
export function trickPlace(table: TableLayout, place: number, players: number): Place {
  const { trick, trickWidth } = table
  const isFlat = players > 4 && trick.height < trickWidth * RATIO * 1.9
  if (isFlat) {
    // no room for a ring: a row, each card below its seat, the player's own in the middle
    const half = Math.floor(players / 2)
    const column = place === 0 ? half : place <= half ? place - 1 : place
    const from = table.stock.x + table.stock.width / 2 + GAP
    const room = trick.x + trick.width - from - trickWidth
    const step = Math.min(trickWidth * 1.08, room / (players - 1))
    return { x: from + (trickWidth + room) / 2 + (column - (players - 1) / 2) * step, y: trick.y + trick.height / 2 + (place === 0 ? 3 : 0), width: trickWidth, turn: 0 }
  }
  const angle = TRICK_ANGLES[players]?.[place] ?? 0
  const radians = (angle * Math.PI) / 180
  const rx = Math.min(trick.width / 2 - trickWidth / 2 - 2, trickWidth * (players > 4 ? 1.75 : 1.4))
  const ry = Math.min(trick.height / 2 - (trickWidth * RATIO) / 2 - 4, trickWidth * (TRICK_HEIGHT[players] ?? 1))
  const across = Math.sin(radians)
  const y = trick.y + trick.height / 2 + Math.max(0, ry) * Math.cos(radians)
  const reach = Math.min(rx * Math.abs(across), clearOfStock(table, y))
  return {
    x: trick.x + trick.width / 2 + Math.sign(across) * reach,
    y,
    width: trickWidth,
    turn: place === 0 ? 0 : across * -5,
  }
}

/** How far from the middle a card at this height may lie, on either side, without covering the card turned up. */
function clearOfStock({ trick, trickWidth, stock }: TableLayout, y: number): number {
  const isBelow = y - (trickWidth * TURNED * RATIO) / 2 >= stock.y + (stock.width * RATIO) / 2
  if (isBelow) return Infinity
  return trick.x + trick.width / 2 - (stock.x + stock.width / 2 + GAP) - (trickWidth * TURNED) / 2
}

/** How much more room a slightly turned card takes. */
const TURNED = 1.12

/** Half the height of the ring of cards, in widths of a card: with six, the two at each side do not cover each other. */
const TRICK_HEIGHT: Record<number, number> = { 3: 0.85, 4: 0.85, 5: 1.3, 6: 1.55 }

/** Degrees from the player's own seat, for each place; negative ones are on the left. */
const TRICK_ANGLES: Record<number, readonly number[]> = {
  3: [0, -120, 120],
  4: [0, -90, 180, 90],
  5: [0, -75, -145, 145, 75],
  6: [0, -62, -118, 180, 118, 62],
}

/** The middle of a seat, where its cards come from and its tricks go. */
export function seatPlace(table: TableLayout, place: number): Place {
  const box = place === 0 ? table.own : (table.seats[place - 1] ?? table.own)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: table.trickWidth * 0.5, turn: 0 }
}

/** A card's transform. Every card's element is `base` wide and is scaled, so that only its transform changes. */
export function transform(place: Place, base: number): string {
  const scale = place.width / base
  const x = place.x - base / 2
  const y = place.y - (base * RATIO) / 2
  return `translate3d(${x.toFixed(1)}px, ${y.toFixed(1)}px, 0) rotate(${place.turn.toFixed(2)}deg) scale(${scale.toFixed(4)})`
}

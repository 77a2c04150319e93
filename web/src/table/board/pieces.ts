/** Every card that is on the table now, and where it lies: built from a View alone. */
import { parts, sorted } from '../../cards/names'
import type { RoundView, TrickView, View } from '../../protocol'
import { justReceived, markedWinner, shownTrick } from '../../state/shown-trick'
import { handPlace, seatPlace, trickPlace, type Place, type TableLayout } from './table-layout'

export interface Piece {
  key: string // the card's code; it keeps its element while it moves
  face: string | null // null: its back
  zone: 'hand' | 'trick' | 'taken' | 'stock'
  place: Place
  from: Place // where it enters
  order: number // within its zone
  layer: number // z-index
  isWinning: boolean
  isNew?: boolean // just passed to this player
}

/** A seat's place around the table as this player sees it: 0 is the player's own, the others follow clockwise. */
export const placeOf = (seat: number, view: Pick<View, 'seat' | 'names'>) => (seat - (view.seat ?? 0) + view.names.length) % view.names.length

export function pieces(view: View, table: TableLayout, isResting: boolean): Piece[] {
  const now = view.now
  if (!now) return []
  const all: Piece[] = []
  const stock = table.stock

  // X6: whoever was dealt the Werewolf has laid it in place of the card turned up.
  const turnedUp = now.werewolf === null ? now.turned_up : 'WEREWOLF'
  if (turnedUp) all.push({ key: turnedUp, face: turnedUp, zone: 'stock', place: stock, from: stock, order: 0, layer: 0, isWinning: false })

  const hand = now.hand ? sorted(now.hand, now.trump) : null
  const received = justReceived(now, view.seat)
  const count = hand?.length ?? (view.seat === null ? 0 : (now.hand_sizes[view.seat] ?? 0))
  for (let index = 0; index < count; index++) {
    const card = hand?.[index] ?? null
    all.push({
      key: card ?? `back-${index}`,
      face: card,
      zone: 'hand',
      place: handPlace(table, index, count),
      from: entrance(card, now, table),
      order: index,
      layer: 20 + index,
      isWinning: false,
      isNew: card !== null && card === received,
    })
  }

  const shown = shownTrick(now, isResting)
  const last = now.tricks.at(-1)
  if (shown) all.push(...laid(shown, view, table, 'trick', markedWinner(shown, now)))
  // The last trick moves to the player who took it, and fades there.
  if (last && last !== shown) all.push(...laid(last, view, table, 'taken', null))
  return all
}

/** Where a card enters: from the right-hand neighbour if it was passed, from the stock otherwise. */
function entrance(card: string | null, now: RoundView, table: TableLayout): Place {
  const last = table.seats.length
  if (card !== null && now.passes.some((pass) => pass.received === card)) return seatPlace(table, last)
  return { ...table.stock, y: table.trick.y + table.trick.height / 2, x: table.size.width / 2 }
}

function laid(trick: TrickView, view: View, table: TableLayout, zone: 'trick' | 'taken', winner: number | null): Piece[] {
  const players = view.names.length
  const middle: Place = { x: table.trick.x + table.trick.width / 2, y: table.trick.y + table.trick.height / 2, width: table.trickWidth * 0.6, turn: 0 }
  return trick.faces.map((face, order): Piece => {
    const seat = (trick.leader + order) % players
    const home = seatPlace(table, placeOf(seat, view))
    const taker = trick.winner ?? null
    return {
      key: parts(face).code,
      face,
      zone,
      place: zone === 'trick' ? trickPlace(table, placeOf(seat, view), players) : taker === null ? middle : seatPlace(table, placeOf(taker, view)),
      from: home,
      order,
      layer: zone === 'trick' ? 60 + order : 50,
      isWinning: zone === 'trick' && winner === seat,
    }
  })
}

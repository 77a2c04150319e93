/** The keys to the player's seats, kept in this browser: whoever has a seat's token has the seat. */

export interface KeptSeat {
  table: string
  code: string
  seat: number
  token: string
  name: string
  at: number
}

const KEY = 'foretell.seats'
const MOST = 100
/** Where the browser has no storage: kept until the page is closed. */
let memory: KeptSeat[] = []

export function keptSeats(): KeptSeat[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown
    return Array.isArray(kept) ? (kept as KeptSeat[]) : []
  } catch {
    return memory
  }
}

function keep(seats: KeptSeat[]): void {
  memory = seats.slice(0, MOST)
  try {
    localStorage.setItem(KEY, JSON.stringify(memory))
  } catch {
    // no storage: `memory` has them
  }
}

/** The seat at a table, by the table's id, or by its code however it was typed. */
export const seatAt = (key: string): KeptSeat | undefined => keptSeats().find((seat) => seat.table === key || seat.code === key.toUpperCase())

export function keepSeat(seat: KeptSeat): void {
  keep([seat, ...keptSeats().filter((other) => other.table !== seat.table)])
}

export function dropSeat(table: string): void {
  keep(keptSeats().filter((seat) => seat.table !== table))
}

/** The keys to one's seats, kept in this browser: a token is all that a seat needs. */

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
/** Where there is no storage, for as long as the page lives. */
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
    // see above
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

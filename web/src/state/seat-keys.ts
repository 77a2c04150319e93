/** The keys to the player's seats, kept in this browser: whoever has a seat's token has the seat. */
import { device } from '../net/device.svelte'
import { isHere } from '../net/transport'
import { store, stored } from '../storage'

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

export const keptSeats = (): KeptSeat[] => readSeats(stored(KEY))

/** Of a list that was stored, what can be used. */
export function readSeats(kept: unknown): KeptSeat[] {
  const isSeat = (one: unknown) => typeof one === 'object' && one !== null && ['table', 'code', 'token'].every((name) => typeof (one as Record<string, unknown>)[name] === 'string')
  return Array.isArray(kept) ? (kept.filter(isSeat) as KeptSeat[]) : []
}

/** A list that the device has stored, as text. */
export function readText(text: string | undefined): KeptSeat[] {
  try {
    return readSeats(JSON.parse(text ?? 'null'))
  } catch {
    return []
  }
}

function keep(seats: KeptSeat[]): void {
  store(KEY, seats.slice(0, MOST))
  device.keep('seats', seats.filter((one) => isHere(one.table)))
}

// A browser that is killed may lose what this page has stored in its last seconds; the tables themselves are stored at once.
device.whenReady(({ seats }) => {
  const kept = keptSeats()
  const lost = readText(seats).filter((one) => !kept.some(({ table }) => table === one.table))
  if (lost.length > 0) keep([...kept, ...lost].sort((a, b) => b.at - a.at))
})

/** The seat at a table, by the table's id, or by its code however it was typed. */
export const seatAt = (key: string): KeptSeat | undefined => keptSeats().find((seat) => seat.table === key || seat.code === key.toUpperCase())

export function keepSeat(seat: KeptSeat): void {
  keep([seat, ...keptSeats().filter((other) => other.table !== seat.table)])
}

export function dropSeat(table: string): void {
  keep(keptSeats().filter((seat) => seat.table !== table))
}

/** The seats of other people who share this device at one of its tables. Kept in this browser, beside the player's own seats. */
import { device } from '../net/device.svelte'
import { store, stored } from '../storage'
import { readSeats, readText, type KeptSeat } from './seat-keys'

const KEY = 'foretell.guests'
const MOST = 100

const keptGuests = (): KeptSeat[] => readSeats(stored(KEY))

function keep(guests: KeptSeat[]): void {
  store(KEY, guests.slice(-MOST))
  device.keep('guests', guests.slice(-MOST))
}

// As for the player's own seats.
device.whenReady(({ guests }) => {
  const kept = keptGuests()
  const lost = readText(guests).filter((one) => !kept.some(({ token }) => token === one.token))
  if (lost.length > 0) keep([...kept, ...lost])
})

/** By the table's id or its code. */
export const guestsAt = (key: string): KeptSeat[] => keptGuests().filter((seat) => seat.table === key || seat.code === key.toUpperCase())

export function keepGuest(seat: KeptSeat): void {
  keep([...keptGuests(), seat])
}

export function dropGuest(token: string): void {
  keep(keptGuests().filter((seat) => seat.token !== token))
}

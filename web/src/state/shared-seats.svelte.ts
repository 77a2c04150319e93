/**
 * The seats that this page has at one table. Usually it is one. On a device, several people may share it: each has a seat with
 * its own View, and only one of them is shown. Between them there is a curtain, so that nobody sees another player's cards.
 */
import { joinTable } from '../net/api'
import { device } from '../net/device.svelte'
import { guestsAt, keepGuest } from './guests'
import { TableState } from './table.svelte'

export class SharedSeats {
  readonly main: TableState
  /** The seats of the other people, in the order in which they came. */
  guests = $state.raw<readonly TableState[]>([])
  readonly #stopListening: () => void
  /** Who has lifted the curtain, and in which game. */
  #seeing = $state.raw<{ seat: TableState; game: string | null } | null>(null)

  constructor(key: string, isUnhurried = false) {
    this.main = new TableState(key, isUnhurried)
    this.#findGuests()
    this.#stopListening = device.whenReady(() => this.#findGuests())
  }

  /** Also those whose keys only the device has: `guests.ts` has put them back before. */
  #findGuests(): void {
    const known = new Set(this.guests.map(({ guest }) => guest?.token))
    const found = guestsAt(this.main.key).filter(({ token }) => !known.has(token))
    if (found.length > 0) this.guests = [...this.guests, ...found.map((seat) => new TableState(this.main.key, false, seat))]
  }

  /** The seat whose View is shown, or would be shown without the curtain. */
  get shown(): TableState {
    const { view, isResting } = this.main
    if (view?.phase === 'over' && !isResting) return this.main // the others follow the owner into the next game
    return (this.#isShared && this.#holder) || this.main
  }

  /** The player who has to lift the curtain before anything is shown; null if there is no curtain. */
  get curtainFor(): TableState | null {
    const { view, isResting } = this.main
    if (!this.#isShared || !view?.now || view.phase === 'over') return null
    const holder = this.#holder
    const asked = [this.main, ...this.guests].filter((one) => view.awaited.includes(placeOf(one) ?? -1))
    if (holder && (asked.length === 0 || asked.includes(holder) || isResting || holder.isResting)) return null
    return asked[0] ?? this.main
  }

  /** Who has the device, in the game that is shown. In the next game the curtain comes first, in whatever order the seats hear of it. */
  get #holder(): TableState | null {
    const seeing = this.#seeing
    return seeing && seeing.game === this.#game && seeing.game === gameOf(seeing.seat) ? seeing.seat : null
  }

  /** This player has the device now. */
  see(seat: TableState): void {
    this.#seeing = { seat, game: this.#game }
    for (const one of [this.main, ...this.guests]) one.isSilent = one !== seat
  }

  /** Somebody else sits down at this device. */
  async add(name: string): Promise<void> {
    const table = this.main.table!.id
    const { code, seat, token } = await joinTable(table, { name })
    const kept = { table, code, seat, token, name, at: Date.now() }
    keepGuest(kept)
    this.guests = [...this.guests, new TableState(this.main.key, false, kept)]
  }

  close(): void {
    this.#stopListening()
    for (const one of [this.main, ...this.guests]) one.close()
  }

  /**
   * A kept seat counts until the table has said that it is gone: the owner's View comes first, and would be shown to anyone.
   * Who has just left still has the device in their hands.
   */
  get #isShared(): boolean {
    if (this.#seeing && this.#seeing.seat !== this.main) return true
    return this.guests.some(({ gone, table, seat, nextSeat }) => !gone && (!table || seat !== null || nextSeat !== null))
  }

  get #game(): string | null {
    return gameOf(this.main)
  }
}

const gameOf = ({ snapshot }: TableState): string | null => snapshot?.game ?? null

/** Where somebody sits; as it was kept, before the table has answered. */
const placeOf = ({ gone, table, seat, guest }: TableState): number | null => (gone ? null : table ? seat : (guest?.seat ?? null))

/**
 * The game that "Play now" starts: with as many players, bots of the same level and as many rounds as the last game that
 * this player started. Its rules are always the plain game's: whoever wants variants sets up a table, and that starts
 * with the same players, level and length. Kept in this browser.
 */
import { untrack } from 'svelte'
import type { Table, TableForm } from '../protocol'
import { store, stored } from '../storage'
import { middleOf } from './bot-levels'
import { lengthOf, LENGTHS, type Length } from './game-length'

export interface QuickGame {
  seats: number
  level: string // of the bots
  length: Length
}

/** What is stored; older versions of the page stored `isShort` instead of the length. */
type Kept = Partial<Record<keyof QuickGame | 'isShort', unknown>>

const KEY = 'foretell.game'
const DEFAULT_SEATS = 3
const DEFAULT_LENGTH = 8

function storedGame(): Kept {
  const found = stored(KEY)
  return typeof found === 'object' && found !== null ? found : {}
}

let kept = $state.raw(storedGame())

/** What was kept, as far as the server offers it; otherwise three players, the middle level, eight rounds. */
export function quickGame(form: TableForm): QuickGame {
  const seats = Object.keys(form.last_rounds).map(Number)
  return {
    seats: seats.find((one) => one === kept.seats) ?? seats.find((one) => one === DEFAULT_SEATS) ?? seats[0]!,
    level: form.levels.find((one) => one === kept.level) ?? middleOf(form.levels),
    length: LENGTHS.find((one) => one === kept.length) ?? (kept.isShort === false ? 'all' : DEFAULT_LENGTH),
  }
}

/** How many rounds it has. */
export const quickRounds = ({ seats, length }: QuickGame, form: TableForm): number => (length === 'all' ? form.last_rounds[String(seats)]! : length)

export function keepQuickGame(game: Partial<QuickGame>): void {
  kept = { ...untrack(() => kept), ...game } // this is called in an effect too
  store(KEY, kept)
}

/** Remembers a game that has started. One whose rounds were chosen one by one is an exception. */
export function rememberGame({ seats, options: { rules } }: Table): void {
  const length = lengthOf(rules.rounds)
  if (length === null) return
  const level = seats.find((one) => one.kind === 'bot')?.level
  keepQuickGame({ seats: seats.length, length, ...(level ? { level } : {}) })
}

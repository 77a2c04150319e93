/**
 * The game that "Play now" starts: with as many players, bots of the same level and as many rounds as the last game that
 * this player started. Its rules are always the plain game's: whoever wants variants sets up a table. Kept in this browser.
 */
import { untrack } from 'svelte'
import type { Table, TableForm } from '../protocol'
import { middleOf } from './bot-levels'
import { SHORT } from './short-game'

export interface QuickGame {
  seats: number
  level: string // of the bots
  isShort: boolean // or all rounds
}

const KEY = 'foretell.game'
const DEFAULT_SEATS = 3

function stored(): Partial<Record<keyof QuickGame, unknown>> {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as unknown
    return typeof found === 'object' && found !== null ? found : {}
  } catch {
    return {} // a private window may have no storage, and its content may be damaged
  }
}

let kept = $state.raw(stored())

/** What was kept, as far as the server offers it; otherwise three players, the middle level, a short game. */
export function quickGame(form: TableForm): QuickGame {
  const seats = Object.keys(form.last_rounds).map(Number)
  return {
    seats: seats.find((one) => one === kept.seats) ?? seats.find((one) => one === DEFAULT_SEATS) ?? seats[0]!,
    level: form.levels.find((one) => one === kept.level) ?? middleOf(form.levels),
    isShort: kept.isShort !== false,
  }
}

/** How many rounds it has. */
export const quickRounds = (game: QuickGame, form: TableForm): number => (game.isShort ? SHORT.length : form.last_rounds[String(game.seats)]!)

export function keepQuickGame(game: Partial<QuickGame>): void {
  const now = { ...untrack(() => kept), ...game } // this is called in an effect too
  kept = now
  try {
    localStorage.setItem(KEY, JSON.stringify(now))
  } catch {
    // no storage: `kept` has it as long as the page is open
  }
}

/** Remembers a game that has started. One with rounds of its own choice, such as the guided game, is an exception. */
export function rememberGame({ seats, options: { rules } }: Table): void {
  if (rules.rounds !== null && rules.rounds.join() !== SHORT.join()) return
  const level = seats.find((one) => one.kind === 'bot')?.level
  keepQuickGame({ seats: seats.length, isShort: rules.rounds !== null, ...(level ? { level } : {}) })
}

/**
 * The results of the games that this browser has played, kept in this browser: the server knows a seat, but not whose
 * games were at which table.
 */
import { store, stored } from '../storage'

export interface Result {
  game: string
  names: string[]
  totals: number[]
  winners: number[]
  seat: number // this player's
  at: number // milliseconds since 1970
}

interface Kept {
  results: Result[] // the newest first
  removed: string[] // games that the player has taken out of the list
}

const KEY = 'foretell.results'
const MOST = 50

function isResult(one: unknown): one is Result {
  const { game, names, totals, winners, seat, at } = (one ?? {}) as Partial<Record<keyof Result, unknown>>
  return typeof game === 'string' && [names, totals, winners].every(Array.isArray) && typeof seat === 'number' && typeof at === 'number'
}

function storedResults(): Kept {
  const { results, removed } = (stored(KEY) ?? {}) as Partial<Record<keyof Kept, unknown>>
  return { results: Array.isArray(results) ? results.filter(isResult) : [], removed: Array.isArray(removed) ? removed.map(String) : [] }
}

let kept = $state.raw(storedResults())

function keep(changed: Kept): void {
  kept = { results: changed.results.slice(0, MOST), removed: changed.removed.slice(0, MOST) }
  store(KEY, kept)
}

export const results = (): readonly Result[] => kept.results

/** Whether the result of this game is in the list, or was taken out of it. */
export const isKnown = (game: string): boolean => kept.removed.includes(game) || kept.results.some((one) => one.game === game)

export function keepResult(result: Result): void {
  const { results, removed } = storedResults() // another tab may have added one
  if (removed.includes(result.game) || results.some((one) => one.game === result.game)) return
  keep({ results: [result, ...results].sort((a, b) => b.at - a.at), removed })
}

export function removeResult(game: string): void {
  const { results, removed } = storedResults()
  keep({ results: results.filter((one) => one.game !== game), removed: [game, ...removed] })
}

/** The HTTP side of the server: tables are made and joined here, everything else goes through the socket. */
import type { Error as Refusal, Failure, GameReview, GameSummary, Join, MyGames, NewTable, Replay, Seated, TableForm } from '../protocol'
import { has, say, sayIfAny, type Values } from '../i18n'
import { currentLanguage } from '../language.svelte'

/** There is no answer, or not one of this server's. */
export class Unreachable extends Error {
  constructor() {
    super(say('web.net.unreachable'))
  }
}

export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(sentence(refusal))
  }
}

/** What went wrong, in the page's language: its own text for it, or the one that it shares with the terminal. */
export function sentence(error: Refusal): string {
  const values: Values = { ...error.values, rule: error.rule ?? '' }
  for (const name of error.terms) if (has(String(values[name]))) values[name] = { key: String(values[name]) }
  const said = sayIfAny(`web.error.${error.code}`, sayIfAny(`error.${error.code}`, error.sentence, values), values)
  return said.charAt(0).toUpperCase() + said.slice(1)
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  let answer: Response
  try {
    const headers = { 'Accept-Language': currentLanguage().language }
    answer = await fetch(path, body === undefined ? { headers } : { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
  } catch {
    throw new Unreachable()
  }
  if (answer.ok) return (await answer.json()) as T
  const failure = (await answer.json().catch(() => null)) as Partial<Failure> | null
  if (failure?.error) throw new Refused(failure.error)
  throw new Unreachable()
}

export const newTable = (body: NewTable) => ask<Seated>('/api/tables', body)
export const joinTable = (table: string, body: Join) => ask<Seated>(`/api/tables/${encodeURIComponent(table)}/seats`, body)
/** What a new table may choose from. */
export const tableForm = () => ask<TableForm>('/api/form')
export const gameOf = (game: string) => ask<GameSummary>(`/api/games/${encodeURIComponent(game)}`)
export const roundOf = (game: string, round: number) => ask<Replay>(`/api/games/${encodeURIComponent(game)}/replay/${round}`)
/** The game as a file to keep (docs/record.md). */
export const recordOf = (game: string) => ask<unknown>(`/api/games/${encodeURIComponent(game)}/record`)
export const reviewOf = (game: string) => ask<GameReview>(`/api/games/${encodeURIComponent(game)}/review`, {})
export const myGames = (tokens: string[]) => ask<MyGames>('/api/mine', { tokens })

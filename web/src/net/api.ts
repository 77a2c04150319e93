/** The HTTP API: tables are made and joined here, everything else goes through the socket. A device answers the same requests. */
import type { Error as Refusal, Failure, GameReview, GameSummary, Join, MyGames, NewTable, Replay, Seated, TableForm } from '../protocol'
import { has, say, sayIfAny, type Values } from '../i18n'
import { currentTransport, transportOf, type Transport } from './transport'

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

async function ask<T>(transport: Transport, path: string, body?: unknown): Promise<T> {
  return JSON.parse(await textOf(transport, path, body)) as T
}

/** The answer as it is. */
async function textOf(transport: Transport, path: string, body?: unknown): Promise<string> {
  const answer = await transport.ask(path, body).catch(() => null)
  if (!answer) throw new Unreachable()
  try {
    const read = JSON.parse(answer.text) as Partial<Failure> | null
    if (answer.isAccepted) return answer.text
    if (read?.error) throw new Refused(read.error)
  } catch (problem) {
    if (problem instanceof Refused) throw problem
  }
  throw new Unreachable() // not one of our answers
}

/** About the table or the game with this id or code. */
const about = <T>(key: string, path: string, body?: unknown) => ask<T>(transportOf(key), path.replace('*', encodeURIComponent(key)), body)

export const newTable = (body: NewTable) => ask<Seated>(currentTransport(), '/api/tables', body)
export const joinTable = (table: string, body: Join) => about<Seated>(table, '/api/tables/*/seats', body)
/** What a new table may choose from. */
export const tableForm = (transport = currentTransport()) => ask<TableForm>(transport, '/api/form')
export const gameOf = (game: string) => about<GameSummary>(game, '/api/games/*')
export const roundOf = (game: string, round: number, seat?: number) => about<Replay>(game, `/api/games/*/replay/${round}${seat === undefined ? '' : `?seat=${seat}`}`)
/** The game as a file to keep (docs/record.md). */
export const recordOf = (game: string) => about<unknown>(game, '/api/games/*/record')
export const recordText = (game: string) => textOf(transportOf(game), `/api/games/${encodeURIComponent(game)}/record`)
export const reviewOf = (game: string) => about<GameReview>(game, '/api/games/*/review', {})
/** A round of a record from a file, which is played through; the first one without a number. */
export const replayOfRecord = (record: unknown, number: number | null, seat: number) => ask<Replay>(currentTransport(), `/api/replay?${number === null ? '' : `number=${number}&`}seat=${seat}`, record)
export const reviewOfRecord = (record: unknown) => ask<GameReview>(currentTransport(), '/api/review', record)
export const myGames = (transport: Transport, tokens: string[]) => ask<MyGames>(transport, '/api/mine', { tokens })

/** What the pad says: refusals, how a round stands, how it ended, who has won. */
import { join, points, say, sayIfAny, signed, type Values } from '../i18n'
import { sentence } from '../net/api'
import type { Pad, PadRound } from './generated'
import { ForetellError, type ErrorValue } from './python'

/** Why something is refused, in the page's language: the pad's own text for it, or the one of the terminal. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ForetellError)) throw error
  const values = Object.fromEntries(Object.entries(error.values).map(([name, value]) => [name, plain(value)]))
  const terms = Object.entries(error.values).flatMap(([name, value]) => (isTerm(value) ? [name] : []))
  const own = sayIfAny(`web.pad.error.${error.code}`, '', values as Values)
  return own || sentence({ type: 'error', id: null, code: error.code, rule: error.rule, values, terms, sentence: error.code } as Parameters<typeof sentence>[0])
}

const isTerm = (value: ErrorValue) => typeof value === 'object' && value !== null && 'term' in value

function plain(value: ErrorValue): string | number {
  if (value instanceof ForetellError) return sentenceOf(value)
  if (value instanceof Error) return value.message
  if (typeof value === 'object' && value !== null) return value.term
  return value ?? ''
}

export const roundBegins = (pad: Pad, now: PadRound): string =>
  say('score.round', { count: now.hand_size, number: now.number, last: pad.numbers.at(-1)!, dealer: pad.names[now.dealer]! })

/** By how many the bids are over or under the tricks. */
export function bidsStand(now: PadRound): string {
  const values = { sum: now.over + now.hand_size, tricks: now.hand_size, by: Math.abs(now.over) }
  return say(now.over > 0 ? 'score.bids_over' : now.over < 0 ? 'score.bids_under' : 'score.bids_even', values)
}

/** Who met their bid, who missed it and by how much. */
export function roundEnded(done: PadRound): string {
  const results = done.names.map((name, seat) => ({ name, by: Math.abs((done.final_bids[seat] ?? 0) - (done.won[seat] ?? 0)), points: signed(done.points[seat] ?? 0) }))
  const right = results.filter(({ by }) => by === 0).map((one) => say('score.right', one))
  const missed = results.filter(({ by }) => by > 0).map((one) => say('score.missed', one))
  return [
    right.length > 0 ? say('score.foretold', { count: right.length, names: join(right) }) : '',
    missed.length > 0 ? say('score.not_foretold', { names: join(missed) }) : '',
    done.was_bombed ? say('score.bombed') : '',
  ]
    .filter(Boolean)
    .join(' ')
}

export const gameEnded = (pad: Pad): string =>
  say('score.won', { count: pad.winners.length, names: join(pad.winners.map((seat) => pad.names[seat]!)), points: points(Math.max(...pad.totals)) })

/** Each player with their points; the best once a round is complete. */
export const standing = (pad: Pad): { name: string; points: string; isBest: boolean }[] =>
  pad.names.map((name, seat) => ({ name, points: points(pad.totals[seat]!), isBest: pad.rounds[0]!.is_scored && pad.leaders.includes(seat) }))

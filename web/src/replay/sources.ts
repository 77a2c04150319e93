/** Where a replay comes from: a game on the server, or a record from a file, which the server plays through. */
import type { GameRecord } from '../fair/verdict'
import { gameOf, recordOf, replayOfRecord, reviewOf, reviewOfRecord, roundOf } from '../net/api'
import type { GameReview, Replay } from '../protocol'

export interface Source {
  /** The game's id; empty for a record from a file. */
  game: string
  /** A round by its number, or the first one, as a seat saw it. */
  round: (number: number | null, seat: number) => Promise<Replay>
  review: () => Promise<GameReview>
  record: () => Promise<GameRecord>
  /** Which seats were played by bots. */
  bots: () => Promise<ReadonlySet<number>>
}

const seatsOf = (bots: readonly unknown[]) => new Set(bots.flatMap((bot, seat) => (bot ? [seat] : [])))

export function storedGame(game: string): Source {
  const summary = () => gameOf(game)
  return {
    game,
    round: async (number, seat) => roundOf(game, number ?? (await summary()).rounds[0] ?? 1, seat),
    review: () => reviewOf(game),
    record: async () => (await recordOf(game)) as GameRecord,
    bots: async () => seatsOf((await summary()).bots),
  }
}

/** A record as a file has it: whether it is one, the server says. */
export interface FileRecord extends GameRecord {
  players: { name: string; bot?: string | null }[]
  rounds: (GameRecord['rounds'][number] & { totals?: number[] })[]
}

export function recordFile(record: FileRecord): Source {
  return {
    game: '',
    round: (number, seat) => replayOfRecord(record, number, seat),
    review: () => reviewOfRecord(record),
    record: () => Promise.resolve(record),
    bots: () => Promise.resolve(seatsOf(record.players.map((player) => player.bot))),
  }
}

/**
 * The record file that is open in this tab. Its games are read here; whether they break a rule is the server's business.
 * The game that is shown is kept until the tab is closed, so that a reload does not lose it.
 */
import { say } from '../i18n'
import type { FileRecord } from './sources'

const KEY = 'foretell.record'
const MOST_BYTES = 8_000_000
const MOST_GAMES = 200
/** Records have six levels. A few thousand would end the Python of this device, whose stack is JavaScript's. */
const MOST_LEVELS = 100

export interface GameInFile {
  line: number
  record: FileRecord
}

function isRecord(value: unknown): value is FileRecord {
  if (typeof value !== 'object' || value === null) return false
  const { players, rounds } = value as Partial<FileRecord>
  return Array.isArray(rounds) && Array.isArray(players) && players.every((player) => typeof player?.name === 'string') && isFlat(value, MOST_LEVELS)
}

const isFlat = (value: unknown, levels: number): boolean => typeof value !== 'object' || value === null || (levels > 0 && Object.values(value).every((one) => isFlat(one, levels - 1)))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The games of a file: one on each line, or one in the whole file. What is no game at all is told by its line. */
export function gamesIn(text: string): { games: GameInFile[]; problem: string } {
  const whole = parsed(text.replace(/^\ufeff/, ''))
  if (isRecord(whole)) return { games: [{ line: 1, record: whole }], problem: '' }
  const games: GameInFile[] = []
  for (const [index, line] of text.replace(/^\ufeff/, '').split('\n').entries()) {
    if (line.trim() === '') continue
    const record = parsed(line)
    if (!isRecord(record)) return { games: [], problem: say('web.replay.bad_line', { line: index + 1 }) }
    if (games.length < MOST_GAMES) games.push({ line: index + 1, record })
  }
  return { games, problem: games.length === 0 ? say('web.replay.no_game') : '' }
}

function kept(): FileRecord | null {
  try {
    const record = parsed(sessionStorage.getItem(KEY) ?? '')
    return isRecord(record) ? record : null
  } catch {
    return null // no storage
  }
}

class RecordFile {
  games = $state.raw<GameInFile[]>([])
  problem = $state('')
  /** The game to be shown; null while none is chosen. */
  chosen = $state.raw<FileRecord | null>(null)

  /** After a reload: the game that was shown. */
  restore(): void {
    this.chosen ??= kept()
  }

  /** Another screen is shown. Who comes back by the browser's history finds the game again. */
  leave(): void {
    this.chosen = null
    this.games = []
    this.problem = ''
  }

  async open(file: File): Promise<void> {
    this.choose(null)
    this.games = []
    if (file.size > MOST_BYTES) {
      this.problem = say('web.replay.too_large')
      return
    }
    const { games, problem } = gamesIn(await file.text().catch(() => ''))
    this.games = games
    this.problem = problem
    if (games.length === 1) this.choose(games[0]!.record)
  }

  choose(record: FileRecord | null): void {
    this.chosen = record
    this.problem = ''
    try {
      if (record === null) sessionStorage.removeItem(KEY)
      else sessionStorage.setItem(KEY, JSON.stringify(record))
    } catch {
      // no storage, or too little: the game is there until the page is loaded again
    }
  }

  /** The server does not take this game. */
  refuse(problem: string): void {
    this.choose(null)
    this.problem = problem
  }
}

export const recordFileState = new RecordFile()

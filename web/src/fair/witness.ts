/**
 * This browser's part in fair deals (docs/fair.md): it picks a word after it has seen the server's commitment, sends its
 * hash, shows the word once all hashes are fixed, and keeps what it saw for the check at the end.
 */
import type { Draw, RevealWord, SealWord, Snapshot, Table, View } from '../protocol'
import { dropStored, store, stored } from '../storage'
import { hex, wordHash } from './sha256'

export type WordMessage = Omit<SealWord, 'id'> | Omit<RevealWord, 'id'>

/** A word for one game, and what this browser saw before it showed the word. */
export interface Sealed {
  table: string
  commit: string
  word: string
  isSecond: boolean // the server has asked for a word before, and there was no game
  draw: Draw | null // the list of all hashes
  seat: number // in that list
  gamesPlayed: number // at the table, before this game
  game: string | null // its id, once it has begun
  isAccepted: boolean // the server has acknowledged the word
}

/** The cards of a round, as far as this browser saw them. */
export interface SeenRound {
  seat: number | null
  dealer: number
  turnedUp: string | null
  hand: string[] | null
  foreseen: (string[] | null)[] | null
  tricks: { leader: number; plays: string[] }[] // the complete ones
}

export type Seen = Record<string, SeenRound> // by the number of the round

const WORDS = 'foretell.fair.words'
const MOST_KEPT = 20 // games
const MOST_TYPED = 31 // characters; with a space and the random digits, as long as a word may be
const seenKey = (game: string) => `foretell.fair.seen.${game}`

/** What a person typed, as it enters the word: one line, cut to the allowed length. */
export const typedLine = (text: string): string =>
  Array.from(text.normalize('NFC').replace(/[\p{C}\p{Z}]+/gu, ' ').trim()).slice(0, MOST_TYPED).join('').trim()

/** A word with 128 random bits, so that nobody can find it from its hash; what a person typed comes first. */
export const newWord = (typed = ''): string => `${typedLine(typed)} ${hex(crypto.getRandomValues(new Uint8Array(16)))}`.trim()

/** What a person typed of a word. */
export const typedPart = (word: string): string => word.slice(0, -32).trim()

const allSealed = (): Sealed[] => (stored(WORDS) as Sealed[] | null) ?? []

/** What this browser knows of a game: null where it did not take part. */
export const sealedFor = (game: string): Sealed | null => allSealed().find((one) => one.game === game) ?? null
export const seenIn = (game: string): Seen | null => stored(seenKey(game)) as Seen | null

export class Witness {
  /** The word for the next game at this table. */
  #next: Sealed | null = null
  #game: string | null = null
  #isSealed = false // this browser took part in that game
  #table = { id: '', gamesPlayed: 0 } // games that were over before the current one, or before the next
  #seen: Seen = {}

  /** What has to be sent after a message about the table: the hash of the word, the word, or nothing. */
  reply(table: Table, seat: number | null): WordMessage | null {
    const { draw, next_commit: commit } = table
    // After a game, the newest snapshot is of the game that is over.
    this.#table = { id: table.id, gamesPlayed: table.games_played - (table.phase === 'over' ? 1 : 0) }
    if (seat === null || commit === null) return null
    this.#next = allSealed().find((one) => one.table === table.id && one.commit === commit) ?? this.#next
    const isNew = this.#next?.commit !== commit
    if (!draw) {
      if (isNew) return this.#seal(this.#newWord(table, commit, seat))
      return table.seats[seat]?.has_word ? null : this.#seal(this.#next!)
    }
    // The word stays secret unless the list is for the commitment that this browser saw, and has its hash.
    const mine = this.#next
    if (!mine || isNew || draw.commit !== commit || !draw.missing.includes(seat) || draw.hashes[seat] !== wordHash(commit, mine.word)) return null
    if (!mine.draw) this.#keep({ ...mine, draw, seat })
    return { type: 'reveal', word: mine.word }
  }

  /**
   * A word for another secret of the server. If this browser has already shown a word, and the game of that word was never
   * played, then the server knew the deals when it drew the new secret.
   */
  #newWord({ id, games_played: gamesPlayed }: Table, commit: string, seat: number): Sealed {
    const isSecond = allSealed().some((one) => one.table === id && one.game === null && one.gamesPlayed === gamesPlayed && (one.draw !== null || one.isSecond))
    return { table: id, commit, word: newWord(), isSecond, draw: null, seat, gamesPlayed, game: null, isAccepted: false }
  }

  /** The word for the next game; null where this browser has none. */
  get word(): string | null {
    return this.#next?.word ?? null
  }

  /** A person's own choice for the next game. */
  choose(typed: string): WordMessage | null {
    return this.#next && typedLine(typed) !== typedPart(this.#next.word) ? this.#seal({ ...this.#next, word: newWord(typed) }) : null
  }

  /** The server has acknowledged this message. */
  accepted(message: WordMessage): void {
    const mine = allSealed().find((one) => message.type === 'reveal' && one.word === message.word)
    if (mine) this.#keep({ ...mine, isAccepted: true })
  }

  /** Keeps the cards of a snapshot. */
  see({ game, view }: Pick<Snapshot, 'game' | 'view'>): void {
    if (game !== this.#game) this.#begin(game)
    const now = view.now
    if (!now) return
    const before = this.#seen[now.number]
    const old = before?.seat === view.seat ? before : undefined
    const hand = old?.hand ?? (now.hand?.length === now.hand_size ? now.hand : null)
    const foreseen = old?.foreseen ?? now.foreseen
    if (old && hand === old.hand && foreseen === old.foreseen && now.tricks.length === old.tricks.length) return
    this.#seen[now.number] = { seat: view.seat, dealer: now.dealer, turnedUp: now.turned_up, hand, foreseen, tricks: tricksOf(view) }
    if (this.#isSealed) store(seenKey(game), this.#seen)
  }

  #begin(game: string): void {
    this.#game = game
    this.#seen = seenIn(game) ?? {}
    const { id, gamesPlayed } = this.#table
    // The page may have been loaded again since it showed its word; or it was away for a whole game.
    const mine = this.#next ?? allSealed().find((one) => one.table === id && one.game === null)
    if (mine?.draw && mine.gamesPlayed === gamesPlayed && !sealedFor(game)) this.#keep({ ...mine, game })
    this.#isSealed = sealedFor(game) !== null
    this.#next = null
  }

  #seal(sealed: Sealed): WordMessage {
    this.#keep(sealed)
    return { type: 'word_hash', commit: sealed.commit, hash: wordHash(sealed.commit, sealed.word) }
  }

  /** The newest first; what is too old is forgotten. */
  #keep(sealed: Sealed): void {
    if (sealed.commit === this.#next?.commit || sealed.game === null) this.#next = sealed
    const all = [sealed, ...allSealed().filter((one) => one.table !== sealed.table || one.commit !== sealed.commit)]
    for (const old of all.slice(MOST_KEPT)) if (old.game) dropStored(seenKey(old.game))
    store(WORDS, all.slice(0, MOST_KEPT))
  }
}

const tricksOf = (view: View) => view.now!.tricks.map(({ leader, faces }) => ({ leader, plays: [...faces] }))

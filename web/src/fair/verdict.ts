/** The check of a finished game: do all cards follow from what was fixed before, and are they those that this browser saw? */
import { withoutWerewolf } from '../cards/deck'
import { commitment, dealOf, firstDealer } from './deals'
import { wordHash } from './sha256'
import type { Sealed, Seen, SeenRound } from './witness'

/** What the check needs of a record (docs/record.md). */
export interface GameRecord {
  rules: { specials: string[]; rounds?: number[] | null }
  players: { name: string }[]
  peoples: string[] | null
  rounds: RecordedRound[]
  fair?: { commit: string; words: string[]; secret?: string; hashes?: (string | null)[] }
}

interface RecordedRound {
  dealer: number
  hands: string[][]
  turned_up: string | null
  werewolf: number | null
  tricks: { leader: number; plays: string[]; passed?: string[] | null }[]
}

/** Something that is wrong: the end of a key in the catalogue, `fair.problem.<code>`, and its values. */
export interface Problem {
  code: 'none' | 'secret' | 'commit' | 'second' | 'draw' | 'ignored' | 'hash' | 'dealer' | 'deal' | 'seen' | 'played'
  number?: number // of the round
  name?: string // of a player
}

export interface Verdict {
  problem: Problem | null
  isProven: boolean // this browser saw the commitment before it chose its word, and its word counts
  deals: number
  missing: number[] // seats whose words were not shown in time
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const sameCards = (one: readonly string[], other: readonly string[]) => same([...one].sort(), [...other].sort())

/** A server also draws the first dealer from secret and words. A record from elsewhere need not: docs/record.md leaves it open. */
export function verdictOn(record: GameRecord, sealed: Sealed | null, seen: Seen | null, isDealerDrawn = true): Verdict {
  const proof = record.fair
  const hashes = proof?.hashes ?? []
  const missing = (proof?.words ?? []).flatMap((word, seat) => (word === hashes[seat] ? [seat] : []))
  const problem = problemOfWords(record, sealed) ?? problemOfCards(record, seen, isDealerDrawn)
  const isProven = problem === null && sealed?.draw != null && !missing.includes(sealed.seat)
  return { problem, isProven, deals: record.rounds.length, missing }
}

/** Compares secret, words and hashes with each other, and with what this browser saw before the game. */
function problemOfWords({ fair, players }: GameRecord, sealed: Sealed | null): Problem | null {
  if (fair?.secret === undefined) return { code: 'none' }
  const { commit, secret, words, hashes = [] } = fair
  if (sealed && sealed.commit !== commit) return { code: 'commit' }
  if (commitment(secret) !== commit) return { code: 'secret' }
  if (sealed?.isSecond) return { code: 'second' }
  const draw = sealed?.draw
  if (draw && !(same(draw.hashes, hashes) && same(draw.words, words.map((word, seat) => (hashes[seat] ? '' : word))))) return { code: 'draw' }
  if (sealed?.isAccepted && words[sealed.seat] !== sealed.word) return { code: 'ignored' }
  for (const [seat, hash] of hashes.entries()) {
    if (hash !== null && hash !== words[seat] && hash !== wordHash(commit, words[seat] ?? '')) return { code: 'hash', name: players[seat]?.name ?? '' }
  }
  return null
}

function problemOfCards({ rules, peoples, rounds, fair }: GameRecord, seen: Seen | null, isDealerDrawn: boolean): Problem | null {
  const { secret = '', words } = fair!
  const source = { secret, words, specials: rules.specials, peoples }
  const first = isDealerDrawn ? firstDealer(source) : (rounds[0]?.dealer ?? 0)
  for (const [index, round] of rounds.entries()) {
    const number = rules.rounds?.[index] ?? index + 1
    if (round.dealer !== (first + index) % words.length) return { code: 'dealer' }
    const { hands, turnedUp } = dealOf(source, number, round.dealer)
    if (turnedUp !== round.turned_up || !hands.every((hand, seat) => sameCards(hand, round.hands[seat] ?? []))) return { code: 'deal', number }
    if (!isPlayedFromHands(round)) return { code: 'played', number }
    const sight = seen?.[number]
    if (sight && !isAsSeen(round, sight)) return { code: 'seen', number }
  }
  return null
}

/** The hands after the exchange that comes with the deal (X6). */
const handsAtStart = ({ hands, turned_up, werewolf }: RecordedRound) => hands.map((hand, seat) => (seat === werewolf && turned_up ? withoutWerewolf(hand, turned_up) : hand))

/** Whether every card was in the hand of the seat that played it, or passed it on (X7). */
function isPlayedFromHands(round: RecordedRound): boolean {
  const hands = handsAtStart(round).map((hand) => new Set(hand))
  return round.tricks.every(({ leader, plays, passed }) => {
    const arePlayed = plays.every((face, place) => hands[(leader + place) % hands.length]!.delete(face.split(':')[0]!))
    const arePassed = (passed ?? []).every((card, seat) => hands[seat]!.delete(card))
    passed?.forEach((card, seat) => hands[(seat + 1) % hands.length]!.add(card))
    return arePlayed && arePassed
  })
}

function isAsSeen(round: RecordedRound, sight: SeenRound): boolean {
  if (sight.dealer !== round.dealer || sight.turnedUp !== round.turned_up) return false
  if (sight.hand && sight.seat !== null && !sameCards(sight.hand, handsAtStart(round)[sight.seat] ?? [])) return false
  if (sight.foreseen?.some((hand, other) => hand && !sameCards(hand, round.hands[other] ?? []))) return false
  return sight.tricks.every(({ leader, plays }, place) => same([leader, plays], [round.tricks[place]?.leader, round.tricks[place]?.plays]))
}

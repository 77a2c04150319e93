import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { commitment } from '../src/fair/deals'
import { hmacSha256 } from '../src/fair/hmac'
import { hex, sha256, wordHash } from '../src/fair/sha256'
import { verdictOn, type GameRecord } from '../src/fair/verdict'
import { newWord, seenIn, sealedFor, typedLine, typedPart, Witness, type Sealed, type Seen } from '../src/fair/witness'
import type { Draw, Snapshot, Table } from '../src/protocol'

const shelf = new Map<string, string>()
beforeEach(() => {
  shelf.clear()
  vi.stubGlobal('localStorage', { getItem: (key: string) => shelf.get(key) ?? null, setItem: (key: string, text: string) => shelf.set(key, text), removeItem: (key: string) => shelf.delete(key) })
})

describe('SHA-256', () => {
  it('is that of every other program, at every length around the ends of a block', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256)
      expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'))
      const key = bytes.slice(0, 64)
      expect(hex(hmacSha256(key, bytes))).toBe(createHmac('sha256', key).update(bytes).digest('hex'))
    }
  })
})

const SECRET = '00'.repeat(32)
const COMMIT = commitment(SECRET)
const table = (given: Partial<Table>) => ({ id: 'T', phase: 'gathering', games_played: 0, next_commit: COMMIT, draw: null, seats: [{ has_word: false }, { has_word: false }], ...given }) as Table
const drawOf = (hashes: (string | null)[], missing = [0]): Draw => ({ commit: COMMIT, hashes, words: hashes.map(() => ''), missing })

describe('the word', () => {
  it('has 128 random bits, after what a person typed', () => {
    expect(newWord()).toMatch(/^[0-9a-f]{32}$/)
    expect(newWord()).not.toBe(newWord())
    expect(newWord(' moon\n\tday ')).toMatch(/^moon day [0-9a-f]{32}$/)
    expect(Array.from(newWord('🌙'.repeat(50)))).toHaveLength(64)
    expect(typedPart(newWord('moon day'))).toBe('moon day')
    expect(typedPart(newWord())).toBe('')
    expect(typedLine('a\u0000b\u2028c')).toBe('a b c')
  })
  it('is picked after the commitment, and its hash is sent until the server has it', () => {
    const witness = new Witness()
    expect(witness.reply(table({ next_commit: null }), 0)).toBeNull()
    expect(witness.reply(table({}), null)).toBeNull()
    const sent = witness.reply(table({}), 0)
    expect(sent).toEqual({ type: 'word_hash', commit: COMMIT, hash: wordHash(COMMIT, witness.word!) })
    expect(witness.reply(table({}), 0)).toEqual(sent)
    expect(witness.reply(table({ seats: [{ has_word: true }] as Table['seats'] }), 0)).toBeNull()
    expect(new Witness().reply(table({}), 0)).toEqual(sent) // another tab, or the page loaded again
    const chosen = witness.choose('moon')
    expect(chosen).toEqual({ type: 'word_hash', commit: COMMIT, hash: wordHash(COMMIT, witness.word!) })
    expect(witness.word).toMatch(/^moon /)
    expect(witness.choose('moon ')).toBeNull()
  })
  it('is shown only when the list has its hash', () => {
    const witness = new Witness()
    witness.reply(table({}), 0)
    const hash = wordHash(COMMIT, witness.word!)
    expect(witness.reply(table({ draw: drawOf([wordHash(COMMIT, 'x'), null]) }), 0)).toBeNull()
    expect(witness.reply(table({ draw: drawOf([hash, null], [1]) }), 0)).toBeNull()
    expect(witness.reply(table({ draw: { ...drawOf([hash, null]), commit: 'other' } }), 0)).toBeNull()
    expect(new Witness().reply(table({ next_commit: 'other', draw: drawOf([hash, null]) }), 0)).toBeNull()
    expect(witness.reply(table({ draw: drawOf([hash, null]) }), 0)).toEqual({ type: 'reveal', word: witness.word })
  })
})

describe('what this browser saw', () => {
  const view = { seat: 0, now: null } as unknown as Snapshot['view']
  it('belongs to the game after the draw, also when the page is loaded again in between', () => {
    const witness = new Witness()
    witness.reply(table({}), 0)
    witness.reply(table({ draw: drawOf([wordHash(COMMIT, witness.word!), null]) }), 0)
    const loaded = new Witness()
    loaded.reply(table({ phase: 'playing', next_commit: null }), 0)
    loaded.see({ game: 'first', view })
    expect(sealedFor('first')).toMatchObject({ commit: COMMIT, draw: { commit: COMMIT } })
    expect(sealedFor('second')).toBeNull()
  })
  it('is suspect if the server asks for another word after one was shown', () => {
    const witness = new Witness()
    witness.reply(table({}), 0)
    witness.reply(table({ draw: drawOf([wordHash(COMMIT, witness.word!), null]) }), 0)
    const other = commitment('11'.repeat(32))
    witness.reply(table({ next_commit: other }), 0)
    witness.reply(table({ next_commit: other, draw: { ...drawOf([wordHash(other, witness.word!), null]), commit: other } }), 0)
    witness.see({ game: 'first', view })
    expect(sealedFor('first')).toMatchObject({ commit: other, isSecond: true })
    const fair = { commit: other, secret: '11'.repeat(32), words: ['', ''] }
    expect(verdictOn({ rules: { specials: [] }, players: [], peoples: null, rounds: [], fair }, sealedFor('first'), null).problem).toEqual({ code: 'second' })
    const third = commitment('22'.repeat(32))
    witness.reply(table({ next_commit: third, games_played: 1 }), 0) // after a game, another word is right
    witness.reply(table({ next_commit: third, games_played: 1, draw: { ...drawOf([wordHash(third, witness.word!), null]), commit: third } }), 0)
    witness.reply(table({ phase: 'playing', next_commit: null, games_played: 1 }), 0)
    witness.see({ game: 'second', view })
    expect(sealedFor('second')).toMatchObject({ isSecond: false })
  })
  it('does not belong to a later game, when this browser was away for a whole one', () => {
    const witness = new Witness()
    witness.reply(table({}), 0)
    witness.reply(table({ draw: drawOf([wordHash(COMMIT, witness.word!), null]) }), 0)
    witness.reply(table({ phase: 'playing', games_played: 1, next_commit: null }), 0)
    witness.see({ game: 'second', view })
    expect(sealedFor('second')).toBeNull()
  })
})

/** A finished game, and what one client saw of it. `tests/web/test_fair_check.py` makes many, and runs this file. */
interface Case {
  record: GameRecord
  sealed: Sealed
  snapshots: Pick<Snapshot, 'game' | 'view'>[]
}
const file = process.env['FORETELL_FAIR_GAMES']

function seenOf({ sealed, snapshots }: Case): { sealed: Sealed; seen: Seen } {
  shelf.set('foretell.fair.words', JSON.stringify([{ ...sealed, game: null }]))
  const witness = new Witness()
  witness.reply(table({ id: sealed.table, next_commit: sealed.commit, draw: { ...sealed.draw!, missing: [] } }), 0)
  for (const snapshot of snapshots) witness.see(snapshot)
  const game = snapshots[0]!.game
  return { sealed: sealedFor(game)!, seen: seenIn(game)! }
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

describe('the check', () => {
  it.skipIf(!file)('proves fair games, and finds everything that was changed', () => {
    const cases = JSON.parse(readFileSync(file!, 'utf8')) as Case[]
    expect(cases.length).toBeGreaterThan(0)
    for (const one of cases) {
      const { sealed, seen } = seenOf(one)
      const { record } = one
      const found = verdictOn(record, sealed, seen)
      expect(found.problem).toBeNull()
      expect(found.isProven).toBe(!found.missing.includes(sealed.seat))
      expect(found.deals).toBe(record.rounds.length)
      expect(Object.keys(seen)).toHaveLength(record.rounds.length)
      expect(verdictOn(record, null, null)).toMatchObject({ problem: null, isProven: false })

      const changed = (change: (record: GameRecord) => void) => {
        const other = copy(record)
        change(other)
        return verdictOn(other, sealed, seen).problem?.code ?? null
      }
      const last = record.rounds.length - 1
      const swap = (round: { hands: string[][] }) => ([round.hands[0]![0], round.hands[1]![0]] = [round.hands[1]![0]!, round.hands[0]![0]!])
      expect(changed((it) => swap(it.rounds[last]!))).toBe('deal')
      expect(changed((it) => (it.rounds[0]!.dealer += 1))).toBe('dealer')
      expect(changed((it) => (it.fair!.commit = COMMIT))).toBe('commit')
      expect(changed((it) => (it.fair!.secret = SECRET))).toBe('secret')
      expect(changed((it) => (it.fair!.words[sealed.seat] += '!'))).toBe(sealed.isAccepted ? 'ignored' : 'hash')
      expect(changed((it) => (it.fair!.hashes![sealed.seat] = COMMIT))).toBe('draw')
      expect(changed((it) => delete it.fair!.secret)).toBe('none')
      expect(changed((it) => it.rounds[last]!.tricks[0]!.plays.reverse())).toBe('played')
      const other = copy(seen)
      const number = String(record.rules.rounds?.[last] ?? last + 1)
      other[number]!.tricks[0]!.plays[0] = 'other'
      expect(verdictOn(record, sealed, other).problem).toEqual({ code: 'seen', number: Number(number) })
    }
  })

  it('verifies records from elsewhere, whoever dealt first', () => {
    const lines = readFileSync(new URL('../../tests/conformance/valid.jsonl', import.meta.url), 'utf8').trim().split('\n')
    const records = lines.map((line) => JSON.parse(line) as GameRecord).filter((record) => record.fair?.secret !== undefined)
    expect(records.length).toBeGreaterThan(20)
    for (const record of records) {
      expect(verdictOn(record, null, null, false)).toMatchObject({ problem: null, isProven: false, deals: record.rounds.length })
      const other = copy(record)
      const [one, another] = other.rounds.at(-1)!.hands as [string[], string[]]
      ;[one[0], another[0]] = [another[0]!, one[0]!]
      expect(verdictOn(other, null, null, false).problem?.code).toBe('deal')
    }
    expect(records.some((record) => verdictOn(record, null, null).problem?.code === 'dealer')).toBe(true)
  })
})

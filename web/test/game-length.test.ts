import { describe, expect, it } from 'vitest'
import { ALL, featuredName } from '../src/forms/featured'
import { lengthOf, roundsOf } from '../src/forms/game-length'
import { lastRoundOf } from '../src/forms/rule-conflicts'
import type { Rules, TableForm } from '../src/protocol'

const plain = { rulebook: 'pt-PT', bids: 'open', plus_minus_one: false, foresight: 'none', unicolor: false, specials: [], wizards_on_trump: 'free', rounds: null } as Rules
const withCards: Rules = { ...plain, rulebook: 'pt-BR', specials: ['BOMB', 'CLOUD'] }
const form = {
  featured: [
    { name: 'classic', rules: plain, faces: [] },
    { name: 'anniversary', rules: withCards, faces: [] },
  ],
  decisions: ['bids', 'plus_minus_one', 'foresight', 'unicolor', 'wizards_on_trump'].map((key) => ({ key, form: 'one', choices: [] })).concat([{ key: 'specials', form: 'subset', choices: [] }, { key: 'rounds', form: 'numbers', choices: [] }]),
  seats: [{ setting: { key: 'unicolor', value: true }, seats: [3, 4], last_rounds: { '3': 12, '4': 12 }, rule: 'V6' }],
  last_rounds: { '3': 20, '4': 15, '5': 12, '6': 10 },
} as unknown as TableForm

describe('the length of a game', () => {
  it('is a number of rounds, or all of them', () => {
    expect(roundsOf(4)).toEqual([1, 2, 3, 4])
    expect(roundsOf('all')).toBeNull()
    for (const length of [4, 8, 'all'] as const) expect(lengthOf(roundsOf(length))).toBe(length)
  })
  it('is none of these where the rounds were chosen one by one', () => {
    expect(lengthOf([1, 2, 3, 5])).toBeNull()
    expect(lengthOf([8])).toBeNull()
  })
  it('ends with the last round that the rules have', () => {
    expect(lastRoundOf(plain, 3, form)).toBe(20)
    expect(lastRoundOf({ ...plain, unicolor: true }, 3, form)).toBe(12)
    expect(lastRoundOf({ ...plain, unicolor: true }, 6, form)).toBe(10) // there is no such game, and the form says so
  })
})

describe('a featured game', () => {
  it('is known by its rules, whatever its rounds', () => {
    expect(featuredName(plain, form)).toBe('classic')
    expect(featuredName({ ...plain, rounds: [1, 2] }, form)).toBe('classic')
  })
  it('may leave out some of its special cards, but not all', () => {
    expect(featuredName({ ...withCards, specials: ['BOMB'] }, form)).toBe('anniversary')
    expect(featuredName({ ...withCards, specials: [] }, form)).toBe(ALL)
  })
  it('is not one with another rule, or from another book', () => {
    expect(featuredName({ ...plain, bids: 'hidden' }, form)).toBe(ALL)
    expect(featuredName({ ...plain, rulebook: 'hu' }, form)).toBe(ALL)
  })
})

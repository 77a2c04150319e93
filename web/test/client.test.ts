import { describe, expect, it } from 'vitest'
import { cardName, fullName, sorted } from '../src/cards/names'
import { join, say, signed } from '../src/i18n'
import type { RuleClash, RuleTogether, Rules, Snapshot, TableForm, View } from '../src/protocol'
import { aloneOf, clashesOf, crowdedOf, without, withOne } from '../src/forms/rule-conflicts'
import { moments } from '../src/state/bridge'
import { apart } from '../src/table/panels/spread-labels'
import { actionsByCard } from '../src/table/board/pieces'

describe('names', () => {
  it('are read out with what was declared', () => {
    expect(cardName('R5')).toBe('red 5')
    expect(fullName('ZG')).toBe('Wizard of the Elves')
    expect(cardName('JUGGLER:Y')).toBe('Juggler in yellow')
    expect(cardName('SHAPESHIFTER:N')).toBe('Shapeshifter as a Jester')
  })
  it('count in the right form', () => {
    expect(say('web.bid.one', { count: 1 })).toBe('1 trick')
    expect(say('web.bid.one', { count: 3 })).toBe('3 tricks')
    expect([signed(30), signed(-10), signed(0)]).toEqual(['+30', '−10', '0'])
  })
  it('from right to left keep to themselves: 20 beside one stays 20', () => {
    expect(join(['Ana', 'נועה'])).toBe('Ana and \u2068נועה\u2069')
    expect(say('web.gather.wait', { name: 'ليلى' })).toBe('\u2068ليلى\u2069 starts the game.')
    expect(say('web.gather.wait', { name: 'Zoë' })).toBe('Zoë starts the game.')
  })
})

describe('names beside the chart', () => {
  it('are pushed apart, and only those that must be', () => {
    expect(apart([10, 12, 90], 13, 200)).toEqual([10, 23, 90])
    expect(apart([8, 160, 165, 168], 13, 170)).toEqual([8, 144, 157, 170])
    expect(apart([], 13, 170)).toEqual([])
  })
})

describe('a hand', () => {
  it('lies Jesters, colours rising with trump last, specials, Wizards', () => {
    expect(sorted(['ZB', 'G3', 'R10', 'NY', 'R2', 'BOMB', 'Y1'], 'R')).toEqual(['NY', 'G3', 'Y1', 'R2', 'R10', 'BOMB', 'ZB'])
  })
  it('offers what is legal, by card', () => {
    const by = actionsByCard(['play JUGGLER:B', 'play JUGGLER:R', 'play G3'])
    expect([...by]).toEqual([['JUGGLER', ['play JUGGLER:B', 'play JUGGLER:R']], ['G3', ['play G3']]])
  })
})

describe('the form', () => {
  const book = { rulebook: 'pt-BR', bids: 'open', plus_minus_one: false, foresight: 'none', unicolor: false, specials: [], wizards_on_trump: 'free', rounds: null } as Rules
  const clash: RuleClash = { one: { key: 'specials', value: 'any' }, other: { key: 'unicolor', value: true }, rule: 'V7' }
  it('finds what does not go together, and goes without either', () => {
    const rules: Rules = { ...book, specials: ['BOMB'], unicolor: true }
    expect(clashesOf(book, [clash])).toEqual([])
    expect(clashesOf(rules, [clash])).toEqual([clash])
    expect(without(rules, clash.one, book).specials).toEqual([])
    expect(without(rules, clash.other, book).unicolor).toBe(false)
  })
  it('finds who is missed by a companion, and brings or takes', () => {
    const pair: RuleTogether = { one: { key: 'specials', value: 'DRAGON' }, other: { key: 'specials', value: 'FAIRY' }, rule: 'C4' }
    const form = { decisions: [{ key: 'specials', form: 'subset', choices: ['DRAGON', 'FAIRY', 'BOMB'].map((value) => ({ value, name: value, rule: 'X' })) }] } as unknown as TableForm
    const rules: Rules = { ...book, specials: ['DRAGON', 'BOMB'] }
    expect(aloneOf(rules, [pair])).toEqual([pair])
    expect(aloneOf(book, [pair])).toEqual([])
    expect(aloneOf({ ...book, specials: ['DRAGON', 'FAIRY'] }, [pair])).toEqual([])
    expect(withOne(rules, pair.other, form).specials).toEqual(['DRAGON', 'FAIRY', 'BOMB'])
    expect(without(rules, pair.one, book).specials).toEqual(['BOMB'])
  })
  it('counts the seats', () => {
    const limit = { setting: { key: 'unicolor', value: true }, seats: [3, 4], rule: 'V6' }
    expect(crowdedOf({ ...book, unicolor: true }, 5, [limit])).toEqual([limit])
    expect(crowdedOf({ ...book, unicolor: true }, 4, [limit])).toEqual([])
    expect(crowdedOf(book, 5, [limit])).toEqual([])
  })
})

describe('the end of a round', () => {
  const now = {
    number: 1, dealer: 0, hand_size: 1, hand: ['R2'], hand_sizes: [1, 0, 0], foreseen: null, turned_up: 'B1', werewolf: null, naming: null, trump: 'B', named_by: null,
    bids: [0, 1, 0], has_bid: [true, true, true], bids_are_shown: true, tricks: [], trick: { leader: 1, faces: ['R5', 'R9'] }, winning: 2, demanded: 'R', won: [0, 0, 0],
    needs: [0, 1, 0], passes: [], has_passed: null, cloud: null, change: null, points: null, standing: [20, -10, 20],
  } as const
  const before = { type: 'snapshot', game: 'g', number: 5, clocks: [], events: [], view: { seat: 0, names: ['a', 'b', 'c'], now, phase: 'play', sheet: [], totals: [0, 0, 0] } } as unknown as Snapshot
  const line = { number: 1, dealer: 0, bids: [0, 1, 0], won: [0, 0, 1], points: [20, -10, -10], totals: [20, -10, -10] }
  const after: Snapshot = {
    ...before,
    number: 6,
    view: { ...before.view, sheet: [line], totals: line.totals, now: { ...now, number: 2 } } as unknown as View,
    events: [
      { event: 'played', seat: 0, face: 'R2' },
      { event: 'trick_ended', winner: 2, next_leader: 2 },
      { event: 'round_scored', bids: line.bids, won: line.won, points: line.points, totals: line.totals },
      { event: 'round_dealt', number: 2, dealer: 1, hand_size: 2, turned_up: 'G4' },
    ],
  }
  it('is a moment of its own, with the whole last trick', () => {
    const [end, next] = moments(before, after)
    expect(end!.view.phase).toBe('scored')
    expect(end!.view.now!.tricks.at(-1)).toEqual({ leader: 1, faces: ['R5', 'R9', 'R2'], winner: 2, next_leader: 2 })
    expect(end!.view.now!.points).toEqual([20, -10, -10])
    expect(end!.events.map((event) => event.event)).not.toContain('round_dealt')
    expect(next!.events.map((event) => event.event)).toEqual(['round_dealt'])
    expect(next!.view).toBe(after.view)
  })
  it('is not made up for who was not there', () => {
    expect(moments(null, after)).toEqual([after])
  })
})

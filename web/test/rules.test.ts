import { describe, expect, it } from 'vitest'
import { brokenPairsOf, clashesOf, problemsOf, seatLimitsOf, without, withOne } from '../src/forms/rule-conflicts'
import { ruleLines, rulesLine } from '../src/forms/rule-texts'
import type { RuleClash, RuleDecision, Rules, RuleTogether, TableForm } from '../src/protocol'

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
    expect(brokenPairsOf(rules, [pair])).toEqual([pair])
    expect(brokenPairsOf(book, [pair])).toEqual([])
    expect(brokenPairsOf({ ...book, specials: ['DRAGON', 'FAIRY'] }, [pair])).toEqual([])
    expect(withOne(rules, pair.other, form).specials).toEqual(['DRAGON', 'FAIRY', 'BOMB'])
    expect(without(rules, pair.one, book).specials).toEqual(['BOMB'])
  })
  it('counts the seats', () => {
    const limit = { setting: { key: 'unicolor', value: true }, seats: [3, 4], last_rounds: { '3': 12, '4': 12 }, rule: 'V6' }
    expect(seatLimitsOf({ ...book, unicolor: true }, 5, [limit])).toEqual([limit])
    expect(seatLimitsOf({ ...book, unicolor: true }, 4, [limit])).toEqual([])
    expect(seatLimitsOf(book, 5, [limit])).toEqual([])
  })
})

describe('the rules of a table in words', () => {
  const choices = (...values: (string | boolean)[]) => values.map((value) => ({ value, name: value === true ? 'on' : value === false ? 'off' : value, rule: 'X' }))
  const decisions: RuleDecision[] = [
    { key: 'bids', form: 'one', choices: choices('open', 'hidden', 'secret') },
    { key: 'unicolor', form: 'switch', choices: choices(false, true) },
    { key: 'specials', form: 'subset', choices: choices('DRAGON', 'FAIRY', 'BOMB') },
    { key: 'rounds', form: 'numbers', choices: [] },
  ]
  const pair = { one: { key: 'specials', value: 'DRAGON' }, other: { key: 'specials', value: 'FAIRY' }, rule: 'C4' }
  const form = { decisions, clashes: [{ one: { key: 'specials', value: 'any' }, other: { key: 'unicolor', value: true }, rule: 'V7' }], together: [pair], seats: [{ setting: { key: 'unicolor', value: true }, seats: [3, 4], last_rounds: { '3': 12, '4': 12 }, rule: 'V6' }] } as unknown as TableForm
  const plain = { rulebook: 'pt-BR', bids: 'open', unicolor: false, specials: [], rounds: [1, 2] } as unknown as Rules
  const other: Rules = { ...plain, bids: 'hidden', specials: ['BOMB'] }

  it('say the book, and what differs from the plain game', () => {
    expect(rulesLine(plain, form)).toBe('Brazilian book')
    expect(rulesLine(other, form)).toBe('Brazilian book, hidden bids, special cards')
    expect(ruleLines(other, form).map((line) => line.name)).toEqual(['Brazilian book', 'hidden bids', 'Bomb'])
    expect(ruleLines(other, form).slice(1).every((line) => line.meaning !== '')).toBe(true)
    expect(ruleLines(other, form)[0]!.meaning).toBe('') // the table has decided: what its book also offers is not said
  })
  it('say the book while the form is not known', () => expect(rulesLine(other, null)).toBe('Brazilian book'))
  it('say what stands in the way, and the ways out', () => {
    const problems = problemsOf({ ...plain, unicolor: true, specials: ['DRAGON'] }, 5, form, plain)
    expect(problems.map((one) => one.text)).toEqual([
      'special cards and unicolor do not go together (V7).',
      'Dragon and Fairy go in together or not at all (C4).',
      'unicolor is for 3 or 4 players (V6); this table has 5 seats.',
    ])
    const ways = problems.flatMap((one) => one.ways)
    expect(ways.map((way) => way.text)).toEqual(['Without special cards', 'Without unicolor', 'With Fairy', 'Without Dragon', '4 seats', 'Without unicolor'])
    expect(ways.map((way) => way.seats ?? way.rules!.specials.length)).toEqual([0, 1, 2, 0, 4, 1])
    expect(problemsOf(plain, 5, form, plain)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { actionsByCard, bidText, ofKind, putDownText, readAction, trickOfDecision } from '../src/actions'

describe('an action', () => {
  it.each([
    ['bid 2', { kind: 'bid', tricks: 2 }],
    ['trump R', { kind: 'trump', colour: 'R' }],
    ['trump none', { kind: 'trump', colour: null }],
    ['play R5', { kind: 'play', card: 'R5', face: 'R5', declared: null }],
    ['play JUGGLER:R', { kind: 'play', card: 'JUGGLER', face: 'JUGGLER:R', declared: 'R' }],
    ['play SHAPESHIFTER:Z', { kind: 'play', card: 'SHAPESHIFTER', face: 'SHAPESHIFTER:Z', declared: 'Z' }],
    ['pass G3', { kind: 'pass', card: 'G3' }],
    ['change +1', { kind: 'change', by: 1 }],
    ['change -1', { kind: 'change', by: -1 }],
  ])('%s is read, and keeps its text', (text, read) => expect(readAction(text)).toEqual({ text, ...read }))

  it('of no known kind is no action', () => expect(() => readAction('fold')).toThrow("'fold'"))

  it('is written as it is read', () => {
    expect(readAction(bidText(3))).toMatchObject({ kind: 'bid', tricks: 3 })
    expect(readAction(putDownText('play', 'JUGGLER'))).toMatchObject({ kind: 'play', card: 'JUGGLER', declared: null })
    expect(readAction(putDownText('pass', 'G3'))).toMatchObject({ kind: 'pass', card: 'G3' })
  })
})

describe('what is legal', () => {
  const legal = ['play JUGGLER:B', 'play JUGGLER:R', 'play G3'].map(readAction)
  it('is found by card', () => {
    const texts = [...actionsByCard(legal)].map(([card, actions]) => [card, actions.map((one) => one.text)])
    expect(texts).toEqual([['JUGGLER', ['play JUGGLER:B', 'play JUGGLER:R']], ['G3', ['play G3']]])
    expect(actionsByCard([readAction('bid 0')]).size).toBe(0)
  })
  it('is found by kind', () => {
    expect(ofKind(legal, 'bid')).toEqual([])
    expect(ofKind([readAction('bid 0'), ...legal], 'bid').map((one) => one.tricks)).toEqual([0])
  })
})

it('a decision about a play names its trick', () => {
  expect(trickOfDecision('7:play:3')).toBe(4)
  expect(trickOfDecision('7:bid:0')).toBeNull()
})

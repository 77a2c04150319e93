import { describe, expect, it } from 'vitest'
import { cardName, fullName, sorted } from '../src/cards/names'
import { join, say, signed } from '../src/i18n'

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
    expect(say('web.gather.wait', { name: 'ليلى' })).toBe('Waiting for \u2068ليلى\u2069 to start the game.')
    expect(say('web.gather.wait', { name: 'Zoë' })).toBe('Waiting for Zoë to start the game.')
  })
})

describe('a hand', () => {
  it('lies Jesters, colours rising with trump last, specials, Wizards', () => {
    expect(sorted(['ZB', 'G3', 'R10', 'NY', 'R2', 'BOMB', 'Y1'], 'R')).toEqual(['NY', 'G3', 'Y1', 'R2', 'R10', 'BOMB', 'ZB'])
  })
})

/** The names of cards, and the order of a hand. */
import { say, type Key, type Phrase } from '../i18n'
import type { People } from './shapes'

export type Colour = People

export interface Parts {
  code: string // of the card
  said: string | null // what was declared with it
  kind: 'number' | 'wizard' | 'jester' | 'special'
  people: Colour | null
  value: number
}

export const isColour = (letter: string | null | undefined): letter is Colour => letter != null && letter.length === 1 && 'BRGY'.includes(letter)

/** A face's code taken apart. */
export function parts(face: string): Parts {
  const [code = '', said = null] = face.split(':')
  const first = code[0]
  const number = /^[BRGY](\d+)$/.exec(code)
  if (number && isColour(first)) return { code, said, kind: 'number', people: first, value: Number(number[1]) }
  const people = code.slice(1)
  if (code.length === 2 && isColour(people)) return { code, said, kind: first === 'Z' ? 'wizard' : 'jester', people, value: 0 }
  return { code, said, kind: 'special', people: null, value: 0 }
}

/**
 * A card as part of a sentence. `{card}` is its name, "blue 5" or "Dragon"; `{card:object}` is what one takes or gives, "the
 * blue 5", "a Wizard". Each is one text of the catalogue, since in many languages article, adjective and ending depend
 * on the card.
 */
export function cardPhrase(face: string): Phrase {
  const { code, said, kind, people, value } = parts(face)
  if (kind === 'number') return { key: `web.card.number.${people!}`, values: { value: { key: `web.card.value.${value}` } } }
  if (kind === 'wizard' || kind === 'jester') return { key: `web.card.${kind}` }
  return { key: said ? `web.card.${code}.${said}` : `web.card.${code}` }
}

const named = ({ key, values }: Phrase) => say(key as Key, values)

/** The card's name in words: "red 5", "Wizard", "Juggler in green". */
export const cardName = (face: string): string => named(cardPhrase(face))

/** The name with its people, where that matters or tells two cards apart: "Wizard of the Elves". */
export function fullName(face: string): string {
  const { kind, people } = parts(face)
  return kind === 'wizard' || kind === 'jester' ? say(`web.card.${kind}.${people!}`) : cardName(face)
}

/** X5: a trick with this card belongs to nobody, so no card of it is shown as the winning one. */
export const isBomb = (face: string): boolean => face === 'BOMB'

const COLOURS: readonly Colour[] = ['B', 'R', 'G', 'Y']

/**
 * A hand in order: Jesters first, then the colours, each rising and trump last, then special cards and Wizards. The order
 * is for the eye only.
 */
export function sorted(hand: readonly string[], trump: Colour | null): string[] {
  const rank = (card: string): number => {
    const { kind, people, value } = parts(card)
    if (kind === 'jester') return -1000 + COLOURS.indexOf(people!)
    if (kind === 'wizard') return 2000 + COLOURS.indexOf(people!)
    if (kind === 'special') return 1000
    return (people === trump ? 5 : COLOURS.indexOf(people!)) * 100 + value
  }
  return [...hand].sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
}

/** Answers to choose from, as they are shown. */
import type { ActionOf } from '../../actions'
import { isColour, type Colour } from '../../cards/names'
import { say } from '../../i18n'

/** An answer: its text, a symbol of the cards, and the colour that is chosen; null for no colour. */
export interface Choice {
  action: string
  text: string
  symbol?: string | null
  colour?: Colour | null
}

export const colourChoice = (action: string, colour: Colour | null): Choice => ({ action, colour, symbol: colour, text: say(colour ? `colour.${colour}` : 'colour.none') })

/** Played in a colour, as a Wizard or as a Jester. */
export function declarationChoice({ text: action, declared }: ActionOf<'play'>): Choice {
  if (isColour(declared)) return colourChoice(action, declared)
  return declared === 'Z' ? { action, symbol: 'star', text: say('web.card.wizard') } : { action, symbol: 'cap', text: say('web.card.jester') }
}

/** What is asked about a card that can be played in these ways. */
export const declarationTitle = (ways: readonly ActionOf<'play'>[]) => say(ways.some(({ declared }) => isColour(declared)) ? 'web.declare.colour' : 'web.declare.shape')

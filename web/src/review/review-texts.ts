/** A review in words, and its choices by round. */
import { readAction, trickOfDecision } from '../actions'
import { cardName, cardPhrase } from '../cards/names'
import { decimal, points, say, signed } from '../i18n'
import type { ReviewedChoice, View } from '../protocol'

/** An action in words: "bid 2", "red 5", "trump: red". */
export function actionText(text: string): string {
  const action = readAction(text)
  switch (action.kind) {
    case 'bid':
      return say('web.review.bid', { bid: action.tricks })
    case 'trump':
      return action.colour ? say('web.review.trump', { colour: { key: `colour.${action.colour}` } }) : say('colour.none')
    case 'change':
      return say('web.review.change', { change: signed(action.by) })
    case 'pass':
      return say('web.review.pass', { card: cardPhrase(action.card) })
    case 'play':
      return cardName(action.face)
  }
}

/** Where in the game a choice was made: "Round 5, trick 3". */
export function placeText({ round, decision }: ReviewedChoice): string {
  const trick = trickOfDecision(decision)
  return trick === null ? say('web.review.round', { round }) : say('web.review.round_trick', { round, trick })
}

/** Lost points, which may be fractions: −0.4, −3.2, −14. A decimal matters only in small numbers. */
export function loss(cost: number): string {
  if (cost <= 0) return '0'
  return cost < 9.95 ? decimal(-cost) : points(-cost)
}

/** Expected points with their sign. */
export const expected = (value: number): string => signed(Math.round(value))

export interface ReviewedRound {
  number: number
  bid: number | null
  won: number | null
  points: number | null
  cost: number
  choices: ReviewedChoice[]
}

/** A seat's choices by round; rounds in which it had no choice are left out. */
export function byRound(choices: readonly ReviewedChoice[], seat: number, sheet: View['sheet']): ReviewedRound[] {
  const rounds = new Map<number, ReviewedRound>()
  for (const choice of choices) {
    if (choice.seat !== seat) continue
    let round = rounds.get(choice.round)
    if (!round) {
      const line = sheet.find((one) => one.number === choice.round)
      round = { number: choice.round, bid: line?.bids[seat] ?? null, won: line?.won[seat] ?? null, points: line?.points[seat] ?? null, cost: 0, choices: [] }
      rounds.set(choice.round, round)
    }
    round.choices.push(choice)
    round.cost += choice.cost
  }
  return [...rounds.values()]
}

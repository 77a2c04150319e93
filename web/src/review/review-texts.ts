/** What a review says, in words; and its choices by round. */
import { cardName } from '../cards/names'
import { say, sayIfAny, signed } from '../i18n'
import type { ReviewedChoice, View } from '../protocol'

/** An action as it is read: "bid 2", "red 5", "trump: red". */
export function actionText(action: string): string {
  const [verb = '', what = ''] = action.split(' ')
  if (verb === 'bid') return say('web.review.bid', { bid: what })
  if (verb === 'trump') return say('web.review.trump', { colour: sayIfAny(`colour.${what}`, what) })
  if (verb === 'change') return say('web.review.change', { change: what.replace('-', '−') })
  if (verb === 'pass') return say('web.review.pass', { card: cardName(what) })
  return cardName(what)
}

/** The card that an action puts down; null where it puts down none. */
export function cardOf(action: string): string | null {
  const [verb = '', what = ''] = action.split(' ')
  return verb === 'play' || verb === 'pass' ? (what.split(':')[0] ?? null) : null
}

/** Where in the game a choice was: "Round 5, trick 3". */
export function placeText(choice: ReviewedChoice): string {
  const [, phase = '', count = ''] = choice.decision.split(':')
  if (phase !== 'play') return say('web.review.round', { round: choice.round })
  return say('web.review.round_trick', { round: choice.round, trick: Number(count) + 1 })
}

/** The trick that a play belongs to, counted from 1; null for what is no play. */
export function trickOf(choice: ReviewedChoice): number | null {
  const [, phase, count] = choice.decision.split(':')
  return phase === 'play' ? Number(count) + 1 : null
}

/** Points that may be fractions, as a loss: −0.4, −3.2, −14. Small ones keep a decimal, in large ones it says nothing. */
export function loss(cost: number): string {
  if (cost <= 0) return '0'
  return `−${cost < 9.95 ? cost.toFixed(1) : Math.round(cost)}`
}

/** Expected points with their sign. */
export const expected = (value: number): string => signed(Math.round(value))

export interface RoundOf {
  number: number
  bid: number | null
  won: number | null
  points: number | null
  cost: number
  choices: ReviewedChoice[]
}

/** A seat's choices by round; rounds in which it had no choice at all are left out. */
export function byRound(choices: readonly ReviewedChoice[], seat: number, sheet: View['sheet']): RoundOf[] {
  const rounds = new Map<number, RoundOf>()
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

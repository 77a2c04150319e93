/** Positions in a replayed round: where tricks begin, where mistakes were made, and what is shown with all hands open. */
import { trickOfDecision } from '../actions'
import type { Frame, ReviewedChoice, View } from '../protocol'

/** Where in a game a replay is: a link to it has all of this. */
export interface Position {
  round: number | null // its number; null for the first round
  step: number // 0 is the deal
  seat: number // at the bottom
  isOpen: boolean // all hands face up
  decision: string | null // the step before `seat` answered this, instead of `step`
}

/** The steps at which tricks begin: the position before the first card of each. */
export function trickStarts(frames: readonly Pick<Frame, 'decision'>[]): number[] {
  const starts: number[] = []
  frames.forEach(({ decision }, step) => {
    const trick = decision === null ? null : trickOfDecision(decision)
    if (trick !== null && trick > starts.length) starts.push(step - 1)
  })
  return starts
}

/** The steps to stop at when going trick by trick: the deal, the beginning of each trick, the end of the round. */
const stops = (frames: readonly Frame[]) => [...new Set([0, ...trickStarts(frames), frames.length - 1])]

export const trickBefore = (frames: readonly Frame[], step: number): number => stops(frames).findLast((stop) => stop < step) ?? 0
export const trickAfter = (frames: readonly Frame[], step: number): number => stops(frames).find((stop) => stop > step) ?? frames.length - 1

/** The step before a seat made a choice, which is when it had to be made; null where it is not in this round. */
export function stepBefore(frames: readonly Pick<Frame, 'seat' | 'decision'>[], seat: number, decision: string): number | null {
  const made = frames.findIndex((frame) => frame.seat === seat && frame.decision === decision)
  return made < 0 ? null : made - 1
}

/** The choices that the coach calls mistakes. */
export const mistakesOf = (choices: readonly ReviewedChoice[], seat: number): ReviewedChoice[] => choices.filter((one) => one.seat === seat && one.cost > 0)

/** The first mistake after this position; null where there is none. Rounds are in the order of `numbers`. */
export function mistakeAfter(mistakes: readonly ReviewedChoice[], frames: readonly Frame[], numbers: readonly number[], { round, step }: { round: number; step: number }): ReviewedChoice | null {
  const place = numbers.indexOf(round)
  const isLater = (one: ReviewedChoice) => (one.round === round ? (stepBefore(frames, one.seat, one.decision) ?? -1) > step : numbers.indexOf(one.round) > place)
  return mistakes.find(isLater) ?? null
}

/** The verdict on the choice that comes next; null where it was no mistake. */
export function mistakeAt(choices: readonly ReviewedChoice[], frames: readonly Frame[], round: number, step: number): ReviewedChoice | null {
  const next = frames[step + 1]
  return choices.find((one) => one.cost > 0 && one.round === round && one.seat === next?.seat && one.decision === next.decision) ?? null
}

/** The View with what it hid from its seat: its own cards while bidding by foresight, and the bids of the others. */
export function openView({ view, hands, bids }: Frame): View {
  if (view.now === null || view.seat === null) return view
  return { ...view, now: { ...view.now, hand: hands[view.seat] ?? [], foreseen: null, bids } }
}

/** The address of a position, after the #. `game` is empty for a record from a file. */
export function addressOf(game: string, { round, step, seat, isOpen }: Position): string {
  return `/replay/${encodeURIComponent(game)}/${round ?? ''}/${step}?seat=${seat}${isOpen ? '' : '&hidden'}`
}

/** The position that an address asks for; what it does not say is the beginning, from the first seat, with open hands. */
export function positionIn(address: string): Position {
  const [path = '', query = ''] = address.split('?')
  const [round = '', step = ''] = path.split('/')
  const asked = new URLSearchParams(query)
  const whole = (text: string | null) => (/^\d{1,3}$/.test(text ?? '') ? Number(text) : null)
  return { round: whole(round), step: whole(step) ?? 0, seat: whole(asked.get('seat')) ?? 0, isOpen: !asked.has('hidden'), decision: asked.get('at') }
}

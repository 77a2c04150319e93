/** The tips of the guided first game, and when each is shown: once, the most important first. */
import { parts } from '../cards/names'
import type { Key } from '../i18n'
import type { View } from '../protocol'

export interface Tip {
  id: string
  text: Key
  when: (view: View, isResting: boolean) => boolean
  over?: 'seats' | 'hand' | 'ground' // where the tip is shown, so that it does not cover what it is about; otherwise below the seats
}

const isMine = (view: View) => view.decision !== null

export const TIPS: readonly Tip[] = [
  { id: 'goal', text: 'web.guide.goal', when: (view) => view.now !== null },
  { id: 'trump', text: 'web.guide.trump', when: (view) => view.now?.trump != null && view.phase === 'bid', over: 'ground' },
  { id: 'no_trump', text: 'web.guide.no_trump', when: (view) => view.now !== null && view.now.trump === null && view.phase === 'bid' },
  { id: 'bid', text: 'web.guide.bid', when: (view) => isMine(view) && view.phase === 'bid' },
  { id: 'wizard', text: 'web.guide.wizard', when: (view) => view.now?.hand?.some((card) => parts(card).kind === 'wizard') === true },
  { id: 'jester', text: 'web.guide.jester', when: (view) => view.now?.hand?.some((card) => parts(card).kind === 'jester') === true },
  { id: 'naming', text: 'web.guide.naming', when: (view) => isMine(view) && view.phase === 'trump' },
  { id: 'lead', text: 'web.guide.lead', when: (view) => isMine(view) && view.phase === 'play' && view.now?.trick?.faces.length === 0 },
  { id: 'follow', text: 'web.guide.follow', when: (view) => isMine(view) && view.phase === 'play' && view.now?.demanded != null, over: 'seats' },
  { id: 'took', text: 'web.guide.took', when: (view, isResting) => isResting && view.now?.tricks.at(-1)?.winner === view.seat, over: 'seats' },
  { id: 'score', text: 'web.guide.score', when: (view, isResting) => !isResting && view.phase === 'deal', over: 'hand' },
  { id: 'sum', text: 'web.guide.sum', when: (view) => view.sheet.length > 0 && view.phase === 'play' && view.now?.has_bid.every(Boolean) === true },
]

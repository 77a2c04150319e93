/** The tips, and when each is shown: once, one at a time, the most important first. */
import { isWholeHandOffered } from '../actions'
import { parts } from '../cards/names'
import { say } from '../i18n'
import type { View } from '../protocol'

/** What a tip is about, and how to find it on the page. */
export const SUBJECTS = {
  question: '.prompt',
  turnedUp: '.piece.stock',
  tricks: '.own .stones',
  balance: '.bar .balance',
  hand: '.piece.hand',
  wizard: '.piece.hand[data-card^="Z"]',
  jester: '.piece.hand[data-card^="N"]',
  lifted: '.piece.lifted',
  roundEnd: '.over .end',
  sheet: 'aside .scores, .bar .sheet', // beside the table, or its button where there is no room for it
} as const
export type Subject = keyof typeof SUBJECTS

/** The table as a tip needs to know it. */
export interface Situation {
  view: View
  isAsked: boolean // this player, and now
  isResting: boolean // the trick that was just completed still lies there
  lifted: string | null // the card that a second tap plays
  isSeatCovered: boolean // by a question in its place
  balance: string // how the bids compare with the tricks, once all are made
}

export interface Tip {
  id: string
  about: Subject
  when: (now: Situation) => boolean
  text: (now: Situation) => string
  isForEveryone?: boolean // otherwise in the guided game only
  after?: string // in the guided game: not before this one has been seen
  isUrgent?: boolean // about what the player has just done: it goes before a tip that is already shown
}

const isBidding = ({ view, isAsked }: Situation) => isAsked && view.phase === 'bid'
const isPlaying = ({ view, isAsked }: Situation) => isAsked && view.phase === 'play'
const kindOf = (card: string | null | undefined) => (card ? parts(card).kind : null)
const holds = ({ view }: Situation, kind: 'wizard' | 'jester') => (view.phase === 'bid' || view.phase === 'play') && view.now?.hand?.some((card) => kindOf(card) === kind) === true

export const TIPS: readonly Tip[] = [
  {
    id: 'lifted',
    about: 'lifted',
    when: ({ lifted }) => lifted !== null,
    text: ({ view }) => say(view.phase === 'pass' ? 'web.guide.lifted_pass' : 'web.guide.lifted'),
    isForEveryone: true,
    isUrgent: true,
  },
  { id: 'naming', about: 'question', when: ({ view, isAsked }) => isAsked && view.phase === 'trump', text: () => say('web.guide.naming') },
  { id: 'trick', about: 'question', when: isBidding, text: () => say('web.guide.trick') },
  { id: 'trump', about: 'turnedUp', when: (now) => isBidding(now) && now.view.now?.trump != null && kindOf(now.view.now.turned_up) === 'number', text: () => say('web.guide.trump') },
  { id: 'no_trump', about: 'turnedUp', when: (now) => isBidding(now) && now.view.now?.trump === null && kindOf(now.view.now.turned_up) === 'jester', text: () => say('web.guide.no_trump') },
  { id: 'points', about: 'question', when: isBidding, text: () => say('web.guide.points') },
  { id: 'bid', about: 'question', when: isBidding, text: () => say('web.guide.bid') },
  { id: 'lead', about: 'hand', when: (now) => isPlaying(now) && now.view.now?.trick?.faces.length === 0, text: () => say('web.guide.lead') },
  { id: 'follow', about: 'hand', when: (now) => isPlaying(now) && now.view.now?.demanded != null, text: ({ view }) => say(isWholeHandOffered(view.now?.hand ?? [], view.legal) ? 'web.guide.follow' : 'web.guide.follow_dimmed') },
  {
    id: 'tricks',
    about: 'tricks',
    when: ({ view, isSeatCovered }) => !isSeatCovered && (view.phase === 'bid' || view.phase === 'play'),
    text: () => say('web.guide.tricks'),
    after: 'trick',
    isForEveryone: true,
  },
  { id: 'balance', about: 'balance', when: ({ view, balance }) => view.phase === 'play' && balance !== '', text: ({ balance }) => balance, isForEveryone: true, after: 'tricks' },
  { id: 'wizard', about: 'wizard', when: (now) => holds(now, 'wizard'), text: () => say('web.guide.wizard'), after: 'trick' },
  { id: 'jester', about: 'jester', when: (now) => holds(now, 'jester'), text: () => say('web.guide.jester'), after: 'trick' },
  { id: 'took', about: 'tricks', when: ({ view }) => view.phase === 'play' && (view.now?.won[view.seat ?? 0] ?? 0) > 0, text: () => say('web.guide.took'), after: 'tricks' },
  { id: 'score', about: 'sheet', when: ({ view, isResting }) => view.phase === 'deal' && !isResting && view.now?.points != null, text: () => say('web.guide.score') },
]

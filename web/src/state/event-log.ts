/** What has happened, line by line, in words: for the log and for screen readers. */
import { cardName, cardPhrase } from '../cards/names'
import { isolated, join, points, say, signed } from '../i18n'
import type { GameEvent, Snapshot, View } from '../protocol'
import { receivedLine } from './announced'

let lines = 0

export interface LogLine {
  id: number
  /** In the language that is spoken when it is read. */
  readonly text: string
  isHeading: boolean
}

/** A line that no event tells. */
export const logLine = (text: string): LogLine => ({ id: ++lines, text, isHeading: false })

export function logLines({ view, events }: Pick<Snapshot, 'view' | 'events'>): LogLine[] {
  const name = (seat: number) => (seat === view.seat ? say('web.you') : (view.names[seat] ?? ''))
  return events.flatMap((event) => {
    if (!told(event, name, view)) return []
    const line: LogLine = {
      id: ++lines,
      get text() {
        return told(event, name, view) ?? ''
      },
      isHeading: event.event === 'round_dealt',
    }
    return [line]
  })
}

/** The round so far, as far as a View tells: for someone who comes, or comes back, in the middle of it. */
function logOfRound(view: View): LogLine[] {
  const now = view.now
  if (!now || view.phase === 'over') return []
  const players = view.names.length
  const events: GameEvent[] = [{ event: 'round_dealt', number: now.number, dealer: now.dealer, hand_size: now.hand_size, turned_up: now.turned_up }]
  if (view.phase !== 'trump' && view.peoples === null) events.push({ event: 'trump_settled', colour: now.trump, named_by: now.named_by, rule: '' })
  if (now.bids_are_shown && now.has_bid.every(Boolean)) events.push({ event: 'bids_shown', bids: now.bids.map(Number) })
  else
    for (let place = 1; place <= players; place++) {
      const seat = (now.dealer + place) % players
      if (now.has_bid[seat]) events.push({ event: 'bid_made', seat, bid: now.bids[seat] ?? null })
    }
  for (const trick of now.trick ? [...now.tricks, now.trick] : now.tricks) {
    for (const [place, face] of trick.faces.entries()) events.push({ event: 'played', seat: (trick.leader + place) % players, face })
    if (trick.next_leader != null) events.push({ event: 'trick_ended', winner: trick.winner ?? null, next_leader: trick.next_leader })
  }
  return logLines({ view, events })
}

/** The log with its last round replaced by the round so far, in which nothing is missing. */
export function caughtUp(log: readonly LogLine[], view: View): LogLine[] {
  const round = logOfRound(view)
  const from = log.findLastIndex((line) => line.isHeading)
  return [...(from >= 0 && log[from]!.text === round[0]?.text ? log.slice(0, from) : log), ...round]
}

/** One event in words. */
export function told(event: GameEvent, name: (seat: number) => string, view: Pick<View, 'seat' | 'names' | 'now'>): string | null {
  const { seat: own, names } = view
  switch (event.event) {
    case 'round_dealt': {
      const round = { number: event.number, deal: event.dealer === own ? say('web.log.deal_own') : say('web.log.deal_of', { dealer: name(event.dealer) }) }
      return event.turned_up ? say('web.log.dealt_up', { ...round, card: cardName(event.turned_up) }) : say('web.log.dealt', round)
    }
    case 'exchanged':
      return say('web.log.exchanged', { name: name(event.seat), card: cardPhrase(event.card) })
    case 'trump_settled': {
      const trump = { key: `colour.${event.colour ?? 'none'}` }
      if (event.named_by === null) return event.colour ? say('web.log.trump', { trump }) : say('web.log.no_trump')
      return say(event.colour ? 'web.log.trump_named' : 'web.log.no_trump_named', { name: name(event.named_by), trump })
    }
    case 'bid_made':
      return event.bid === null ? say('web.log.bid_unseen', { name: name(event.seat) }) : say('web.log.bid', { name: name(event.seat), count: event.bid })
    case 'bids_shown':
      return say('web.log.bids_shown', { bids: join(event.bids.map((bid, seat) => `${isolated(name(seat))} ${bid}`)) })
    case 'played':
      return say('web.log.played', { name: name(event.seat), card: cardName(event.face) })
    case 'trick_ended':
      return event.winner === null ? say('web.log.bombed', { name: name(event.next_leader) }) : say('web.log.took', { name: name(event.winner) })
    case 'cards_passed':
      return receivedLine(view) ?? say('web.log.passed')
    case 'bid_changed':
      return say('web.log.changed', { name: name(event.seat), change: signed(event.change) })
    case 'round_scored':
      return say('web.log.scored', {
        points: join(names.map((_, seat) => `${isolated(name(seat))} ${signed(event.points[seat]!)} (${points(event.totals[seat]!)})`)),
      })
    case 'game_over':
      return say('web.log.over', { names: join(event.winners.map(name)) })
  }
}

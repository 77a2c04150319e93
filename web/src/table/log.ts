/** What has happened, line by line, in words: for the event log and for who hears the page instead of seeing it. */
import { cardName } from '../cards/names'
import { isolated, join, points, say, signed } from '../i18n'
import type { GameEvent, Snapshot, View } from '../protocol'

let lines = 0

export interface LogLine {
  id: number
  text: string
  isHeading: boolean
}

export function logLines({ view, events }: Snapshot): LogLine[] {
  const name = (seat: number) => (seat === view.seat ? say('web.you') : (view.names[seat] ?? ''))
  return events.flatMap((event) => {
    const text = told(event, name, view)
    return text ? [{ id: ++lines, text, isHeading: event.event === 'round_dealt' }] : []
  })
}

function told(event: GameEvent, name: (seat: number) => string, { seat: own, names }: View): string | null {
  switch (event.event) {
    case 'round_dealt': {
      const round = { number: event.number, deal: event.dealer === own ? say('web.log.deal_own') : say('web.log.deal_of', { dealer: name(event.dealer) }) }
      return event.turned_up ? say('web.log.dealt_up', { ...round, card: cardName(event.turned_up) }) : say('web.log.dealt', round)
    }
    case 'exchanged':
      return say('web.log.exchanged', { name: name(event.seat), card: cardName(event.card) })
    case 'trump_settled': {
      const trump = say(event.colour ? `colour.${event.colour}` : 'colour.none')
      if (event.named_by !== null) return say('web.log.trump_named', { name: name(event.named_by), trump })
      return event.colour ? say('web.log.trump', { trump }) : say('web.log.no_trump')
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
      return say('web.log.passed')
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

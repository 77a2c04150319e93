/** One line for this player: why something was refused, what has just happened, what the coach thinks, or that the connection is lost. */
import { readAction } from '../../actions'
import { cardName } from '../../cards/names'
import { say, signed } from '../../i18n'
import type { Coach } from '../../protocol'
import type { TableState } from '../../state/table.svelte'

export interface Notice {
  text: string
  kind: 'refusal' | 'event' | 'coach' | 'lost'
  /** The rule that the players' rules explain; null where there is none. */
  rule: string | null
}

/** The most important of them; null where there is nothing to say. */
export function noticeOf(game: TableState): Notice | null {
  if (game.connection.trouble) return { text: game.connection.trouble, kind: 'lost', rule: null }
  if (game.notice) return { text: game.notice.text, kind: 'refusal', rule: game.notice.rule }
  if (game.announcements.line) return { text: game.announcements.line, kind: 'event', rule: null }
  if (game.coach && game.view?.decision === game.coach.decision) return { text: coachSays(game.coach), kind: 'coach', rule: null }
  return null
}

function coachSays(coach: Coach): string {
  if (!coach.is_available || !coach.best) return say('web.coach.none')
  const best = readAction(coach.best)
  switch (best.kind) {
    case 'bid':
      return say('web.coach.bid', { what: best.tricks })
    case 'trump':
      return say('web.coach.card', { what: say(best.colour ? `colour.${best.colour}` : 'colour.none') })
    case 'change':
      return say('web.coach.card', { what: signed(best.by) })
    case 'play':
      return say('web.coach.card', { what: cardName(best.face) })
    case 'pass':
      return say('web.coach.card', { what: cardName(best.card) })
  }
}

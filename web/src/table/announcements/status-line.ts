/** One line that says what the table is waiting for. */
import { isWholeHandOffered } from '../../actions'
import { parts } from '../../cards/names'
import { join, say } from '../../i18n'
import type { View } from '../../protocol'

/** A disconnected player for whom a bot will play in so many seconds. */
export interface Offline {
  name: string
  seconds: number
}

/** `offline`: an awaited player who is disconnected, if there is one. */
export function statusLine(view: View, offline: Offline | null = null): string {
  const now = view.now
  if (!now || view.phase === 'over') return say('web.status.over')
  if (view.phase === 'deal') return say('web.status.scored')
  const isMine = view.seat !== null && view.awaited.includes(view.seat)
  if (isMine) {
    if (view.phase !== 'play') return say(`web.status.${view.phase as 'trump' | 'bid' | 'pass' | 'change'}`)
    if (now.demanded) return say(`web.status.${following(view)}`, { colour: { key: `colour.${now.demanded}` } })
    return say(now.trick && now.trick.faces.length > 0 ? 'web.status.free' : 'web.status.lead')
  }
  if (offline) return say('web.status.offline', { ...offline })
  const names = view.awaited.map((seat) => view.names[seat] ?? '')
  return say('web.status.waiting', { names: join(names), count: names.length })
}

/** Whether the hand has the colour that is demanded; if not, whether the server offers every card of it. */
function following({ now, legal }: View): 'follow' | 'any_card' | 'none_of_it' {
  const hand = now?.hand ?? []
  if (hand.some((card) => parts(card).kind === 'number' && parts(card).people === now?.demanded)) return 'follow'
  return isWholeHandOffered(hand, legal) ? 'any_card' : 'none_of_it'
}

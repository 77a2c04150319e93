/** A table's rules in a few words: the book, and what differs from it. */
import { say, sayIfAny } from '../i18n'
import type { Rules } from '../protocol'

export function rulesLine(rules: Rules): string {
  const said = [say(`web.rulebook.${rules.rulebook}`)]
  if (rules.bids !== 'open') said.push(sayIfAny(`rules.bids.${rules.bids}`, rules.bids))
  if (rules.plus_minus_one) said.push(say('rules.plus_minus_one.on'))
  if (rules.foresight !== 'none') said.push(sayIfAny(`rules.foresight.${rules.foresight}`, rules.foresight))
  if (rules.unicolor) said.push(say('rules.unicolor.on'))
  if (rules.specials.length > 0) said.push(say('rules.specials.any'))
  return said.join(', ')
}

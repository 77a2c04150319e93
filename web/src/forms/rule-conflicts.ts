/**
 * Choices that do not go together, found in the lists that the server sends with its form. Each problem comes with the
 * ways out of it.
 */
import { either, say } from '../i18n'
import type { RuleClash, Rules, RuleSeats, RuleSetting, RuleTogether, TableForm } from '../protocol'
import { settingName } from './rule-texts'

/** What stands in the way: the decisions it is about, a sentence, and the ways out. */
export interface Problem {
  keys: string[]
  text: string
  ways: WayOut[]
}

/** Other rules, or another number of seats. */
export interface WayOut {
  text: string
  rules?: Rules
  seats?: number
}

/** Whether a table has made this choice. */
function holds(setting: RuleSetting, rules: Rules): boolean {
  const chosen = rules[setting.key as keyof Rules]
  if (!Array.isArray(chosen)) return chosen === setting.value
  return setting.value === 'any' ? chosen.length > 0 : (chosen as unknown[]).includes(setting.value)
}

export const clashesOf = (rules: Rules, clashes: readonly RuleClash[]): RuleClash[] => clashes.filter((clash) => holds(clash.one, rules) && holds(clash.other, rules))

/** Pairs of which only one is chosen. */
export const brokenPairsOf = (rules: Rules, pairs: readonly RuleTogether[]): RuleTogether[] => pairs.filter((pair) => holds(pair.one, rules) !== holds(pair.other, rules))

/** Settings that this number of players cannot play with. */
export const seatLimitsOf = (rules: Rules, seats: number, limits: readonly RuleSeats[]): RuleSeats[] =>
  limits.filter((limit) => holds(limit.setting, rules) && !limit.seats.includes(seats))

/** The last round of a game by these rules. */
export function lastRoundOf(rules: Rules, seats: number, form: TableForm): number {
  const other = form.seats.find(({ setting }) => holds(setting, rules))
  return (other?.last_rounds ?? form.last_rounds)[String(seats)] ?? form.last_rounds[String(seats)] ?? 0
}

/** The rules without one setting: with what the rulebook says instead, or else without it. */
export function without(rules: Rules, setting: RuleSetting, book: Rules): Rules {
  const chosen = rules[setting.key as keyof Rules]
  if (Array.isArray(chosen)) return { ...rules, [setting.key]: setting.value === 'any' ? [] : (chosen as unknown[]).filter((one) => one !== setting.value) } as Rules
  const usual = book[setting.key as keyof Rules]
  return { ...rules, [setting.key]: holds(setting, { ...rules, [setting.key]: usual } as Rules) ? false : usual } as Rules
}

/** The rules with one more choice of a subset, in the form's order. */
export function withOne(rules: Rules, setting: RuleSetting, form: TableForm): Rules {
  const chosen = rules[setting.key as keyof Rules] as unknown[]
  const all = form.decisions.find((one) => one.key === setting.key)?.choices ?? []
  return { ...rules, [setting.key]: all.map((one) => one.value).filter((one) => chosen.includes(one) || one === setting.value) } as Rules
}

/** Everything that stands in the way of playing by these rules. */
export function problemsOf(rules: Rules, seats: number, form: TableForm, book: Rules): Problem[] {
  const name = (setting: RuleSetting) => settingName(setting, form)
  const goWithout = (setting: RuleSetting): WayOut => ({ text: say('web.new.without', { what: name(setting) }), rules: without(rules, setting, book) })
  const clashes = clashesOf(rules, form.clashes).map(({ one, other, rule }) => ({
    keys: [one.key, other.key],
    text: say('web.new.clash', { one: name(one), other: name(other), rule }),
    ways: [goWithout(one), goWithout(other)],
  }))
  const pairs = brokenPairsOf(rules, form.together).map(({ one, other, rule }) => {
    const [chosen, missing] = holds(one, rules) ? [one, other] : [other, one]
    return {
      keys: [one.key],
      text: say('web.new.together', { one: name(one), other: name(other), rule }),
      ways: [{ text: say('web.new.with', { what: name(missing) }), rules: withOne(rules, missing, form) }, goWithout(chosen)],
    }
  })
  const limits = seatLimitsOf(rules, seats, form.seats).map(({ setting, seats: allowed, rule }) => ({
    keys: [setting.key],
    text: say('web.new.seats_clash', { what: name(setting), seats: either(allowed.map(String)), rule, count: seats }),
    ways: [{ text: say('web.new.set_seats', { count: allowed.at(-1)! }), seats: allowed.at(-1)! }, goWithout(setting)],
  }))
  return [...clashes, ...pairs, ...limits]
}

/**
 * What was chosen and does not go together, looked up in the server's own lists as one chooses. Each comes with the ways
 * out of it.
 */
import type { RuleClash, RuleSeats, RuleSetting, RuleTogether, Rules, TableForm } from '../protocol'

function holds(setting: RuleSetting, rules: Rules): boolean {
  const chosen = rules[setting.key as keyof Rules]
  if (!Array.isArray(chosen)) return chosen === setting.value
  return setting.value === 'any' ? chosen.length > 0 : (chosen as unknown[]).includes(setting.value)
}

export const clashesOf = (rules: Rules, clashes: readonly RuleClash[]): RuleClash[] => clashes.filter((clash) => holds(clash.one, rules) && holds(clash.other, rules))

/** Pairs of which only one is there. */
export const aloneOf = (rules: Rules, pairs: readonly RuleTogether[]): RuleTogether[] => pairs.filter((pair) => holds(pair.one, rules) !== holds(pair.other, rules))

/** Settings that so many cannot play with. */
export const crowdedOf = (rules: Rules, seats: number, limits: readonly RuleSeats[]): RuleSeats[] =>
  limits.filter((limit) => holds(limit.setting, rules) && !limit.seats.includes(seats))

/** The rules without one setting: as the rulebook has it. */
export function without(rules: Rules, setting: RuleSetting, book: Rules): Rules {
  const chosen = rules[setting.key as keyof Rules]
  if (Array.isArray(chosen)) return { ...rules, [setting.key]: setting.value === 'any' ? [] : (chosen as unknown[]).filter((one) => one !== setting.value) } as Rules
  const usual = book[setting.key as keyof Rules]
  return { ...rules, [setting.key]: holds(setting, { ...rules, [setting.key]: usual } as Rules) ? false : usual } as Rules
}

/** The rules with one more of a subset's choices, in the form's order. */
export function withOne(rules: Rules, setting: RuleSetting, form: TableForm): Rules {
  const chosen = rules[setting.key as keyof Rules] as unknown[]
  const all = form.decisions.find((one) => one.key === setting.key)?.choices ?? []
  return { ...rules, [setting.key]: all.map((one) => one.value).filter((one) => chosen.includes(one) || one === setting.value) } as Rules
}

/** One thing that stands in the way: what it is about, what to say, and how to get out of it. */
export interface Problem {
  keys: string[] // decisions
  text: string
  ways: { text: string; go: () => void }[]
}

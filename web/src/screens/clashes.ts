/** Which of the chosen settings do not go together: the server's own list, looked up as one chooses. */
import type { RuleClash, RuleSetting, Rules } from '../protocol'

function holds(setting: RuleSetting, rules: Rules): boolean {
  const chosen = rules[setting.key as keyof Rules]
  return Array.isArray(chosen) ? chosen.length > 0 : chosen === setting.value
}

export const clashesOf = (rules: Rules, clashes: readonly RuleClash[]): RuleClash[] => clashes.filter((clash) => holds(clash.one, rules) && holds(clash.other, rules))

/** The rules without one setting: as the rulebook has it. */
export function without(rules: Rules, setting: RuleSetting, book: Rules): Rules {
  const usual = book[setting.key as keyof Rules]
  const plain = Array.isArray(usual) || setting.key === 'specials' ? [] : usual
  return { ...rules, [setting.key]: holds(setting, { ...rules, [setting.key]: plain } as Rules) ? false : plain } as Rules
}

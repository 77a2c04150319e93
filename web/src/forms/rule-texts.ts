/** The rules of a table in words. The server's form lists the decisions and their choices. */
import { say, sayIfAny, type Key } from '../i18n'
import type { RuleChoice, RuleDecision, Rules, RuleSetting, TableForm } from '../protocol'

export const decisionName = (decision: RuleDecision) => say(`web.rule.${decision.key}` as Key)

/** "hidden bids", "unicolor"; the special cards, which are a subset, by their names. */
export const choiceName = ({ key, form }: RuleDecision, { name }: RuleChoice) =>
  form === 'subset' ? sayIfAny(`web.card.${name}`, name) : sayIfAny(`rules.${key}.${name}`, name)

/** What a choice means, as a sentence; empty where the catalogue has none. */
export const choiceMeaning = ({ key }: RuleDecision, { name }: RuleChoice) => sayIfAny(`web.rule.${key}.${name}`, '')

export function settingName(setting: RuleSetting, form: TableForm): string {
  const decision = form.decisions.find((one) => one.key === setting.key)
  const choice = decision?.choices.find((one) => one.value === setting.value)
  return decision && choice ? choiceName(decision, choice) : sayIfAny(`rules.${setting.key}.${setting.value}`, String(setting.value))
}

/** The choices that a table has made in one decision: one, or any number of a subset. */
export function chosenOf(rules: Rules, { key, choices }: RuleDecision): RuleChoice[] {
  const chosen: unknown = rules[key as keyof Rules]
  return choices.filter(({ value }) => (Array.isArray(chosen) ? chosen.includes(value) : chosen === value))
}

/** Where a table differs from the plain game, which is the first choice of every decision. */
function differences(rules: Rules, form: TableForm): { decision: RuleDecision; chosen: RuleChoice[] }[] {
  return form.decisions
    .map((decision) => ({ decision, chosen: chosenOf(rules, decision).filter((choice) => decision.form === 'subset' || choice !== decision.choices[0]) }))
    .filter(({ chosen }) => chosen.length > 0)
}

/** A table's rules in a few words: the rulebook, and what differs from the plain game. */
export function rulesLine(rules: Rules, form: TableForm | null): string {
  const said = form ? differences(rules, form).map(({ decision, chosen }) => (decision.form === 'subset' ? sayIfAny(`rules.${decision.key}.any`, decision.key) : choiceName(decision, chosen[0]!))) : []
  return [say(`web.rulebook.${rules.rulebook}`), ...said].join(', ')
}

/** The same, line by line, with what each choice means and the rule that defines it. What the book also offers is not said: this table has decided. */
export function ruleLines(rules: Rules, form: TableForm | null): { name: string; meaning: string; rule: string | null }[] {
  const said = form ? differences(rules, form).flatMap(({ decision, chosen }) => chosen.map((choice) => ({ name: choiceName(decision, choice), meaning: choiceMeaning(decision, choice), rule: choice.rule }))) : []
  return [{ name: say(`web.rulebook.${rules.rulebook}`), meaning: form && said.length === 0 ? say('web.rulebook.pt-PT.about') : '', rule: null }, ...said]
}

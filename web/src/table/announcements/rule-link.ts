/** How a notice opens the players' rules at the rule that it names: the table's screen says it, for everything inside it. */
import { getContext, setContext } from 'svelte'

type OpenRule = (rule: string) => void
const OPEN_RULE = Symbol()

export const openRulesWith = (open: OpenRule) => setContext(OPEN_RULE, open)
export const ruleOpener = () => getContext<OpenRule>(OPEN_RULE)

/** What this server offers for tables: rulebooks, decisions, levels of bots, a coach. The same for the whole page. */
import { tableForm } from '../net/api'
import type { TableForm } from '../protocol'

/** Null until the server has answered, and where it cannot be reached: a table's socket says that it is away. */
class TableFormState {
  form = $state.raw<TableForm | null>(null)
}
const shared = new TableFormState()

/** Asks for the form unless it is known already. */
export function tableFormState(): Readonly<TableFormState> {
  tableForm().then(
    (form) => (shared.form = form),
    () => undefined,
  )
  return shared
}

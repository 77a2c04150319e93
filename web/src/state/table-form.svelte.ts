/** What this server offers for tables: rulebooks, decisions, levels of bots, a coach. The same for the whole page. */
import { tableForm } from '../net/api'
import type { TableForm } from '../protocol'

/** The form is null until the server has answered. If it cannot be reached, the table's connection says so. */
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

/** What this server offers for tables: rulebooks, decisions, levels of bots, a coach. The same for the whole page. */
import { tableForm } from '../net/api'
import { Loaded } from '../net/loaded.svelte'
import type { TableForm } from '../protocol'

let shared: Loaded<TableForm> | null = null

/** The form's value is null until the server has answered. */
export function tableFormState(): Loaded<TableForm> {
  shared ??= new Loaded(tableForm)
  return shared
}

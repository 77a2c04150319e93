/** What is offered for tables: rulebooks, decisions, levels of bots, a coach. The same for the whole page. */
import { tableForm } from '../net/api'
import { currentTransport, transportOf, type Transport } from '../net/transport'
import { place } from '../net/place.svelte'
import { Loaded } from '../net/loaded.svelte'
import type { TableForm } from '../protocol'

/** A static host has no server: nobody asks it again. */
const isAbsent = (transport: Transport) => transport.isRemote && place.hasServer === false

const forms = new Map<Transport, Loaded<TableForm>>()

/** For the table with this key, or for a new table. The form's value is null until the server or this device has answered. */
export function tableFormState(key?: string): Loaded<TableForm> {
  const transport = key === undefined ? currentTransport() : transportOf(key)
  const form = forms.get(transport) ?? new Loaded(() => (isAbsent(transport) ? new Promise<TableForm>(() => undefined) : tableForm(transport)))
  forms.set(transport, form)
  return form
}

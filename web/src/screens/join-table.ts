/** Makes a table or joins one, keeps the key to the seat, and goes there. */
import { joinTable, newTable } from '../net/api'
import type { Seated, TableOptions } from '../protocol'
import { go } from '../router.svelte'
import { keepSeat } from '../state/seat-keys'
import { ownName } from '../state/settings.svelte'

function sit(seated: Seated, query = ''): void {
  const { table, code, seat, token } = seated
  keepSeat({ table, code, seat, token, name: ownName(), at: Date.now() })
  go(`/table/${code}${query}`)
}

export async function makeTable(options: Partial<TableOptions>, query = ''): Promise<void> {
  sit(await newTable({ name: ownName(), options }), query)
}

export async function join(table: string): Promise<void> {
  sit(await joinTable(table, { name: ownName() }))
}

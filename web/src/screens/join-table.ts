/** Makes a table or joins one, keeps the key to the seat, and goes there. */
import { joinTable, newTable, Refused } from '../net/api'
import type { Seated, TableOptions } from '../protocol'
import { go } from '../router.svelte'
import { browserKey } from '../state/browser-key'
import { keepSeat } from '../state/seat-keys'
import { ownName } from '../state/settings.svelte'

function sit(seated: Seated, query = ''): void {
  const { table, code, seat, token } = seated
  keepSeat({ table, code, seat, token, name: ownName(), at: Date.now() })
  go(`/table/${code}${query}`)
}

export async function makeTable(options: Partial<TableOptions>, query = ''): Promise<void> {
  sit(await newTable({ name: ownName(), options, key: browserKey() }), query)
}

export async function join(table: string): Promise<void> {
  try {
    sit(await joinTable(table, { name: ownName(), key: browserKey() }))
  } catch (problem) {
    if (!(problem instanceof Refused) || problem.refusal.code !== 'approval_needed') throw problem
    go(`/table/${table}`) // where one can wait for the host's answer
  }
}

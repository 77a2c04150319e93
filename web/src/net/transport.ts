/**
 * How this page reaches tables: on a server, by HTTP and a WebSocket; or on this device, in a worker (docs/browser.md). Both
 * carry the same requests and the same messages.
 */
import { device } from './device.svelte'
import { place } from './place.svelte'
import { server } from './server'

/** A line that carries messages as text, like a WebSocket. `code` is the close code of a WebSocket. */
export interface Line {
  readonly isOpen: boolean
  onopen: (() => void) | null
  onmessage: ((text: string) => void) | null
  onclose: ((code: number) => void) | null
  send(text: string): void
  close(): void
}

export interface Answered {
  isAccepted: boolean
  text: string // JSON: what was asked for, or a Failure
}

export interface Transport {
  /** Whether it ends with the network, and may end without anyone noticing. */
  readonly isRemote: boolean
  /** Answers a request of the HTTP API; rejects if there is no answer. A request with a body is a POST. */
  ask(path: string, body?: unknown): Promise<Answered>
  /** Opens a line for the messages of a table, or for the list of tables. */
  connect(table: string): Line
}

/** Ids and codes of this device's tables and games begin with this sign (foretell/browser/device.py). */
const HERE = '~'

export const isHere = (key: string): boolean => key.startsWith(HERE)

/** By which way the table or the game with this id or code is reached. */
export const transportOf = (key: string): Transport => (isHere(key) ? device : server)

/** Where new tables are made, and where records are read. */
export const currentTransport = (): Transport => (place.current === 'device' ? device : server)

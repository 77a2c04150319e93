/** Tables on the server that this page comes from. */
import { currentLanguage } from '../language.svelte'
import type { Line, Transport } from './transport'

class ServerLine implements Line {
  onopen: Line['onopen'] = null
  onmessage: Line['onmessage'] = null
  onclose: Line['onclose'] = null
  readonly #socket: WebSocket

  constructor(table: string) {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    // a load balancer reads the table from the address
    const path = table ? `/ws/${encodeURIComponent(table)}` : '/ws'
    this.#socket = new WebSocket(`${scheme}//${location.host}${path}`)
    this.#socket.onopen = () => this.onopen?.()
    this.#socket.onmessage = ({ data }) => this.onmessage?.(String(data))
    this.#socket.onclose = ({ code }) => this.onclose?.(code)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  close(): void {
    this.#socket.close()
  }
}

export const server: Transport = {
  isRemote: true,
  async ask(path, body) {
    const headers = { 'Accept-Language': currentLanguage().language }
    const answer = await fetch(path, body === undefined ? { headers } : { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    return { isAccepted: answer.ok, text: await answer.text() }
  },
  connect: (table) => new ServerLine(table),
}

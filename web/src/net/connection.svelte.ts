/**
 * One socket to the server. It reconnects by itself: after a lost network, a sleeping phone, a restart of the server.
 *
 * Every message is answered once, with the id it was sent with. A message that was not answered
 * before the connection broke is given up: the state that follows the next `hello` shows whether it had arrived.
 */
import { PROTOCOL_VERSION, type FromClient, type FromServer } from '../protocol'

type Message<T extends FromClient = FromClient> = T extends FromClient ? Omit<T, 'id'> : never
export type Answer = Extract<FromServer, { id: number | null }>

const FIRST_WAIT = 300
const LONGEST_WAIT = 8_000
const PING_EVERY = 15_000
const PONG_WITHIN = 5_000

export class Lost extends Error {}

export class Connection {
  /** `connecting` at first, `lost` while it tries to reconnect, `closed` for good. */
  state = $state<'connecting' | 'open' | 'lost' | 'closed'>('connecting')

  #socket: WebSocket | null = null
  #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>()
  #onReconnected: (() => void)[] = []
  #id = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #pinging: ReturnType<typeof setInterval> | undefined
  readonly #greeting: () => Message
  readonly #hear: (message: FromServer) => void

  constructor(greeting: () => Message, hear: (message: FromServer) => void) {
    this.#greeting = greeting
    this.#hear = hear
    this.#open()
    addEventListener('online', this.#reconnectNow)
    addEventListener('offline', this.#cut)
    document.addEventListener('visibilitychange', this.#reconnectNow)
  }

  /** Resolves with the server's answer; rejects with `Lost` if the connection breaks first. */
  send(message: Message): Promise<Answer> {
    const socket = this.#socket
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Lost())
    const id = ++this.#id
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ ...message, id }))
    })
  }

  /** Resolves when the connection is back and `hello` was answered, or when it is closed for good. */
  reconnected(): Promise<void> {
    return new Promise((resolve) => this.#onReconnected.push(resolve))
  }

  close(): void {
    this.state = 'closed'
    this.#callReconnected()
    clearTimeout(this.#retry)
    clearInterval(this.#pinging)
    removeEventListener('online', this.#reconnectNow)
    removeEventListener('offline', this.#cut)
    document.removeEventListener('visibilitychange', this.#reconnectNow)
    this.#socket?.close()
    this.#giveUp()
  }

  /** The network is back, or the page is visible again: no reason to wait any longer. */
  readonly #reconnectNow = () => {
    if (document.visibilityState === 'hidden' || this.state === 'closed') return
    if (this.#socket === null) {
      clearTimeout(this.#retry)
      this.#open()
    } else this.#ping()
  }

  /** The device says that it has no network: no need to wait for a timeout. */
  readonly #cut = () => {
    if (this.#socket) this.#drop(this.#socket)
  }

  #open(): void {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(`${scheme}//${location.host}/ws`)
    this.#socket = socket
    socket.onopen = () => {
      void this.send(this.#greeting()).then((answer) => {
        this.#failures = 0
        if (this.state !== 'closed') this.state = 'open'
        this.#callReconnected()
        return answer
      }, () => undefined)
      clearInterval(this.#pinging)
      this.#pinging = setInterval(() => this.#ping(), PING_EVERY)
    }
    socket.onmessage = (event) => {
      const message = JSON.parse(String(event.data)) as FromServer
      this.#hear(message)
      if ('id' in message && message.id !== null) {
        this.#waiting.get(message.id)?.resolve(message as Answer)
        this.#waiting.delete(message.id)
      }
    }
    socket.onclose = () => {
      if (this.#socket !== socket) return
      this.#socket = null
      clearInterval(this.#pinging)
      this.#giveUp()
      if (this.state === 'closed') return
      this.state = 'lost'
      const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures++)
      // after a restart everyone reconnects at the same time: spread them a little
      this.#retry = setTimeout(() => this.#open(), wait * (0.7 + Math.random() * 0.6))
    }
  }

  /** A phone that changed networks may not notice: a connection that does not answer counts as broken. */
  #ping(): void {
    const socket = this.#socket
    if (socket?.readyState !== WebSocket.OPEN) return
    const late = setTimeout(() => this.#drop(socket), PONG_WITHIN)
    this.send({ type: 'ping' }).then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    )
  }

  /** Treats a socket as closed at once: a dead one may take minutes to say so. */
  #drop(socket: WebSocket): void {
    socket.close()
    const onclose = socket.onclose
    socket.onclose = null
    onclose?.call(socket, new CloseEvent('close'))
  }

  #callReconnected(): void {
    for (const resolve of this.#onReconnected.splice(0)) resolve()
  }

  #giveUp(): void {
    for (const { reject } of this.#waiting.values()) reject(new Lost())
    this.#waiting.clear()
  }
}

export { PROTOCOL_VERSION }

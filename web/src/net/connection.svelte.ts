/**
 * One line to a table, by a socket to the server or to this device's worker. It reconnects by itself: after a lost network, a
 * sleeping phone, a restart of the server.
 *
 * Every message is answered once, with the id it was sent with. A message that was not answered
 * before the connection broke is given up: the state that follows the next `hello` shows whether it had arrived.
 *
 * A `hello` that the server cannot answer now, because it failed or because too much comes from this network, is said
 * again with growing pauses.
 */
import { say } from '../i18n'
import { PROTOCOL_VERSION, type Error as Refusal, type FromClient, type FromServer } from '../protocol'
import { sentence } from './api'
import type { Line, Transport } from './transport'

type Message<T extends FromClient = FromClient> = T extends FromClient ? Omit<T, 'id'> : never
export type Answer = Extract<FromServer, { id: number | null }>

const FIRST_WAIT = 300
const LONGEST_WAIT = 8_000
const PING_EVERY = 15_000
const PONG_WITHIN = 5_000
const OPEN_WITHIN = 5_000 // and twice as long each time that it was too short: over a very slow line nothing would ever open
const LONGEST_OPENING = 20_000
const ANSWER_WITHIN = 4_000 // after which we ask whether the line still works
const SPREAD = 1_000 // after a restart, when everyone comes back at the same time
const CROWDED_WAIT = 3_000

/** Close codes (docs/protocol.md). */
const RESTARTING = 1012
const CROWDED = [1013, 4003]

/** Whether the same message may be accepted later: the server failed, or it gave a time to wait, or it is full. */
const isTemporary = (error: Refusal) => ['server_failed', 'spectators_full'].includes(error.code) || 'seconds' in error.values

export class Lost extends Error {}

export class Connection {
  /** `connecting` at first, `lost` while it tries to reconnect, `closed` for good. */
  state = $state<'connecting' | 'open' | 'lost' | 'closed'>('connecting')
  /** What keeps us from the table, for people to read; null if nothing does, or it is simply not there yet. */
  get trouble(): string | null {
    return this.#trouble?.() ?? null
  }

  #trouble = $state.raw<(() => string) | null>(null) // said anew when the language changes
  #socket: Line | null = null
  #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>()
  #late = new Map<number, ReturnType<typeof setTimeout>>() // by the id of a message that is not answered yet
  #onReconnected: (() => void)[] = []
  #id = 0
  #greetingId = 0
  #failures = 0
  #slow = 0 // sockets in a row that did not open in time
  #wasOpen = false // a socket has been open at least once
  #retry: ReturnType<typeof setTimeout> | undefined
  #pinging: ReturnType<typeof setInterval> | undefined
  readonly #greeting: () => Message
  readonly #hear: (message: FromServer) => void
  readonly #transport: Transport

  constructor(transport: Transport, greeting: () => Message, hear: (message: FromServer) => void) {
    this.#transport = transport
    this.#greeting = greeting
    this.#hear = hear
    this.#open()
    addEventListener('online', this.reconnectNow)
    addEventListener('offline', this.#cut)
    document.addEventListener('visibilitychange', this.reconnectNow)
  }

  /** Resolves with the server's answer; rejects with `Lost` if the connection breaks first. */
  send(message: Message): Promise<Answer> {
    const socket = this.#socket
    if (!socket?.isOpen) return Promise.reject(new Lost())
    const id = ++this.#id
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ ...message, id }))
      // a hello may wait until another process has lost the table; a ping has its own time
      if (!['hello', 'ping'].includes(message.type)) this.#late.set(id, setTimeout(() => this.#ping(), ANSWER_WITHIN))
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
    removeEventListener('online', this.reconnectNow)
    removeEventListener('offline', this.#cut)
    document.removeEventListener('visibilitychange', this.reconnectNow)
    this.#socket?.close()
    this.#giveUp()
  }

  /** The network is back, the page is visible again, or the player wants it: no reason to wait any longer. */
  readonly reconnectNow = () => {
    if (document.visibilityState === 'hidden' || this.state === 'closed') return
    if (this.#socket === null) {
      clearTimeout(this.#retry)
      this.#open()
    } else if (this.state === 'open') this.#ping()
  }

  /** The device says that it has no network: no need to wait for a timeout. */
  readonly #cut = () => {
    if (this.#socket && this.#transport.isRemote) this.#drop(this.#socket)
  }

  #open(): void {
    const greeting = this.#greeting()
    const socket = this.#transport.connect('table' in greeting ? greeting.table : '')
    this.#socket = socket
    // a process that hangs, or a network that swallows everything, would keep us waiting for minutes
    const dropLate = () => {
      this.#slow++
      this.#drop(socket)
    }
    const late = this.#transport.isRemote ? setTimeout(dropLate, Math.min(LONGEST_OPENING, OPEN_WITHIN * 2 ** this.#slow)) : undefined
    socket.onopen = () => {
      clearTimeout(late)
      this.#wasOpen = true
      this.#greet()
      clearInterval(this.#pinging)
      this.#pinging = setInterval(() => this.#ping(), PING_EVERY)
    }
    socket.onmessage = (text) => {
      const message = JSON.parse(text) as FromServer
      const isOurs = message.type === 'refused' && message.id === this.#greetingId && isTemporary(message.error)
      if (!isOurs) this.#hear(message)
      if ('id' in message && message.id !== null) {
        this.#waiting.get(message.id)?.resolve(message as Answer)
        this.#waiting.delete(message.id)
        clearTimeout(this.#late.get(message.id))
        this.#late.delete(message.id)
      }
    }
    socket.onclose = (code) => {
      clearTimeout(late)
      if (this.#socket !== socket) return
      this.#socket = null
      clearInterval(this.#pinging)
      this.#giveUp()
      if (this.state === 'closed') return
      this.state = 'lost'
      const isCrowded = CROWDED.includes(code)
      if (isCrowded) this.#trouble = () => say('web.net.crowded')
      else if (!this.#wasOpen) this.#trouble = () => `${say('web.net.unreachable')} ${say('web.net.keeps_trying')}`
      else this.#trouble = () => say(code === RESTARTING ? 'web.net.restarting' : 'web.net.lost')
      if (code === RESTARTING && this.#failures === 0) this.#soon(() => this.#open())
      else this.#later(() => this.#open(), isCrowded ? CROWDED_WAIT : 0)
    }
  }

  /** Says hello, and says it again later if the server cannot answer it now. */
  #greet(): void {
    const sent = this.send(this.#greeting())
    this.#greetingId = this.#id
    void sent.then((answer) => {
      if (this.state === 'closed') return
      if (answer.type === 'refused' && isTemporary(answer.error)) {
        if (this.state === 'open') this.state = 'lost'
        this.#trouble = () => say('web.net.refused', { why: sentence(answer.error) })
        this.#later(() => this.#greet(), 1000 * Number(answer.error.values.seconds ?? 0))
        return
      }
      this.#failures = this.#slow = 0
      this.#trouble = null
      this.state = 'open'
      this.#callReconnected()
    }, () => undefined)
  }

  /** Tries something again: after at least so many milliseconds, and after longer pauses each time. */
  #later(again: () => void, least: number): void {
    clearTimeout(this.#retry)
    const wait = Math.max(least, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures++))
    this.#retry = setTimeout(again, wait * (0.7 + Math.random() * 0.6) + least * 0.3)
  }

  /** Tries something again at any time within the next second, so that not everyone comes at the same moment. */
  #soon(again: () => void): void {
    clearTimeout(this.#retry)
    this.#failures++
    this.#retry = setTimeout(again, Math.random() * SPREAD)
  }

  /** A phone that changed networks may not notice: a connection that does not answer counts as broken. */
  #ping(): void {
    const socket = this.#socket
    if (!socket?.isOpen || !this.#transport.isRemote) return
    const late = setTimeout(() => this.#drop(socket), PONG_WITHIN)
    this.send({ type: 'ping' }).then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    )
  }

  /** Treats a socket as closed at once: a dead one may take minutes to say so. */
  #drop(socket: Line): void {
    socket.close()
    const onclose = socket.onclose
    socket.onclose = null
    onclose?.(0)
  }

  #callReconnected(): void {
    for (const resolve of this.#onReconnected.splice(0)) resolve()
  }

  #giveUp(): void {
    for (const { reject } of this.#waiting.values()) reject(new Lost())
    this.#waiting.clear()
    for (const late of this.#late.values()) clearTimeout(late)
    this.#late.clear()
  }
}

export { PROTOCOL_VERSION }

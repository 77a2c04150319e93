/**
 * One socket to the server, which comes back by itself: after a lost network, a closed phone, a restart.
 *
 * Every message is answered once, with the id it was sent with. What was sent and not answered when the line broke is
 * given up: the state that follows `hello` says what has become of it.
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
  /** `connecting` at first, `lost` when the line broke and is being mended, `closed` for good. */
  state = $state<'connecting' | 'open' | 'lost' | 'closed'>('connecting')

  #socket: WebSocket | null = null
  #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>()
  #patient: (() => void)[] = [] // who waits for the line to be mended
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
    addEventListener('online', this.#now)
    addEventListener('offline', this.#cut)
    document.addEventListener('visibilitychange', this.#now)
  }

  /** Resolves with the server's answer; rejects with `Lost` when the line breaks first. */
  send(message: Message): Promise<Answer> {
    const socket = this.#socket
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Lost())
    const id = ++this.#id
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ ...message, id }))
    })
  }

  /** Resolves when the line is mended and `hello` was answered, or is closed for good. */
  mended(): Promise<void> {
    return new Promise((resolve) => this.#patient.push(resolve))
  }

  close(): void {
    this.state = 'closed'
    this.#wakePatient()
    clearTimeout(this.#retry)
    clearInterval(this.#pinging)
    removeEventListener('online', this.#now)
    removeEventListener('offline', this.#cut)
    document.removeEventListener('visibilitychange', this.#now)
    this.#socket?.close()
    this.#giveUp()
  }

  /** The network is back, or the page is looked at again: no reason to wait any longer. */
  readonly #now = () => {
    if (document.visibilityState === 'hidden' || this.state === 'closed') return
    if (this.#socket === null) {
      clearTimeout(this.#retry)
      this.#open()
    } else this.#ping()
  }

  /** The device knows that it has no network: no need to find out by waiting. */
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
        this.#wakePatient()
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
      // everyone at a restarted server comes back at once: spread them a little
      this.#retry = setTimeout(() => this.#open(), wait * (0.7 + Math.random() * 0.6))
    }
  }

  /** A phone that changed networks may not notice: a line that does not answer is taken for broken. */
  #ping(): void {
    const socket = this.#socket
    if (socket?.readyState !== WebSocket.OPEN) return
    const late = setTimeout(() => this.#drop(socket), PONG_WITHIN)
    this.send({ type: 'ping' }).then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    )
  }

  /** A dead socket may take minutes to say so. */
  #drop(socket: WebSocket): void {
    socket.close()
    const onclose = socket.onclose
    socket.onclose = null
    onclose?.call(socket, new CloseEvent('close'))
  }

  #wakePatient(): void {
    for (const resolve of this.#patient.splice(0)) resolve()
  }

  #giveUp(): void {
    for (const { reject } of this.#waiting.values()) reject(new Lost())
    this.#waiting.clear()
  }
}

export { PROTOCOL_VERSION }

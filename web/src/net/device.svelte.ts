/**
 * Tables on this device. A worker runs them; it starts with the first request, and loads the engine then, never with the
 * page.
 */
import type { FromWorker, KeptKeys, NetsNews, StorageTrouble, ToWorker } from '../device/messages'
import { savesData } from '../save-data'
import { store, stored } from '../storage'
import type { Answered, Line, Transport } from './transport'

/** The code with which a lost line closes, as a WebSocket's. */
const LOST = 1006

/** That this person has agreed to load the engine, although they save data. */
const AGREED = 'foretell.may-load'
const AGREED_TO_NETS = 'foretell.may-load-nets'

const mayLoad = (agreed: string) => !savesData() || stored(agreed) === true

/** Asks the service worker to keep the engine, or the nets: they come one after the other. */
const keep = (what: 'engine' | 'nets') => void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(`keep ${what}`))

class DeviceLine implements Line {
  isOpen = false
  onopen: Line['onopen'] = null
  onmessage: Line['onmessage'] = null
  onclose: Line['onclose'] = null

  constructor(
    readonly id: number,
    readonly tell: (message: ToWorker) => void,
    readonly onend: () => void,
  ) {}

  send(text: string): void {
    this.tell({ type: 'message', connection: this.id, text })
  }

  close(): void {
    if (this.isOpen) this.tell({ type: 'disconnect', connection: this.id })
    this.isOpen = false
    this.onend()
  }
}

class DeviceTransport implements Transport {
  readonly isRemote = false
  /** `absent` before anyone has asked for it; `asking` whether it may be loaded; `elsewhere` while another tab has the tables. */
  state = $state<'absent' | 'asking' | 'loading' | 'ready' | 'elsewhere' | 'failed'>('absent')
  /** How much of the engine has been loaded, from 0 to 1. */
  loaded = $state(0)
  /** Why nothing is stored; null while all is well. */
  storageTrouble = $state<StorageTrouble | null>(null)
  /** Whether some stored games cannot be read. */
  hasUnreadable = $state(false)

  /** What is loaded of the nets that the bots need now, or how many bytes of them the person may allow. */
  nets = $state.raw<NetsNews>(null)
  /** A level whose nets are not on this device, and the one that its bots play as meanwhile. */
  weaker = $state.raw<{ level: string; played: string } | null>(null)

  #worker: Worker | null = null
  #beforeStart: ToWorker[] = []
  readonly #onKeys = new Set<(keys: KeptKeys) => void>()
  #id = 0
  readonly #asked = new Map<number, { resolve: (answer: Answered) => void; reject: (error: Error) => void }>()
  readonly #lines = new Map<number, DeviceLine>()

  /** Starts the worker, if there is none. */
  start(isTakingOver = false): Worker {
    if (this.#worker) return this.#worker
    this.state = 'loading'
    this.loaded = 0
    this.nets = this.weaker = null
    const worker = new Worker(new URL('../device/table-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data)
    worker.onerror = () => this.#end('failed')
    this.#worker = worker
    this.#tell({ type: 'start', engine: new URL('engine/', document.baseURI).href, isTakingOver, mayLoadNets: mayLoad(AGREED_TO_NETS) })
    for (const message of this.#beforeStart.splice(0)) this.#tell(message)
    return worker
  }

  /** Starts the worker, or asks first: the engine is large. */
  #startOrAsk(): void {
    if (this.#worker || this.state === 'asking') return
    if (mayLoad(AGREED)) this.start()
    else this.state = 'asking'
  }

  /** The person agrees to load the engine. */
  agree(): void {
    store(AGREED, true)
    keep('engine')
    this.start()
  }

  /** The person agrees to load the larger nets, too. */
  agreeToNets(): void {
    store(AGREED_TO_NETS, true)
    keep('nets')
    this.nets = null
    this.#tell({ type: 'allow nets' })
  }

  /** Keeps for use without a network what may be loaded unasked. */
  keepAhead(): void {
    if (mayLoad(AGREED)) keep('engine')
    if (mayLoad(AGREED_TO_NETS)) keep('nets')
  }

  /** Calls this with the keys to seats that the worker has stored, before any line opens; returns what ends that. */
  whenReady(use: (keys: KeptKeys) => void): () => void {
    this.#onKeys.add(use)
    return () => this.#onKeys.delete(use)
  }

  /** How many megabytes have to be loaded before the first card; null if the engine's list cannot be had. */
  async size(): Promise<number | null> {
    const list = (await fetch('engine/engine.json').then((answer) => answer.json()).catch(() => null)) as { first_bytes: number } | null
    return list && Math.ceil(list.first_bytes / 1e6)
  }

  /** Stores a list of keys to seats beside the tables. */
  keep(name: keyof KeptKeys, list: unknown): void {
    if (this.state === 'ready') this.#tell({ type: 'keep', name, text: JSON.stringify(list) })
  }

  /** Takes the tables over from another tab, which loses them. */
  takeOver(): void {
    this.start(true)
  }

  async ask(path: string, body?: unknown): Promise<Answered> {
    await Promise.resolve() // whoever asks may be working out what to show, and this changes the state
    if (this.state === 'elsewhere') throw new Error('elsewhere')
    this.#startOrAsk()
    const id = ++this.#id
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject })
      this.#tell({ type: 'ask', id, method: body === undefined ? 'GET' : 'POST', path, body: JSON.stringify(body ?? null) })
    })
  }

  connect(): Line {
    const id = ++this.#id
    const line = new DeviceLine(id, (message) => this.#tell(message), () => this.#lines.delete(id))
    this.#lines.set(id, line)
    if (this.state === 'elsewhere') setTimeout(() => line.onclose?.(LOST))
    else this.#startOrAsk()
    if (this.state === 'ready') setTimeout(() => this.#open(line))
    return line
  }

  #open(line: DeviceLine): void {
    if (!this.#lines.has(line.id)) return
    this.#tell({ type: 'connect', connection: line.id })
    line.isOpen = true
    line.onopen?.()
  }

  #tell(message: ToWorker): void {
    if (this.#worker) this.#worker.postMessage(message)
    else if (this.state === 'asking') this.#beforeStart.push(message)
  }

  #hear(message: FromWorker): void {
    switch (message.type) {
      case 'progress':
        this.loaded = message.loaded
        break
      case 'ready':
        for (const use of this.#onKeys) use(message.keys)
        this.state = 'ready'
        for (const line of this.#lines.values()) this.#open(line)
        break
      case 'elsewhere':
      case 'failed':
        this.#end(message.type)
        break
      case 'storage':
        this.storageTrouble = message.trouble
        break
      case 'nets':
        this.nets = message.news
        break
      case 'level':
        if (message.level !== message.played) this.weaker = { level: message.level, played: message.played }
        else if (this.weaker?.level === message.level) this.weaker = null
        break
      case 'unreadable':
        this.hasUnreadable = true
        break
      case 'answer': {
        const asked = this.#asked.get(message.id)
        this.#asked.delete(message.id)
        asked?.resolve({ isAccepted: message.isAccepted, text: message.body })
        break
      }
      case 'message':
        this.#lines.get(message.connection)?.onmessage?.(message.text)
    }
  }

  /** The worker has ended: whoever waits for it is told. */
  #end(state: 'elsewhere' | 'failed'): void {
    this.#worker?.terminate()
    this.#worker = null
    this.state = state
    for (const { reject } of this.#asked.values()) reject(new Error(state))
    this.#asked.clear()
    const lines = [...this.#lines.values()]
    this.#lines.clear()
    for (const line of lines) {
      line.isOpen = false
      line.onclose?.(LOST)
    }
  }
}

export const device = new DeviceTransport()

/** The worker with the tables of this device: Python runs them here, and this file is what Python knows of the browser. */
import { loadedEngine, startedPython, type Engine } from './engine'
import type { FromWorker, KeptKeys, ToWorker } from './messages'
import { TableStorage } from './storage'
import type { FromThinking, ToThinking } from './thinking-worker'

/** `foretell.browser.device.Device`. */
interface Device {
  ask(method: string, path: string, body: string): Promise<{ toJs(): [boolean, string]; destroy(): void }>
  connect(connection: number): void
  handle(connection: number, text: string): Promise<void>
  disconnect(connection: number): void
  thought(job: number, answer: string): void
}

const LOCK = 'foretell tables'
const ENDING = 4_000 // milliseconds: a page that was reloaded has the tables until its busy worker has ended

const tell = (message: FromWorker) => self.postMessage(message)

/** Ends this worker and says why. */
function end(message: FromWorker): void {
  tell(message)
  self.close()
}

/**
 * Waits until this tab has the tables, and keeps them while the worker lives. If another tab has them, this worker ends.
 *
 * Browsers offer locks only to secure pages. Elsewhere the newest tab has the tables: the storage refuses what an older one
 * writes.
 */
function owned(isTakingOver: boolean): Promise<void> {
  if (!navigator.locks) return Promise.resolve()
  return new Promise((resolve) => {
    const forever = () => {
      resolve()
      return new Promise<void>(() => undefined)
    }
    const how: LockOptions = isTakingOver ? { steal: true } : { signal: AbortSignal.timeout(ENDING) }
    // It fails when the time is over, and later, when another tab takes the tables over.
    navigator.locks.request(LOCK, how, forever).catch(() => end({ type: 'elsewhere' }))
  })
}

const PATIENCE = 60_000 // milliseconds: a piece of work, or the next part of a net, takes a fraction of it

/** The second worker. What is sent to it before Python runs there waits. When it fails, the next message starts another one. */
class Thinkers {
  #worker: Worker | null = null
  #job: number | null = null // at work
  #isWaiting = false // for nets, before the job begins
  #timer: ReturnType<typeof setTimeout> | undefined
  #mayLoad: boolean
  readonly #engine: Engine
  readonly #onAnswer: (job: number, answer: string) => void

  /** `onAnswer` is called without a text where the work has failed. */
  constructor(engine: Engine, mayLoad: boolean, onAnswer: (job: number, answer: string) => void) {
    this.#engine = engine
    this.#mayLoad = mayLoad
    this.#onAnswer = onAnswer
    this.#worker = this.#started()
  }

  #started(): Worker {
    const worker = new Worker(new URL('./thinking-worker.ts', import.meta.url), { type: 'module' })
    // What is heard of a worker that has been ended was on its way.
    worker.onmessage = ({ data }: MessageEvent<FromThinking>) => worker === this.#worker && this.#hear(data)
    worker.onerror = () => worker === this.#worker && this.#fail()
    const start: ToThinking = { type: 'start', engine: this.#engine, mayLoad: this.#mayLoad }
    worker.postMessage(start)
    return worker
  }

  #hear(message: FromThinking): void {
    this.#watch()
    if (message.type === 'nets') tell(message)
    else if (message.job !== this.#job) return // dropped
    else if (message.type === 'waits') this.#isWaiting = message.isWaiting
    else if (message.answer === '') this.#fail()
    else this.#end(message.answer)
  }

  /** It is ended when nothing is heard of it for too long. */
  #watch(): void {
    clearTimeout(this.#timer)
    if (this.#job !== null) this.#timer = setTimeout(() => this.#fail(), PATIENCE)
  }

  #end(answer: string): void {
    const job = this.#job
    this.#job = null
    this.#isWaiting = false
    clearTimeout(this.#timer)
    if (job !== null) this.#onAnswer(job, answer)
  }

  #fail(): void {
    this.#worker?.terminate()
    this.#worker = null
    tell({ type: 'nets', news: null })
    this.#end('')
  }

  #send(message: ToThinking): void {
    this.#worker ??= this.#started()
    this.#worker.postMessage(message)
  }

  think(job: number, who: string, work: string): void {
    this.#job = job
    this.#watch()
    this.#send({ type: 'think', job, who, work })
  }

  prepare(who: string): void {
    this.#send({ type: 'prepare', who })
  }

  /** The person has agreed to load all nets. */
  allow(): void {
    this.#mayLoad = true
    this.#send({ type: 'allow' })
  }

  /** Nobody waits for the job any more. A worker that still waits for nets goes on, with what has come of them. */
  drop(): void {
    this.#job = null
    if (this.#isWaiting) {
      this.#isWaiting = false
      clearTimeout(this.#timer)
      this.#send({ type: 'drop' })
      return
    }
    this.#fail()
    this.#worker = this.#started()
  }
}

const storage = new TableStorage(
  (trouble) => tell({ type: 'storage', trouble }),
  () => end({ type: 'elsewhere' }),
)

let thinkers: Thinkers | null = null

async function started(engine: Engine, mayLoadNets: boolean): Promise<[Device, KeptKeys]> {
  let device: Device | null = null
  const python = await startedPython(engine)
  // Only now: two workers that start at the same time take twice as long, and the first card needs only this one.
  const beside = (thinkers = new Thinkers(engine, mayLoadNets, (job, answer) => device?.thought(job, answer)))
  const { rows, keys } = await storage.load()
  const host = {
    load: () => Promise.resolve(rows),
    put: (writes: string) => storage.put(JSON.parse(writes) as Parameters<TableStorage['put']>[0]),
    report_unreadable: () => tell({ type: 'unreadable' }),
    deliver: (connection: number, text: string) => tell({ type: 'message', connection, text }),
    think: (job: number, who: string, work: string) => beside.think(job, who, work),
    prepare: (who: string) => beside.prepare(who),
    report_level: (level: string, played: string) => tell({ type: 'level', level, played }),
    restart_thinking: () => beside.drop(),
  }
  device = (await python.pyimport('foretell.browser.device').opened(host)) as Device
  return [device, keys]
}

let device: Promise<Device> | null = null

async function begin(folder: string, isTakingOver: boolean, mayLoadNets: boolean): Promise<Device> {
  const loading = loadedEngine(folder, (loaded) => tell({ type: 'progress', loaded }))
  const [engine] = await Promise.all([loading, owned(isTakingOver)])
  const [found, keys] = await started(engine, mayLoadNets)
  tell({ type: 'ready', keys })
  return found
}

async function handle(message: ToWorker): Promise<void> {
  if (message.type === 'start') {
    device = begin(message.engine, message.isTakingOver, message.mayLoadNets)
    device.catch((problem: unknown) => end({ type: 'failed', why: String(problem) }))
    return
  }
  const tables = await device!
  switch (message.type) {
    case 'allow nets':
      thinkers!.allow()
      break
    case 'ask': {
      const answer = await tables.ask(message.method, message.path, message.body)
      const [isAccepted, body] = answer.toJs()
      answer.destroy()
      tell({ type: 'answer', id: message.id, isAccepted, body })
      break
    }
    case 'connect':
      tables.connect(message.connection)
      break
    case 'message':
      await tables.handle(message.connection, message.text)
      break
    case 'disconnect':
      tables.disconnect(message.connection)
      break
    case 'keep':
      await storage.put([['keys', message.name, message.text]])
  }
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => void handle(data)

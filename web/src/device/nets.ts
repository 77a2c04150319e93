/**
 * The nets of the bots, as files. They are larger than the rest of the engine, so each is loaded when somebody thinks with it
 * for the first time. Where that fails, thinking goes on without it, and it is tried again later.
 */
import type { Engine, NetFile } from './engine'
import type { NetsNews } from './messages'

const STALLED = 15_000 // milliseconds without a byte, after which loading has failed
const HOLDS_UP = 10_000 // what comes more slowly holds no choice up: until it is here, a weaker bot plays
const QUICK = 400 // what takes no longer is not worth telling
// After a failure it is not tried again for so long, and for twice as long as it took: a dead network must not hold up each choice.
const LEAST_REST = 1_000
const REST = 2

export class Nets {
  readonly #engine: Engine
  readonly #keep: (into: string, content: Uint8Array) => void
  readonly #tell: (news: NetsNews) => void
  #mayLoad: boolean
  readonly #here = new Set<string>()
  readonly #coming = new Map<string, Promise<void>>()
  readonly #refused = new Set<string>() // until the person allows it
  #notBefore = 0
  // Of what is coming now.
  #total = 0
  #loaded = 0

  /** `keep` stores a file for Python; `tell` is called with what is loaded, and with what may not be loaded unasked. */
  constructor(engine: Engine, mayLoad: boolean, keep: (into: string, content: Uint8Array) => void, tell: (news: NetsNews) => void) {
    this.#engine = engine
    this.#mayLoad = mayLoad
    this.#keep = keep
    this.#tell = tell
  }

  /** Loads those of these files that are not here, if that is possible now. It never fails, and does not wait for what is slow. */
  async have(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#one(name)))
  }

  /** The person allows all of them. */
  async allow(): Promise<void> {
    this.#mayLoad = true
    const names = [...this.#refused]
    this.#refused.clear()
    this.#tell(null)
    await this.have(names)
  }

  async #one(name: string): Promise<void> {
    const file = this.#engine.nets[name]
    if (!file || this.#here.has(name)) return
    if (!this.#coming.has(name)) {
      const loading = this.#load(name, file).finally(() => this.#coming.delete(name))
      this.#coming.set(name, Promise.race([loading, new Promise<void>((resolve) => setTimeout(resolve, HOLDS_UP))]))
    }
    await this.#coming.get(name)
  }

  async #load(name: string, file: NetFile): Promise<void> {
    const address = this.#engine.folder + file.path
    if (!this.#mayLoad && !file.isFirst && !(await isKept(address))) {
      this.#refused.add(name)
      this.#tell({ asked: [...this.#refused].reduce((sum, one) => sum + this.#engine.nets[one]!.compressed, 0) })
      return
    }
    if (performance.now() < this.#notBefore) return
    const began = performance.now()
    this.#total += file.bytes
    let got = 0
    const onBytes = (count: number) => {
      got += count
      this.#loaded += count
      if (performance.now() - began > QUICK) this.#tell({ loaded: Math.min(1, this.#loaded / this.#total) })
    }
    try {
      this.#keep(file.into, await content(address, onBytes))
      this.#here.add(name)
    } catch {
      this.#notBefore = performance.now() + Math.max(LEAST_REST, REST * (performance.now() - began))
    } finally {
      this.#total -= file.bytes
      this.#loaded -= got
      if (this.#total === 0 && this.#refused.size === 0) this.#tell(null)
    }
  }
}

const isKept = async (address: string): Promise<boolean> => 'caches' in self && (await caches.match(address)) !== undefined

async function content(address: string, onBytes: (count: number) => void): Promise<Uint8Array> {
  const ended = new AbortController()
  let timer = setTimeout(() => ended.abort(), STALLED)
  try {
    const answer = await fetch(address, { signal: ended.signal })
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
    const parts: Uint8Array[] = []
    const reader = answer.body!.getReader()
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => ended.abort(), STALLED)
      parts.push(value!)
      onBytes(value!.length)
    }
    return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer())
  } finally {
    clearTimeout(timer)
  }
}

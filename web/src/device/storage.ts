/**
 * The browser's storage for tables, games and their actions: IndexedDB. What is put together is stored together, and in the
 * order in which it was put.
 *
 * The tab that has read the storage last owns it. Every write looks for that in its own transaction, so an older tab that
 * still runs, or that was frozen and wakes up, can never write into a game that went on elsewhere.
 */
import type { KeptKeys, StorageTrouble } from './messages'

const NAME = 'foretell'
const VERSION = 2
const ROWS = ['tables', 'games', 'actions']
const KEYS = 'keys'
const OWNER = 'owner'
const KINDS = [...ROWS, KEYS, OWNER]
const PATIENCE = 8_000 // milliseconds; some browsers never answer where they store nothing

type Row = [kind: string, key: string, value: string | null] // without a value, the row is removed

/** The storage belongs to another tab now. */
class Elsewhere extends Error {}

export class TableStorage {
  #database: IDBDatabase | null = null
  /** Rows that wait, and those that could not be stored yet, by kind and key. */
  #waiting = new Map<string, Row>()
  #writing: Promise<void> | null = null
  #trouble: StorageTrouble | null = null
  readonly #owner = crypto.getRandomValues(new Uint32Array(4)).join('-')
  readonly #onTrouble: (trouble: StorageTrouble | null) => void
  readonly #onElsewhere: () => void

  /** `onTrouble` is called when something cannot be stored, and with null when all of it is. */
  constructor(onTrouble: (trouble: StorageTrouble | null) => void, onElsewhere: () => void) {
    this.#onTrouble = onTrouble
    this.#onElsewhere = onElsewhere
  }

  /** All rows by kind, in the order of their keys, as JSON; and the keys to seats. From now on this tab owns the storage. */
  async load(): Promise<{ rows: string; keys: KeptKeys }> {
    try {
      const database = await inTime(opened())
      database.onversionchange = () => this.#leave() // a newer page wants to change the storage
      database.onclose = () => this.#giveUp('blocked') // the person has deleted it
      const reading = database.transaction(KINDS, 'readwrite', { durability: 'strict' })
      reading.objectStore(OWNER).put(this.#owner, OWNER)
      const all = Promise.all(ROWS.map(async (kind) => [kind, await entries(reading, kind)]))
      const [rows, keys] = await Promise.all([all, entries(reading, KEYS), completed(reading)])
      this.#database = database
      return { rows: JSON.stringify(Object.fromEntries(rows as [string, unknown][])), keys: Object.fromEntries(keys) as KeptKeys }
    } catch (problem) {
      this.#giveUp(nameOf(problem) === 'VersionError' ? 'newer' : 'blocked')
      return { rows: '{}', keys: {} }
    }
  }

  /**
   * Done when the rows would survive the end of the browser. Where they cannot be stored, it is done too, and they are
   * tried again with the next ones.
   */
  put(rows: Row[]): Promise<void> {
    if (!this.#database) return Promise.resolve()
    for (const row of rows) {
      const name = `${row[0]}/${row[1]}`
      this.#waiting.delete(name) // it goes to the end
      this.#waiting.set(name, row)
    }
    // What comes while something is written is written together, after it.
    this.#writing = this.#writing ? this.#writing.then(() => this.#write()) : this.#write()
    return this.#writing
  }

  async #write(): Promise<void> {
    const rows = [...this.#waiting.values()]
    if (rows.length === 0 || !this.#database) return
    this.#waiting.clear()
    try {
      await this.#transaction(this.#database, rows)
      this.#say(null)
    } catch (problem) {
      if (problem instanceof Elsewhere) return this.#leave()
      // Newer values have come meanwhile: they stay.
      this.#waiting = new Map([...rows.map((row) => [`${row[0]}/${row[1]}`, row] as const), ...this.#waiting])
      if (nameOf(problem) === 'QuotaExceededError') this.#say('full')
      else this.#giveUp('blocked')
    }
  }

  async #transaction(database: IDBDatabase, rows: Row[]): Promise<void> {
    const writing = database.transaction(KINDS, 'readwrite', { durability: 'strict' })
    const done = completed(writing)
    done.catch(() => undefined) // it is awaited below, unless this tab has lost the storage
    const owner = await result(writing.objectStore(OWNER).get(OWNER))
    if (owner !== this.#owner) {
      writing.abort()
      throw new Elsewhere()
    }
    try {
      for (const [kind, key, value] of rows) {
        if (value === null) writing.objectStore(kind).delete(key)
        else writing.objectStore(kind).put(value, key)
      }
    } catch (problem) {
      writing.abort() // otherwise the rows before this one would be stored
      throw problem
    }
    writing.commit()
    await done
  }

  #leave(): void {
    this.#database?.close()
    this.#database = null
    this.#onElsewhere()
  }

  /** Nothing is stored any more in this visit. */
  #giveUp(trouble: StorageTrouble): void {
    this.#database = null
    this.#waiting.clear()
    this.#say(trouble)
  }

  #say(trouble: StorageTrouble | null): void {
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    this.#onTrouble(trouble)
  }
}

function opened(): Promise<IDBDatabase> {
  const asked = indexedDB.open(NAME, VERSION)
  asked.onupgradeneeded = () => {
    for (const kind of KINDS) if (!asked.result.objectStoreNames.contains(kind)) asked.result.createObjectStore(kind)
  }
  return result(asked)
}

/** The keys and values of one kind, in the order of the keys. */
async function entries(reading: IDBTransaction, kind: string): Promise<[IDBValidKey, unknown][]> {
  const [keys, values] = await Promise.all([result(reading.objectStore(kind).getAllKeys()), result(reading.objectStore(kind).getAll())])
  return keys.map((key, place) => [key, values[place]])
}

const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('aborted'))
  })

const result = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

const inTime = <T>(asked: Promise<T>): Promise<T> =>
  Promise.race([asked, new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error('no answer')), PATIENCE))])

const nameOf = (problem: unknown): string => (problem instanceof DOMException ? problem.name : '')

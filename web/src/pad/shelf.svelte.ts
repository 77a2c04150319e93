/**
 * The pads of this browser, each as the text of its file (docs/scorepad.md). Every change is stored before it is shown. Where
 * nothing can be stored, the pads are kept as long as the page is open.
 */
import { enter, from_json, new_pad, to_json, type Pad, type Rules } from './generated'
import { ForetellError } from './python'

const PREFIX = 'foretell.pad.'

interface Stored {
  readonly texts: ReadonlyMap<string, string>
  readonly isReadable: boolean
}

function stored(): Stored {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at)!).filter((key) => key.startsWith(PREFIX))
    return { texts: new Map(keys.map((key) => [key.slice(PREFIX.length), localStorage.getItem(key)!])), isReadable: true }
  } catch {
    return { texts: new Map(), isReadable: false } // storage is blocked
  }
}

/** A name for a pad that is begun now: they sort by time, as the files of `foretell score` do. */
function newId(taken: ReadonlyMap<string, string>): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const now = new Date()
  const days = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())]
  let id = [...days, [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('')].join('-')
  while (taken.has(id)) id += 'b'
  return id
}

/** When a pad was begun, from its name. */
export function begunAt(id: string): Date | null {
  const [, year, month, day, hour, minute, second] = (/^(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(id) ?? []).map(Number)
  return year === undefined ? null : new Date(year, month! - 1, day, hour, minute, second)
}

const isBeginning = (one: Pad, other: Pad) =>
  JSON.stringify([one.names, one.rules, one.first_dealer]) === JSON.stringify([other.names, other.rules, other.first_dealer]) &&
  one.entries.length <= other.entries.length &&
  JSON.stringify(one.entries) === JSON.stringify(other.entries.slice(0, one.entries.length))

class Shelf {
  #texts = $state.raw<ReadonlyMap<string, string>>(new Map())
  /** Whether the last change could be stored. */
  isKept = $state(true)
  #read = new Map<string, Pad | null>() // by text, since reading one checks every entry again

  constructor() {
    const { texts, isReadable } = stored()
    this.#texts = texts
    this.isKept = isReadable
    // another tab has changed a pad, or removed one
    addEventListener('storage', ({ key, newValue }) => {
      if (!key?.startsWith(PREFIX)) return
      const id = key.slice(PREFIX.length)
      const others = [...this.#texts].filter(([one]) => one !== id)
      this.#texts = new Map(newValue === null ? others : [...others, [id, newValue]])
    })
  }

  /** The pads that can be read, the newest first. One that cannot stays where it is. */
  get all(): { id: string; pad: Pad }[] {
    return [...this.#texts.keys()]
      .sort()
      .reverse()
      .flatMap((id) => {
        const pad = this.pad(id)
        return pad ? [{ id, pad }] : []
      })
  }

  pad(id: string): Pad | null {
    const text = this.#texts.get(id)
    return text === undefined ? null : this.#padIn(text)
  }

  /** Begins a pad and returns its name. Throws where the rules refuse it. */
  begin(names: readonly string[], rules: Rules, firstDealer: number): string {
    return this.#add(new_pad(names, rules, firstDealer))
  }

  /**
   * Takes a pad from a file. One that was begun here and continued elsewhere takes its old place; one that was continued
   * here is opened as it is here. A few first entries may also be those of another game of the same players.
   */
  take(pad: Pad): string {
    for (const { id, pad: own } of this.all) {
      const isSameLength = pad.entries.length === own.entries.length
      const hasWholeRound = pad.entries.length >= 2 * pad.names.length
      if ((isSameLength || hasWholeRound) && isBeginning(pad, own)) return id
      if (own.entries.length > 0 && isBeginning(own, pad)) {
        this.#write(id, to_json(pad))
        return id
      }
    }
    return this.#add(pad)
  }

  /**
   * Changes a pad as it is stored now: if another tab has written to it, its entries stay. Throws where the change is
   * refused; then nothing has changed.
   */
  change(id: string, changed: (pad: Pad) => Pad): void {
    const now = this.#storedNow(id)
    if (now === null) return
    const after = changed(now)
    const text = to_json(after)
    this.#read.delete(to_json(now))
    this.#read.set(text, after)
    this.#write(id, text)
  }

  enter(id: string, entry: Parameters<typeof enter>[1]): void {
    this.change(id, (pad) => enter(pad, entry))
  }

  remove(id: string): void {
    this.#texts = new Map([...this.#texts].filter(([one]) => one !== id))
    try {
      localStorage.removeItem(PREFIX + id)
    } catch {
      // it was not stored
    }
  }

  #storedNow(id: string): Pad | null {
    let text: string | null = null
    try {
      text = this.isKept ? localStorage.getItem(PREFIX + id) : null
    } catch {
      // storage is blocked
    }
    // one that was removed elsewhere is written again: we have it, and nothing is lost
    return (text === null ? null : this.#padIn(text)) ?? this.pad(id)
  }

  #add(pad: Pad): string {
    const id = newId(this.#texts)
    this.#write(id, to_json(pad))
    return id
  }

  #write(id: string, text: string): void {
    try {
      localStorage.setItem(PREFIX + id, text)
      this.isKept = true
    } catch {
      this.isKept = false // blocked or full
    }
    this.#texts = new Map([...this.#texts, [id, text]])
  }

  #padIn(text: string): Pad | null {
    let found = this.#read.get(text)
    if (found === undefined) {
      try {
        found = from_json(text)
      } catch (error) {
        if (!(error instanceof ForetellError)) throw error
        found = null
      }
      this.#read.set(text, found)
    }
    return found
  }
}

export const shelf = new Shelf()

/** Where the page plays: at the server's tables, or on this device. The player's choice is kept in this browser. */
import type { Health } from '../protocol'
import { store, stored, storedText, storeText } from '../storage'

const CHOSEN = 'foretell.place'
const KNOWN = 'foretell.host'

interface Known {
  hasServer: boolean
  hasEngine: boolean
}

class Place {
  #chosen = $state(storedText(CHOSEN))
  #known = $state.raw<Known | null>(null)

  /** Whether this page comes with a server; null until it is known. A static host has none. */
  get hasServer(): boolean | null {
    return this.#known?.hasServer ?? null
  }

  /** Whether the page can play at the server's tables and on this device. */
  get isFree(): boolean {
    return this.#known !== null && this.#known.hasServer && this.#known.hasEngine
  }

  get current(): 'server' | 'device' {
    if (this.#known && !this.#known.hasServer) return 'device'
    return this.#chosen === 'device' && this.#known?.hasEngine !== false ? 'device' : 'server'
  }

  choose(place: 'server' | 'device'): void {
    this.#chosen = place
    storeText(CHOSEN, place)
  }

  constructor() {
    globalThis.addEventListener?.('online', () => void this.explore())
  }

  /** Finds out what this page comes with; without a network, it is what it was the last time. */
  async explore(): Promise<void> {
    const answer = await fetch('/api/health').catch(() => null)
    const health = answer?.ok ? ((await answer.json().catch(() => null)) as Health | null) : null
    const isStatic = answer !== null && answer.status < 500 && !health
    if (answer !== null) store(KNOWN, { hasServer: !isStatic, hasEngine: isStatic || health?.has_engine === true })
    this.#known = (stored(KNOWN) as Known | null) ?? { hasServer: true, hasEngine: false }
  }
}

export const place = new Place()

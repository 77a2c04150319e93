/**
 * Where the page is, from the address after #: `#/`, `#/new`, `#/t/KEY`, `#/replay/GAME`, `#/rules/P3`, `#/pad/ID`, `#/settings`.
 * A moment of a game is `#/replay/GAME/ROUND/STEP`; `#/replay` asks for a record from a file.
 */

export interface Route {
  name: 'home' | 'new' | 'table' | 'finished' | 'replay' | 'rules' | 'pad' | 'settings' | 'unknown'
  key: string // of a table, a game, a rule or a pad; of an unknown page, its path
  isGuided: boolean
  isStarting: boolean // the table starts its game at once, against bots
  where: string // the moment of a replay: what follows the game in the address
}

/** The decoded key, or the key as it is where it cannot be decoded: then the server says that there is no such table. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [first = '', second = '', ...rest] = path.split('/')
  const asked = new URLSearchParams(query)
  const more = { isGuided: asked.has('guide'), isStarting: asked.has('start'), where: `${rest.join('/')}?${query}` }
  if ((first === 'table' || first === 't') && second) return { name: 'table', key: unescaped(second), ...more }
  if (first === 'replay' && (rest.length > 0 || !second)) return { name: 'replay', key: unescaped(second), ...more }
  if (first === 'replay') return { name: 'finished', key: unescaped(second), ...more }
  if (first === 'rules') return { name: 'rules', key: unescaped(second), ...more }
  if (first === 'pad') return { name: 'pad', key: unescaped(second), ...more }
  if (first === 'new' || first === 'settings') return { name: first, key: '', ...more }
  if (first) return { name: 'unknown', key: unescaped(path), ...more }
  return { name: 'home', key: '', ...more }
}

class Router {
  route = $state.raw<Route>(parse(location.hash))
  /** The table that was left for this screen, where its replay leads back to; empty if it was another screen. */
  tableBefore = ''
  #shown = location.hash
  constructor() {
    addEventListener('hashchange', () => {
      this.#shown = location.hash
      const next = parse(location.hash)
      if (next.name !== this.route.name) this.tableBefore = this.route.name === 'table' ? this.route.key : ''
      this.route = next
    })
  }
  /** Writes where the page is into the address, unless a link was followed a moment ago and is not shown yet. */
  replaceAddress(hash: string): void {
    if (location.hash !== this.#shown) return
    history.replaceState(history.state, '', hash)
    this.#shown = location.hash
  }
}

export const router = new Router()
export const go = (path: string) => (location.hash = `#${path}`)

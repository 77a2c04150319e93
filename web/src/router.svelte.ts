/** Where the page is, from the address after #: `#/`, `#/new`, `#/t/KEY`, `#/replay/GAME`, `#/settings`. */

export interface Route {
  name: 'home' | 'new' | 'table' | 'finished' | 'settings'
  key: string
  isGuided: boolean
  isStarting: boolean // the table starts its game at once, against bots
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
  const [first = '', second = ''] = path.split('/')
  const asked = new URLSearchParams(query)
  const more = { isGuided: asked.has('guide'), isStarting: asked.has('start') }
  if ((first === 'table' || first === 't') && second) return { name: 'table', key: unescaped(second), ...more }
  if (first === 'replay' && second) return { name: 'finished', key: unescaped(second), ...more }
  if (first === 'new' || first === 'settings') return { name: first, key: '', ...more }
  return { name: 'home', key: '', ...more }
}

class Router {
  route = $state.raw<Route>(parse(location.hash))
  constructor() {
    addEventListener('hashchange', () => (this.route = parse(location.hash)))
  }
}

export const router = new Router()
export const go = (path: string) => (location.hash = `#${path}`)

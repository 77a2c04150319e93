/** A random secret of this browser, by which a table knows it again: it gets its own seat back instead of a second one. */

const KEY = 'foretell.key'
/** Where the browser has no storage: kept until the page is closed. */
let memory = ''

function drawn(): string {
  const random = crypto.getRandomValues(new Uint8Array(24))
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function browserKey(): string {
  try {
    memory = localStorage.getItem(KEY) || memory || drawn()
    localStorage.setItem(KEY, memory)
  } catch {
    memory ||= drawn()
  }
  return memory
}

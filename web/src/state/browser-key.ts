/** A random secret of this browser, by which a table knows it again: it gets its own seat back instead of a second one. */
import { storedText, storeText } from '../storage'

const KEY = 'foretell.key'

function drawn(): string {
  const random = crypto.getRandomValues(new Uint8Array(24))
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function browserKey(): string {
  const key = storedText(KEY) || drawn()
  storeText(KEY, key)
  return key
}

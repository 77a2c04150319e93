/**
 * What this browser keeps from one visit to the next, by name. It is kept in `localStorage`.
 *
 * Where that is blocked, or full, it is kept as long as the tab is open: in memory, and in the state of the history's
 * current step, where a reload finds it. Keys to seats are among it, so it must not leak. The state of a step is not part
 * of the address: nobody gets it with a copied link, an invitation or a screenshot, and pages of other sites cannot read
 * it. (`window.name` would stay when the tab goes to another site, and a key in the address would be sent to friends.)
 */

const hasHistory = typeof history !== 'undefined' // the unit tests have none
type Step = { kept?: Record<string, string> } | null

/** What `localStorage` did not take. */
const refused: Record<string, string> = { ...(hasHistory ? (history.state as Step)?.kept : null) }

export function storedText(name: string): string | null {
  try {
    return refused[name] ?? localStorage.getItem(name)
  } catch {
    return null
  }
}

/** A value that was stored as JSON; null if there is none, or it is damaged. Whoever asks checks what it is. */
export function stored(name: string): unknown {
  try {
    return JSON.parse(storedText(name) ?? 'null')
  } catch {
    return null
  }
}

export const store = (name: string, value: unknown): void => storeText(name, JSON.stringify(value))

export function storeText(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
    forget(name)
  } catch {
    refused[name] = text
    carry()
  }
}

export function dropStored(name: string): void {
  forget(name)
  try {
    localStorage.removeItem(name)
  } catch {
    // nothing is kept there
  }
}

function forget(name: string): void {
  if (!(name in refused)) return
  delete refused[name]
  carry()
}

/** Writes what was refused into the current step of the history. */
function carry(): void {
  if (!hasHistory) return
  try {
    history.replaceState({ ...(history.state as Step), kept: refused }, '')
  } catch {
    // too often or too much, for this browser: then a reload finds an older state
  }
}

/** Every step of the history must have it, since any of them may be the one that is reloaded. */
function carryOn(): void {
  if (Object.keys(refused).length > 0) carry()
}
if (hasHistory) {
  addEventListener('hashchange', carryOn)
  addEventListener('popstate', carryOn)
}

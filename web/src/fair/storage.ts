/** What this browser keeps for checking deals; where it has no storage, until the page is closed. */

const memory = new Map<string, string>()
const named = (name: string) => `foretell.fair.${name}`

export function kept<T>(name: string): T | null {
  try {
    return JSON.parse(memory.get(name) ?? localStorage.getItem(named(name)) ?? 'null') as T | null
  } catch {
    return null // no storage, or its content is damaged
  }
}

export function keep(name: string, value: unknown): void {
  const text = JSON.stringify(value)
  try {
    localStorage.setItem(named(name), text)
    memory.delete(name)
  } catch {
    memory.set(name, text)
  }
}

export function dropKept(name: string): void {
  memory.delete(name)
  try {
    localStorage.removeItem(named(name))
  } catch {
    // no storage: nothing is kept there
  }
}

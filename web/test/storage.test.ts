import { beforeEach, describe, expect, it, vi } from 'vitest'

/** A browser with one tab: its storage, which may refuse, and the steps of its history. */
function browser({ refuses, state = null as unknown }: { refuses: boolean; state?: unknown }) {
  const kept = new Map<string, string>()
  const refuse = () => {
    if (refuses) throw new Error('blocked')
  }
  const heard: (() => void)[] = []
  const steps = { state, replaceState: (next: unknown) => (steps.state = structuredClone(next)) }
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => (refuse(), kept.get(name) ?? null),
    setItem: (name: string, text: string) => (refuse(), kept.set(name, text)),
    removeItem: (name: string) => (refuse(), kept.delete(name)),
  })
  vi.stubGlobal('history', steps)
  vi.stubGlobal('addEventListener', (_name: string, listener: () => void) => heard.push(listener))
  return { kept, steps, goTo: () => ((steps.state = null), heard.forEach((listener) => listener())) }
}

/** The module as a page that has just been loaded has it. */
async function loaded() {
  vi.resetModules()
  return import('../src/storage')
}

describe('what the browser keeps', () => {
  beforeEach(() => vi.unstubAllGlobals())

  it('is in its storage, and nowhere else', async () => {
    const { kept, steps } = browser({ refuses: false })
    const { store, stored, dropStored } = await loaded()
    store('seats', [{ token: 'secret' }])
    expect(JSON.parse(kept.get('seats')!)).toEqual([{ token: 'secret' }])
    expect(steps.state).toBeNull()
    expect(stored('seats')).toEqual([{ token: 'secret' }])
    dropStored('seats')
    expect(stored('seats')).toBeNull()
  })

  it('is found again after a reload where the storage is blocked', async () => {
    const { steps } = browser({ refuses: true })
    const first = await loaded()
    first.store('seats', ['token'])
    browser({ refuses: true, state: steps.state }) // reloaded: the step of the history is still there
    const second = await loaded()
    expect(second.stored('seats')).toEqual(['token'])
    second.dropStored('seats')
    expect(second.stored('seats')).toBeNull()
  })

  it('goes along to the next step of the history', async () => {
    const { steps, goTo } = browser({ refuses: true })
    const { store } = await loaded()
    store('seats', ['token'])
    goTo()
    browser({ refuses: true, state: steps.state })
    expect((await loaded()).stored('seats')).toEqual(['token'])
  })

  it('leaves what else a step says', async () => {
    const { steps } = browser({ refuses: true, state: { isPanel: true } })
    const { store } = await loaded()
    store('name', 'Ada')
    expect(steps.state).toMatchObject({ isPanel: true })
  })

  it('may be damaged', async () => {
    const { kept } = browser({ refuses: false })
    kept.set('seats', '[{')
    const { stored, storedText } = await loaded()
    expect(stored('seats')).toBeNull()
    expect(storedText('seats')).toBe('[{')
  })
})

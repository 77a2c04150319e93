import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Result } from '../src/state/my-games.svelte'

const kept = new Map<string, string>()
const result = (game: string, at: number): Result => ({ game, names: ['Ada', 'Merlin'], totals: [30, -10], winners: [0], seat: 0, at })

/** The module as a page that has just been loaded has it. */
async function loaded() {
  vi.resetModules()
  return import('../src/state/my-games.svelte')
}

describe('the results of this browser', () => {
  beforeEach(() => {
    kept.clear()
    vi.stubGlobal('localStorage', { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, text: string) => kept.set(name, text) })
  })

  it('are listed with the newest first, each game once', async () => {
    const { keepResult, results } = await loaded()
    keepResult(result('a', 1))
    keepResult(result('b', 2))
    keepResult(result('a', 3))
    expect(results().map((one) => one.game)).toEqual(['b', 'a'])
    expect((await loaded()).results().map((one) => one.game)).toEqual(['b', 'a'])
  })

  it('do not come back once they are removed', async () => {
    const { keepResult, removeResult } = await loaded()
    keepResult(result('a', 1))
    removeResult('a')
    const later = await loaded()
    later.keepResult(result('a', 2))
    expect(later.results()).toEqual([])
    expect(later.isKnown('a')).toBe(true)
  })

  it('leave out the oldest of very many', async () => {
    const { keepResult, results } = await loaded()
    for (let at = 1; at <= 60; at++) keepResult(result(String(at), at))
    expect(results()).toHaveLength(50)
    expect(results().at(-1)!.game).toBe('11')
  })

  it('of another tab are not lost', async () => {
    const { keepResult } = await loaded()
    const other = await loaded()
    keepResult(result('a', 1))
    other.keepResult(result('b', 2))
    expect(other.results().map((one) => one.game)).toEqual(['b', 'a'])
  })

  it.each(['nonsense', 'null', '[1]', '{"results": 7, "removed": "x"}', '{"results": [1, null, {"game": "a"}, {"game": "a", "names": 1}]}'])('may be damaged: %s', async (text) => {
    kept.set('foretell.results', text)
    const { results, keepResult } = await loaded()
    expect(results()).toEqual([])
    keepResult(result('a', 1))
    expect(results()).toHaveLength(1)
  })
})

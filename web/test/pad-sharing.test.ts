/** What people type for the rounds of a pad, and the pad as a table. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { loadTexts, speakAgain } from '../src/language.svelte'
import { Bid, enter, new_pad, Tricks } from '../src/pad/generated'

vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

describe('rounds as people type them', async () => {
  const { typedRounds, writtenRounds } = await import('../src/pad/setup')
  it.each([
    ['1, 3, 5', [1, 3, 5]],
    ['2-4 7', [2, 3, 4, 7]],
    ['1–3', [1, 2, 3]],
    ['5-2, x, 8', [8]],
    ['', []],
  ])('reads %s', (text, rounds) => expect(typedRounds(text)).toEqual(rounds))
  it('writes what it reads', () => {
    expect(writtenRounds([1, 2, 3, 7, 9, 10])).toBe('1-3, 7, 9-10')
    expect(typedRounds(writtenRounds([1, 2, 3, 7, 9, 10]))).toEqual([1, 2, 3, 7, 9, 10])
  })
})

describe('the table for a spreadsheet', () => {
  beforeAll(async () => {
    await loadTexts('pad', import.meta.glob<Record<string, string>>('../../src/foretell/i18n/*.json', { import: 'default', query: '?pad' }))
    await speakAgain()
  })
  it('protects names that look like formulas, and commas', async () => {
    const { csvOf } = await import('../src/pad/sharing')
    let pad = new_pad(['=SUM(A1)', 'Bo, "B"', 'Cy'])
    for (const [seat, tricks] of [[1, 0], [2, 1], [0, 0]] as const) pad = enter(pad, new Bid(seat, tricks))
    for (const [seat, tricks] of [[1, 1], [2, 0], [0, 0]] as const) pad = enter(pad, new Tricks(seat, tricks))
    const [names, , round] = csvOf(pad).split('\r\n')
    expect(names).toBe(`,,'=SUM(A1),,,,"Bo, ""B""",,,,Cy,,,`)
    expect(round).toBe("1,'=SUM(A1),0,0,20,20,0,1,-10,-10,1,0,-10,-10")
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CODES, SPRITE, markup } from '../src/cards/faces'
import { INK, PEOPLES, SMALL_INK } from '../src/cards/shapes'

describe('the card faces', () => {
  it('are 67, no two alike, and different from the back', () => {
    expect(CODES).toHaveLength(67)
    expect(new Set([...CODES.map(markup), markup(null)]).size).toBe(68)
  })

  it('are under 40 kB together', () => {
    const all = SPRITE + [...CODES, null].map(markup).join('')
    expect(new TextEncoder().encode(all).length).toBeLessThan(40_000)
  })

  it('refer only to shapes that there are', () => {
    const ids = new Set([...SPRITE.matchAll(/ id="([^"]+)"/g)].map((found) => found[1]))
    const faces = [...CODES, null, 'JUGGLER:R', 'CLOUD:Y', 'SHAPESHIFTER:N'].map(markup).join('') + SPRITE
    for (const [, id] of faces.matchAll(/(?:href="|url\()#([\w-]+)/g)) expect(ids).toContain(id)
  })

  it.each(PEOPLES)('tell %s apart by symbol, stone and pattern, not by colour alone', (people) => {
    const drawn = (prefix: string, which: string) => new RegExp(`id="${prefix}-${which}"[^>]*>(.*?)</(?:g|marker|pattern)>`).exec(SPRITE)?.[1]?.replaceAll(INK[which as 'B'], '')
    for (const other of PEOPLES)
      if (other !== people) for (const prefix of ['s', 'k', 'p']) expect(drawn(prefix, people)).not.toBe(drawn(prefix, other))
  })

  it.each([INK, SMALL_INK])('have colours that differ in lightness, dark to light', (inks) => {
    const lightness = (ink: string) => {
      const [r, g, b] = [1, 3, 5].map((at) => (Number.parseInt(ink.slice(at, at + 2), 16) / 255) ** 2.2)
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
    }
    const all = PEOPLES.map((people) => lightness(inks[people]))
    for (const [place, one] of all.entries()) if (place > 0) expect(one / all[place - 1]!).toBeGreaterThan(1.2)
  })

  it.each(PEOPLES)('have numbers of %s that can be read on ivory, also under the veil of a card that cannot be played', (people) => {
    const themes = readFileSync('src/first-paint.css', 'utf8')
    const veils = [...themes.matchAll(/--veil: rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)\)/g)].map((found) => found.slice(1).map(Number))
    expect(veils).toHaveLength(2)
    const light = (colour: number[]) => {
      const [r, g, b] = colour.map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05
    }
    const hex = (ink: string) => [1, 3, 5].map((at) => Number.parseInt(ink.slice(at, at + 2), 16))
    const [ivory, ink] = [hex('#fbf6e9'), hex(INK[people])]
    expect(light(ivory) / light(ink)).toBeGreaterThanOrEqual(3)
    for (const [r, g, b, share] of veils) {
      const under = (colour: number[]) => colour.map((part, at) => part * (1 - share!) + [r!, g!, b!][at]! * share!)
      expect(light(under(ivory)) / light(under(ink))).toBeGreaterThanOrEqual(2.5)
    }
  })

  it('show what was declared with them', () => {
    expect(new Set(['JUGGLER', 'JUGGLER:B', 'JUGGLER:R'].map(markup)).size).toBe(3)
    expect(markup('SHAPESHIFTER:N')).not.toBe(markup('SHAPESHIFTER:Z'))
  })
})

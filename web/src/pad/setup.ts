/** What a new pad starts from, and the rounds that people type. */
import { go } from '../router.svelte'
import { HEADS, PRESETS, type Rules } from './generated'
import { shelf } from './shelf.svelte'

export const FEWEST = HEADS[0]!
export const MOST = HEADS.at(-1)!

let again: string | null = null // the pad whose players want another game

/** Sets up a pad for the same players and rules. */
export function playAgain(id: string): void {
  again = id
  go('/pad/new')
}

/** Names and rules of the game to be played again, or of the last pad; where there is none, an empty plain game for four. */
export function lastTime(): { names: string[]; rules: Rules } {
  const last = (again === null ? null : shelf.pad(again)) ?? shelf.all[0]?.pad
  again = null
  return { names: last ? [...last.names] : ['', '', '', ''], rules: last?.rules ?? Object.values(PRESETS)[0]!.rules }
}

/** Everyone who is on a pad of this browser, for suggestions. */
export const knownNames = (): string[] => [...new Set(shelf.all.flatMap(({ pad }) => pad.names))]

/** Typed rounds: `1, 3, 5` or `1-10`. What is no number stays out; the rules refuse what does not rise. */
export function typedRounds(text: string): number[] {
  return text.split(/[^\d\-–‑]+/).flatMap((part) => {
    const [first, last] = part.split(/[-–‑]/).map((one) => (one === '' ? NaN : Number(one)))
    if (first === undefined || Number.isNaN(first)) return []
    const end = last === undefined || Number.isNaN(last) ? first : Math.min(last, first + 60)
    return Array.from({ length: Math.max(0, end - first + 1) }, (_, at) => first + at)
  })
}
/** Rounds as they are typed: `1-4, 7`. */
export function writtenRounds(rounds: readonly number[]): string {
  const runs: [number, number][] = []
  for (const one of rounds) {
    const run = runs.at(-1)
    if (run && run[1] === one - 1) run[1] = one
    else runs.push([one, one])
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ')
}

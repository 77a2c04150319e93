/** How a player is known without the name, at the table as in the chart: a colour, and dashes for who sees no colour. */

const SEATS = [0, 1, 2, 3, 4, 5]

export const COLOURS = SEATS.map((seat) => `var(--p${seat})`)
export const DASHES = ['', '8 4', '2 3', '10 3 2 3', '14 6', '1 5']
/** How long a ring counts as, so that its dashes close without a rest. */
export const RING = DASHES.map((dashes) => {
  const turn = dashes.split(' ').reduce((sum, part) => sum + Number(part), 0)
  return turn === 0 ? 60 : turn * Math.round(60 / turn)
})

const signs = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null

/** The first sign of a name as people count signs: a letter with its accents, a whole emoji. */
export function initial(name: string): string {
  const trimmed = name.trim()
  const first = (signs ? signs.segment(trimmed)[Symbol.iterator]().next().value?.segment : [...trimmed][0]) ?? ''
  const large = first.toLocaleUpperCase()
  return [...large].length === [...first].length ? large : first // one sign stays one: ß
}

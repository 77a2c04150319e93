/** What tells players apart besides their names, at the table and in the chart: a colour, and a pattern of dashes. */

const SEATS = [0, 1, 2, 3, 4, 5]

export const COLOURS = SEATS.map((seat) => `var(--p${seat})`)
export const DASHES = ['', '8 4', '2 3', '10 3 2 3', '14 6', '1 5']
/** The length of each ring in the units of its dashes: a whole number of repeats, so that the pattern closes. */
export const RING = DASHES.map((dashes) => {
  const turn = dashes.split(' ').reduce((sum, part) => sum + Number(part), 0)
  return turn === 0 ? 60 : turn * Math.round(60 / turn)
})

const characters = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null

/** The first character of a name as people count them: a letter with its accents, a whole emoji. */
export function initial(name: string): string {
  const trimmed = name.trim()
  const first = (characters ? characters.segment(trimmed)[Symbol.iterator]().next().value?.segment : [...trimmed][0]) ?? ''
  const large = first.toLocaleUpperCase()
  return [...large].length === [...first].length ? large : first // ß would become SS
}

/** A pad as a table, and how a file leaves the page. */
import { say } from '../i18n'
import type { Pad } from './generated'

/** A cell. Quotes protect commas and line breaks; a name that a spreadsheet would take for a formula gets an apostrophe. */
function cell(value: string | number | null): string {
  if (value === null || typeof value === 'number') return String(value ?? '')
  const safe = /^[=+\-@\t]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The sheet as CSV: a line for each round, and for each player the bid, the tricks, the points and the total. */
export function csvOf(pad: Pad): string {
  const words = [say('web.sheet.bid'), say('web.pad.tricks'), say('web.sheet.points'), say('web.sheet.total')]
  const lines = [
    ['', '', ...pad.names.flatMap((name) => [name, '', '', ''])],
    [say('web.sheet.round'), say('web.pad.dealer'), ...pad.names.flatMap(() => words)],
    ...pad.lines.map((line) => [line.number, pad.names[line.dealer]!, ...pad.names.flatMap((_, seat) => [line.bids[seat]!, line.won[seat]!, line.points[seat]!, line.totals[seat]!])]),
  ]
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('')
}

/** Shares a file where the browser can share this kind; downloads it otherwise. */
export async function passOn(file: File): Promise<void> {
  if (navigator.canShare?.({ files: [file] })) {
    try {
      return await navigator.share({ files: [file] })
    } catch (problem) {
      if (problem instanceof DOMException && problem.name === 'AbortError') return // nobody was chosen
    }
  }
  const address = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: address, download: file.name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

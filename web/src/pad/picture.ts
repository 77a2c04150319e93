/** The score sheet as a picture, drawn on a canvas: ivory paper, as large as it needs to be. */
import { points, say } from '../i18n'
import { gameEnded } from './pad-texts'
import type { Pad } from './generated'

const PAPER = '#fdf8ea'
const INK = '#1b2436'
const FAINT = '#5c6472'
const LINE = '#d8cfb6'
const GOLD = '#8a5a00'
const GOOD = '#1d6b3a'
const BAD = '#a3241a'
const SANS = "'Source Sans 3', system-ui, sans-serif"
const SERIF = "'Fraunces', Georgia, serif"
const MARGIN = 40
const NUMBER = 56 // the column of round numbers
const COLUMN = 170
const ROW = 46
const HEAD = 150

/** A text in its room: shortened where it is too long. */
function fitted(pen: CanvasRenderingContext2D, text: string, room: number): string {
  if (pen.measureText(text).width <= room) return text
  const characters = Array.from(text)
  while (characters.length > 1 && pen.measureText(`${characters.join('')}…`).width > room) characters.pop()
  return `${characters.join('').trimEnd()}…`
}

/** A met bid is a filled stone, a missed one an open one. */
function stone(pen: CanvasRenderingContext2D, x: number, y: number, isMet: boolean): void {
  pen.beginPath()
  pen.ellipse(x, y, 5, 7, 0, 0, 2 * Math.PI)
  pen.lineWidth = 2
  pen.strokeStyle = pen.fillStyle
  if (isMet) pen.fill()
  pen.stroke()
}

function drawSheet(pen: CanvasRenderingContext2D, pad: Pad, width: number): void {
  const left = (seat: number) => MARGIN + NUMBER + seat * COLUMN
  const write = (text: string, x: number, y: number, font: string, colour: string, align: CanvasTextAlign = 'left', room = width) => {
    pen.font = font
    pen.fillStyle = colour
    pen.textAlign = align
    pen.fillText(fitted(pen, text, room), x, y)
  }
  pad.names.forEach((name, seat) => write(name, left(seat) + COLUMN / 2, HEAD, `600 22px ${SANS}`, pad.leaders.includes(seat) ? GOLD : INK, 'center', COLUMN - 16))
  pad.lines.forEach((line, place) => {
    const base = HEAD + 12 + (place + 1) * ROW - 14
    pen.strokeStyle = LINE
    pen.lineWidth = 1
    pen.beginPath()
    pen.moveTo(MARGIN, base - ROW + 14)
    pen.lineTo(width - MARGIN, base - ROW + 14)
    pen.stroke()
    write(String(line.number), MARGIN + NUMBER - 18, base, `400 20px ${SANS}`, FAINT, 'right')
    pad.names.forEach((_, seat) => {
      const { bids, won, totals } = line
      const isLast = place === pad.lines.length - 1
      const isMet = bids[seat] === won[seat]
      const middle = left(seat) + COLUMN / 2
      const total = totals[seat] ?? null
      write(total === null ? '' : points(total), middle + 12, base, `700 ${isLast ? 28 : 24}px ${isLast ? SERIF : SANS}`, isLast && pad.leaders.includes(seat) ? GOLD : INK, 'right')
      write(bids[seat] === null ? '' : String(bids[seat]), middle + 36, base, `400 20px ${SANS}`, total === null ? FAINT : isMet ? GOOD : BAD, 'right')
      if (total !== null) stone(pen, middle + 50, base - 7, isMet)
      if (seat === line.dealer) write('★', middle - 70, base - 2, `400 16px ${SANS}`, GOLD)
    })
  })
}

/** A PNG of the whole sheet, twice as fine as it is measured. */
export async function pictureOf(pad: Pad, when: string): Promise<Blob> {
  await document.fonts.ready
  const width = 2 * MARGIN + NUMBER + pad.names.length * COLUMN
  const height = HEAD + 12 + pad.lines.length * ROW + 80
  const canvas = Object.assign(document.createElement('canvas'), { width: 2 * width, height: 2 * height })
  const pen = canvas.getContext('2d')!
  pen.scale(2, 2)
  pen.fillStyle = PAPER
  pen.fillRect(0, 0, width, height)
  pen.fillStyle = INK
  pen.font = `700 34px ${SERIF}`
  pen.fillText(fitted(pen, say('web.sheet.title'), width - 2 * MARGIN), MARGIN, 66)
  pen.font = `400 18px ${SANS}`
  pen.fillStyle = FAINT
  pen.fillText(fitted(pen, [when, say(`web.rulebook.${pad.rules.rulebook}` as 'web.rulebook.es')].filter(Boolean).join(' · '), width - 2 * MARGIN), MARGIN, 98)
  drawSheet(pen, pad, width)
  pen.textAlign = 'left'
  pen.font = `400 18px ${SANS}`
  pen.fillStyle = pad.is_over ? INK : FAINT
  const below = pad.is_over ? gameEnded(pad) : say('score.legend', { met: '●', missed: '○', dealer: '★' })
  pen.fillText(fitted(pen, below, width - 2 * MARGIN), MARGIN, height - 34)
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png'))
}

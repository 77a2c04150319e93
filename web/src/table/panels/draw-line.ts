/** What is said while the players' words for the next game are being shown; empty at any other time. */
import { join, say } from '../../i18n'
import type { Table } from '../../protocol'

export function drawLine({ draw, seats }: Table): string {
  if (!draw) return ''
  const missing = seats.filter(({ seat }) => draw.missing.includes(seat)).map(({ name }) => name ?? '')
  return missing.length > 0 ? say('web.fair.waiting', { names: join(missing) }) : say('web.fair.drawing')
}

/**
 * Where a tip goes: near what it is about, never over it nor over anything that must be tapped, and over as little as
 * possible of the rest. Pure, so that it is tested without a page. Everything is in pixels.
 */

export interface Size {
  width: number
  height: number
}

export interface Rect extends Size {
  x: number
  y: number
}

const GAP = 6
const STEP = 4
const ACROSS = 20
/** What it costs to cover a square pixel of what must stay free, or of anything else, and a pixel of distance. */
const NEVER = 10_000
const RATHER_NOT = 3
const DISTANCE = 30

const between = (from: number, length: number, otherFrom: number, otherLength: number) => Math.max(otherFrom - from - length, from - otherFrom - otherLength)

/** The area that two boxes share, with a gap around the second. */
function overlap(one: Rect, other: Rect): number {
  const across = Math.min(one.x + one.width, other.x + other.width + GAP) - Math.max(one.x, other.x - GAP)
  const down = Math.min(one.y + one.height, other.y + other.height + GAP) - Math.max(one.y, other.y - GAP)
  return across > 0 && down > 0 ? across * down : 0
}

const covered = (box: Rect, others: readonly Rect[]) => others.reduce((sum, one) => sum + overlap(box, one), 0)

function distance(one: Rect, other: Rect): number {
  return Math.hypot(Math.max(0, between(one.x, one.width, other.x, other.width)), Math.max(0, between(one.y, one.height, other.y, other.height)))
}

/** The box around all of these. */
export function around(boxes: readonly Rect[]): Rect {
  const x = Math.min(...boxes.map((one) => one.x))
  const y = Math.min(...boxes.map((one) => one.y))
  return { x, y, width: Math.max(...boxes.map((one) => one.x + one.width)) - x, height: Math.max(...boxes.map((one) => one.y + one.height)) - y }
}

/** The upper left corner of the tip, inside `room`. */
export function tipPlace(tip: Size, room: Rect, about: Rect, never: readonly Rect[], rather: readonly Rect[]): { x: number; y: number } {
  const last = { x: Math.max(room.x, room.x + room.width - tip.width), y: Math.max(room.y, room.y + room.height - tip.height) }
  const centred = about.x + about.width / 2 - tip.width / 2
  const columns = [Math.round(Math.min(last.x, Math.max(room.x, centred))), last.x]
  for (let x = room.x; x < last.x; x += ACROSS) columns.push(x)
  let best = { x: columns[0]!, y: room.y }
  let least = Infinity
  for (let y = room.y; y <= last.y; y += STEP) {
    for (const x of columns) {
      const box = { x, y, ...tip }
      const cost = covered(box, [about, ...never]) * NEVER + covered(box, rather) * RATHER_NOT + distance(box, about) * DISTANCE
      if (cost < least) {
        least = cost
        best = { x, y }
      }
    }
  }
  return best
}

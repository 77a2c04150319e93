/**
 * The shapes that every card is made of, drawn once around the origin and used by reference.
 *
 * A card is 100 × 140. Symbols fill about 24 × 24; `currentColor` is the colour of the place where a shape is used.
 * No two peoples share a symbol, a stone or a pattern, so that colour is never the only difference.
 */

export const PEOPLES = ['B', 'R', 'G', 'Y'] as const
export type People = (typeof PEOPLES)[number]

/** Colours that differ in lightness as well as in hue, dark to light: blue, red, green, yellow. Each is at least 3:1 on ivory. */
export const INK: Record<People, string> = { B: '#1c4a97', R: '#b3202c', G: '#2a8247', Y: '#b07800' }

/** The same for numbers that are drawn small: each is at least 4.5:1 on ivory. */
export const SMALL_INK: Record<People, string> = { B: '#1c4a97', R: '#a51c28', G: '#1e6f38', Y: '#986500' }

/** A shape used at a place, in a size and a colour. */
export const use = (id: string, x: number, y: number, scale: number, colour?: string) =>
  `<use href="#${id}" transform="translate(${x} ${y})${scale === 1 ? '' : ` scale(${scale})`}"${colour ? ` fill="${colour}" color="${colour}"` : ''}/>`

export const panel = (fill: string) => `<rect x="5" y="5" width="90" height="130" rx="6" fill="${fill}"/>`

/** The index in one corner, and the same or another one upside down in the opposite corner. */
export const corners = (head: string, foot = head) => `${head}<g transform="rotate(180 50 70)">${foot}</g>`

export const GOLD = '#f2c75c'

const symbol = (id: string, body: string) => `<g id="${id}">${body}</g>`
const path = (d: string, rest = '') => `<path d="${d}"${rest ? ` ${rest}` : ''}/>`

const towers = path(
  'M-9 12-7.4-1H-10V-11H-6.4V-7.6H-1.8V-11H1.8V-7.6H6.4V-11H10V-1H7.4L9 12H3V6.5a3 3 0 0 0-6 0V12zM-1.1 2.4V-3.4H1.1V2.4z',
  'fill-rule="evenodd"',
)
const hammer = path(
  'M-11.5-10.5H-8.5V-11.5H6.5L12-6.5 6.5-1.5H2.4V8.5L3.6 10V12H-3.6V10L-2.4 8.5V-1.5H-8.5V-2.5H-11.5zM-2.4 1.2 2.4-.6V1.4L-2.4 3.2zM-2.4 5 2.4 3.2V5.2L-2.4 7z',
  'fill-rule="evenodd"',
)
const leaf =
  path('M0-12.5C8.6-7.6 10.4 2.4 .9 9.2V12.5H-.9V9.2C-10.4 2.4-8.6-7.6 0-12.5z') +
  path('M0-8V8M0-3.4 3.6-6M0-3.4-3.6-6M0 1 4.8-2.4M0 1-4.8-2.4M0 5 4 2.2M0 5-4 2.2', 'stroke="#fbf6e9" stroke-width="1.1" fill="none"')
const mountain =
  path('M-13 11-3.6-11 1.6-1.4 4.8-6 13 11z') +
  path('M-3.6-11 .2-4-1.6-5.4-3.4-2.6-5-5.2-6.6-4zM4.8-6 7.4-.6 5.6-1.8 4.4 .2 3.2-1.4 2.2-2.2z', 'fill="#fbf6e9" opacity=".92"')

const star8 = 'M0-12 2.3-4.6 8.5-8.5 4.6-2.3 12 0 4.6 2.3 8.5 8.5 2.3 4.6 0 12-2.3 4.6-8.5 8.5-4.6 2.3-12 0-4.6-2.3-8.5-8.5-2.3-4.6z'

/** A fool's cap with three horns: left, middle and right, and a band. */
const cap =
  path('M-7 8C-7 4-7 1-8.2-1-9.2-2.6-11-2.6-12.6-.4-13-7.6-5.2-11-2.6-3.4-2-6.6-1.2-8.6 0-10.4 1.2-8.6 2-6.6 2.6-3.4 5.2-11 13-7.6 12.6-.4 11-2.6 9.2-2.6 8.2-1 7 1 7 4 7 8zM-7.4 9.3H7.4V12H-7.4z') +
  '<circle cx="-11.6" cy="2" r="2.2"/><circle cy="-11" r="2.2"/><circle cx="11.6" cy="2" r="2.2"/>'

const flame = 'M0 12C-7 12-9.5 6.5-7.5 1.5-6.6 3.6-5.4 4.4-4 4.6-6.4-2.4-2-6.4 1-12 1.4-7 7.6-3.8 8.4 3.4 8.8 8.4 5.6 12 0 12z'
const cloud = 'M-8.4 7.5A5.2 5.2 0 0 1-8.8-2.8 6.4 6.4 0 0 1 2.4-6 5.4 5.4 0 0 1 9.4-1.4 4.6 4.6 0 0 1 8.6 7.5z'
const wings = 'M0 1C-3-9-12.5-11-12-5.5-11.6-1.5-6 .6-1 1.4-7 2-9.5 5.4-7.6 8.4-5.6 11-1.4 7 0 2.6 1.4 7 5.6 11 7.6 8.4 9.5 5.4 7 2 1 1.4 6 .6 11.6-1.5 12-5.5 12.5-11 3-9 0 1z'
const wolf = 'M-10.5-11-5.6-6.2H5.6L10.5-11 11 0 6.4 5 2.6 11.6H-2.6L-6.4 5-11 0zM-7-1.6-2.8 1.4-6.4 1.6zM7-1.6 2.8 1.4 6.4 1.6zM-1.8 7.6H1.8L0 9.8z'

/** A standing stone; rings of them are on every Wizard, on the back, on the table. */
const stone = 'M-3 5-3.4-3.4-1.6-6 1.8-5.4 3.2-3 3.4 5z'

/** Small stones that count a card's number, each people's own: a merlon, a gem, a bud, a peak. */
const pips: Record<People, string> = {
  B: 'M-2.6 3.6V-3.6H-1V-2H1V-3.6H2.6V3.6z',
  R: 'M0-4.4 3.2 0 0 4.4-3.2 0z',
  G: 'M0-4.8C3.6-1.6 3.4 2 0 4.8-3.4 2-3.6-1.6 0-4.8z',
  Y: 'M0-4.2 3.9 3.4H-3.9z',
}

/** What fills the middle of a card, each people's own: courses of stone, facets, veins, ridges. */
const patterns: Record<People, string> = {
  B: 'M0 0H10M0 6H10M2 0V6M7 6V12',
  R: 'M0 0 10 12M10 0 0 12',
  G: 'M5 0C1 3 1 9 5 12M5 0C9 3 9 9 5 12',
  Y: 'M0 4 5 0 10 4M0 10 5 6 10 10',
}

/** What all cards of a people share: the face, the patterned middle with the symbol, the symbols in the corners. */
const middle = (people: People) =>
  `<use href="#face"/><ellipse cx="50" cy="70" rx="23" ry="34" fill="url(#p-${people})"/><ellipse cx="50" cy="70" rx="23" ry="34" fill="${INK[people]}" opacity=".07"/>` +
  use(`s-${people}`, 50, 70, 1.55, INK[people]) +
  corners(use(`s-${people}`, 17.5, 50, 0.78, INK[people]))

/** The stones stand in the people's colour: `currentColor`. */
const WIZARD =
  '<use href="#face"/>' +
  panel('url(#g-z)') +
  '<circle cx="50" cy="50" r="34" fill="url(#g-glow)" opacity=".55"/><ellipse cx="50" cy="113" rx="36" ry="12" fill="#241a47" opacity=".6"/><g fill="currentColor" stroke="#f2c75c" stroke-width=".5">' +
  ([[23, 103, 2.1], [33, 98, 1.8], [43, 95, 1.55], [57, 95, 1.55], [67, 98, 1.8]] as const).map(([x, y, scale]) => use('s-stone', x, y, scale)).join('') +
  `</g><path d="M50 127 49 62M49 64c-11-2-14-12-9-20 4-6 13-6 16 0" stroke="${GOLD}" stroke-width="4" stroke-linecap="round" fill="none"/>` +
  use('s-star', 52, 54, 1.05, '#fff4cf') +
  corners(use('s-star', 19, 21, 1.1, GOLD))

/** The bells are in the people's colour. */
const JESTER =
  '<use href="#face"/>' +
  panel('url(#g-n)') +
  '<g stroke="#4d4e57" stroke-width="1.6" stroke-linejoin="round"><path d="M32 94C29 80 24 70 14 70 18 53 36 53 41 70zM68 94C71 80 76 70 86 70 82 53 64 53 59 70z" fill="#fff"/><path d="M32 94C34 68 40 50 50 40 60 50 66 68 68 94z" fill="#85868f"/><path d="M50 40C45 58 44 76 45 94H55C56 76 55 58 50 40zM30 93H70V103H30z" fill="#fff"/></g>' +
  '<g fill="currentColor" stroke="#4d4e57" stroke-width="1.2"><circle cx="15" cy="73" r="5"/><circle cx="50" cy="38" r="5"/><circle cx="85" cy="73" r="5"/><circle cx="36" cy="98" r="2.4"/><circle cx="50" cy="98" r="2.4"/><circle cx="64" cy="98" r="2.4"/></g>' +
  corners(use('s-cap', 19.5, 21, 1, '#55565f'))

const round = (value: number) => Math.round(value * 10) / 10

/** Places on an ellipse around the middle of a card, from the top, clockwise. */
export function ring(count: number, rx: number, ry: number): { x: number; y: number }[] {
  return Array.from({ length: count }, (_, place) => {
    const angle = (place / count) * 2 * Math.PI
    return { x: round(50 + rx * Math.sin(angle)), y: round(70 - ry * Math.cos(angle)) }
  })
}

/** As many places as the number says, joined by arcs; a marker stands on each and turns with the arc. */
function ringPath(count: number): string {
  const [first, ...rest] = ring(count, 25, 38)
  const arc = (x: number, y: number) => `A25 38 0 0 1 ${x} ${y}`
  return `M${first!.x} ${first!.y}${rest.map(({ x, y }) => arc(x, y)).join('')}${arc(49.9, 32)}`
}

const numbers = Array.from({ length: 13 }, (_, place) => place + 1)

const gradient = (id: string, top: string, bottom: string) =>
  `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`

/** All shared shapes; put once into the page, before any card. */
export const SPRITE =
  '<defs>' +
  gradient('g-z', '#3a2a6b', '#6d4aa3') +
  gradient('g-n', '#f4f3f0', '#c9c9cf') +
  gradient('g-dragon', '#2b0d12', '#8e2416') +
  gradient('g-fairy', '#e9f7ef', '#a9d8cf') +
  gradient('g-bomb', '#e8dcc6', '#c48f4e') +
  gradient('g-wolf', '#0f1b3d', '#3d5487') +
  gradient('g-jug', '#fff3d6', '#f0c878') +
  gradient('g-cloud', '#8fc1e8', '#e4f1fa') +
  gradient('g-back', '#1a2545', '#0e1630') +
  '<radialGradient id="g-glow"><stop stop-color="#ffe9a8" stop-opacity=".95"/><stop offset="1" stop-color="#ffe9a8" stop-opacity="0"/></radialGradient>' +
  PEOPLES.map(
    (people) =>
      `<pattern id="p-${people}" width="10" height="12" patternUnits="userSpaceOnUse"><path d="${patterns[people]}" stroke="${INK[people]}" stroke-width=".7" fill="none" opacity=".34"/></pattern>`,
  ).join('') +
  symbol('s-B', towers) +
  symbol('s-R', hammer) +
  symbol('s-G', leaf) +
  symbol('s-Y', mountain) +
  symbol('s-star', path(star8)) +
  symbol('s-cap', cap) +
  symbol('s-flame', path(flame)) +
  symbol('s-cloud', path(cloud)) +
  symbol('s-wings', path(wings)) +
  symbol('s-wolf', path(wolf, 'fill-rule="evenodd"')) +
  symbol('s-bomb', '<circle cy="2.6" r="9.4"/>' + path('M-2.6-9.6H2.6V-5H-2.6z') + path('M0-9C1-13 5-12.6 7.6-10.4', 'stroke="currentColor" stroke-width="1.6" fill="none"')) +
  symbol('s-stone', path(stone)) +
  PEOPLES.map((people) => `<marker id="k-${people}" viewBox="-6 -6 12 12" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto" fill="${INK[people]}">${path(pips[people])}</marker>`).join('') +
  numbers.map((value) => path(ringPath(value), `id="r${value}" fill="none"`)).join('') +
  symbol('face', '<rect x=".5" y=".5" width="99" height="139" rx="9.5" fill="#fbf6e9" stroke="#cdbf9f"/>') +
  PEOPLES.map((people) => symbol(`m-${people}`, middle(people))).join('') +
  symbol('wizard', WIZARD) +
  symbol('jester', JESTER) +
  '</defs>'

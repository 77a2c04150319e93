/** The 67 card faces, the back, and what a card shows once something was declared with it. */
import { GOLD, INK, PEOPLES, SPRITE, corners, panel, ring, use, type People } from './shapes'

export { SPRITE }

/** A number in the corner; a fraction stands smaller beside it. */
function number(text: string, colour: string): string {
  const [, whole = '', part] = /^(\d+)(.*)$/.exec(text) ?? []
  const size = part ? 31 : whole.length > 1 ? 32 : 39
  const inner = part ? `${whole}<tspan font-size="19" dy="-5">${part}</tspan>` : whole
  const one = `<text x="${part ? 22 : whole.length > 1 ? 19.5 : 17.5}" y="34"${whole.length > 1 ? ' letter-spacing="-1.6"' : ''}>${inner}</text>`
  return `<g fill="${colour}" font-size="${size}" text-anchor="middle">${corners(one)}</g>`
}

function numbered(people: People, value: number): string {
  const stone = `url(#k-${people})`
  return `<use href="#m-${people}"/><use href="#r${value}" marker-start="${stone}" marker-mid="${stone}"/>` + number(String(value), INK[people])
}

const LIGHT: Record<People, string> = { B: '#7fb0f5', R: '#f58b80', G: '#86d69b', Y: '#f7d168' }

const wizard = (people: People) => `<use href="#wizard" color="${LIGHT[people]}"/>` + use(`s-${people}`, 19, 47, 0.8, LIGHT[people])
const jester = (people: People) => `<use href="#jester" color="${INK[people]}"/>` + use(`s-${people}`, 19, 47, 0.8, INK[people])

const SPECIALS: Record<string, () => string> = {
  DRAGON: () =>
    panel('url(#g-dragon)') +
    '<circle cx="50" cy="86" r="36" fill="url(#g-glow)" opacity=".5"/>' +
    // wing, body in an S, head with horns and jaw, and its breath
    '<path d="M44 74C50 48 66 34 88 30 82 40 82 46 84 54 76 54 72 58 71 66 64 64 58 68 56 78z" fill="#d9542b" stroke="#f2c75c" stroke-width="1.2"/><path d="M48 74 88 30M52 75 83 53M54 76 71 65" stroke="#f2c75c" stroke-width=".9" fill="none"/>' +
    '<path d="M28 48C42 46 44 58 40 68 35 80 40 92 54 94 70 96 78 86 74 78 88 90 80 112 58 112 36 112 24 96 29 78 32 68 34 64 27 63 22 66 17 66 13 63L23 58 14 55C18 50 22 47 28 48z" fill="#e9793a" stroke="#f2c75c" stroke-width="1.2" stroke-linejoin="round"/>' +
    '<path d="M28 48 35 38 34 49 42 43 37 53z" fill="#f2c75c"/><circle cx="26" cy="54" r="1.7" fill="#2b0d12"/><path d="M74 78 71 70 79 74z" fill="#f2c75c"/>' +
    '<path d="M40 98 46 92M48 105 54 97M60 106 63 97M70 102 70 94" stroke="#8e2416" stroke-width="1.4"/>' +
    corners(use('s-flame', 20, 22, 1.05, '#ffb648')),
  FAIRY: () =>
    panel('url(#g-fairy)') +
    '<circle cx="50" cy="70" r="38" fill="#fff" opacity=".55"/>' +
    use('s-wings', 50, 66, 3, '#6fbfae') +
    use('s-wings', 50, 66, 2.35, '#d8f3ea') +
    '<path d="M50 58C44 70 42 84 38 98 46 101 54 101 62 98 58 84 56 70 50 58z" fill="#1f7a69"/><circle cx="50" cy="51" r="7" fill="#f6d7b8"/><path d="M42.6 51C42 42 58 42 57.4 51 54 46 46 46 42.6 51z" fill="#8a5a22"/>' +
    '<path d="M46 99V110M54 99V110M54 66 72 54" stroke="#f6d7b8" stroke-width="2.6" stroke-linecap="round"/>' +
    use('s-star', 75, 51, 0.62, '#e0a92c') +
    use('s-star', 26, 34, 0.3, '#e0a92c') + use('s-star', 30, 106, 0.36, '#e0a92c') + use('s-star', 74, 96, 0.28, '#e0a92c') +
    corners(use('s-wings', 20, 21, 1.05, '#1f7a69')),
  BOMB: () =>
    panel('url(#g-bomb)') +
    '<g stroke="#a2641d" stroke-width="2" opacity=".5"><path d="M50 82 50 20M50 82 92 40M50 82 8 40M50 82 95 82M50 82 5 82M50 82 88 120M50 82 12 120M50 82 50 132"/></g>' +
    '<circle cx="48" cy="84" r="29" fill="#2c2d36"/><path d="M29 74A22 22 0 0 1 44 62" stroke="#8d8f9c" stroke-width="4" stroke-linecap="round" fill="none"/><path d="M57 53 68 48 73 58 62 63z" fill="#2c2d36"/>' +
    '<path d="M70 52C74 42 84 46 80 35" stroke="#6b4518" stroke-width="3" fill="none"/>' +
    use('s-star', 79, 32, 0.95, '#e2551d') + use('s-star', 79, 32, 0.5, '#ffe9a8') +
    corners(use('s-bomb', 20, 22, 1, '#2c2d36')),
  WEREWOLF: () =>
    panel('url(#g-wolf)') +
    '<circle cx="56" cy="60" r="29" fill="#f6e9bd"/><circle cx="47" cy="52" r="5" fill="#e4d39c"/><circle cx="66" cy="70" r="7" fill="#e4d39c"/><circle cx="62" cy="45" r="3" fill="#e4d39c"/>' +
    // a wolf on a rock, head thrown back
    '<path d="M5 118C24 104 40 108 54 110 70 112 82 104 95 108V129A6 6 0 0 1 89 135H11A6 6 0 0 1 5 129z" fill="#0a1128"/>' +
    '<path d="M36 112C34 96 38 84 45 76 47 68 46 62 50 56L49 47 56 52 72 41 74 45 67 55 64 59C66 70 64 78 62 86 60 96 61 104 63 112H57L55 98 49 112H42L44 100C40 104 39 108 41 112zM36 112C28 112 24 104 27 96 30 100 33 103 37 104z" fill="#10192f"/><circle cx="58.5" cy="54.5" r="1.3" fill="#f6e9bd"/>' +
    corners(use('s-wolf', 20, 22, 1, '#f6e9bd')),
  JUGGLER: () =>
    panel('url(#g-jug)') +
    '<path d="M24 88C18 50 36 30 50 30S82 50 76 88" stroke="#b07a1c" stroke-width="1.4" stroke-dasharray="2 4" fill="none"/>' +
    PEOPLES.map((people, place) => {
      const [x, y] = ([[25, 68], [42, 38], [64, 41], [78, 62]] as const)[place]!
      return `<circle cx="${x}" cy="${y}" r="9.5" fill="${INK[people]}"/>` + use(`s-${people}`, x, y, 0.5, '#fbf6e9')
    }).join('') +
    '<path d="M38 106 24 90M62 106 76 90" stroke="#8c3b6b" stroke-width="8" stroke-linecap="round"/><circle cx="23" cy="88" r="4.6" fill="#f6d7b8"/><circle cx="77" cy="88" r="4.6" fill="#f6d7b8"/><path d="M30 135C28 108 38 100 50 100S72 108 70 135z" fill="#8c3b6b"/><path d="M50 100 58 112 50 124 42 112z" fill="#f2c75c"/><circle cx="50" cy="87" r="11" fill="#f6d7b8"/><path d="M39 84C38 72 46 68 50 60 54 68 62 72 61 84 54 79 46 79 39 84z" fill="#8c3b6b"/><circle cx="50" cy="60" r="3" fill="#f2c75c"/><path d="M45 91Q50 96 55 91" stroke="#7a3a05" stroke-width="1.5" fill="none"/><circle cx="46" cy="86" r="1.2"/><circle cx="54" cy="86" r="1.2"/>' +
    number('7½', '#7a3a05'),
  CLOUD: () =>
    panel('url(#g-cloud)') +
    '<circle cx="66" cy="48" r="15" fill="#ffe08a"/>' +
    use('s-cloud', 58, 92, 2.3, '#c3dcef') +
    use('s-cloud', 48, 72, 3.1, '#fff') +
    '<path d="M34 74C34 66 46 64 48 72 49 78 42 80 40 76M54 68C54 62 64 62 64 69 64 74 57 75 57 71" stroke="#6a9cc4" stroke-width="2.2" stroke-linecap="round" fill="none"/>' +
    '<path d="M36 100 31 112M48 104 43 116M60 110 55 122M72 112 68 122" stroke="#3f78a8" stroke-width="2.4" stroke-linecap="round"/>' +
    number('9¾', '#173f66'),
  SHAPESHIFTER: () =>
    '<path d="M11 5H89A6 6 0 0 1 95 11V52L5 88V11A6 6 0 0 1 11 5z" fill="url(#g-z)"/><path d="M95 52V129A6 6 0 0 1 89 135H11A6 6 0 0 1 5 129V88z" fill="url(#g-n)"/><path d="M5 88 95 52" stroke="#fbf6e9" stroke-width="3"/>' +
    '<circle cx="56" cy="42" r="24" fill="url(#g-glow)" opacity=".6"/>' +
    `<path d="M40 34C40 20 72 20 72 34 72 48 64 58 56 58S40 48 40 34z" fill="#fff4cf"/><path d="M45 36Q49 32 53 36 49 39 45 36zM59 36Q63 32 67 36 63 39 59 36zM52 48Q56 46 60 48 56 51 52 48z" fill="#3a2a6b"/><path d="M40 27 48 14 56 24 64 14 72 27C62 20 50 20 40 27z" fill="${GOLD}"/>` +
    '<g transform="rotate(180 50 70)"><path d="M40 34C40 20 72 20 72 34 72 48 64 58 56 58S40 48 40 34z" fill="#fff" stroke="#55565f" stroke-width="1.2"/><path d="M44 37Q49 30 54 37M58 37Q63 30 68 37M47 45Q56 55 65 45" stroke="#55565f" stroke-width="2" fill="none" stroke-linecap="round"/><path d="M40 28C30 26 32 14 42 14 50 14 54 20 56 26 58 20 62 14 70 14 80 14 82 26 72 28 62 22 50 22 40 28z" fill="#85868f" stroke="#55565f"/></g>' +
    corners(use('s-star', 19, 21, 1, GOLD), use('s-cap', 19, 21, 1, '#55565f')),
}

/** A Juggler's or a Cloud's colour: a ribbon across the foot of the card, the symbol in its corner. */
const ribbon = (people: People) =>
  `<path d="M5 102H95V129H5z" fill="${INK[people]}"/>` + use(`s-${people}`, 50, 115.5, 0.95, '#fff') + '<circle cx="19" cy="53" r="13" fill="#fbf6e9"/>' + use(`s-${people}`, 19, 53, 0.78, INK[people])

const BACK =
  panel('url(#g-back)') +
  '<rect x="10" y="10" width="80" height="120" rx="4" fill="none" stroke="#c9a458" stroke-opacity=".55"/>' +
  '<circle cx="50" cy="70" r="26" fill="url(#g-glow)" opacity=".34"/>' +
  `<g fill="#5d6d9c" stroke="#93a2cc" stroke-width=".7">${ring(12, 30, 30).map(({ x, y }, place) => `<use href="#s-stone" transform="translate(${x} ${y}) rotate(${place * 30}) scale(1.15)"/>`).join('')}</g>` +
  '<circle cx="50" cy="70" r="17" fill="none" stroke="#c9a458" stroke-opacity=".6"/>' +
  use('s-star', 50, 70, 0.9, GOLD)

/**
 * The markup inside a card's `<svg viewBox="0 0 100 140">`; `face` is a card's code, with its declaration where one
 * was made. Null is the back of a card.
 */
export function markup(face: string | null): string {
  const front = '<use href="#face"/>'
  if (face === null) return front + BACK
  const [code = '', said] = face.split(':')
  const special = SPECIALS[code]
  if (special) {
    if (code === 'SHAPESHIFTER') return said === 'N' ? `<g transform="rotate(180 50 70)">${front}${special()}</g>` : front + special()
    return front + special() + (isPeople(said) ? ribbon(said) : '')
  }
  const people = code.slice(-1)
  if (code.startsWith('Z') && isPeople(people)) return wizard(people)
  if (code.startsWith('N') && isPeople(people)) return jester(people)
  const own = code[0]
  return isPeople(own) ? numbered(own, Number(code.slice(1))) : front
}

function isPeople(letter: string | undefined): letter is People {
  return PEOPLES.some((people) => people === letter)
}

/** Every card, in the canonical order. */
export const CODES: readonly string[] = [
  ...PEOPLES.flatMap((people) => Array.from({ length: 13 }, (_, place) => `${people}${place + 1}`)),
  ...PEOPLES.map((people) => `Z${people}`),
  ...PEOPLES.map((people) => `N${people}`),
  ...Object.keys(SPECIALS),
]

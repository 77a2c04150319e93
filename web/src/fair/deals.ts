/** How the cards of a game follow from the server's secret and the players' words: docs/record.md, "Fair deals". */
import { commonDeck, ownDeck } from '../cards/deck'
import { hmacSha256, joined } from './hmac'
import { hex, sha256, utf8 } from './sha256'

const fromHex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))

export interface Deal {
  hands: string[][]
  turnedUp: string | null
}

/** What all deals of a game have in common. */
export interface Source {
  secret: string // in hex
  words: readonly string[]
  specials: readonly string[]
  peoples: readonly string[] | null // of each seat, in unicolor
}

/** What the server publishes of a secret before the game. */
export const commitment = (secret: string): string => hex(sha256(fromHex(secret)))

/** Who deals first. */
export function firstDealer({ secret, words }: Pick<Source, 'secret' | 'words'>): number {
  const drawn = hmacSha256(fromHex(secret), utf8(['first dealer', ...words].join('\n')))
  return drawn.reduce((rest, byte) => (rest * 256 + byte) % words.length, 0)
}

/** 32-bit numbers, eight from each hash of the seed and a counter. */
function* numbers(seed: Uint8Array): Generator<number, never> {
  for (let counter = 0; ; counter++) {
    const count = new DataView(new ArrayBuffer(8))
    count.setUint32(4, counter)
    const block = new DataView(sha256(joined(seed, new Uint8Array(count.buffer))).buffer)
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at)
  }
}

function shuffled(cards: string[], secret: string, lines: string[]): string[] {
  const drawn = numbers(hmacSha256(fromHex(secret), utf8(lines.join('\n'))))
  const order = [...cards]
  for (let last = order.length - 1; last > 0; last--) {
    const bound = 2 ** 32 - (2 ** 32 % (last + 1)) // numbers from here on would make low places more likely
    let number = drawn.next().value
    while (number >= bound) number = drawn.next().value
    const place = number % (last + 1)
    ;[order[last], order[place]] = [order[place]!, order[last]!]
  }
  return order
}

/** The cards of the round with this number. */
export function dealOf({ secret, words, specials, peoples }: Source, number: number, dealer: number): Deal {
  const lines = ['wizard-deal/1', String(number), ...words]
  if (peoples) {
    const hands = peoples.map((people, seat) => shuffled(ownDeck(people), secret, [...lines, String(seat)]).slice(0, number + 3))
    return { hands, turnedUp: null }
  }
  const order = shuffled(commonDeck(specials), secret, lines)
  const seats = words.length
  const hands = words.map((_, seat) => order.slice(0, seats * number).filter((_, place) => (dealer + 1 + place) % seats === seat))
  return { hands, turnedUp: order[seats * number] ?? null }
}

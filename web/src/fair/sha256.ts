/**
 * SHA-256. Browsers offer it only to pages that came over HTTPS, and a table in a home network did not. A game needs a
 * few hundred blocks at most, so speed does not matter.
 */

const WORD = 2 ** 32

/** The first bits of the fractional parts of the roots of the first primes: that is how the standard defines its constants. */
const fraction = (root: number) => Math.floor((root % 1) * WORD)
const PRIMES = Array.from({ length: 311 }, (_, n) => n + 2).filter((n) => Array.from({ length: n - 2 }, (_, d) => d + 2).every((d) => n % d !== 0))
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUNDS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)))

const turned = (x: number, by: number) => (x >>> by) | (x << (32 - by))

/** The message with a 1 bit, zeros and its length in bits after it: whole blocks of 64 bytes. */
function padded(message: Uint8Array): DataView {
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  blocks.set(message)
  blocks[message.length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setUint32(blocks.length - 8, Math.floor((message.length * 8) / WORD))
  view.setUint32(blocks.length - 4, (message.length * 8) % WORD)
  return view
}

export function sha256(message: Uint8Array): Uint8Array {
  const blocks = padded(message)
  const state = Uint32Array.from(START)
  const w = new Uint32Array(64)
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = blocks.getUint32(at + 4 * i)
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15]!, w[i - 2]!]
      w[i] = w[i - 16]! + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + w[i - 7]! + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10))
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!) | 0
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
    }
    ;[a, b, c, d, e, f, g, h].forEach((value, i) => (state[i]! += value))
  }
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((value, i) => digest.setUint32(4 * i, value))
  return new Uint8Array(digest.buffer)
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The hash by which a player fixes a word before showing it. */
export const wordHash = (commit: string, word: string): string => hex(sha256(utf8(`wizard-word/1\n${commit}\n${word}`)))

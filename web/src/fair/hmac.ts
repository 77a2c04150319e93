/** HMAC-SHA-256, for the deals. */
import { sha256 } from './sha256'

export function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** The key has at most 64 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const pad = (with_: number) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ with_)
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), message))))
}

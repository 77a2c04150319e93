/** The little of Node that vite.config.ts and the unit tests use: the types of all of it would be another dependency. */
declare module 'node:fs' {
  export function readFileSync(file: URL | string, encoding: 'utf8'): string
  export function writeFileSync(path: string, data: string): void
  export function readdirSync(folder: URL): string[]
}
declare module 'node:zlib' {
  export function brotliCompressSync(content: string | Uint8Array): Uint8Array
}
declare module 'node:crypto' {
  interface Hash {
    update(data: Uint8Array): Hash
    digest(form: 'hex'): string
  }
  export function createHash(name: string): Hash
  export function createHmac(name: string, key: Uint8Array): Hash
}
declare const process: { env: Record<string, string | undefined> }

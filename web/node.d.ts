/** The little of Node that vite.config.ts uses: the types of all of it would be another dependency. */
declare module 'node:fs' {
  export function readFileSync(file: URL, encoding: 'utf8'): string
  export function readdirSync(folder: URL): string[]
}
declare module 'node:zlib' {
  export function brotliCompressSync(content: string | Uint8Array): Uint8Array
}

import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

// `npm run dev` serves the page with live reload and asks a `foretell serve` on its usual port for the rest.
const server = 'http://127.0.0.1:8000'

/** Of a catalogue the page needs its own texts and the names of the rules; the server says its errors in words. */
function ownTexts(): Plugin {
  const needed = /^(web|colour)\.|^rules\.\w+\.(?!about$)[a-z_]+$/
  return {
    name: 'own-texts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/i18n\/[\w-]+\.json$/.test(id)) return null
      const texts = Object.entries(JSON.parse(code) as Record<string, string>).filter(([key]) => needed.test(key))
      return { code: JSON.stringify(Object.fromEntries(texts)), map: null }
    },
  }
}

export default defineConfig({
  plugins: [ownTexts(), svelte()],
  build: {
    outDir: '../src/foretell/server/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // a strict Content-Security-Policy: nothing as data:
    modulePreload: { polyfill: false }, // the polyfill would be an inline script
  },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
  test: { include: ['test/**/*.test.ts'] },
})

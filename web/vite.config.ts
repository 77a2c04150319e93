import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

// `npm run dev` serves the page with live reload and asks a `foretell serve` on its usual port for the rest.
const server = 'http://127.0.0.1:8000'

/**
 * Of a catalogue the page needs its own texts and the names of the rules; the server says its errors in words. The texts
 * about the check of the deals come with that check (`?fair`).
 */
function ownTexts(): Plugin {
  const needed = /^(web|colour)\.|^fair\.missing|^rules\.\w+\.(?!about$)[a-z_]+$/
  const neededForFairDeals = /^fair\.(page|proven|unproven|broken|problem)/
  return {
    name: 'own-texts',
    enforce: 'pre',
    transform(code, id) {
      const found = /\/i18n\/[\w-]+\.json(\?fair)?$/.exec(id)
      if (!found) return null
      const keys = found[1] ? neededForFairDeals : needed
      const texts = Object.entries(JSON.parse(code) as Record<string, string>).filter(([key]) => keys.test(key))
      const json = JSON.stringify(Object.fromEntries(texts))
      // Vite reads JSON by itself, but not with a query.
      return found[1] ? { code: `export default ${json}`, map: null, moduleType: 'js' } : { code: json, map: null }
    },
  }
}

const read = (name: string) => readFileSync(new URL(`src/${name}`, import.meta.url), 'utf8')

/**
 * The first paint waits for index.html only: its style and the script that chooses the theme are put into it, and the
 * other stylesheet comes last, where it does not hold up what is above it. The server's policy allows both by their hash.
 */
function firstPaint(): Plugin {
  const minified = (css: string) => css.replace(/\/\*[^]*?\*\//g, '').replace(/\s*([{};,>])\s*/g, '$1').replace(/:\s+/g, ':').trim()
  const script = () => read('first-paint.js').replace(/^ *\/\/.*$/gm, '').replace(/\n\s*/g, '\n').trim()
  return {
    name: 'first-paint',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const sheet = /\s*<link rel="stylesheet"[^>]*>/
        const last = sheet.exec(html)?.[0] ?? ''
        return {
          html: html.replace(sheet, '').replace(/\s*<\/body>/, (end) => last + end).replace(/\s*<!--[^]*?-->/g, '').replace(/\n\s+/g, '\n'),
          tags: [
            { tag: 'script', children: script(), injectTo: 'head' },
            { tag: 'style', children: minified(read('first-paint.css')), injectTo: 'head' },
          ],
        }
      },
    },
  }
}

/** Scripts and stylesheets also compressed with Brotli, a sixth smaller than gzip: browsers accept it over HTTPS. */
function brotli(): Plugin {
  return {
    name: 'brotli',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!/\.(js|css)$/.test(file.fileName)) continue
          const content = file.type === 'chunk' ? file.code : file.source
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(content) })
        }
      },
    },
  }
}

export default defineConfig({
  plugins: [ownTexts(), svelte(), firstPaint(), brotli()],
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

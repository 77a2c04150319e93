import { readdirSync, readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin, Rollup } from 'vite'
import { defineConfig } from 'vitest/config'

// `npm run dev` serves the page with live reload and asks a `foretell serve` on its usual port for the rest.
const server = 'http://127.0.0.1:8000'

const read = (name: string) => readFileSync(new URL(`src/${name}`, import.meta.url), 'utf8')

/** The catalogues: one file for each language, shared with Python. With `?pad`, only the texts of the score pad. */
const CATALOGUE = /\/i18n\/([\w-]+)\.json(\?pad)?$/

/**
 * Of a catalogue the page needs its own texts, the names of the rules and the errors, but nothing of the terminal. Those of
 * the score pad, some of which it shares with `foretell score`, are a file of their own. A text that a translation does not
 * have yet is in English; a test keeps such translations out of releases.
 */
function ownTexts(): Plugin {
  const always = /^(web\.(?!pad\.)|colour\.|error\.)|^fair\.(missing|page|proven|unproven|broken|problem)|^rules\.\w+\.(?!about$)[a-z_]+$/
  const ofPad = /^web\.pad\.|^score\.(round|secret|bids_over|bids_under|bids_even|cloud|right|foretold|missed|not_foretold|bombed|won|legend)(_one|_other)?$/
  return {
    name: 'own-texts',
    enforce: 'pre',
    transform(code, id) {
      const found = CATALOGUE.exec(id)
      if (!found) return null
      const needed = found[2] ? ofPad : always
      const english = JSON.parse(read('../../src/foretell/i18n/en.json')) as Record<string, string>
      const texts = Object.entries({ ...english, ...(JSON.parse(code) as Record<string, string>) }).filter(([key]) => needed.test(key))
      const written = JSON.stringify(Object.fromEntries(texts))
      return found[2] ? { code: `export default ${written}`, moduleType: 'js', map: null } : { code: written, map: null }
    },
  }
}

/**
 * The first paint waits for index.html only: its style and the script that chooses theme and language are put into it, and the
 * other stylesheet comes last, where it does not hold up what is above it. The server's policy allows both by their hash.
 */
function firstPaint(): Plugin {
  const minified = (css: string) => css.replace(/\/\*[^]*?\*\//g, '').replace(/\s*([{};,>])\s*/g, '$1').replace(/:\s+/g, ':').trim()
  const script = (files: Record<string, string>) => read('first-paint.js').replace('__LANGUAGE_FILES__', JSON.stringify(files)).replace(/^ *\/\/.*$/gm, '').replace(/\n\s*/g, '\n').trim()
  return {
    name: 'first-paint',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const sheet = /\s*<link rel="stylesheet"[^>]*>/
        const last = sheet.exec(html)?.[0] ?? ''
        return {
          html: html.replace(sheet, '').replace(/\s*<\/body>/, (end) => last + end).replace(/\s*<!--[^]*?-->/g, '').replace(/\n\s+/g, '\n'),
          tags: [
            { tag: 'script', children: script(languageFiles(bundle)), injectTo: 'head' },
            { tag: 'style', children: minified(read('first-paint.css')), injectTo: 'head' },
          ],
        }
      },
    },
  }
}

/** Each language with the address of its file; without addresses where nothing is built, as in `npm run dev`. */
function languageFiles(bundle: Rollup.OutputBundle | undefined): Record<string, string> {
  if (!bundle) return Object.fromEntries(readdirSync(new URL('../src/foretell/i18n', import.meta.url)).flatMap((name) => (name.endsWith('.json') ? [[name.slice(0, -5), '']] : [])))
  const files = Object.values(bundle).flatMap((file) => {
    const [, language, part] = (file.type === 'chunk' && file.facadeModuleId && CATALOGUE.exec(file.facadeModuleId)) || []
    return language && !part ? [[language, `./${file.fileName}`] as const] : []
  })
  return Object.fromEntries(files)
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

/** What a file with texts is for, other than the page itself. */
const partOf = (id: string) => (id.includes('/i18n/handbook/') ? 'handbook.' : CATALOGUE.exec(id)?.[2] ? 'pad.' : '')

/** Whether the page needs a module from the start: then no lazily loaded part may pull it out into a file of its own. */
function isInFirstLoad(id: string, infoOf: (id: string) => { isEntry: boolean; importers: readonly string[] } | null, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  const info = infoOf(id)
  return info !== null && (info.isEntry || info.importers.some((importer) => isInFirstLoad(importer, infoOf, seen)))
}

export default defineConfig({
  base: './', // the page may be at any path of any host
  plugins: [ownTexts(), svelte(), firstPaint(), brotli()],
  build: {
    outDir: '../src/foretell/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // One stylesheet: Vite asks for that of a part only once, and a part whose stylesheet failed would come without any style.
    cssCodeSplit: false,
    assetsInlineLimit: 0, // a strict Content-Security-Policy: nothing as data:
    rolldownOptions: {
      output: {
        // Each language has files of the same name, of which only one is loaded with the page: this tells which is which.
        chunkFileNames: ({ facadeModuleId }) => `assets/${partOf(facadeModuleId ?? '')}[name]-[hash].js`,
        codeSplitting: { groups: [{ name: (id, context) => (isInFirstLoad(id, (one) => context.getModuleInfo(one)) ? 'page' : null) }] },
      },
    },
    modulePreload: { polyfill: false }, // the polyfill would be an inline script
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
  test: { include: ['test/**/*.test.ts'], setupFiles: ['test/setup.ts'] },
})

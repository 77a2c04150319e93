/**
 * The language of the page. One catalogue is loaded at a time; another can take its place while the page is open, and
 * every text on it changes, because `say` (i18n.ts) reads the state kept here.
 */

type Texts = Record<string, string>

interface Spoken {
  language: string
  /** For `Intl` and for the page's `lang`: to both, `pt` alone would be Brazilian. */
  locale: string
  texts: Texts
}

type Loaders = ReadonlyMap<string, () => Promise<Texts>>

/** How the file of each language is loaded, by its name. */
const loadersOf = (files: Record<string, () => Promise<Texts>>): Loaders => new Map(Object.entries(files).map(([path, load]) => [/([\w-]+)\.json/.exec(path)![1]!, load]))

// One file for each language. `vite.config.ts` leaves in it what the page needs.
const loaders = loadersOf(import.meta.glob<Texts>('../../src/foretell/i18n/*.json', { import: 'default' }))
/** The texts of screens that are loaded when they are needed. */
const more = new Map<string, Loaders>()

const localeOf = (language: string) => (language === 'pt' ? 'pt-PT' : language)

let spoken = $state.raw<Spoken>({ language: 'en', locale: 'en', texts: {} })

/** The language spoken now, and its texts. Whatever reads it in a component is shown anew when the language changes. */
export const currentLanguage = (): Spoken => spoken

/** Languages are loaded one after the other, so that the one that was asked for last is the one that is spoken. */
let turn: Promise<void> = Promise.resolve()

/** Loads a language and speaks it. Rejects if its file cannot be loaded; the page then goes on in the language it had. */
export const speak = (language: string): Promise<void> => inTurn(() => language)

function inTurn(language: () => string): Promise<void> {
  turn = turn.catch(() => undefined).then(() => load(language()))
  return turn
}

async function load(language: string): Promise<void> {
  const files = [loaders, ...more.values()].map((one) => (one.get(language) ?? one.get('en')!)())
  const texts = Object.assign({}, ...(await Promise.all(files))) as Texts
  const locale = localeOf(language)
  spoken = { language, locale, texts }
  document.documentElement.lang = locale
  document.querySelector('meta[name=description]')?.setAttribute('content', texts['web.home.lead'] ?? '')
}

/**
 * Loads the texts of one more part of the page, in the language spoken now. Every language spoken later comes with them.
 * They can be said after `speakAgain`. Rejects if the file cannot be loaded.
 */
export async function loadTexts(part: string, files: Record<string, () => Promise<Texts>>): Promise<void> {
  const found = loadersOf(files)
  await (found.get(spoken.language) ?? found.get('en')!)()
  more.set(part, found)
}
export const speakAgain = (): Promise<void> => inTurn(() => spoken.language)

/** What index.html has found out: the language chosen before, or the browser's. See first-paint.js. */
export const firstLanguage = (): string => document.documentElement.dataset['language'] ?? 'en'

/** Every language that there is, with its own name for itself, in alphabetical order. */
export const LANGUAGES = [...loaders.keys()]
  .map((language) => ({ language, name: nameOf(localeOf(language)) }))
  .sort((one, other) => one.name.localeCompare(other.name))

function nameOf(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language', languageDisplay: 'standard' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}

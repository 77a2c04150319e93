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

// One file for each language. `vite.config.ts` leaves in it what the page needs.
const files = import.meta.glob<Texts>('../../src/foretell/i18n/*.json', { import: 'default' })
const loaders = new Map(Object.entries(files).map(([path, load]) => [/([\w-]+)\.json$/.exec(path)![1]!, load]))

const localeOf = (language: string) => (language === 'pt' ? 'pt-PT' : language)

let spoken = $state.raw<Spoken>({ language: 'en', locale: 'en', texts: {} })

/** The language spoken now, and its texts. Whatever reads it in a component is shown anew when the language changes. */
export const currentLanguage = (): Spoken => spoken

/** Loads a language and speaks it. Rejects if its file cannot be loaded; the page then goes on in the language it had. */
export async function speak(language: string): Promise<void> {
  const load = loaders.get(language) ?? loaders.get('en')!
  const texts = await load()
  const locale = localeOf(language)
  spoken = { language, locale, texts }
  document.documentElement.lang = locale
  document.querySelector('meta[name=description]')?.setAttribute('content', texts['web.home.lead'] ?? '')
}

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

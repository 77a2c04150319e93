/** A person's settings, kept in this browser. */
import { say } from '../i18n'
import { currentLanguage, speak } from '../language.svelte'
import { store, stored } from '../storage'

export interface Settings {
  name: string
  language: string // of the page; empty for the browser's
  theme: 'auto' | 'dark' | 'light'
  text: 'normal' | 'large' | 'larger'
  motion: 'auto' | 'full' | 'none'
  pace: 'calm' | 'normal' | 'quick' | 'at_once' // of motion, and of the pauses between
  taps: 'two' | 'one' // to play a card
  playsOnlyCard: boolean
  sounds: boolean
  hasPlayed: boolean // until then the guided game is highlighted
}

const KEY = 'foretell.settings'
const DEFAULTS: Settings = {
  name: '',
  language: '',
  theme: 'auto',
  text: 'normal',
  motion: 'auto',
  pace: 'normal',
  taps: 'two',
  playsOnlyCard: false,
  sounds: false,
  hasPlayed: false,
}

export const settings: Settings = $state({ ...DEFAULTS, ...(stored(KEY) as Partial<Settings> | null) })

const MOST_NAME = 24

/** The player's name at tables and in the chat, cut to the allowed length: an old stored name may be longer. */
export const ownName = () => Array.from(settings.name.trim()).slice(0, MOST_NAME).join('') || say('web.name.default')

const isLight = matchMedia('(prefers-color-scheme: light)')
const isStill = matchMedia('(prefers-reduced-motion: reduce)')

/** Speaks another language from now on. Where its file cannot be loaded, everything stays as it is. */
export async function chooseLanguage(language: string): Promise<void> {
  await speak(language).catch(() => undefined)
  settings.language = currentLanguage().language
}

/** Applies the settings and stores them, now and whenever they change. Called once. */
export function watchSettings(): void {
  $effect.root(() => {
    $effect(() => {
      const root = document.documentElement
      root.dataset['theme'] = settings.theme === 'auto' ? (isLight.matches ? 'light' : 'dark') : settings.theme
      root.dataset['text'] = settings.text
      root.style.setProperty('--beat', String(beat()))
      document.querySelector('meta[name=theme-color]')?.setAttribute('content', root.dataset['theme'] === 'light' ? '#cfdae6' : '#0d1425')
      store(KEY, settings)
    })
  })
  addEventListener('storage', ({ key, newValue }) => {
    // another tab of this browser has chosen a language
    const { language } = key === KEY && newValue ? (JSON.parse(newValue) as Partial<Settings>) : {}
    if (language && language !== currentLanguage().language) void chooseLanguage(language)
  })
  isLight.addEventListener('change', () => {
    if (settings.theme === 'auto') document.documentElement.dataset['theme'] = isLight.matches ? 'light' : 'dark'
  })
}

const PACES = { calm: 1.6, normal: 1, quick: 0.5, at_once: 0 } as const

/** A factor for the pauses in which a player looks at the table: they are needed even without motion. */
export const pace = (): number => PACES[settings.pace]

/** A factor for the length of motion; 0 for none. */
export function beat(): number {
  const isMoving = settings.motion === 'full' || (settings.motion === 'auto' && !isStill.matches)
  return isMoving ? pace() : 0
}

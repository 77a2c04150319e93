/** What a person likes, kept in this browser. */
import { say } from '../i18n'

export interface Settings {
  name: string
  theme: 'auto' | 'dark' | 'light'
  text: 'normal' | 'large' | 'larger'
  motion: 'auto' | 'full' | 'none'
  pace: 'calm' | 'normal' | 'quick' | 'at_once' // of motion, and of the rests between
  taps: 'two' | 'one' // to play a card
  playsOnlyCard: boolean
  sounds: boolean
  hasPlayed: boolean // the guide is offered until then
}

const KEY = 'foretell.settings'
const DEFAULTS: Settings = {
  name: '',
  theme: 'auto',
  text: 'normal',
  motion: 'auto',
  pace: 'normal',
  taps: 'two',
  playsOnlyCard: false,
  sounds: false,
  hasPlayed: false,
}

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>
  } catch {
    return {} // private windows may have no storage, and what others wrote may be anything
  }
}

export const settings: Settings = $state({ ...DEFAULTS, ...stored() })

const MOST_NAME = 24

/** The name to sit down and to talk with; what is stored may be older than the bound on it. */
export const ownName = () => Array.from(settings.name.trim()).slice(0, MOST_NAME).join('') || say('web.name.default')

const isLight = matchMedia('(prefers-color-scheme: light)')
const isStill = matchMedia('(prefers-reduced-motion: reduce)')

/** Puts the settings into effect and keeps them; called once, lives as long as the page. */
export function watchSettings(): void {
  $effect.root(() => {
    $effect(() => {
      const root = document.documentElement
      root.dataset['theme'] = settings.theme === 'auto' ? (isLight.matches ? 'light' : 'dark') : settings.theme
      root.dataset['text'] = settings.text
      root.style.setProperty('--beat', String(beat()))
      document.querySelector('meta[name=theme-color]')?.setAttribute('content', root.dataset['theme'] === 'light' ? '#cfdae6' : '#0d1425')
      try {
        localStorage.setItem(KEY, JSON.stringify(settings))
      } catch {
        // no storage: the settings last as long as the page
      }
    })
  })
  isLight.addEventListener('change', () => {
    if (settings.theme === 'auto') document.documentElement.dataset['theme'] = isLight.matches ? 'light' : 'dark'
  })
}

const PACES = { calm: 1.6, normal: 1, quick: 0.5, at_once: 0 } as const

/** How long the table waits for the eye, as a factor: without motion there is still something to see. */
export const pace = (): number => PACES[settings.pace]

/** How long motion takes, as a factor; 0 without any. */
export function beat(): number {
  const isMoving = settings.motion === 'full' || (settings.motion === 'auto' && !isStill.matches)
  return isMoving ? pace() : 0
}

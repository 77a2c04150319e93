/** The panels that open over the table, and their titles: in the menu and above the panel. */
import { say, type Key } from '../../i18n'

const TITLES = {
  menu: 'web.menu.title',
  last: 'web.menu.last',
  log: 'web.menu.log',
  sheet: 'web.sheet.title',
  chart: 'web.menu.chart',
  people: 'web.menu.people',
  options: 'web.menu.options',
  rules: 'web.menu.rules',
  handbook: 'web.menu.handbook',
  invite: 'web.menu.invite',
  settings: 'web.menu.settings',
  chat: 'web.chat.title',
} as const satisfies Record<string, Key>

export type Panel = keyof typeof TITLES

export const panelTitle = (panel: Panel) => say(TITLES[panel])

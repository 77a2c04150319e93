/** The texts: the same catalogues that Python reads, one flat file for each language. */
import en from '../../src/foretell/i18n/en.json'

type Entry = keyof typeof en
type Singular<K> = K extends `${infer Base}_one` ? Base : never
/** A key of the catalogue; one that depends on a number is asked for without its plural suffix. */
export type Key = Entry | Singular<Entry>

export type Values = Record<string, string | number>

const language = 'en'
const texts: Record<string, string> = { ...en }
const plurals = new Intl.PluralRules(language)

/** Adds texts that only a part of the page needs, when that part is loaded. */
export const addTexts = (more: Record<string, string>) => void Object.assign(texts, more)

/** Whether the catalogue has this text. */
export const has = (key: string): key is Entry => key in texts

/** The text of `key` with its placeholders filled in; `count` chooses the plural form. */
export function say(key: Key, values: Values = {}): string {
  const plural = typeof values['count'] === 'number' ? `${key}_${plurals.select(values['count'])}` : key
  const text = texts[key] ?? texts[plural] ?? texts[`${key}_other`]
  if (text === undefined) throw new Error(`no text for '${key}'`)
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => isolated(String(values[name] ?? whole)))
}

/** A name written from right to left, isolated so that it does not reverse the numbers beside it. */
export const isolated = (text: string) => (/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text) ? `\u2068${text}\u2069` : text)

/** The text of a key that is put together at run time; `otherwise` where the catalogue does not have it. */
export const sayIfAny = (key: string, otherwise: string, values: Values = {}): string =>
  has(key) || has(`${key}_other`) ? say(key as Key, values) : otherwise

/** A number with its sign where it is a change: +30, −10. */
export const signed = (value: number) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0')
export const points = (value: number) => (value < 0 ? `−${-value}` : String(value))

const list = new Intl.ListFormat(language, { type: 'conjunction' })
export const join = (names: string[]) => list.format(names.map(isolated))

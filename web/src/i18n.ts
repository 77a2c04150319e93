/** The texts: the same catalogues that Python reads, one flat file for each language. */
import type en from '../../src/foretell/i18n/en.json'
import type handbook from '../../src/foretell/i18n/handbook/en.json'
import { currentLanguage } from './language.svelte'

type Entry = keyof typeof en | keyof typeof handbook
type Singular<K> = K extends `${infer Base}_one` ? Base : never
/**
 * A key of the catalogue; one that depends on a number is asked for without its plural suffix. The texts of the handbook are
 * there once it was opened (language.svelte.ts).
 */
export type Key = Entry | Singular<Entry>

/** A text that fills a placeholder. `{card:object}` asks for the form `KEY.object` of it, where the language has one. */
export interface Phrase {
  key: string
  values?: Values
}
export type Values = { [name: string]: string | number | Phrase }

/** Something of `Intl`, made again when the language changes. */
function perLocale<T>(make: (locale: string) => T): () => T {
  let made: { locale: string; tool: T } | null = null
  return () => {
    const { locale } = currentLanguage()
    if (made?.locale !== locale) made = { locale, tool: make(locale) }
    return made.tool
  }
}

const plurals = perLocale((locale) => new Intl.PluralRules(locale))
const list = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }))
const choice = perLocale((locale) => new Intl.ListFormat(locale, { type: 'disjunction' }))
const whole = perLocale((locale) => new Intl.NumberFormat(locale, { useGrouping: 'min2', maximumFractionDigits: 0 }))
const tenths = perLocale((locale) => new Intl.NumberFormat(locale, { useGrouping: 'min2', minimumFractionDigits: 1, maximumFractionDigits: 1 }))
const percents = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }))
const moments = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))

/** Whether the catalogue has this text. */
export const has = (key: string): key is Entry => key in currentLanguage().texts

/** The text of `key` with its placeholders filled in; `count` chooses the plural form. */
export function say(key: Key, values: Values = {}): string {
  const { texts } = currentLanguage()
  const plural = typeof values['count'] === 'number' ? `${key}_${plurals().select(values['count'])}` : key
  const text = texts[key] ?? texts[plural] ?? texts[`${key}_other`]
  if (text === undefined) throw new Error(`no text for '${key}'`)
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (placeholder, name: string, form?: string) => {
    const value = values[name]
    return value === undefined ? placeholder : isolated(filled(value, form))
  })
}

function filled(value: string | number | Phrase, form?: string): string {
  if (typeof value === 'number') return Number.isInteger(value) ? number(value) : String(value)
  if (typeof value === 'string') return value
  const inForm = `${value.key}.${form}`
  return say((form !== undefined && has(inForm) ? inForm : value.key) as Key, value.values)
}

/** A name written from right to left, isolated so that it does not reverse the numbers beside it. */
export const isolated = (text: string) => (/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text) ? `\u2068${text}\u2069` : text)

/** The text of a key that is put together at run time; `otherwise` where the catalogue does not have it. */
export const sayIfAny = (key: string, otherwise: string, values: Values = {}): string =>
  has(key) || has(`${key}_other`) ? say(key as Key, values) : otherwise

/** Numbers with a real minus sign, which `Intl` does not use in these languages. */
const withMinus = (text: string) => text.replace('-', '−')
const number = (value: number) => withMinus(whole().format(value))

/** A number with its sign where it is a change: +30, −10. */
export const signed = (value: number) => (value > 0 ? `+${number(value)}` : number(value))
export const points = number
/** A number with one decimal: 3.2, or 3,2. */
export const decimal = (value: number) => withMinus(tenths().format(value))
/** A share from 0 to 1: 45%, or 45 %. */
export const percent = (share: number) => percents().format(share)
/** A day and a time. */
export const moment = (at: number | Date) => moments().format(at)

export const join = (names: readonly string[]) => list().format(names.map(isolated))
/** 3 or 4. */
export const either = (names: string[]) => choice().format(names.map(isolated))

/**
 * The part of Python that generated.ts needs: functions of its library, what its operators mean for tuples and texts, and
 * msgspec's reading of JSON. Nothing here knows the game.
 */

type Items<T = any> = Iterable<T> | Record<string, T>

// Errors, as in src/foretell/errors.py. The page says them in its language: `sentenceOf` in pad-texts.ts.

export type ErrorValue = string | number | Term | Error | null

export class ForetellError extends Error {
  constructor(
    readonly code: string,
    readonly rule: string | null = null,
    readonly values: Record<string, ErrorValue> = {},
  ) {
    super(code)
  }
}
export class Unreadable extends ForetellError {}
export class NotAllowed extends ForetellError {}
export class NotAGame extends ForetellError {}
export class RulesClash extends NotAGame {}

/** The key of a text that fills a placeholder of another one. */
export interface Term {
  term: string
}
export const Term = (key: string): Term => ({ term: key })

// Sequences. A text is a sequence of code points; of an enum or a dictionary, these are the members or the keys.

export function list(items: Items): any[] {
  if (Array.isArray(items)) return items
  return typeof items === 'string' ? [...items] : isIterable(items) ? [...items] : Object.keys(items)
}
const isIterable = (items: Items): items is Iterable<any> => Symbol.iterator in items
/** The values of an enum, or the items of a sequence. */
export const tuple = (items: Items): any[] => (isIterable(items) ? list(items) : Object.values(items))
export const len = (items: Items): number => list(items).length
export const set = (items: Items): any[] => [...new Set(list(items))]
export const range = (first: number, end?: number): number[] => {
  const [from, to] = end === undefined ? [0, first] : [first, end]
  return Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place)
}
export const enumerate = (items: Items, start = 0): [number, any][] => list(items).map((one, place) => [start + place, one])
/** Python's `zip(..., strict=True)`. */
export function zip(...rows: Items[]): any[][] {
  const all = rows.map(list)
  const length = all[0]?.length ?? 0
  if (all.some((row) => row.length !== length)) throw new Error('rows of different lengths')
  return range(length).map((place) => all.map((row) => row[place]))
}
export const map = (made: (one: any) => unknown, items: Items): any[] => list(items).map((one) => made(one))
export const pairwise = (items: Items): [any, any][] => {
  const all = list(items)
  return all.slice(1).map((one, place) => [all[place], one])
}
export function accumulate(items: Items, added: (before: any, more: any) => unknown): any[] {
  const found: any[] = []
  for (const one of list(items)) found.push(found.length === 0 ? one : added(found.at(-1), one))
  return found
}
export const slice = (items: any, first: number, end?: number): any => (typeof items === 'string' ? [...items].slice(first, end).join('') : items.slice(first, end))
export const repeated = (items: any[], times: number): any[] => range(times).flatMap(() => items)
export const sum = (items: Items): number => list(items).reduce((total, one) => total + one, 0)
export const max = (items: Items): number => Math.max(...list(items))
export const min = (items: Items): number => Math.min(...list(items))
export const abs = Math.abs
export const any = (items: Items): boolean => list(items).some(truth)
export const all = (items: Items): boolean => list(items).every(truth)
export function next(items: Items): any {
  const found = list(items)
  if (found.length === 0) throw new Error('nothing was found')
  return found[0]
}
const byCodePoint = (one: any, other: any): number => {
  const [a, b] = [[...String(one)], [...String(other)]]
  const place = a.findIndex((character, at) => character !== b[at])
  return place < 0 ? a.length - b.length : (a[place]!.codePointAt(0) ?? 0) - (b[place]?.codePointAt(0) ?? -1)
}
export const sorted = (items: Items): any[] => [...list(items)].sort((one, other) => (typeof one === 'number' ? one - other : byCodePoint(one, other)))
export const index = (items: Items, wanted: unknown): number => list(items).findIndex((one) => equal(one, wanted))
export const count = (items: Items, wanted: unknown): number => list(items).filter((one) => equal(one, wanted)).length
export const items = (pairs: Record<string, any>): [string, any][] => Object.entries(pairs)
export const get = (pairs: Record<string, any>, key: string, otherwise: any): any => (Object.hasOwn(pairs, key) ? pairs[key] : otherwise)
export const get_args = (values: any): any => values

// What operators mean.

/** Whether Python takes a value as true: an empty sequence is not. */
export const truth = (value: any): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))
export const bool = truth
export const or = (one: any, other: any): any => (truth(one) ? one : other)
export const modulo = (one: number, other: number): number => ((one % other) + other) % other
/** Sequences and objects are equal if all their items are. */
export function equal(one: any, other: any): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => equal(one[key], other[key]))
}
export const contains = (items: Items, wanted: unknown): boolean => list(items).some((one) => equal(one, wanted))

// Types and objects.

export const int = 'number'
export const type = (value: unknown): string => typeof value
export const isinstance = (value: unknown, kind: any): boolean => (kind === bool ? typeof value === 'boolean' : value instanceof kind)
/** A copy with other values in some fields. */
export function replace<T extends object>(old: T, changes: Partial<T>): T {
  return Object.assign(Object.create(Object.getPrototypeOf(old)) as T, old, changes)
}
/** Sets a field of an object that is being made. */
export const assign = (owner: any, field: string, value: unknown): void => void (owner[field] = value)

// Texts.

/** An error stays one: the page says it in its own language. */
export const str = (value: any): any => (value instanceof ForetellError ? value : value instanceof Error ? value.message : typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value))
export const join = (between: string, texts: Items): string => list(texts).join(between)
export function format(value: number, spec: string): string {
  if (spec !== '+d') throw new Error(`unknown format: ${spec}`)
  return value < 0 ? String(value) : `+${value}`
}
export const unicodedata = { normalize: (form: string, text: string): string => text.normalize(form) }
/** The words of a text. Python's spaces are not quite those of JavaScript. */
export const split = (text: string): string[] => text.split(/[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/).filter((word) => word !== '')
/** Equal for texts that Python's `casefold` makes equal. */
export const casefold = (text: string): string => Array.from(text, (one) => (one === 'ı' ? one : one.toLowerCase().toUpperCase().toLowerCase())).join('')
/** scorepad/width.py: whether a character could control the terminal or change the direction of the text. */
export const is_unsafe = (character: string): boolean => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(character)
/** scorepad/width.py: whether nothing of a text can be seen. */
export const is_invisible = (text: string): boolean => /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]*$/u.test(text)

// msgspec: JSON to structs and back, by the shapes that generated.ts has.

type Kind = 'int' | 'str' | 'bool' | 'none' | 'object' | { readonly values: readonly unknown[] } | { readonly each: Kind } | { readonly any: readonly Kind[] } | { readonly struct: () => Struct }
interface Shape {
  readonly tag: readonly [string, string] | null
  readonly fields: readonly (readonly [string, Kind, boolean])[]
  readonly isClosed: boolean
  readonly omitsDefaults: boolean
}
type Struct<T = any> = (new (...fields: any[]) => T) & { readonly shape: Shape }

class MsgspecError extends Error {}
/** The value has another shape than its struct. */
class ValidationError extends MsgspecError {}
export class UnicodeError extends Error {}
export class RecursionError extends Error {}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function read(value: unknown, kind: Kind, place: string): unknown {
  const misfit = () => new ValidationError(place)
  if (typeof kind === 'string') {
    const fits = { int: Number.isInteger(value), str: typeof value === 'string', bool: typeof value === 'boolean', none: value === null, object: isObject(value) }[kind]
    if (!fits) throw misfit()
    return value
  }
  if ('values' in kind) {
    if (!kind.values.includes(value)) throw misfit()
    return value
  }
  if ('each' in kind) {
    if (!Array.isArray(value)) throw misfit()
    return value.map((one: unknown, at) => read(one, kind.each, `${place}[${at}]`))
  }
  if ('struct' in kind) return converted(value, kind.struct(), place)
  const hasSeveral = kind.any.filter((one) => typeof one === 'object' && 'struct' in one).length > 1
  const fitting = kind.any.find((one) => isOf(value, one, hasSeveral))
  if (fitting === undefined) throw misfit()
  return read(value, fitting, place)
}

/** Which one of several kinds a value must be: the type of JSON says it, and the tag where there are several structs. */
function isOf(value: unknown, kind: Kind, hasSeveral: boolean): boolean {
  if (typeof kind === 'object' && 'struct' in kind) {
    const { tag } = kind.struct().shape
    return isObject(value) && (tag === null || !hasSeveral || value[tag[0]] === tag[1])
  }
  if (typeof kind === 'object' && 'each' in kind) return Array.isArray(value)
  return kind === 'none' ? value === null : kind === 'int' ? typeof value === 'number' : kind === 'str' ? typeof value === 'string' : false
}

function converted<T>(value: unknown, struct: Struct<T>, place = '$'): T {
  const { tag, fields, isClosed } = struct.shape
  if (!isObject(value)) throw new ValidationError(place)
  // a tag may be left out where only one struct is possible
  if (tag !== null && Object.hasOwn(value, tag[0]) && value[tag[0]] !== tag[1]) throw new ValidationError(`${place}.${tag[0]}`)
  const known = new Set([...fields.map(([name]) => name), ...(tag ? [tag[0]] : [])])
  if (isClosed && Object.keys(value).some((key) => !known.has(key))) throw new ValidationError(place)
  const given = fields.map(([name, kind, isRequired]) => {
    if (Object.hasOwn(value, name)) return read(value[name], kind, `${place}.${name}`)
    if (isRequired) throw new ValidationError(`${place}.${name}`)
    return undefined // the default
  })
  return new struct(...given)
}

const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

function decoded<T>(text: string, struct: Struct<T>): T {
  let value: unknown
  try {
    JSON.parse(text)
    // 1.0 and 1e0 are no whole numbers for msgspec: they are read as something that is none here either
    value = JSON.parse(text.replace(TEXT_OR_NUMBER, (found) => (/^[-\d].*[.eE]/.test(found) ? '0.5' : found)))
  } catch {
    throw new MsgspecError('JSON')
  }
  return converted(value, struct)
}

/** A value as `msgspec.json.encode` writes it. */
export function as_json(value: any): string {
  if (Array.isArray(value)) return `[${value.map(as_json).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const { tag, fields, omitsDefaults } = (value.constructor as Struct).shape
  const usual: any = omitsDefaults ? new (value.constructor as Struct)() : {}
  const kept = fields.filter(([name, , isRequired]) => isRequired || !omitsDefaults || !equal(value[name], usual[name]))
  const pairs = [...(tag ? [tag] : []), ...kept.map(([name]) => [name, value[name]] as const)]
  return `{${pairs.map(([name, one]) => `${JSON.stringify(name)}:${as_json(one)}`).join(',')}}`
}

export const msgspec = { MsgspecError, ValidationError, convert: converted, json: { decode: decoded }, structs: { replace } }

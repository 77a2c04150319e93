/** The texts of the handbook, by section. They are loaded with it (`Handbook.svelte`), in the language that is spoken. */
import { join, say, sayIfAny, type Key } from '../i18n'
import type { Section } from './handbook'

export const titleOf = ({ key }: Section) => say(`handbook.${key}.title` as Key)
export const paragraph = ({ key }: Section, place: number) => sayIfAny(`handbook.${key}.${place + 1}`, '')
export const noteOf = ({ key, has_note }: Section) => (has_note ? say(`handbook.${key}.note` as Key) : '')

export const bookName = (book: string) => say(`handbook.book.${book}` as Key)
/** The short name of a rulebook, as docs/rules.md writes it: PT, ES, HU, BR, FR. */
export const bookCode = (book: string) => book.split('-').at(-1)!.toUpperCase()
export const offeredBy = (books: readonly string[]) => say('handbook.offered_by', { books: join(books.map(bookName)) })

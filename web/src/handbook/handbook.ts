/** The players' rules as data: sections, rulebooks and examples. Generated from src/foretell/handbook, which the engine plays. */
import type { Colour } from '../cards/names'
import type { GameEvent } from '../protocol'
import data from './handbook.json'

export interface Section {
  key: string
  group: 'game' | 'variants' | 'specials' | 'books'
  /** The ids of the rules that each paragraph explains. */
  paragraphs: string[][]
  cards: string[]
  examples: string[]
  has_note: boolean
  /** The rulebooks that offer this; null for what all of them have. */
  books: string[] | null
}

/** The table after one event of an example, with all hands open. */
export interface Step {
  event: GameEvent | null
  hands: string[][]
  turned_up: string
  trump: Colour | null
  bids: (number | null)[]
  won: number[]
  trick: { seat: number; face: string }[]
  winner?: number
  /** Whose turn it is, and the cards or the bids that are allowed. */
  asked?: { seat: number; cards?: string[]; bids?: number[] }
}

export interface Example {
  key: string
  names: string[]
  /** The numbers of the steps that have a sentence of their own. */
  explained: number[]
  steps: Step[]
}

const { books, sections, examples } = data as unknown as { books: string[]; sections: Section[]; examples: Record<string, Example> }

export const BOOKS: readonly string[] = books
export const SECTIONS: readonly Section[] = sections
export const GROUPS = ['game', 'variants', 'specials', 'books'] as const satisfies readonly Section['group'][]
export const sectionsOf = (group: Section['group']) => SECTIONS.filter((section) => section.group === group)
export const exampleOf = (key: string): Example => examples[key]!

/** The section that explains a rule (P3) or that has this key (cloud). */
export const sectionOf = (rule: string): Section | undefined => SECTIONS.find((section) => section.key === rule || section.paragraphs.some((rules) => rules.includes(rule)))

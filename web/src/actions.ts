/**
 * Actions as the server writes them: `bid 2`, `trump none`, `play JUGGLER:R`, `pass G3`, `change +1`.
 *
 * This is the only place that takes them apart or puts them together. Whether an action is allowed is the server's
 * business: `View.legal` lists what may be done now.
 */
import { isColour, parts, type Colour } from './cards/names'

/** Every action keeps its `text`, which is what is sent to the server. */
export type Action =
  | { kind: 'bid'; text: string; tricks: number }
  | { kind: 'trump'; text: string; colour: Colour | null }
  | { kind: 'play'; text: string; card: string; face: string; declared: string | null }
  | { kind: 'pass'; text: string; card: string }
  | { kind: 'change'; text: string; by: number }

export type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

export function readAction(text: string): Action {
  const [kind = '', what = ''] = text.split(' ')
  switch (kind) {
    case 'bid':
      return { kind, text, tricks: Number(what) }
    case 'trump':
      return { kind, text, colour: isColour(what) ? what : null }
    case 'play': {
      const { code, said } = parts(what)
      return { kind, text, card: code, face: what, declared: said }
    }
    case 'pass':
      return { kind, text, card: what }
    case 'change':
      return { kind, text, by: Number(what) }
    default:
      throw new Error(`not an action: '${text}'`)
  }
}

export const bidText = (tricks: number) => `bid ${tricks}`

/** Puts a card down without a declaration: for asking the server why that card may not be played. */
export const putDownText = (kind: 'play' | 'pass', card: string) => `${kind} ${card}`

/** The actions of one kind. */
export const ofKind = <Kind extends Action['kind']>(actions: readonly Action[], kind: Kind) =>
  actions.filter((action): action is ActionOf<Kind> => action.kind === kind)

/** The card that an action puts down; null where it puts down none. */
export const cardOf = (action: Action): string | null => (action.kind === 'play' || action.kind === 'pass' ? action.card : null)

/** The actions that put a card down, by card: several where the card needs a declaration. */
export function actionsByCard(actions: readonly Action[]): Map<string, Action[]> {
  const found = new Map<string, Action[]>()
  for (const action of actions) {
    const card = cardOf(action)
    if (card !== null) found.set(card, [...(found.get(card) ?? []), action])
  }
  return found
}

/** The trick that a decision belongs to, counted from 1, where it is about playing a card; null otherwise. */
export function trickOfDecision(decision: string): number | null {
  const [, phase, tricks] = decision.split(':') // round, phase, complete tricks
  return phase === 'play' ? Number(tricks) + 1 : null
}

/** Whether every card of the hand may be put down. */
export const isWholeHandOffered = (hand: readonly string[], legal: readonly string[]): boolean => actionsByCard(legal.map(readAction)).size === hand.length

import type { Emoted } from '../../protocol'

export type Emote = Emoted['emote']

export const EMOTES: readonly Emote[] = ['hello', 'thanks', 'well_played', 'oops', 'thinking', 'hurry', 'wow', 'laugh']

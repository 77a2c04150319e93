/** How long a game is: its first four or eight rounds, or all of them. A table may also choose its rounds one by one. */

export const LENGTHS = [4, 8, 'all'] as const
export type Length = (typeof LENGTHS)[number]

/** The rounds of a game of this length; null for all, as the server writes it. */
export const roundsOf = (length: Length): number[] | null => (length === 'all' ? null : Array.from({ length }, (_, place) => place + 1))

/** The length of a game with these rounds; null if they were chosen one by one. */
export const lengthOf = (rounds: readonly number[] | null): Length | null => LENGTHS.find((length) => roundsOf(length)?.join() === rounds?.join()) ?? null

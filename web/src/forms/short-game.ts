/** A short game: the first rounds. */
export const SHORT = [1, 2, 3, 4, 5, 6, 7, 8]

/** The rounds of a short game. */
export const SHORT = [1, 2, 3, 4, 5, 6, 7, 8]

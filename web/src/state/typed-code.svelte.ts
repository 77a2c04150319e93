/** The code of a table as it was last typed. It stays in the field until it has led to a table: one letter may be wrong. */
export const typedCode = $state({ text: '' })

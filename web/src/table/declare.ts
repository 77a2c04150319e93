/** Words that a card may need: only for asking the server about a card that is not legal now. */
export function declarations(card: string): string[] {
  if (card === 'JUGGLER' || card === 'CLOUD') return ['B', 'R', 'G', 'Y']
  return card === 'SHAPESHIFTER' ? ['Z', 'N'] : []
}

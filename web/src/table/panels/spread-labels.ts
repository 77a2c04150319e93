/** Rising places pushed apart to at least `gap`: downwards first, then up from `most` where they have gone beyond it. */
export function apart(places: readonly number[], gap: number, most: number): number[] {
  const found = [...places]
  for (let at = 1; at < found.length; at++) found[at] = Math.max(found[at]!, found[at - 1]! + gap)
  for (let at = found.length - 1, room = most; at >= 0; at--, room = found[at + 1]! - gap) found[at] = Math.min(found[at]!, room)
  return found
}

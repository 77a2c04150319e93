/** Rising positions, at least `gap` apart and none beyond `most`: pushed downwards first, then up again from `most`. */
export function spread(places: readonly number[], gap: number, most: number): number[] {
  const found = [...places]
  for (let at = 1; at < found.length; at++) found[at] = Math.max(found[at]!, found[at - 1]! + gap)
  for (let at = found.length - 1, room = most; at >= 0; at--, room = found[at + 1]! - gap) found[at] = Math.min(found[at]!, room)
  return found
}

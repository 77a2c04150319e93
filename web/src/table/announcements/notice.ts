/** One line that is said to this player now: why something did not happen, what the coach thinks, that the line is down. */
export interface Word {
  text: string
  kind: 'refusal' | 'coach' | 'lost'
}

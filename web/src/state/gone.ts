/**
 * Why there is nothing to show: there is no such table, it cannot be opened, the host has removed this player, the seat
 * has been lost, or page and server do not understand each other.
 */
export interface Gone {
  why: 'unknown' | 'refused' | 'removed' | 'unseated' | 'version'
  readonly text: string // in the language that is spoken when it is read
}

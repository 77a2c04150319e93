/** What the page and the worker with the tables say to each other. `docs/browser.md` describes it. */

/**
 * To the worker. `start` comes first; `engine` is the address of the engine's folder. Without `mayLoadNets`, those nets that
 * most levels do not need wait for `allow nets`.
 */
export type ToWorker =
  | { type: 'start'; engine: string; isTakingOver: boolean; mayLoadNets: boolean }
  | { type: 'allow nets' }
  | { type: 'ask'; id: number; method: string; path: string; body: string }
  | { type: 'connect' | 'disconnect'; connection: number }
  | { type: 'message'; connection: number; text: string }
  | { type: 'keep'; name: keyof KeptKeys; text: string }

/** Why nothing is stored: the browser does not allow it, there is no room, or a newer page was here. The tables go on in memory. */
export type StorageTrouble = 'blocked' | 'full' | 'newer'

/** What is loaded of the nets that somebody needs now, from 0 to 1; or how many bytes may not be loaded unasked; null: nothing of this. */
export type NetsNews = { loaded: number } | { asked: number } | null

/** The page's lists of keys to seats, as JSON. They are stored beside the tables: the page's own storage is written later. */
export interface KeptKeys {
  seats?: string
  guests?: string
}

/**
 * From the worker. `progress` is what has been loaded, from 0 to 1. After `elsewhere` (another tab has the tables) and
 * `failed`, the worker has ended.
 */
export type FromWorker =
  | { type: 'progress'; loaded: number }
  | { type: 'ready'; keys: KeptKeys }
  | { type: 'elsewhere' }
  | { type: 'failed'; why: string }
  | { type: 'storage'; trouble: StorageTrouble | null } // null: everything is stored again
  | { type: 'nets'; news: NetsNews }
  | { type: 'level'; level: string; played: string } // for want of a net, bots of a level play as a weaker one; or again as their own
  | { type: 'unreadable' } // some stored games are damaged, or of a newer version
  | { type: 'answer'; id: number; isAccepted: boolean; body: string }
  | { type: 'message'; connection: number; text: string }

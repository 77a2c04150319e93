/** What can be shown beside a replay. */
export type ReplayTab = 'tricks' | 'review' | 'sheet'

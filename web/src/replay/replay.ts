/** Everything about replays, which is loaded when one is opened. */
export { recordFileState } from './record-file.svelte'
export { default as ReplayScreen } from './ReplayScreen.svelte'

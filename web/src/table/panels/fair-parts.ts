/** What the page shows about fair deals. It is loaded when it is needed (`FairPart.svelte`). */
export { default as FairVerdict } from './FairVerdict.svelte'
export { default as FairWord } from './FairWord.svelte'

/** What the page shows about fair deals, with its texts. It is loaded when it is needed (`FairPart.svelte`). */
import texts from '../../../../src/foretell/i18n/en.json?fair'
import { addTexts } from '../../i18n'

addTexts(texts)

export { default as FairVerdict } from './FairVerdict.svelte'
export { default as FairWord } from './FairWord.svelte'

/** The way into the score pad: everything that it needs comes with this file, and its texts. */
import { has } from '../i18n'
import { loadTexts, speakAgain } from '../language.svelte'
import ScorePad from './ScorePad.svelte'

const texts = import.meta.glob<Record<string, string>>('../../../src/foretell/i18n/*.json', { import: 'default', query: '?pad' })

/** Loads what the pad needs, so that it can be opened without a network. */
export const loaded = (): Promise<void> => loadTexts('pad', texts)

/** The score pad, ready to be shown. */
export async function ready(): Promise<typeof ScorePad> {
  await loaded()
  if (!has('web.pad.new')) await speakAgain()
  return ScorePad
}

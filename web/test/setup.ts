/** The unit tests speak English. */
import { currentLanguage, speak } from '../src/language.svelte'

// there is no document here, and no page whose language could be set
globalThis.document ??= { documentElement: {}, querySelector: () => null } as unknown as Document
await speak('en')
if (!currentLanguage().texts['web.title']) throw new Error('the texts were not loaded')

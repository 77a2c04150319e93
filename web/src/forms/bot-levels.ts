/** How strong bots are: their names, and which one is taken where nobody says. */
import { sayIfAny } from '../i18n'

export const levelName = (level: string) => sayIfAny(`web.level.${level}`, level)
/** Neither the weakest nor the strongest. */
export const middleOf = (levels: readonly string[]) => levels[Math.floor((levels.length - 1) / 2)] ?? ''

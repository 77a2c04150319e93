/** The levels of bots: their names, and the one that is taken where nobody chooses. */
import { sayIfAny } from '../i18n'

export const levelName = (level: string) => sayIfAny(`web.level.${level}`, level)
/** Neither the weakest nor the strongest. */
export const middleOf = (levels: readonly string[]) => levels[Math.floor((levels.length - 1) / 2)] ?? ''

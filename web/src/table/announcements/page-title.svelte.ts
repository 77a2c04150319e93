import { say } from '../../i18n'
import type { TableState } from '../../state/table.svelte'

/** Says in the browser's tab when it is the player's turn. Called while a component is set up, and undone with it. */
export function showTurnInTitle(game: () => TableState): void {
  $effect(() => {
    const turn = game().view?.decision ? `● ${say('web.title.turn')} – ` : ''
    document.title = `${turn}${say('web.title')}`
  })
  $effect(() => () => (document.title = say('web.title')))
}

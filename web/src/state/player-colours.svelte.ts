import type { View } from '../protocol'

/**
 * In unicolor each player plays one people's cards. Their faces and lines wear that people's colour, on the whole page: a seat's
 * usual colour would be another player's. Called while a component is set up, and undone with it.
 */
export function wearPeoples(view: () => View | null): void {
  $effect(() => {
    const peoples = view()?.peoples
    if (!peoples) return
    const { style } = document.documentElement
    peoples.forEach((people, seat) => style.setProperty(`--p${seat}`, `var(--${people})`))
    return () => peoples.forEach((_, seat) => style.removeProperty(`--p${seat}`))
  })
}

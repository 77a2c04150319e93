/** The games that a table can choose at once, by their pictures. */
import type { FeaturedOffer, Rules, TableForm } from '../protocol'

/** The picture that stands for all books and variants. */
export const ALL = 'all'

/** The name of the featured game with these rules, whatever its rounds; of its special cards some may be left out. */
export function featuredName(rules: Rules, form: TableForm): string {
  const isLike = ({ rules: featured }: FeaturedOffer) =>
    featured.rulebook === rules.rulebook &&
    form.decisions.every(({ key, form: kind }) => {
      const [one, other] = [featured[key as keyof Rules], rules[key as keyof Rules]]
      if (kind === 'numbers') return true
      return Array.isArray(one) && Array.isArray(other) ? one.length > 0 === other.length > 0 : one === other
    })
  return form.featured.find(isLike)?.name ?? ALL
}

/** The decks in the order in which a shuffle begins (docs/record.md), and the one exchange that comes with a deal. */

const PEOPLES = ['B', 'R', 'G', 'Y']
const NUMBERS = Array.from({ length: 13 }, (_, n) => n + 1)
const SPECIALS = ['DRAGON', 'FAIRY', 'BOMB', 'WEREWOLF', 'JUGGLER', 'CLOUD', 'SHAPESHIFTER']

/** All cards of a game with these special cards. */
export const commonDeck = (specials: readonly string[]): string[] => [
  ...PEOPLES.flatMap((people) => NUMBERS.map((number) => `${people}${number}`)),
  ...['Z', 'N'].flatMap((kind) => PEOPLES.map((people) => `${kind}${people}`)),
  ...SPECIALS.filter((special) => specials.includes(special)),
]

/** V6: the deck of a seat with this people. */
export const ownDeck = (people: string): string[] => [...NUMBERS.map((number) => `${people}${number}`), `Z${people}`, `N${people}`]

/** X6: a hand after its Werewolf was exchanged for the card turned up. */
export const withoutWerewolf = (hand: readonly string[], turnedUp: string): string[] => hand.map((card) => (card === 'WEREWOLF' ? turnedUp : card))

"""Cards, what may be played, and who wins a trick.

A card is its code (`R7`, `ZB`, `JUGGLER`). A play is what the record writes for a card on the
table: the same code, with a declaration where one is due (`JUGGLER:R`).
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .refusal import Refused

COLOURS = ("B", "R", "G", "Y")
SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
WIZARDS = ("ZB", "ZR", "ZG", "ZY")
JESTERS = ("NB", "NR", "NG", "NY")
NUMBERED = {f"{colour}{number}": (colour, number) for colour in COLOURS for number in range(1, 14)}

SAID = {"JUGGLER": COLOURS, "CLOUD": COLOURS, "SHAPESHIFTER": ("Z", "N")}
SAYING_RULE = {"JUGGLER": "X7", "CLOUD": "X8", "SHAPESHIFTER": "X2"}
BETWEEN = {"JUGGLER": 7.5, "CLOUD": 9.75}


def deck(specials: Iterable[str]) -> list[str]:
    """The cards of C1 and the special cards in play, in the order of a fair deal."""
    return [*NUMBERED, *WIZARDS, *JESTERS, *(name for name in SPECIALS if name in set(specials))]


def own_deck(people: str) -> list[str]:
    """V6: one people's 15 cards."""
    return [*(f"{people}{number}" for number in range(1, 14)), f"Z{people}", f"N{people}"]


EVERY_CARD = frozenset(deck(SPECIALS))


def is_card(text: Any) -> bool:
    return isinstance(text, str) and text in EVERY_CARD


def card_of(play: Any) -> str:
    """The card that was played, once its declaration is found in order."""
    if not isinstance(play, str):
        raise Refused("FORMAT", f"{play!r} is not a card")
    card, colon, said = play.partition(":")
    if card not in EVERY_CARD:
        raise Refused("FORMAT", f"{play!r} is not a card")
    if card in SAID:
        if said not in SAID[card]:
            wanted = " or ".join(SAID[card])
            raise Refused(SAYING_RULE[card], f"{card} is played with {wanted} said, not {play!r}")
    elif colon:
        raise Refused("FORMAT", f"{card} is played without a declaration, not {play!r}")
    return card


def counts_as_wizard(play: str) -> bool:
    """X1: for what is demanded, though not for who wins."""
    return play in WIZARDS or play in ("DRAGON", "SHAPESHIFTER:Z")


def counts_as_jester(play: str) -> bool:
    """X1: for what is demanded, though not for who wins."""
    return play in JESTERS or play in ("FAIRY", "BOMB", "SHAPESHIFTER:N")


def colour_and_height(play: str) -> tuple[str, float] | None:
    """X9: a Juggler or Cloud on the table stands between the numbers of the colour said."""
    if play in NUMBERED:
        return NUMBERED[play]
    card, _, said = play.partition(":")
    if card in BETWEEN:
        return said, BETWEEN[card]
    return None


def demanded(plays: Sequence[str]) -> str | None:
    """P5, P6, P7: the first card that is no Jester decides, and nothing later changes it."""
    for play in plays:
        if counts_as_jester(play):
            continue
        if counts_as_wizard(play):
            return None
        coloured = colour_and_height(play)
        assert coloured is not None
        return coloured[0]
    return None


def check_may_play(
    card: str, hand: Sequence[str], plays: Sequence[str], trump: str | None, *, barred: bool
) -> None:
    """P3, P4, F1, X1: whether `card` of `hand` may follow `plays`. Not for unicolor."""
    colour = demanded(plays)
    if colour is None:
        return
    if barred and colour == trump and card in WIZARDS:
        if not all(held in WIZARDS for held in hand):
            raise Refused("F1", f"{card} may not be played when trump is demanded")
        return
    if card not in NUMBERED or NUMBERED[card][0] == colour:
        return
    following = [held for held in hand if held in NUMBERED and NUMBERED[held][0] == colour]
    if following:
        raise Refused("P3", f"{card} does not follow {colour}, though {', '.join(following)} could")


class Settled(NamedTuple):
    """Who wins a trick: the place in the order of play, and whether the trick is taken (X5).

    `rule` is always one of K1 to K4, even where a Dragon (X3), a Fairy (X4) or unicolor (V6) has
    the last word: the conformance games know a wrong winner only as K1-K4. `why` names the rest.
    """

    place: int
    is_taken: bool
    rule: str
    why: str


def first_highest(plays: Sequence[str], colour: str) -> int | None:
    best: int | None = None
    best_height = 0.0
    for place, play in enumerate(plays):
        coloured = colour_and_height(play)
        if coloured is not None and coloured[0] == colour and coloured[1] > best_height:
            best, best_height = place, coloured[1]
    return best


def settled(plays: Sequence[str], trump: str | None, *, barred: bool = False) -> Settled:
    """K1 to K4, F1, X2 to X9: the outcome of a whole trick. Not for unicolor."""
    taken = "BOMB" not in plays
    if "DRAGON" in plays and "FAIRY" in plays:
        return Settled(plays.index("FAIRY"), taken, "K1", "the Fairy wins over the Dragon (X4)")
    if "DRAGON" in plays:
        return Settled(plays.index("DRAGON"), taken, "K1", "the Dragon wins over all (X3)")
    colour = demanded(plays)
    wizards_can_win = not (barred and trump is not None and colour == trump)
    for place, play in enumerate(plays):
        if wizards_can_win and (play in WIZARDS or play == "SHAPESHIFTER:Z"):
            return Settled(place, taken, "K1", "the first Wizard wins")
    if trump is not None:
        highest = first_highest(plays, trump)
        if highest is not None:
            return Settled(highest, taken, "K2", "the highest trump wins")
    if colour is not None:
        highest = first_highest(plays, colour)
        if highest is not None:
            return Settled(highest, taken, "K3", "the highest card of the demanded colour wins")
    for place, play in enumerate(plays):
        if play in JESTERS or play == "SHAPESHIFTER:N":
            return Settled(place, taken, "K4", "the first Jester wins")
    raise AssertionError(f"no one wins {plays}")


def settled_in_unicolor(plays: Sequence[str]) -> Settled:
    """V6: the highest card whatever its colour, Jester 0 and Wizard 14; the first of equals."""
    heights = [
        14 if play in WIZARDS else 0 if play in JESTERS else NUMBERED[play][1] for play in plays
    ]
    place = heights.index(max(heights))
    rule = {14: "K1", 0: "K4"}.get(heights[place], "K3")
    return Settled(place, True, rule, "the first of the highest cards wins (V6)")

"""A game for every variant and special card, and for every number of players."""

from dataclasses import dataclass, field

from web.serving import Stack

__all__ = ["CASES", "Case"]


@dataclass(frozen=True)
class Case:
    """Rules, the cards that lead to the wanted situations, and what must have been asked by the end."""

    name: str
    rules: dict[str, object]
    asks: frozenset[str]
    stack: Stack = field(default_factory=Stack)
    seats: int = 3


def case(name: str, asks: str, stack: Stack | None = None, seats: int = 3, **rules: object) -> Case:
    return Case(name, rules, frozenset(asks.split()), stack or Stack(), seats)


SPECIALS = ["DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER"]
CASES = [
    case("T3 the dealer names the trump", "trump bid play round", Stack(turned_up="ZB"), rounds=[2, 3, 4]),
    case("V1 plus minus one", "bid play round", plus_minus_one=True, rounds=[1, 2, 3]),
    case("V2 hidden bids", "bid play round", bids="hidden", rounds=[2, 3]),
    case("V3 secret bids", "bid play round", bids="secret", rounds=[2, 3]),
    case("V4 foresight in the first round", "bid play round", foresight="first_round", rounds=[1, 2]),
    case("V5 foresight in every round", "bid play round", foresight="every_round", rounds=[5, 9], seats=4),
    case("V6 unicolor", "bid play round", unicolor=True, rounds=[1, 2]),
    case("F1 wizards barred", "bid play round", Stack(own="ZB ZR ZG"), rulebook="fr", wizards_on_trump="barred", rounds=[3, 4]),
    case("X2 shapeshifter", "bid play round", Stack(own="SHAPESHIFTER"), specials=["SHAPESHIFTER"], rounds=[2, 3]),
    case("X3 X4 dragon and fairy", "bid play round", Stack(own="DRAGON R5", others="FAIRY"), specials=["DRAGON", "FAIRY"], rounds=[2, 3]),
    case("X5 bomb", "bid play round", Stack(own="BOMB"), specials=["BOMB"], rounds=[2, 3]),
    case("X6 werewolf", "trump bid play round", Stack(own="WEREWOLF", turned_up="G7"), specials=["WEREWOLF"], rounds=[2, 3]),
    case("X7 juggler", "bid play pass round", Stack(own="JUGGLER"), specials=["JUGGLER"], rounds=[3, 4]),
    case("X8 cloud", "bid play change round", Stack(own="CLOUD ZB", others="NB NR NG NY", turned_up="B1"), specials=["CLOUD"], rounds=[1, 2]),
    case("C4 all seven", "bid play round", Stack(own="JUGGLER CLOUD SHAPESHIFTER"), specials=SPECIALS, rounds=[5, 6], seats=4),
    case("D1 six players", "bid play round", rounds=[9, 10], seats=6),
    case("D1 five players", "bid play round", rounds=[6, 7], seats=5),
]  # fmt: skip

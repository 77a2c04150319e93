"""Short examples for the players' rules: a deal, and what is done with it, a trick or two.

The engine plays them (`steps.py`): who wins a trick and what a bid is worth is never written here.
"""

from dataclasses import dataclass, field
from typing import Any

from foretell.cards import card, cards
from foretell.engine import Event, Game, act, action, awaited_seats, deal, new_game
from foretell.rules import Deal, Rules

__all__ = ["EXAMPLES", "NAMES", "Example"]

NAMES = ("Merlin", "Morgana", "Nimue", "Viviane")
"""The same in every language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One round, dealt by hand.  Seat 0 bids and leads first.

    `moves` are actions as records write them, made by the seat that is asked; where several are asked, the seat comes
    first: `1 pass G3`.  The first `hidden` moves are made before the first step is shown.  `explained` are the numbers
    of the steps, counted from 0, that have a sentence of their own: `handbook.example.KEY.STEP`.
    """

    key: str
    hands: tuple[str, ...]
    turned_up: str
    moves: tuple[str, ...]
    hidden: int = 0
    explained: tuple[int, ...] = ()
    is_scored: bool = False  # whether the points are shown, if the round is over
    rules: dict[str, Any] = field(default_factory=dict)

    def begun(self) -> tuple[Game, tuple[Event, ...]]:
        """The game with its round dealt."""
        rules = Rules(rounds=(len(self.hands[0].split()),), **self.rules)
        seats = len(self.hands)
        game = new_game(rules, NAMES[:seats], first_dealer=seats - 1)
        return deal(game, Deal(tuple(map(cards, self.hands)), card(self.turned_up)))

    def moved(self, game: Game, move: str) -> tuple[Game, tuple[Event, ...]]:
        """The game after one of the moves."""
        first, _, rest = move.partition(" ")
        if first.isdigit():
            return act(game, int(first), action(rest))
        (seat,) = awaited_seats(game)
        return act(game, seat, action(move))

    def played(self) -> Game:
        """The game after all moves."""
        game, _ = self.begun()
        for move in self.moves:
            game, _ = self.moved(game, move)
        return game


def _with_bids(*bids: int) -> tuple[str, ...]:
    return tuple(f"bid {bid}" for bid in bids)


def _trick(faces: str) -> tuple[str, ...]:
    return tuple(f"play {face}" for face in faces.split())


_ALL = (
    Example(
        key="follow",
        hands=("G7 B3", "R9 G2", "Y4 B8"),
        turned_up="R8",
        moves=(*_with_bids(1, 0, 0), *_trick("G7 G2 Y4")),
        hidden=3,
        explained=(1, 2, 4),
    ),
    Example(
        key="jester_led",
        hands=("NB Y5", "G4 Y2", "G9 B3"),
        turned_up="R8",
        moves=(*_with_bids(0, 0, 1), *_trick("NB G4 G9")),
        hidden=3,
        explained=(1, 2),
    ),
    Example(
        key="trump_beats",
        hands=("B12", "B5", "R3"),
        turned_up="R2",
        moves=(*_with_bids(1, 0, 1), *_trick("B12 B5 R3")),
        hidden=3,
        explained=(4,),
    ),
    Example(
        key="first_wizard",
        hands=("R10", "ZB", "ZY"),
        turned_up="R4",
        moves=(*_with_bids(0, 1, 1), *_trick("R10 ZB ZY")),
        hidden=3,
        explained=(4,),
    ),
    Example(
        key="all_jesters",
        hands=("NB", "NR", "NG"),
        turned_up="Y5",
        moves=(*_with_bids(0, 0, 0), *_trick("NB NR NG")),
        hidden=3,
        explained=(4,),
    ),
    Example(
        key="score",
        hands=("ZB B11", "G3 B2", "R7 B5"),
        turned_up="R8",
        moves=(*_with_bids(1, 1, 1), *_trick("ZB G3 B5 B11 B2 R7")),
        hidden=3,
        explained=(9,),
        is_scored=True,
    ),
    Example(
        key="plus_minus_one",
        hands=("ZB R4", "R12 G6", "B1 Y3"),
        turned_up="R5",
        moves=_with_bids(1, 1, 1),
        explained=(3, 4),
        rules={"plus_minus_one": True, "rulebook": "es"},
    ),
    Example(
        key="french",
        hands=("R6 B2", "ZB R3", "ZG Y2", "ZR ZY"),
        turned_up="R8",
        moves=(*_with_bids(1, 0, 0, 1), *_trick("R6 R3 Y2 ZR")),
        hidden=4,
        explained=(1, 2, 5),
        rules={"rulebook": "fr", "wizards_on_trump": "barred"},
    ),
    Example(
        key="shapeshifter",
        hands=("R8", "SHAPESHIFTER", "ZG"),
        turned_up="B4",
        moves=(*_with_bids(0, 1, 0), *_trick("R8 SHAPESHIFTER:Z ZG")),
        hidden=3,
        explained=(4,),
        rules={"rulebook": "pt-BR", "specials": ("SHAPESHIFTER",)},
    ),
    Example(
        key="dragon",
        hands=("ZB", "DRAGON", "R13"),
        turned_up="R4",
        moves=(*_with_bids(1, 1, 0), *_trick("ZB DRAGON R13")),
        hidden=3,
        explained=(4,),
        rules={"rulebook": "pt-BR", "specials": ("DRAGON", "FAIRY")},
    ),
    Example(
        key="fairy",
        hands=("ZB", "DRAGON", "FAIRY"),
        turned_up="R4",
        moves=(*_with_bids(1, 1, 0), *_trick("ZB DRAGON FAIRY")),
        hidden=3,
        explained=(4,),
        rules={"rulebook": "pt-BR", "specials": ("DRAGON", "FAIRY")},
    ),
    Example(
        key="bomb",
        hands=("B5 G4", "BOMB Y6", "B9 Y3"),
        turned_up="R4",
        moves=(*_with_bids(0, 0, 1), *_trick("B5 BOMB B9 Y3")),
        hidden=3,
        explained=(4,),
        rules={"rulebook": "pt-BR", "specials": ("BOMB",)},
    ),
    Example(
        key="werewolf",
        hands=("B5 G4", "WEREWOLF R11", "B9 Y3"),
        turned_up="ZG",
        moves=("trump R",),
        explained=(1, 2),
        rules={"rulebook": "pt-BR", "specials": ("WEREWOLF",)},
    ),
    Example(
        key="juggler",
        hands=("G7 B4 NR", "JUGGLER Y2 R5", "G8 B11 Y9"),
        turned_up="R4",
        moves=(
            *_with_bids(1, 0, 1),
            *_trick("G7 JUGGLER:G G8"),
            *("0 pass B4", "1 pass Y2", "2 pass Y9"),
        ),
        hidden=3,
        explained=(2, 4),
        rules={"rulebook": "pt-BR", "specials": ("JUGGLER",)},
    ),
    Example(
        key="cloud",
        hands=("B9", "CLOUD", "B10"),
        turned_up="R4",
        moves=(*_with_bids(0, 1, 0), *_trick("B9 CLOUD:B B10"), "change +1"),
        hidden=3,
        explained=(4, 5),
        is_scored=True,
        rules={"rulebook": "pt-BR", "specials": ("CLOUD",)},
    ),
)

EXAMPLES = {one.key: one for one in _ALL}

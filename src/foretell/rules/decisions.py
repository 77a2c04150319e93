"""Everything a table may decide: each decision, its choices, and the class that plays by each choice.

Forms, help texts, the command line and the property tests are built from `DECISIONS` and `excluded_by`.  Names and
sentences are in the catalogue under `rules.<key>` and `rules.<key>.<choice>`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from foretell.cards.specials import BY_KIND
from foretell.i18n import Term
from foretell.rules.bidding import AnyBid, PlusMinusOne
from foretell.rules.deck import COMPANIONS, CommonDeck
from foretell.rules.disclosure import HiddenBids, OpenBids, SecretBids
from foretell.rules.sight import EveryRoundForesight, FirstRoundForesight, OwnHand
from foretell.rules.tricks import ColourTricks
from foretell.rules.unicolor import HighestCardTricks, OwnPeoples
from foretell.rules.wizards import BarredWizards, FreeWizards

__all__ = [
    "CLASHES",
    "DECISIONS",
    "TOGETHER",
    "Choice",
    "Clash",
    "Decision",
    "Setting",
    "Together",
    "decision",
    "excluded_by",
]

Value = str | bool


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to decide: the value that records write, the rule that defines it, and the object that plays by it."""

    value: Value
    rule: str
    answer: Any = None  # `Rules` gives it its type

    @property
    def name(self) -> str:
        """Its name in the catalogue; a switch is `on` or `off`."""
        if isinstance(self.value, bool):
            return "on" if self.value else "off"
        return self.value


@dataclass(frozen=True, slots=True)
class Decision:
    """One question a table answers.  The first choice is the default.

    `one`: one of the choices.  `switch`: on or off.  `subset`: any of the choices.  `numbers`: a rising list.
    """

    key: str
    form: Literal["one", "switch", "subset", "numbers"]
    choices: tuple[Choice, ...] = ()

    def answer(self, value: Value) -> Any:
        return next(choice.answer for choice in self.choices if choice.value == value)


@dataclass(frozen=True, slots=True)
class UnicolorAnswer:
    """What unicolor decides: the deck, and how tricks are taken."""

    deck: Callable[..., Any]
    tricks: Callable[..., Any]


def own_peoples(_specials: object) -> OwnPeoples:
    """V6: the deck of unicolor, which has no special cards."""
    return OwnPeoples()


DECISIONS = (
    Decision(
        "bids",
        "one",
        (
            Choice("open", "B2", OpenBids()),
            Choice("hidden", "V2", HiddenBids()),
            Choice("secret", "V3", SecretBids()),
        ),
    ),
    Decision(
        "plus_minus_one",
        "switch",
        (Choice(False, "B1", AnyBid()), Choice(True, "V1", PlusMinusOne())),
    ),
    Decision(
        "foresight",
        "one",
        (
            Choice("none", "B1", OwnHand()),
            Choice("first_round", "V4", FirstRoundForesight()),
            Choice("every_round", "V5", EveryRoundForesight()),
        ),
    ),
    Decision(
        "unicolor",
        "switch",
        (
            Choice(False, "C1", UnicolorAnswer(CommonDeck, ColourTricks)),
            Choice(
                True,
                "V6",
                UnicolorAnswer(own_peoples, lambda _: HighestCardTricks()),
            ),
        ),
    ),
    Decision(
        "specials",
        "subset",
        tuple(Choice(kind.value, special.rule) for kind, special in BY_KIND.items()),
    ),
    Decision(
        "wizards_on_trump",
        "one",
        (Choice("free", "P4", FreeWizards()), Choice("barred", "F1", BarredWizards())),
    ),
    Decision("rounds", "numbers"),
)


def decision(key: str) -> Decision:
    """The decision with this key."""
    return next(one for one in DECISIONS if one.key == key)


@dataclass(frozen=True, slots=True)
class Setting:
    """A decision and one choice in it.  For the special cards, "any" stands for at least one of them."""

    key: str
    value: Value

    @property
    def rule(self) -> str:
        if self.key == "specials":
            return "C4"
        return next(
            choice.rule for choice in decision(self.key).choices if choice.value == self.value
        )

    @property
    def term(self) -> Term:
        """Its name in the catalogue."""
        return Term(f"rules.{self.key}.{Choice(self.value, self.rule).name}")

    def holds(self, rules: object) -> bool:
        chosen = getattr(rules, self.key)
        return bool(chosen) if self.key == "specials" else bool(chosen == self.value)


@dataclass(frozen=True, slots=True)
class Clash:
    """Two settings that do not go together, and the rule that says so."""

    one: Setting
    other: Setting
    rule: str


@dataclass(frozen=True, slots=True)
class Together:
    """Two of a subset's choices that go in together or not at all, and the rule that says so."""

    one: Setting
    other: Setting
    rule: str


TOGETHER = tuple(
    Together(Setting("specials", one.value), Setting("specials", other.value), "C4")
    for one, other in COMPANIONS
)

_SPECIALS = Setting("specials", "any")
_UNICOLOR = Setting("unicolor", True)
_PLUS_MINUS_ONE = Setting("plus_minus_one", True)
_FORESIGHT = tuple(
    Setting("foresight", choice.value) for choice in decision("foresight").choices[1:]
)

CLASHES = (
    Clash(_PLUS_MINUS_ONE, Setting("bids", "hidden"), "V7"),
    Clash(_PLUS_MINUS_ONE, Setting("bids", "secret"), "V7"),
    *(Clash(_SPECIALS, sight, "V7") for sight in _FORESIGHT),
    *(Clash(_UNICOLOR, sight, "V7") for sight in _FORESIGHT),
    Clash(_SPECIALS, _UNICOLOR, "V7"),
    Clash(Setting("wizards_on_trump", "barred"), _SPECIALS, "F2"),
)


def excluded_by(setting: Setting) -> tuple[Setting, ...]:
    """The settings that cannot be chosen beside this one."""
    pairs = [(clash.one, clash.other) for clash in CLASHES]
    return tuple(b if a == setting else a for a, b in pairs if setting in (a, b))

"""The rules of a table: one value with one answer for every decision (V7), and the five rulebooks to start from.

Nothing outside this package asks which variant is on: the engine asks `rules.bidding`, `rules.tricks` and so on, and
each of these is a small class that knows one rule.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, get_args

import msgspec

from foretell.cards import Colour
from foretell.errors import RulesClash
from foretell.rules.bidding import Bidding
from foretell.rules.decisions import (
    CLASHES,
    DECISIONS,
    Choice,
    Clash,
    Decision,
    Setting,
    decision,
    excluded_by,
)
from foretell.rules.deck import Deal, Deck, Shuffle, chosen_specials
from foretell.rules.disclosure import Disclosure
from foretell.rules.rounds import Rounds, chosen_rounds
from foretell.rules.scoring import points, winners
from foretell.rules.sight import Sight
from foretell.rules.tricks import Tricks, change_after, is_nobodys, pass_after
from foretell.rules.trump import (
    Exchange,
    Naming,
    Trump,
    exchange_in,
    naming_open_to,
    trump_after,
)

__all__ = [
    "CLASHES",
    "DECISIONS",
    "Choice",
    "Clash",
    "Deal",
    "Decision",
    "Exchange",
    "Naming",
    "Rulebook",
    "Rules",
    "Setting",
    "Shuffle",
    "Trump",
    "change_after",
    "decision",
    "exchange_in",
    "excluded_by",
    "is_nobodys",
    "naming_open_to",
    "pass_after",
    "points",
    "trump_after",
    "winners",
]

Rulebook = Literal["pt-PT", "es", "hu", "pt-BR", "fr"]


class Rules(msgspec.Struct, frozen=True, dict=True):
    """What a table has agreed on, in the words of the game record.  Refuses choices that do not go together."""

    rulebook: Rulebook = "pt-PT"
    bids: Literal["open", "hidden", "secret"] = "open"
    plus_minus_one: bool = False
    foresight: Literal["none", "first_round", "every_round"] = "none"
    unicolor: bool = False
    specials: tuple[str, ...] = ()
    wizards_on_trump: Literal["free", "barred"] = "free"
    rounds: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.rulebook not in get_args(Rulebook):
            allowed = ", ".join(get_args(Rulebook))
            raise RulesClash("unknown_rulebook", rulebook=str(self.rulebook), allowed=allowed)
        for one in DECISIONS:
            self._refuse_unknown(one)
        msgspec.structs.force_setattr(
            self, "specials", tuple(map(str, chosen_specials(self.specials)))
        )
        if self.rounds is not None:
            msgspec.structs.force_setattr(self, "rounds", tuple(self.rounds))
        chosen_rounds(self.rounds)
        for clash in CLASHES:
            if clash.one.holds(self) and clash.other.holds(self):
                raise RulesClash(
                    "clash",
                    rule=clash.rule,
                    one=clash.one.term,
                    one_rule=clash.one.rule,
                    other=clash.other.term,
                    other_rule=clash.other.rule,
                )

    def _refuse_unknown(self, one: Decision) -> None:
        """Refuses a value that is not a choice.  A switch is True or False: 1 is refused, although it equals True."""
        value = getattr(self, one.key)
        if one.form in ("one", "switch") and not any(
            type(value) is type(choice.value) and value == choice.value for choice in one.choices
        ):
            allowed = ", ".join(choice.name for choice in one.choices)
            raise RulesClash(
                "unknown_choice", rule="V7", key=one.key, value=str(value), allowed=allowed
            )

    # What the engine asks; each answer is one class, in the file named after its question.

    @cached_property
    def deck(self) -> Deck:
        made: Deck = decision("unicolor").answer(self.unicolor).deck(chosen_specials(self.specials))
        return made

    @cached_property
    def tricks(self) -> Tricks:
        wizards = decision("wizards_on_trump").answer(self.wizards_on_trump)
        made: Tricks = decision("unicolor").answer(self.unicolor).tricks(wizards)
        return made

    @cached_property
    def bidding(self) -> Bidding:
        return self._answer("plus_minus_one")  # type: ignore[no-any-return]

    @cached_property
    def disclosure(self) -> Disclosure:
        return self._answer("bids")  # type: ignore[no-any-return]

    @cached_property
    def sight(self) -> Sight:
        return self._answer("foresight")  # type: ignore[no-any-return]

    def _answer(self, key: str) -> Any:
        return decision(key).answer(getattr(self, key))

    def seats(
        self, players: int, peoples: Sequence[Colour] | None = None
    ) -> tuple[Colour, ...] | None:
        """Refuses a number of players these rules have no game for; returns each seat's people in unicolor."""
        self.round_numbers(players)
        return self.deck.seats(players, peoples)

    def has_game_for(self, players: int) -> bool:
        """Whether these rules have a game for this many players (D1, D6, V6)."""
        try:
            self.seats(players)
        except RulesClash:
            return False
        return True

    def round_numbers(self, players: int) -> tuple[int, ...]:
        """The numbers of the rounds to be played (D3, D6)."""
        self.deck.seats(players, None)
        played: Rounds = chosen_rounds(self.rounds)
        return played.numbers(self.deck.last_round(players))

"""The questions that are asked of every special card (C4, X1-X9).

Each special card is one module of this folder with one `Special` in it, which states only what differs from the
defaults below.  The deck, the tricks, the engine, the record and the kernel ask these questions of every special card
in play, and name none of them.

An extra step happens at one of three moments of a round:

    when_dealt    before the bids: the seat that was dealt the card gives it away and names the trump (phase `trump`)
    after_trick   after the trick in which the card lies, unless it was the round's last (phase `pass`)
    after_round   after the last trick: the seat that took the trick with the card changes its bid (phase `change`)

A step says who is asked, what may be answered and what follows.  The engine keeps the answers and moves the round on.
It can keep one exchange and one change of bid in a round, so at most one special card may have a `when_dealt`, and at
most one an `after_round`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from foretell.cards.kinds import Colour, Kind

__all__ = [
    "ANY_COLOUR",
    "JESTER_STRENGTH",
    "WIZARD_STRENGTH",
    "AfterRound",
    "AfterTrick",
    "Declaration",
    "Special",
    "WhenDealt",
]

JESTER_STRENGTH = 0.0
WIZARD_STRENGTH = 50.0
"""How high Jesters and Wizards stand in a trick.

Trumps and cards of the demanded colour stand between the two, other colours just below the Jesters (`rules/tricks.py`).
"""

AnyCard = TypeVar("AnyCard")  # steps move cards from hand to hand and do not look at them


class WhenDealt(Protocol):
    """An extra step before the bids.  The seat that was dealt the card is asked."""

    def hand_after(
        self, hand: Sequence[AnyCard], own: AnyCard, turned_up: AnyCard
    ) -> tuple[AnyCard, ...]:
        """The hand once the special card has left it."""

    def answers(self) -> tuple[Colour | None, ...]:
        """The trumps that this seat may name; None is "no trump"."""


class AfterTrick(Protocol):
    """An extra step after a trick, in which seats choose cards at the same time and unseen."""

    @property
    def rule(self) -> str:
        """The rule that asks for this step."""

    def asked(self, chosen: Sequence[AnyCard | None]) -> tuple[int, ...]:
        """The seats that have still to choose, given what each seat has chosen so far."""

    def answers(self, hand: Sequence[AnyCard]) -> tuple[AnyCard, ...]:
        """The cards that a seat with this hand may choose."""

    def hands_after(
        self, hands: Sequence[Sequence[AnyCard]], given: Sequence[AnyCard]
    ) -> tuple[tuple[AnyCard, ...], ...]:
        """Every hand once all have chosen: `given` has the card of each seat."""


class AfterRound(Protocol):
    """An extra step after the last trick.  The seat that took the trick with the card is asked."""

    @property
    def rule(self) -> str:
        """The rule that asks for this step."""

    def answers(self, bid: int, hand_size: int) -> tuple[int, ...]:
        """The changes that a seat with this bid may make, in a round with this many tricks."""

    def bid_after(self, bid: int, change: int) -> int:
        """The bid that counts."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """One way to play a special card: what its player says with it, and what that makes of it."""

    said: str = ""
    colour: Colour | None = None
    becomes: Kind | None = None  # it is exactly that card from then on; None: it stays what it is


AS_IT_IS = Declaration()
ANY_COLOUR = tuple(Declaration(colour.value, colour) for colour in Colour)


@dataclass(frozen=True, slots=True, kw_only=True)
class Special:
    """A special card: everything that the rules say about it."""

    kind: Kind
    rule: str
    """The id of its rule: errors about its declaration name it, and so does a round that it leaves without trump."""

    # In the deck.
    companions: tuple[Kind, ...] = ()
    """C4: the special cards that are in the deck whenever this one is."""
    has_no_trump: bool = False
    """Turned up, it leaves the round without trump.  Otherwise the dealer names one (T3)."""

    # Played to a trick.
    declarations: tuple[Declaration, ...] = (AS_IT_IS,)
    """The ways to play it; none if it is never played (X1)."""
    value: float = 0
    """Its height among the numbers of the colour that was declared (X9)."""
    counts_as: Kind | None = None
    """X1: WIZARD or JESTER if it affects the demanded colour as one; None if it has a colour or becomes one."""
    strength: float = JESTER_STRENGTH
    """How high it stands in a trick if it has no colour and becomes nothing else."""
    upsets: frozenset[Kind] = frozenset()
    """If one of these is in the same trick, this card wins the trick, whatever the strengths are."""
    is_nobodys: bool = False
    """A trick in which it lies belongs to no one; the seat that would have won it leads."""
    height: float = 0
    """Its place in a rough order of cards from weak to strong, with 1-13 for the numbers and 14 for a Wizard."""

    # The extra step that it causes.
    when_dealt: WhenDealt | None = None
    after_trick: AfterTrick | None = None
    after_round: AfterRound | None = None

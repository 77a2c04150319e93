"""Refuses, by name, what the kernel cannot play, so that it is never played wrongly.

The turn loop knows the effects of the special cards of C4.  A special card that is added to the game may have other
effects, so each effect is compared here with what the turn loop does.
"""

from collections.abc import Sequence
from dataclasses import fields

from foretell.cards.specials import AfterRound, AfterTrick, Special, WhenDealt
from foretell.errors import RulesClash

__all__ = ["CHANGES", "refuse", "refuse_unknown_effects"]

CHANGES = (+1, -1)
"""The changes of a bid (X8) by number."""

_ASKED = frozenset({"kind", "rule", "companions", "has_no_trump", "declarations", "value"})
_ASKED |= {"counts_as", "strength", "upsets", "is_nobodys", "height"}
_ASKED |= {"when_dealt", "after_trick", "after_round"}
"""The fields of a `Special` that the tables ask for, or that make no difference to the turn loop."""


def refuse(rule: object, expected: str) -> RulesClash:
    """The error to raise.  `rule` is a rule, a card or a name; `expected` says what the turn loop assumes."""
    named = (
        rule if isinstance(rule, str) else getattr(rule, "code", getattr(rule, "__name__", None))
    )
    return RulesClash("kernel_cannot", name=named or type(rule).__name__, expected=expected)


def refuse_unknown_effects(specials: Sequence[Special]) -> None:
    """Refuses a set of special cards with an effect that the turn loop does not have."""
    for step in ("when_dealt", "after_trick", "after_round"):
        for other in [one for one in specials if getattr(one, step) is not None][1:]:
            raise refuse(other.kind.value, f"at most one special card of the deck has `{step}`")
    for special in specials:
        _refuse_unknown(special)


def _refuse_unknown(special: Special) -> None:
    name = special.kind.value
    for field in fields(special):
        if field.name not in _ASKED and getattr(special, field.name) != field.default:
            raise refuse(name, f"a special card has no `{field.name}`")
    if special.when_dealt is not None and not _is_known_exchange(special.when_dealt):
        raise refuse(name, "a card is exchanged for the turned-up card")
    if special.after_trick is not None and not _is_known_pass(special.after_trick):
        raise refuse(name, "after a trick every seat passes any card to its left")
    if special.after_round is not None and not _is_known_change(special.after_round):
        raise refuse(name, "a bid is changed by one")


def _is_known_exchange(step: WhenDealt) -> bool:
    return step.hand_after((1, 2, 3), 2, 9) == (1, 9, 3)


def _is_known_pass(step: AfterTrick) -> bool:
    """Tries the step with three hands of two cards.  Numbers serve as cards, because a step does not look at them."""
    hands, given = ((1, 2), (3, 4), (5, 6)), (1, 3, 5)
    asked = step.asked((None, 3, None)), step.asked(given)
    passed = [set(hand) for hand in step.hands_after(hands, given)]
    to_the_left = passed == [{2, 5}, {4, 1}, {6, 3}]
    return asked == ((0, 2), ()) and step.answers((1, 2)) == (1, 2) and to_the_left


def _is_known_change(step: AfterRound) -> bool:
    return all(
        change in CHANGES and step.bid_after(bid, change) == bid + change
        for size in range(1, 4)
        for bid in range(size + 1)
        for change in step.answers(bid, size)
    )

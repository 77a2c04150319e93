"""What is translated for the page: the pad, and the part of the rules that it asks.

A name that is used in a translated function must be here, or in `GIVEN`; otherwise the translation fails.
"""

import sys
from types import FunctionType, ModuleType
from typing import Any

from foretell.cards import all_cards, kinds, specials
from foretell.cards.specials import cloud, special
from foretell.rules import (
    bidding,
    decisions,
    deck,
    disclosure,
    possible_results,
    presets,
    rounds,
    scoring,
    unicolor,
)
from foretell.scorepad import entries, pad, pad_round, text

__all__ = ["ERRORS", "GIVEN", "KEPT", "TRANSLATED", "functions_and_classes", "module_names"]

_RULES = sys.modules["foretell.rules"]  # the package itself: its `Rules` is in its __init__.py

TRANSLATED: tuple[tuple[ModuleType, tuple[str, ...]], ...] = (
    (kinds, ("Colour", "Kind")),
    (cloud, ("ChangeByOne",)),
    (special, ("Special",)),
    (specials, ("BY_KIND", "named_specials")),
    (all_cards, ("SPECIALS",)),
    (possible_results, ("trick_sums", "change_takers", "open_changes")),
    (scoring, ("points", "winners")),
    (bidding, ("AnyBid", "PlusMinusOne")),
    (disclosure, ("_without_bid", "OpenBids", "HiddenBids", "SecretBids")),
    (rounds, ("AllRounds", "ChosenRounds", "chosen_rounds", "_rises")),
    (deck, ("COMPANIONS", "HEADS", "refuse_head_count", "CommonDeck", "chosen_specials")),
    (unicolor, ("_ROUNDS", "_DRAWN_BEFORE", "OwnPeoples")),
    (
        decisions,
        (
            "Choice", "Decision", "UnicolorAnswer", "own_peoples", "DECISIONS", "decision",
            "Setting", "Clash", "CLASHES",
        ),
    ),
    (_RULES, ("Rulebook", "Rules")),
    (presets, ("Preset", "PRESETS")),
    (entries, ("Bid", "Tricks", "Cloud", "Correction")),
    (pad_round, ("Awaits", "PadRound", "_with")),
    (
        pad,
        (
            "LONGEST_NAME", "PadLine", "Pad", "new_pad", "enter", "correct", "undo", "missing",
            "_blank", "_entered", "rewritten", "_corrected", "_name",
        ),
    ),
    (text, ("FORMAT", "_Written", "_Form", "to_json", "from_json", "_read")),
)  # fmt: skip

KEPT = {
    "Special": ("kind", "rule", "companions", "is_nobodys", "after_round"),
    "ChangeByOne": ("rule", "answers"),
    "CommonDeck": ("specials", "seats", "last_round", "hand_size"),
    "OwnPeoples": ("seats", "last_round", "hand_size"),
    "UnicolorAnswer": ("deck",),
    "Preset": ("rules", "variants", "offers_specials"),
    "Rules": (
        "rulebook", "bids", "plus_minus_one", "foresight", "unicolor", "specials", "wizards_on_trump", "rounds",
        "__post_init__", "_refuse_unknown", "deck", "bidding", "disclosure", "_answer", "seats", "has_game_for",
        "round_numbers",
    ),
}  # fmt: skip
"""Of these classes only some members are translated: the others are about the cards, which the pad does not know."""

ERRORS = frozenset({"Unreadable", "NotAllowed", "NotAGame", "RulesClash"})

GIVEN = ERRORS | {
    "ForetellError", "RecursionError", "Term", "UnicodeError", "abs", "accumulate", "all", "any", "as_json", "bool",
    "enumerate", "format", "get_args", "int", "is_invisible", "is_unsafe", "isinstance", "len", "list", "map", "max",
    "min", "msgspec", "next", "pairwise", "range", "replace", "set", "sorted", "str", "sum", "tuple", "type",
    "unicodedata", "zip",
}  # fmt: skip
"""What web/src/pad/python.ts has: the errors, and the functions of Python that translated code may call."""


def functions_and_classes() -> dict[str, Any]:
    """Everything that is translated from its source, by its name."""
    found = {name: getattr(module, name) for module, names in TRANSLATED for name in names}
    return {name: one for name, one in found.items() if isinstance(one, FunctionType | type)}


def module_names() -> dict[str, Any]:
    """Everything that is translated, by its name: enums and constants too."""
    return {name: getattr(module, name) for module, names in TRANSLATED for name in names}

"""The five rulebooks, with the variants that each offers; and a few games that a table can choose at once."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from foretell.cards.specials import BY_KIND
from foretell.errors import RulesClash
from foretell.rules import Rules

__all__ = ["FEATURED", "PRESETS", "FeaturedGame", "Preset", "preset"]


@dataclass(frozen=True, slots=True)
class Preset:
    """One book: the rules that a table starts from, and the ids of the variants that the book offers."""

    rules: Rules
    variants: tuple[str, ...] = ()
    offers_specials: bool = field(default=False, kw_only=True)

    @property
    def key(self) -> str:
        return self.rules.rulebook


PRESETS = {
    one.key: one
    for one in (
        Preset(Rules(rulebook="pt-PT")),
        Preset(Rules(rulebook="es"), ("V1",)),
        Preset(Rules(rulebook="hu"), ("V1", "V2", "V3", "V5", "V6")),
        Preset(Rules(rulebook="pt-BR"), ("V1", "V2", "V3", "V4", "V6"), offers_specials=True),
        Preset(Rules(rulebook="fr", wizards_on_trump="barred"), ("V1", "V2", "V3", "V5")),
    )
}


def preset(rulebook: str, **changes: Any) -> Rules:
    """A rulebook's rules, with the changes that the table has made."""
    if rulebook not in PRESETS:
        raise RulesClash("unknown_rulebook", rulebook=rulebook, allowed=", ".join(PRESETS))
    return msgspec.structs.replace(PRESETS[rulebook].rules, **changes)


@dataclass(frozen=True, slots=True)
class FeaturedGame:
    """A game that people choose by its picture, without reading through all decisions.

    The catalogue has its name under `web.featured.<name>`.
    """

    name: str
    rules: Rules
    faces: tuple[str, ...]  # the cards in its picture


_SPECIALS = tuple(kind.value for kind in BY_KIND)

FEATURED = (
    FeaturedGame("classic", preset("pt-PT"), ("R12", "ZB", "NG")),
    FeaturedGame("plus_minus_one", preset("es", plus_minus_one=True), ("B1", "B2", "B3")),
    FeaturedGame("anniversary", preset("pt-BR", specials=_SPECIALS), _SPECIALS[:3]),
    FeaturedGame("french", preset("fr"), ("ZR", "ZG", "ZY")),
)

"""The five rulebooks: the rules that each starts with, and the variants that it offers."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from foretell.errors import RulesClash
from foretell.rules import Rules

__all__ = ["PRESETS", "Preset", "preset"]


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

"""Every rule set with every number of players, and how often each is drawn in training."""

from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from foretell.cards import SPECIALS
from foretell.errors import RulesClash
from foretell.rules import DECISIONS, Rulebook, Rules
from foretell.rules.deck import HEADS

FAMILIES = ("base", "variants", "unicolor", "foresight", "specials", "all specials")
"""Rule sets that are drawn and measured together."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules for a number of players."""

    rules: Rules
    players: int

    @property
    def family(self) -> str:
        """The base game is every rulebook's game without variants; the French one differs by F1 and is a variant."""
        rules = self.rules
        if rules.specials:
            return "all specials" if len(rules.specials) == len(SPECIALS) else "specials"
        if rules.unicolor:
            return "unicolor"
        if rules.foresight != "none":
            return "foresight"
        return "base" if rules == Rules() else "variants"

    @property
    def name(self) -> str:
        """A rule set in a few words, such as `secret specials:DrFa 4`."""
        rules = self.rules
        parts: list[str] = [rules.bids] if rules.bids != "open" else []
        parts += ["plus-minus-one"] if rules.plus_minus_one else []
        parts += [f"foresight:{rules.foresight}"] if rules.foresight != "none" else []
        parts += ["unicolor"] if rules.unicolor else []
        parts += ["barred"] if rules.wizards_on_trump == "barred" else []
        parts += (
            ["specials:" + "".join(one[:2] for one in rules.specials)] if rules.specials else []
        )
        return f"{' '.join(parts) or 'base'} {self.players}"


def every_rules() -> list[Rules]:
    """V7: all rules that are allowed, with all rounds; each only once, whatever rulebook it comes from."""
    asked = [one for one in DECISIONS if one.form in ("one", "switch")]
    found = []
    for size in range(len(SPECIALS) + 1):
        for specials in combinations([kind.value for kind in SPECIALS], size):
            for picked in product(*(one.choices for one in asked)):
                chosen: dict[str, Any] = {
                    one.key: choice.value for one, choice in zip(asked, picked, strict=True)
                }
                book: Rulebook = "pt-BR" if specials else "pt-PT"
                try:
                    found.append(Rules(book, specials=specials, **chosen))
                except RulesClash:
                    continue
    return found


def every_rule_set() -> list[RuleSet]:
    """All rules with all numbers of players that they have a game for; the base game comes first."""
    return [
        RuleSet(rules, players)
        for rules in every_rules()
        for players in HEADS
        if rules.has_game_for(players)
    ]

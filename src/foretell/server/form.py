"""What a new table may choose from, read off the rules themselves."""

from typing import get_args

from foretell.bots import LEVELS
from foretell.rules import CLASHES, DECISIONS, Rules, Setting
from foretell.rules.presets import PRESETS
from foretell.server import protocol as p

__all__ = ["table_form"]


def table_form(*, has_coach: bool) -> p.TableForm:
    return p.TableForm(
        rulebooks=tuple(
            p.RulebookOffer(
                rules=one.rules, variants=one.variants, offers_specials=one.offers_specials
            )
            for one in PRESETS.values()
        ),
        decisions=tuple(
            p.RuleDecision(
                key=one.key,
                form=one.form,
                choices=tuple(
                    p.RuleChoice(value=choice.value, name=choice.name, rule=choice.rule)
                    for choice in one.choices
                ),
            )
            for one in DECISIONS
        ),
        clashes=tuple(
            p.RuleClash(one=_setting(clash.one), other=_setting(clash.other), rule=clash.rule)
            for clash in CLASHES
        ),
        last_rounds={str(seats): Rules().round_numbers(seats)[-1] for seats in range(3, 7)},
        levels=tuple(LEVELS),
        emotes=get_args(p.Emote),
        has_coach=has_coach,
        version=p.VERSION,
    )


def _setting(one: Setting) -> p.RuleSetting:
    return p.RuleSetting(key=one.key, value=one.value)

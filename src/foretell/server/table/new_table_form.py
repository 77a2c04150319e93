"""The choices for a new table, which the page shows as a form.  They come from the rules."""

from collections.abc import Iterator
from typing import get_args

from foretell.bots import LEVELS
from foretell.rules import CLASHES, DECISIONS, Rules, Setting
from foretell.rules.decisions import TOGETHER
from foretell.rules.deck import HEADS
from foretell.rules.presets import PRESETS
from foretell.server.wire import protocol as p

__all__ = ["table_form"]


def table_form(*, has_coach: bool) -> p.TableForm:
    """Everything that can be chosen."""
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
        together=tuple(
            p.RuleTogether(one=_setting(pair.one), other=_setting(pair.other), rule=pair.rule)
            for pair in TOGETHER
        ),
        seats=tuple(_seats()),
        last_rounds={str(seats): Rules().round_numbers(seats)[-1] for seats in HEADS},
        levels=tuple(LEVELS),
        emotes=get_args(p.Emote),
        has_coach=has_coach,
        version=p.VERSION,
    )


def _seats() -> Iterator[p.RuleSeats]:
    """The settings that do not work with every number of players, found by asking the rules."""
    for one in DECISIONS:
        for choice in one.choices if one.form in ("one", "switch") else ():
            rules = Rules(**{one.key: choice.value})  # type: ignore[arg-type]
            seats = tuple(count for count in HEADS if rules.has_game_for(count))
            if len(seats) < len(HEADS):
                setting = _setting(Setting(one.key, choice.value))
                yield p.RuleSeats(setting=setting, seats=seats, rule=choice.rule)


def _setting(one: Setting) -> p.RuleSetting:
    return p.RuleSetting(key=one.key, value=one.value)

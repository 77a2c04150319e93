"""The choices for a new table, which the page shows as a form.  They come from the rules."""

from collections.abc import Iterator
from typing import get_args

from foretell.bots import LEVELS
from foretell.rules import CLASHES, DECISIONS, Rules, Setting
from foretell.rules.decisions import TOGETHER
from foretell.rules.deck import HEADS
from foretell.rules.presets import FEATURED, PRESETS
from foretell.server.wire import protocol as p

__all__ = ["table_form"]


def table_form(*, has_coach: bool) -> p.TableForm:
    """Everything that can be chosen."""
    return p.TableForm(
        featured=tuple(
            p.FeaturedOffer(name=one.name, rules=one.rules, faces=one.faces) for one in FEATURED
        ),
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
        last_rounds=_last_rounds(Rules()),
        levels=tuple(LEVELS),
        emotes=get_args(p.Emote),
        has_coach=has_coach,
        version=p.VERSION,
    )


def _seats() -> Iterator[p.RuleSeats]:
    """Settings that do not work with every number of players, or change the last round; found by asking the rules."""
    usual = _last_rounds(Rules())
    for one in DECISIONS:
        for choice in one.choices if one.form in ("one", "switch") else ():
            last_rounds = _last_rounds(Rules(**{one.key: choice.value}))  # type: ignore[arg-type]
            if last_rounds != usual:
                yield p.RuleSeats(
                    setting=_setting(Setting(one.key, choice.value)),
                    seats=tuple(map(int, last_rounds)),
                    last_rounds=last_rounds,
                    rule=choice.rule,
                )


def _last_rounds(rules: Rules) -> dict[str, int]:
    """The number of the last round, by how many play; only for numbers of players that these rules have a game for."""
    return {
        str(seats): rules.round_numbers(seats)[-1] for seats in HEADS if rules.has_game_for(seats)
    }


def _setting(one: Setting) -> p.RuleSetting:
    return p.RuleSetting(key=one.key, value=one.value)

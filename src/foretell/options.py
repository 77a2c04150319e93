"""The command-line options for the rules of a table, made from the list of decisions in `foretell.rules`."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from foretell.cards import SPECIALS
from foretell.i18n import say
from foretell.rules import DECISIONS, Decision, Rules
from foretell.rules.presets import PRESETS, preset

__all__ = ["rule_options", "rules_from"]

Command = TypeVar("Command", bound=Callable[..., Any])


def rule_options(command: Command) -> Command:
    """Adds `--rulebook` and one option for each decision to a command."""
    for one in reversed(DECISIONS):
        command = _option(one, f"rules.{one.key}.about")(command)
    books = click.Choice(list(PRESETS))
    return click.option(
        "--rulebook",
        type=books,
        default="pt-PT",
        show_default=True,
        help="rules.rulebook.about",
    )(command)


def _option(one: Decision, about: str) -> Callable[[Command], Command]:
    name = f"--{one.key.replace('_', '-')}"
    match one.form:
        case "one":
            kinds = click.Choice([str(choice.value) for choice in one.choices])
            return click.option(name, type=kinds, default=None, help=about)
        case "switch":
            return click.option(name, is_flag=True, default=None, help=about)
        case _:
            return click.option(name, type=str, default=None, help=about)


def rules_from(rulebook: str, **chosen: Any) -> Rules:
    """The rules that the options ask for; raises RulesClash if they do not go together."""
    changes = {key: value for key, value in chosen.items() if value is not None}
    if "specials" in changes:
        changes["specials"] = _specials(changes["specials"])
    if "rounds" in changes:
        changes["rounds"] = _rounds(changes["rounds"])
    return preset(rulebook, **changes)


def _specials(text: str) -> tuple[str, ...]:
    if text in ("all", "none"):
        return tuple(SPECIALS) if text == "all" else ()
    return tuple(name.strip().upper() for name in text.split(",") if name.strip())


def _rounds(text: str) -> tuple[int, ...] | None:
    if text == "all":
        return None
    try:
        return tuple(int(number) for number in text.split(","))
    except ValueError:
        about = say("error.rounds_not_rising", rule="D6", rounds=text)
        raise click.BadParameter(about, param_hint="--rounds") from None

"""Options that name several numbers of players, such as `--counts 3,4`."""

import click

from foretell.i18n import say as _say
from foretell.rules import Rules

__all__ = ["player_counts"]


def player_counts(rules: Rules, text: str, option: str) -> list[int]:
    """Numbers of players from a text such as `3,4`; refuses a number that these rules have no game for."""
    try:
        counts = [int(count) for count in text.split(",")]
    except ValueError:
        about = _say("cli.arena.not_counts", counts=text)
        raise click.BadParameter(about, param_hint=option) from None
    for count in counts:
        rules.seats(count)
    return counts

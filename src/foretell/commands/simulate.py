"""`foretell simulate`: games between bots, written as records."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from random import Random
from typing import Any, TextIO

import click

from foretell.bots import BOTS, bot, play_out
from foretell.commands.progress import progress
from foretell.deals import seeded
from foretell.engine import new_game
from foretell.i18n import catalogue
from foretell.options import rule_options, rules_from
from foretell.record import Record, dumps
from foretell.rules import Rules

_say = catalogue().say


@click.command("simulate", help=_say("cli.simulate.help"))
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help=_say("cli.simulate.games"),
)
@click.option("--players", type=int, default=4, show_default=True, help=_say("cli.players"))
@rule_options
@click.option(
    "--bot",
    "name",
    type=click.Choice(list(BOTS)),
    default="random",
    show_default=True,
    help=_say("cli.simulate.bot"),
)
@click.option("--seed", type=int, default=0, show_default=True, help=_say("cli.seed"))
@click.option(
    "--out",
    type=click.Path(path_type=Path, allow_dash=True),
    default="-",
    help=_say("cli.simulate.out"),
)
def command(games: int, players: int, name: str, seed: int, out: Path, **chosen: Any) -> None:
    rules = rules_from(**chosen)
    rules.seats(players)
    lines = progress(_games(rules, players, name, seed, games), games, _say("cli.simulate.label"))
    try:
        with _opened(out) as file:
            for line in lines:
                file.write(f"{line}\n")
    except OSError as error:
        raise click.ClickException(_say("cli.unwritable", file=out, why=error.strerror)) from error


def _opened(out: Path) -> AbstractContextManager[TextIO]:
    if str(out) == "-":
        return nullcontext(sys.stdout)
    return out.open("w", encoding="utf-8", newline="\n")


def _games(rules: Rules, players: int, name: str, seed: int, games: int) -> Iterator[str]:
    """Each game depends on the seed and its own number alone, so that any one of them can be made again."""
    for number in range(games):
        names = [f"P{seat}" for seat in range(players)]
        game = new_game(rules, names, first_dealer=number % players)
        chance = Random(f"{seed}/{number}")
        game = play_out(game, [bot(name)] * players, seeded(f"{seed}/{number}"), chance)
        yield dumps(Record(game, (name,) * players))

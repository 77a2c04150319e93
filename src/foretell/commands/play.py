"""`foretell play`: a game in the terminal against bots."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from foretell.bots import BOTS
from foretell.bots.levels import STRONGEST
from foretell.coach import odds
from foretell.commands.plain_python import load_bots
from foretell.engine import View
from foretell.errors import ForetellError
from foretell.i18n import say as _say
from foretell.i18n import texts
from foretell.options import rule_options, rules_from
from foretell.record import Record, dumps
from foretell.rules import Rules
from foretell.server.table.seating import BOT_NAMES
from foretell.server.wire.protocol import NewTable, TableOptions
from foretell.terminal.alone import play_alone
from foretell.terminal.lines import Left, Lines
from foretell.terminal.table_questions import asked_table


@click.command("play", help="cli.play.help")
@click.option("--players", type=int, default=None, help="cli.players")
@rule_options
@click.option(
    "--bot",
    "name",
    type=click.Choice(list(BOTS)),
    default="counting",
    show_default=True,
    help="cli.play.bot",
)
@click.option("--name", "person", default=None, help="cli.play.name")
@click.option("--seed", type=int, default=None, help="cli.seed")
@click.option("--word", default="", help="cli.play.word")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="cli.play.out")
@click.option("--coach", "has_coach", is_flag=True, help="cli.play.coach")
def command(
    *,
    players: int | None,
    name: str,
    person: str | None,
    seed: int | None,
    word: str,
    out: Path | None,
    has_coach: bool,
    **chosen: Any,
) -> None:
    try:
        rules, seats = _table(players, chosen)
        person = person or _say("play.you")
        _play(
            rules=rules,
            seats=seats,
            name=name,
            person=person,
            seed=seed,
            word=word,
            out=out,
            has_coach=has_coach,
        )
    except (Left, KeyboardInterrupt, click.Abort, EOFError):
        click.echo()
        click.echo(_say("play.left"))


def _table(players: int | None, chosen: dict[str, Any]) -> tuple[Rules, int]:
    """The table that the options describe.  Without options, and at a terminal, it asks a few questions."""
    changed = [key for key, value in chosen.items() if value is not None and key != "rulebook"]
    source = click.get_current_context().get_parameter_source("rulebook")
    is_default = source is None or source.name == "DEFAULT"
    if players is None and not changed and is_default and sys.stdin.isatty():
        return asked_table(texts(), _asked, click.echo)
    rules = rules_from(**chosen)
    seats = players or 4
    rules.seats(seats)
    return rules, seats


def _play(
    *,
    rules: Rules,
    seats: int,
    name: str,
    person: str,
    seed: int | None,
    word: str,
    out: Path | None,
    has_coach: bool = False,
) -> None:
    load_bots([name, STRONGEST] if has_coach else [name])
    bots = (name,) * (seats - 1)
    click.echo(_say("play.welcome", names=", ".join(BOT_NAMES[: seats - 1]), bot=name))

    def keep(record: Record) -> None:
        if out is not None:
            _save(record, out)

    options = TableOptions(rules=rules, seats=seats, bots=bots, bot_pause_ms=0)
    lines = Lines(texts(), _asked, click.echo, _coached if has_coach else None)
    play_alone(lines, NewTable(name=person, options=options), seed, keep, word=word)


def _coached(seen: View) -> Iterator[str]:
    """What the coach thinks of each legal action; nothing if only one is legal."""
    if len(seen.legal) < 2:
        return
    yield _say("coach.title")
    for one in odds(seen).options:
        yield _say(
            "coach.option",
            action=one.action,
            points=texts().number(one.points, digits=1, is_signed=True),
            error=texts().number(one.error, digits=1),
            chance=texts().percent(one.chance),
        )


def _asked(question: str) -> str:
    """One line from the person.  At the end of the input Click aborts, and the person leaves the table."""
    return str(click.prompt(question, default="", show_default=False, prompt_suffix=" > "))


def _save(record: Record, out: Path) -> None:
    try:
        with out.open("a", encoding="utf-8", newline="\n") as file:
            file.write(dumps(record) + "\n")
    except (OSError, ForetellError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise click.ClickException(_say("cli.unwritable", file=out, why=why)) from error
    click.echo(_say("play.saved", file=out))

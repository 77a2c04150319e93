"""`foretell simulate`: lets bots play, and writes records or statistics."""

import sys
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from foretell.bots import BOTS
from foretell.commands.plain_python import tell_if_slow
from foretell.commands.progress import progress
from foretell.commands.simulation import Part, Simulation, play_piece
from foretell.commands.statistics import can_draw, drawn, told
from foretell.commands.tables_of_games import chunked, write_tables
from foretell.commands.worker_options import cluster_option, processes_option
from foretell.i18n import say as _say
from foretell.options import rule_options, rules_from
from foretell.record import loads
from foretell.workers import Workers, in_order, results

if TYPE_CHECKING:
    from foretell.kernel.bulk.totals import Tallying


@click.command("simulate", help="cli.simulate.help")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="cli.simulate.games",
)
@click.option("--players", type=int, default=4, show_default=True, help="cli.players")
@rule_options
@click.option(
    "--bot",
    "name",
    type=click.Choice(list(BOTS)),
    default="random",
    show_default=True,
    help="cli.simulate.bot",
)
@click.option("--seed", type=int, default=0, show_default=True, help="cli.seed")
@click.option(
    "--out",
    type=click.Path(path_type=Path, allow_dash=True),
    default=None,
    help="cli.simulate.out",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "parquet"]),
    default="jsonl",
    show_default=True,
    help="cli.simulate.format",
)
@click.option("--resume", "is_resumed", is_flag=True, help="cli.simulate.resume")
@processes_option
@cluster_option
@click.option("--stats", is_flag=True, help="cli.simulate.stats")
@click.option(
    "--plots", type=click.Path(path_type=Path, file_okay=False), help="cli.simulate.plots"
)
def command(
    *,
    games: int,
    players: int,
    name: str,
    seed: int,
    out: Path | None,
    form: str,
    plots: Path | None,
    stats: bool,
    is_resumed: bool,
    processes: int,
    is_cluster: bool,
    **chosen: Any,
) -> None:
    rules = rules_from(**chosen)
    rules.seats(players)
    if is_resumed and (out is None or str(out) == "-"):
        raise click.UsageError(_say("cli.simulate.resume_what"))
    is_counted = stats or plots is not None
    if plots is not None:
        can_draw()
    tell_if_slow()
    from foretell.kernel.bulk.totals import Tallying  # noqa: PLC0415 - `--help` answers without it
    from foretell.kernel.state.tables import compile_rules  # noqa: PLC0415

    simulation = Simulation(rules, players, name, seed)
    counting = Tallying(compile_rules(rules, players)) if is_counted else None
    workers = Workers(processes, is_cluster)
    file = None if is_counted and out is None else out or Path("-")
    if form == "parquet":
        chunks = partial(chunked, rules, players, name, seed=seed, games=games)
        write_tables(chunks, out, workers, is_resumed=is_resumed)
        file = None
    if form == "jsonl" or is_counted:
        # Where tables were written, the same games are played once more and added up.
        resumes = is_resumed and form == "jsonl"
        _run(simulation, games, file, counting, workers, is_resumed=resumes)
    if counting is not None:
        # Where the records go to standard output, the statistics go to standard error.
        for line in told(counting.tally):
            click.echo(line, err=out is not None and str(out) == "-")
        if plots is not None:
            drawn(counting.tally, plots)


def _run(
    simulation: Simulation,
    games: int,
    out: Path | None,
    counting: "Tallying | None",
    workers: Workers,
    *,
    is_resumed: bool,
) -> None:
    """Plays the games, writes their records and adds them up, each where it is wanted."""
    try:
        first = _finished(simulation, out, counting) if is_resumed and out is not None else 0
        pieces = simulation.pieces(
            games,
            first=first,
            is_written=out is not None,
            is_counted=counting is not None,
            # A process on its own plays on all cores; of several, each has one.
            threads=1 if workers != Workers(processes=1) else None,
        )
        parts = in_order(results(play_piece, pieces, workers))
        with _opened(out, is_resumed=is_resumed) as file:
            for part in progress(parts, len(pieces), _say("cli.simulate.label")):
                _kept(part, file, counting)
    except OSError as error:
        why = _say("cli.unwritable", file=out, why=error.strerror)
        raise click.ClickException(why) from error


def _kept(part: Part, file: BinaryIO | None, counting: "Tallying | None") -> None:
    if file is not None:
        file.write(part.lines)
        file.flush()
    if counting is not None and part.sums is not None:
        counting.add_sums(part.sums)


def _opened(out: Path | None, *, is_resumed: bool) -> AbstractContextManager[BinaryIO | None]:
    if out is None:
        return nullcontext(None)
    if str(out) == "-":
        return nullcontext(sys.stdout.buffer)
    return out.open("ab" if is_resumed else "wb")


def _finished(simulation: Simulation, out: Path, counting: "Tallying | None") -> int:
    """How many games the file has already; a line that was cut off is removed, and a file of other games is refused."""
    if not out.exists():
        return 0
    count = end = 0
    last = b""
    with out.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            if count == 0 and line != simulation.line(0):
                raise click.ClickException(_say("cli.simulate.other_games", file=out))
            if counting is not None:
                counting.add_game(loads(line).game)
            count, end, last = count + 1, end + len(line), line
    if count and last != simulation.line(count - 1):
        raise click.ClickException(_say("cli.simulate.other_games", file=out))
    with out.open("r+b") as file:
        file.truncate(end)
    return count

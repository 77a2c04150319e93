"""`foretell simulate`: lets bots play, and writes records or statistics."""

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TextIO

import click

from foretell.bots import BOTS, bot, play_out
from foretell.commands.plain_python import tell_if_slow
from foretell.commands.progress import progress
from foretell.commands.statistics import can_draw, drawn, told
from foretell.deals import seeded
from foretell.engine import Game, new_game
from foretell.i18n import say as _say
from foretell.options import rule_options, rules_from
from foretell.record import Record, dumps
from foretell.rules import Rules

if TYPE_CHECKING:
    from foretell.kernel.bulk.totals import Tally


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
    plots: Path | None,
    stats: bool,
    **chosen: Any,
) -> None:
    rules = rules_from(**chosen)
    rules.seats(players)
    is_counted = stats or plots is not None
    if plots is not None:
        can_draw()
    tell_if_slow()
    simulation = _Simulation(rules, players, name, seed)
    if is_counted and out is None:
        simulation.count(games)
    else:
        simulation.write(games, out or Path("-"), is_counted=is_counted)
    if is_counted:
        # Where the records go to standard output, the statistics go to standard error.
        for line in told(simulation.tally):
            click.echo(line, err=out is not None and str(out) == "-")
    if plots is not None:
        drawn(simulation.tally, plots)


def _opened(out: Path) -> AbstractContextManager[TextIO]:
    if str(out) == "-":
        return nullcontext(sys.stdout)
    return out.open("w", encoding="utf-8", newline="\n")


class _Simulation:
    """Games of one bot against itself.  Each depends only on the seed and its number, so any of them can be repeated.

    The kernel plays the bots that it knows (`random`, `counting`); the others play on the engine, from Views.
    """

    def __init__(self, rules: Rules, players: int, name: str, seed: int) -> None:
        from foretell.bots.simple.counting import kernel_words  # noqa: PLC0415 - `--help` answers without it
        from foretell.kernel.bulk.policies import PLAIN, RANDOM  # noqa: PLC0415
        from foretell.kernel.bulk.totals import Tallying  # noqa: PLC0415
        from foretell.kernel.state.tables import compile_rules  # noqa: PLC0415

        self.rules, self.players, self.name, self.seed = rules, players, name, seed
        self.tables = compile_rules(rules, players)
        self.words = kernel_words(self.tables)
        self.policy = {"random": RANDOM, "counting": PLAIN}.get(name)
        self.counting = Tallying(self.tables)

    @property
    def tally(self) -> "Tally":
        return self.counting.tally

    @property
    def _kernel_seed(self) -> int:
        """The seed for the kernel, which takes no negative ones."""
        return self.seed % 2**62

    def game(self, number: int) -> Game:
        if self.policy is not None:
            from foretell.kernel.bulk.recorded_games import played_game  # noqa: PLC0415

            policies = [self.policy] * self.players
            return played_game(
                self.tables, number, seed=self._kernel_seed, policies=policies, words=self.words
            )
        names = [f"P{seat}" for seat in range(self.players)]
        game = new_game(self.rules, names, first_dealer=number % self.players)
        dealing, chance = seeded(f"{self.seed}/{number}"), Random(f"{self.seed}/{number}")
        return play_out(game, [bot(self.name)] * self.players, dealing, chance)

    def count(self, games: int) -> None:
        """Plays and adds up without writing records: in batches where the kernel plays."""
        if self.policy is None:
            made = (self.game(number) for number in range(games))
            for game in progress(made, games, _say("cli.simulate.label")):
                self.counting.add_game(game)
            return
        from foretell.kernel.bulk.totals import batches  # noqa: PLC0415

        size = max(1, min(2_000, games // 50))
        played = batches(
            self.tables,
            games,
            seed=self._kernel_seed,
            policies=[self.policy] * self.players,
            words=self.words,
            batch=size,
        )
        for batch in progress(played, -(-games // size), _say("cli.simulate.label")):
            self.counting.add(batch)

    def write(self, games: int, out: Path, *, is_counted: bool) -> None:
        made = (self.game(number) for number in range(games))
        try:
            with _opened(out) as file:
                for game in progress(made, games, _say("cli.simulate.label")):
                    file.write(f"{dumps(Record(game, (self.name,) * self.players))}\n")
                    if is_counted:
                        self.counting.add_game(game)
        except OSError as error:
            why = _say("cli.unwritable", file=out, why=error.strerror)
            raise click.ClickException(why) from error

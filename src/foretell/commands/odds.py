"""`foretell odds --chart`: what each card and each hand is worth, as text or as a page to print."""

from pathlib import Path

import click

from foretell.commands.bid_chart import chart_from_tables, measured_chart
from foretell.commands.player_counts import player_counts
from foretell.commands.shown_bid_chart import page, told_chart
from foretell.i18n import say as _say
from foretell.rules import Rules


@click.command("odds", help="cli.odds.help")
@click.option("--chart", is_flag=True, required=True, expose_value=False, help="cli.odds.chart")
@click.option("--players", default="3,4,5,6", show_default=True, help="cli.odds.players")
@click.option(
    "--games", type=click.IntRange(min=1), default=5_000, show_default=True, help="cli.odds.games"
)
@click.option("--seed", type=int, default=0, show_default=True, help="cli.seed")
@click.option(
    "--from",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=None,
    help="cli.odds.from",
)
@click.option("--out", type=click.Path(path_type=Path), default=None, help="cli.odds.out")
def command(*, players: str, games: int, seed: int, folder: Path | None, out: Path | None) -> None:
    if folder is None:
        counts = player_counts(Rules(), players, "--players")
        charts = [measured_chart(count, games, seed) for count in counts]
    else:
        charts = [chart_from_tables(folder)]
    if out is None:
        for place, chart in enumerate(charts):
            if place:
                click.echo()
            for line in told_chart(chart):
                click.echo(line)
        return
    try:
        out.write_text(page(charts), encoding="utf-8")
    except OSError as error:
        why = _say("cli.unwritable", file=out, why=error.strerror)
        raise click.ClickException(why) from error

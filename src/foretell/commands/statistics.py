"""The statistics of many games, as a table and as pictures."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foretell.cards import Colour
from foretell.i18n import say as _say
from foretell.i18n import texts

if TYPE_CHECKING:
    from foretell.kernel.bulk.totals import Tally

__all__ = ["can_draw", "drawn", "told"]

_NO_TRUMP = 4


def told(tally: "Tally") -> Iterator[str]:
    """The statistics as lines of text."""
    number, percent = texts().number, texts().percent
    seats = range(tally.players)
    places = range(len(tally.tables.numbers))
    sizes = [tally.tables.rules.deck.hand_size(number) for number in tally.tables.numbers]
    yield _say("stats.games", count=tally.games)
    yield ""
    yield _row(_say("stats.seat"), *(str(seat) for seat in seats))
    yield _row(_say("stats.points"), *(number(tally.score(seat)[0], digits=1) for seat in seats))
    yield _row(_say("stats.deviation"), *(number(tally.score(seat)[1], digits=1) for seat in seats))
    yield _row(_say("stats.wins"), *(percent(tally.wins(seat), digits=1) for seat in seats))
    yield ""
    orders = [_order(order, tally.players) for order in seats]
    heads = (_say("stats.bid"), _say("stats.points_a_round"), _say("stats.met"), *orders)
    yield _row(_say("stats.cards"), *heads)
    for place in places:
        met = (percent(tally.met(place, order), digits=1) for order in seats)
        yield _row(
            str(sizes[place]),
            number(tally.bid(place), digits=2),
            number(tally.points(place), digits=1),
            percent(tally.met(place), digits=1),
            *met,
        )
    yield ""
    yield _row(_say("stats.trump"), *map(_trump, range(_NO_TRUMP + 1)))
    yield _row(
        _say("stats.share"),
        *(percent(tally.trump(place), digits=1) for place in range(_NO_TRUMP + 1)),
    )


def _row(first: str, *rest: str) -> str:
    return f"{first:<22}" + "".join(f"{one:>12}" for one in rest)


def _order(order: int, players: int) -> str:
    """The name of a place in the order of bidding: the dealer's left neighbour is first, the dealer last."""
    return _say("stats.dealer") if order == players - 1 else _say("stats.bidder", place=order + 1)


def _trump(number: int) -> str:
    colours = [colour.value for colour in Colour]
    return _say(f"colour.{colours[number] if number < _NO_TRUMP else 'none'}")


def can_draw() -> None:
    """Refuses if the plotting library is missing: at once, not after a thousand games."""
    if find_spec("matplotlib") is None:
        raise click.ClickException(_say("cli.simulate.no_plots"))


def drawn(tally: "Tally", folder: Path) -> None:
    """Writes three pictures: bids met by the number of cards, points at the end, trumps."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra, and slow to import

    sizes = [tally.tables.rules.deck.hand_size(number) for number in tally.tables.numbers]
    places = range(len(sizes))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        figure, axes = _paper(Figure, "stats.plot.met", "stats.plot.cards", "stats.plot.share")
        for order in range(tally.players):
            met = [tally.met(place, order) for place in places]
            axes.plot(sizes, met, marker="o", label=_order(order, tally.players))
        axes.set_ylim(0, 1)
        axes.legend()
        figure.savefig(folder / "bids-met.svg")

        figure, axes = _paper(Figure, "stats.plot.points", "stats.plot.final", "stats.plot.seats")
        steps = tally.histogram()
        axes.bar([low for low, _ in steps], [count for _, count in steps], width=10, align="edge")
        figure.savefig(folder / "points.svg")

        figure, axes = _paper(Figure, "stats.plot.trump", "stats.plot.cards", "stats.plot.share")
        below = [0.0] * len(sizes)
        paints = ("#3465a4", "#cc3333", "#2e8b57", "#e0b020", "#999999")
        for number, paint in enumerate(paints):
            shares = [tally.trump(number, place) for place in places]
            axes.bar(sizes, shares, bottom=below, color=paint, label=_trump(number))
            below = [low + share for low, share in zip(below, shares, strict=True)]
        axes.legend()
        figure.savefig(folder / "trumps.svg")
    except OSError as error:
        why = _say("cli.unwritable", file=folder, why=error.strerror)
        raise click.ClickException(why) from error


def _paper(figure_class: Any, title: str, across: str, up: str) -> tuple[Any, Any]:
    figure = figure_class(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(_say(title))
    axes.set_xlabel(_say(across))
    axes.set_ylabel(_say(up))
    return figure, axes

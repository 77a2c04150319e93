"""The bid chart as text, and as a page to print: one sheet for each number of players."""

from collections.abc import Iterator, Sequence
from html import escape

from foretell.commands.bid_chart import JESTER, ROWS, WIZARD, Chart, Row
from foretell.i18n import say as _say
from foretell.i18n import texts

__all__ = ["page", "told_chart"]


def _name(row: Row) -> str:
    card, is_trump = row
    if card in (WIZARD, JESTER):
        return _say("web.card.wizard" if card == WIZARD else "web.card.jester")
    return _say("odds.trump" if is_trump else "odds.other", number=card)


def _cells(chart: Chart, row: Row) -> list[str]:
    shares = (chart.share(size, row) for size in chart.sizes)
    return ["" if one is None else texts().number(one, digits=2) for one in shares]


def _hands(chart: Chart) -> Iterator[tuple[str, list[str]]]:
    """Lines of the second table: a sum of cards, and for each number of cards the tricks and the bid."""
    worths = chart.worths()
    for halves in sorted({halves for _, halves in worths}):
        cells = []
        for size in chart.sizes:
            found = worths.get((size, halves))
            cells.append(f"{texts().number(found[0], digits=1)}→{found[1]}" if found else "")
        yield texts().number(halves / 2, digits=1), cells


def told_chart(chart: Chart) -> Iterator[str]:
    """The chart as lines of text."""
    wide = max(len(_name(row)) for row in ROWS) + 2
    yield _say("odds.title", players=chart.players)
    yield _say("odds.how")
    yield ""
    yield " " * wide + "".join(f"{size:>6}" for size in chart.sizes)
    for row in ROWS:
        yield f"{_name(row):<{wide}}" + "".join(f"{cell:>6}" for cell in _cells(chart, row))
    yield ""
    yield _say("odds.hands")
    yield _say("odds.hands_how")
    yield ""
    yield f"{_say('odds.sum'):<{wide}}" + "".join(f"{size:>8}" for size in chart.sizes)
    for name, cells in _hands(chart):
        yield f"{name:<{wide}}" + "".join(f"{cell:>8}" for cell in cells)
    yield ""
    yield _say("odds.source", count=chart.games, bot=chart.bot)


_STYLE = """
body { font: 11pt/1.35 system-ui, sans-serif; margin: 1.5rem auto; max-width: 66rem; padding: 0 1rem; color: #1d1d1f }
h1 { font-size: 1.4rem; margin: 0 0 .3rem }
h2 { font-size: 1.1rem; margin: 1rem 0 .3rem }
section + section { margin-top: 3rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; width: 100% }
th, td { padding: .12rem .3rem; text-align: right; white-space: nowrap }
th:first-child { text-align: left }
tbody tr + tr > * { border-top: 1px solid #e8e8ea }
tbody tr.first > * { border-top: 1px solid #8a8a8e }
td[style] { background: rgb(46 125 90 / var(--share)); print-color-adjust: exact; -webkit-print-color-adjust: exact }
@page { size: A4; margin: 9mm }
@media print {
  body { font-size: 8.5pt; margin: 0; max-width: none; padding: 0 }
  section + section { break-before: page; margin: 0 }
  .wide { overflow: visible }
  h1 { font-size: 12pt } h2 { font-size: 10.5pt; margin: .4rem 0 .2rem }
  table { font-size: 6.5pt }
  th, td { padding: .02rem .12rem } p { margin: .2rem 0 }
}
"""


def page(charts: Sequence[Chart]) -> str:
    """The charts as a page to print, each on one sheet."""
    title = _say("odds.title", players=", ".join(str(chart.players) for chart in charts))
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{texts().language}">',
            '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}</style></head>",
            "<body>",
            *map(_sheet, charts),
            "</body></html>",
            "",
        ]
    )


def _sheet(chart: Chart) -> str:
    body = []
    for place, row in enumerate(ROWS):
        is_first = place in (1, 14, 27)  # of the trumps, of the other colours, the Jester
        shares = (chart.share(size, row) or 0.0 for size in chart.sizes)
        cells = "".join(
            f'<td style="--share: {share * 0.55:.2f}">{cell}</td>'
            for share, cell in zip(shares, _cells(chart, row), strict=True)
        )
        mark = ' class="first"' if is_first else ""
        body.append(f'<tr{mark}><th scope="row">{escape(_name(row))}</th>{cells}</tr>')
    hands = [
        f'<tr><th scope="row">{name}</th>{"".join(map(_bold_bid, cells))}</tr>'
        for name, cells in _hands(chart)
    ]
    return "\n".join(
        [
            f"<section><h1>{escape(_say('odds.title', players=chart.players))}</h1>",
            f"<p>{escape(_say('odds.how'))}</p>",
            _table(chart, _say("odds.card"), body),
            f"<h2>{escape(_say('odds.hands'))}</h2>",
            f"<p>{escape(_say('odds.hands_how'))}</p>",
            _table(chart, _say("odds.sum"), hands),
            f"<p>{escape(_say('odds.source', count=chart.games, bot=chart.bot))}</p></section>",
        ]
    )


def _bold_bid(cell: str) -> str:
    tricks, arrow, bid = cell.partition("→")
    return f"<td>{tricks}{arrow}<b>{bid}</b></td>" if cell else "<td></td>"


def _table(chart: Chart, corner: str, lines: Sequence[str]) -> str:
    heads = "".join(f'<th scope="col">{size}</th>' for size in chart.sizes)
    return (
        f'<div class="wide"><table><thead><tr><th scope="col">{escape(corner)}</th>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )

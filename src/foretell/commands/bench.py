"""`foretell bench`: the engine, the kernel and OpenSpiel side by side, in one run on one core."""

import json
import platform
import time
from collections.abc import Iterator
from typing import Any

import click

from foretell.commands.warm_up import compiling
from foretell.i18n import catalogue

__all__ = ["command", "told"]

_say = catalogue().say


@click.command("bench", help=_say("cli.bench.help"))
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.01),
    default=2.0,
    show_default=True,
    help=_say("cli.bench.seconds"),
)
@click.option("--json", "as_json", is_flag=True, help=_say("cli.bench.json"))
def command(seconds: float, *, as_json: bool) -> None:
    began = time.perf_counter()
    with compiling("bench"):
        from foretell.commands import measuring  # noqa: PLC0415 - slow: first say why

        found: dict[str, Any] = {"machine": _machine(), "rates": {}, "ratios": {}}
        for one in measuring.rates(measuring.measures(), seconds):
            found["rates"][one.key] = {"a_second": one.rate, "unit": one.unit}
    found["ratios"] = _ratios({key: one["a_second"] for key, one in found["rates"].items()})
    found["growth"] = [
        {"by": kind, "size": size, "games_a_second": rate}
        for kind, size, rate in measuring.growth(seconds / 10)
    ]
    found["batches"] = [
        {"games": games, "games_a_second": rate} for games, rate in measuring.batches(seconds / 10)
    ]
    found["cores"] = [
        {"cores": cores, "decisions_a_second": rate} for cores, rate in measuring.scaling(seconds)
    ]
    found["seconds"] = time.perf_counter() - began
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        for line in told(found):
            click.echo(line)


def _machine() -> dict[str, str]:
    from foretell.kernel.backend.compiled import IS_COMPILED  # noqa: PLC0415

    found = {"python": platform.python_version(), "system": platform.platform(terse=True)}
    found["processor"] = platform.processor() or platform.machine()
    if IS_COMPILED:
        import numba  # noqa: PLC0415

        found["numba"] = numba.__version__
    return found


# The ratios shown: name, rate, and the rate it is divided by.
_RATIOS = (
    ("kernel_to_engine", "kernel_loop", "engine"),
    ("kernel_to_open_spiel_cpp", "kernel_loop", "open_spiel_cpp"),
    ("specials_to_base", "kernel_loop_specials", "kernel_loop"),
    *(
        (
            f"redealt_to_plain_{number}_{where}",
            f"redealt_{number}_{where}",
            f"playouts_{number}_{where}",
        )
        for number in (5, 10, 15)
        for where in ("start", "half")
    ),
)


def _ratios(rates: dict[str, float]) -> dict[str, float]:
    return {
        key: rates[one] / rates[other]
        for key, one, other in _RATIOS
        if one in rates and other in rates
    }


def told(found: dict[str, Any]) -> Iterator[str]:
    """The results as lines of text."""
    machine = ", ".join(f"{key} {value}" for key, value in found["machine"].items())
    yield machine
    spiel = found["rates"].get("open_spiel_cpp", {}).get("a_second")
    yield f"\n{_say('bench.one_core')}"
    for key, one in found["rates"].items():
        beside = (
            f"  {one['a_second'] / spiel:7.2f} ×" if spiel and one["unit"] == "decisions" else ""
        )
        unit = _say(f"bench.unit.{one['unit']}")
        yield f"  {_name(key):<64} {_short(one['a_second']):>8} {unit}{beside}"
    if spiel:
        yield f"  {_say('bench.times')}"
    else:
        yield f"  {_say('bench.no_open_spiel')}"
    yield f"\n{_say('bench.ratios')}"
    for key, ratio in found["ratios"].items():
        yield f"  {_name(key):<64} {ratio:8.2f}"
    yield f"\n{_say('bench.growth')}"
    for row in found["growth"]:
        what = _say(f"bench.by.{row['by']}", size=row["size"])
        yield f"  {what:<64} {_short(row['games_a_second']):>8}"
    for row in found["batches"]:
        what = _say("bench.by.batch", size=row["games"])
        yield f"  {what:<64} {_short(row['games_a_second']):>8}"
    yield f"\n{_say('bench.cores')}"
    alone = found["cores"][0]["decisions_a_second"]
    for row in found["cores"]:
        rate = row["decisions_a_second"]
        yield f"  {row['cores']:<64} {_short(rate):>8}  {rate / alone:7.2f} ×"


def _name(key: str) -> str:
    """The name of a measurement; playouts are named by their number of cards and where they begin."""
    for kind in ("playouts", "redealt", "redealt_to_plain"):
        rest = key.removeprefix(f"{kind}_")
        size, _, where = rest.partition("_")
        if rest != key and size.isdecimal():
            return _say(f"bench.{kind}", size=size, where=_say(f"bench.{where}"))
    return _say(f"bench.{key}")


def _short(rate: float) -> str:
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if rate >= size:
            return f"{rate / size:.3g} {unit}"
    return f"{rate:.3g}"

"""`foretell bench`: the engine, the kernel and OpenSpiel side by side, in one run on one core."""

import json
import platform
import time
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from typing import Any

import click

from foretell.commands.plain_python import tell_if_slow
from foretell.i18n import say as _say
from foretell.i18n import texts

__all__ = ["command", "told", "told_environments"]


@click.command("bench", help="cli.bench.help")
@click.argument("what", type=click.Choice(["envs"]), required=False)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.01),
    default=2.0,
    show_default=True,
    help="cli.bench.seconds",
)
@click.option(
    "--beside",
    "other",
    type=click.Choice(["native", "python", "numba"]),
    help="cli.bench.beside",
)
@click.option("--json", "as_json", is_flag=True, help="cli.bench.json")
def command(what: str | None, seconds: float, other: str | None, *, as_json: bool) -> None:
    began = time.perf_counter()
    tell_if_slow()
    if what == "envs":
        played = _environments(seconds)
        for line in [json.dumps(played, indent=2)] if as_json else told_environments(played):
            click.echo(line)
        return
    from foretell.commands import measuring  # noqa: PLC0415 - slow: first say why
    from foretell.commands.beside import Beside, beside  # noqa: PLC0415

    found: dict[str, Any] = {"machine": _machine(), "rates": {}, "beside": {}}
    own = measuring.measures()
    with ExitStack() as running:
        theirs = running.enter_context(beside(other)) if other else []
        # The two backends take turns: each measurement is followed by the same one of the other.
        both: list[measuring.Measure | Beside] = []
        for mine in own:
            both += [mine, *(one for one in theirs if one.key == mine.key)]
        for one, rate in zip(both, measuring.rates(both, seconds), strict=True):
            place = found["beside" if isinstance(one, Beside) else "rates"]
            place[rate.key] = {"a_second": rate.rate, "unit": rate.unit}
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
    found["gpu"] = _gpu()
    found["seconds"] = time.perf_counter() - began
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        for line in told(found):
            click.echo(line)


def _gpu() -> dict[str, Any]:
    """Decisions a second on the GPU, and why there are none; empty where there is no GPU.

    Everything else has been measured by now, so nothing that goes wrong here may lose it.
    """
    from foretell.commands import measuring_gpu  # noqa: PLC0415

    if not measuring_gpu.has_gpu():
        return {}
    try:
        return {"rates": {one.key: one.rate for one in measuring_gpu.gpu_rates()}}
    except measuring_gpu.GpuDiffers:
        return {"failed": _say("bench.gpu_differs")}
    except measuring_gpu.GpuFails as error:
        return {"failed": _say("bench.gpu_fails", why=str(error))}


def _environments(seconds: float) -> dict[str, Any]:
    if missing := [name for name in ("numpy", "pettingzoo") if find_spec(name) is None]:
        raise click.ClickException(_say("bench.no_envs", name=missing[0]))
    from foretell.commands import measuring, measuring_envs  # noqa: PLC0415 - slow, and needs an extra

    skipped: dict[str, str] = {}
    measured = list(measuring_envs.env_measures(skipped))
    rates: dict[str, dict[str, Any]] = {
        one.key: {"a_second": one.rate, "unit": one.unit}
        for one in measuring.rates(measured, seconds)
    }
    fastest = rates["envs_many"]["a_second"]
    return {
        "machine": _machine(),
        "rates": rates,
        "ratios": {key: fastest / one["a_second"] for key, one in rates.items()},
        "skipped": skipped,
        "missing": [
            label
            for name, label in measuring_envs.LIBRARIES.items()
            if find_spec(name.removesuffix("_cpp")) is None
        ],
    }


def told_environments(found: dict[str, Any]) -> Iterator[str]:
    """The same as lines of text; the fastest of each library comes first."""
    yield ", ".join(f"{key} {value}" for key, value in found["machine"].items())
    yield f"\n{_say('bench.envs')}"
    unit = _say("bench.unit.decisions")
    for key in sorted(found["rates"], key=lambda key: -found["rates"][key]["a_second"]):
        rate, ratio = found["rates"][key]["a_second"], found["ratios"][key]
        yield f"  {_environment(key):<64} {_short(rate):>8} {unit}  {_ratio(ratio):>9} ×"
    yield f"  {_say('bench.envs_times')}"
    for key, why in found["skipped"].items():
        yield f"  {_say('bench.envs_skipped', name=_environment(key), why=why)}"
    for label in found["missing"]:
        yield f"  {_say('bench.envs_missing', name=label)}"


def _environment(key: str) -> str:
    """Ours have texts; of another library, its name and that of the game."""
    from foretell.commands.measuring_envs import LIBRARIES  # noqa: PLC0415

    library, _, game = key.partition(":")
    return f"{LIBRARIES[library]} {game}" if game else _name(key)


def _machine() -> dict[str, str]:
    from foretell.kernel.backend.compiled import BACKEND, described  # noqa: PLC0415

    found = {"python": platform.python_version(), "system": platform.platform(terse=True)}
    found["processor"] = platform.processor() or platform.machine()
    found["kernel"] = f"{BACKEND} ({described()})"
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
            f"  {_ratio(one['a_second'] / spiel):>7} ×"
            if spiel and one["unit"] == "decisions"
            else ""
        )
        unit = _say(f"bench.unit.{one['unit']}")
        yield f"  {_name(key):<64} {_short(one['a_second']):>8} {unit}{beside}"
    if found["beside"]:
        yield f"\n{_say('bench.beside')}"
        for key, one in found["beside"].items():
            own = found["rates"][key]["a_second"]
            yield f"  {_name(key):<64} {_short(one['a_second']):>8}  {_ratio(own / one['a_second']):>7} ×"
        yield ""
    if spiel:
        yield f"  {_say('bench.times')}"
    else:
        yield f"  {_say('bench.no_open_spiel')}"
    yield f"\n{_say('bench.ratios')}"
    for key, ratio in found["ratios"].items():
        yield f"  {_name(key):<64} {_ratio(ratio):>8}"
    yield f"\n{_say('bench.growth')}"
    for row in found["growth"]:
        what = _say(f"bench.by.{row['by']}", size=row["size"])
        yield f"  {what:<64} {_short(row['games_a_second']):>8}"
    for row in found["batches"]:
        what = _say("bench.by.batch", count=row["games"])
        yield f"  {what:<64} {_short(row['games_a_second']):>8}"
    if found["gpu"]:
        yield f"\n{_say('bench.gpu')}"
    if "failed" in found["gpu"]:
        yield f"  {found['gpu']['failed']}"
    for key, rate in found["gpu"].get("rates", {}).items():
        alone = found["rates"][key.replace("gpu", "kernel")]["a_second"]
        name = _name(key.replace("gpu", "kernel"))
        yield f"  {name:<64} {_short(rate):>8} {_say('bench.unit.decisions')}  {_ratio(rate / alone):>7} ×"
    yield f"\n{_say('bench.cores')}"
    alone = found["cores"][0]["decisions_a_second"]
    for row in found["cores"]:
        rate = row["decisions_a_second"]
        yield f"  {row['cores']:<64} {_short(rate):>8}  {_ratio(rate / alone):>7} ×"


def _name(key: str) -> str:
    """The name of a measurement; playouts are named by their number of cards and where they begin, choices by level."""
    for kind in ("playouts", "redealt", "redealt_to_plain"):
        rest = key.removeprefix(f"{kind}_")
        size, _, where = rest.partition("_")
        if rest != key and size.isdecimal():
            return _say(f"bench.{kind}", size=size, where=_say(f"bench.{where}"))
    if key.startswith("choice_"):
        return _say("bench.choice", name=key.removeprefix("choice_"))
    return _say(f"bench.{key}")


def _ratio(ratio: float) -> str:
    return texts().number(ratio, digits=2)


def _short(rate: float) -> str:
    """A rate with about three digits: 1.25 M, 310 k."""
    unit, size = ("M", 1e6) if rate >= 1e6 else ("k", 1e3) if rate >= 1e3 else ("", 1)
    short = rate / size
    digits = 2 if short < 10 else 1 if short < 100 else 0
    return f"{texts().number(short, digits=digits)} {unit}".rstrip()

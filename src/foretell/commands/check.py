"""`foretell check`: checks whether records are games of Wizard."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from foretell.errors import Refused
from foretell.i18n import say as _say
from foretell.i18n import texts
from foretell.record import loads
from foretell.scorepad.width import shown


@click.command("check", help="cli.check.help")
@click.option("--json", "as_json", is_flag=True, help="cli.check.json")
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
def command(files: tuple[Path, ...], as_json: bool) -> None:
    good = bad = 0
    for path in files:
        for found in _verdicts(path):
            good, bad = good + found["ok"], bad + (not found["ok"])
            _print(found, as_json=as_json)
    if not as_json:
        click.echo(_say("cli.check.sum", count=good + bad, good=good, bad=bad))
    sys.exit(1 if bad else 0)


def _print(found: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(found))
    elif not found["ok"]:
        # A message about a whole file names the file itself.
        place = "" if found["line"] is None else f"{found['file']}:{found['line']}: "
        # The message may quote the record, which may come from anyone.
        click.echo(f"{place}{shown(found['message'])}")


def _verdicts(path: Path) -> Iterator[dict[str, Any]]:
    """One verdict for each line that is not empty, or a single one for a file that cannot be read."""
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _verdict(path, number, line)
    except OSError as error:
        message = _say("cli.unreadable", file=path, why=error.strerror)
        yield _found(path, None, ok=False, rule="FORMAT", message=message)


def _verdict(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        loads(line)
    except Refused as error:
        return _found(
            path,
            number,
            ok=False,
            rule=error.rule,
            round_=error.round,
            trick=error.trick,
            message=error.sentence(texts().language),
        )
    return _found(path, number, ok=True)


def _found(
    path: Path,
    line: int | None,
    *,
    ok: bool,
    rule: str | None = None,
    round_: int | None = None,
    trick: int | None = None,
    message: str | None = None,
) -> dict[str, Any]:
    return {
        "file": str(path),
        "line": line,
        "ok": ok,
        "rule": rule,
        "round": round_,
        "trick": trick,
        "message": message,
    }

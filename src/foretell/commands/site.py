"""`foretell site FOLDER`: writes the page into a folder that any web host can serve, without a server of ours.

A folder always has one consistent version: the files whose names have a hash come first, then the page that names
them, and at last the files of an older version go.  `site.json` lists what was written, so that nothing else is ever
removed.
"""

import json
import shutil
from pathlib import Path

import click

from foretell.i18n import say
from foretell.server.page_files import is_for_good, page_files

_LIST = "site.json"


@click.command("site", help="cli.site.help")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def command(folder: Path) -> None:
    files = page_files()
    if "index.html" not in files:
        raise click.ClickException(say("cli.site.no_page"))
    if folder.exists() and any(folder.iterdir()) and not (folder / _LIST).exists():
        raise click.ClickException(say("cli.site.other_folder", folder=str(folder)))
    if "engine/engine.json" not in files:
        click.echo(say("cli.site.no_engine"), err=True)
    write_site(files, folder)
    click.echo(say("cli.site.written", folder=str(folder), count=len(files)))


def write_site(files: dict[str, Path], folder: Path) -> None:
    """Writes these files, and removes those of an older version."""
    before = _written(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # Before anything else: if this is interrupted, the next run knows which files are ours.
    _replace(folder / _LIST, json.dumps(sorted(before | set(files)), indent=1).encode())
    for path in sorted(files, key=lambda path: (not is_for_good(path), path == "index.html", path)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        _replace(folder / path, files[path].read_bytes())
    for path in sorted(before - set(files), reverse=True):
        (folder / path).unlink(missing_ok=True)
    for empty in sorted((one for one in folder.rglob("*") if one.is_dir()), reverse=True):
        if not any(empty.iterdir()) and _is_ours(empty, folder, before):
            empty.rmdir()
    _replace(folder / _LIST, json.dumps(sorted(files), indent=1).encode())


def _written(folder: Path) -> set[str]:
    """What an earlier run has written; nothing that leads out of the folder."""
    try:
        found = json.loads((folder / _LIST).read_bytes())
    except (OSError, ValueError):
        return set()
    if not isinstance(found, list):
        return set()
    inside = folder.resolve()
    return {str(one) for one in found if (inside / str(one)).resolve().is_relative_to(inside)}


def _is_ours(empty: Path, folder: Path, before: set[str]) -> bool:
    name = empty.relative_to(folder).as_posix() + "/"
    return any(path.startswith(name) for path in before)


def _replace(path: Path, content: bytes) -> None:
    """Nobody ever sees half of a file."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(content)
    shutil.move(fresh, path)

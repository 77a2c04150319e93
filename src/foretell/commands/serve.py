"""`foretell serve`: the server, for this machine, the local network or the internet."""

import os
import sqlite3
import sys
import threading
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import click
import platformdirs

from foretell.errors import NotAllowed
from foretell.i18n import say as _say
from foretell.server.network import serve
from foretell.server.network.addresses import Network, networks_in
from foretell.server.network.limits import limits_from
from foretell.server.store import sqlite


def data_folder() -> Path:
    return Path(platformdirs.user_data_dir("foretell", appauthor=False))


def _networks(_context: object, _option: object, given: str | None) -> tuple[Network, ...]:
    try:
        return networks_in(given or "")
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command("serve", help="cli.serve.help")
@click.option("--port", type=click.IntRange(0, 65535), default=None, help="cli.serve.port")
@click.option("--host", default=None, help="cli.serve.host")
@click.option("--lan", is_flag=True, help="cli.serve.lan")
@click.option("--data", type=click.Path(path_type=Path), default=None, help="cli.serve.data")
@click.option("--no-browser", is_flag=True, help="cli.serve.no_browser")
@click.option("--origin", "origins", multiple=True, help="cli.serve.origin")
@click.option("--host-name", "names", multiple=True, help="cli.serve.host_name")
@click.option("--limit", "limits", multiple=True, help="cli.serve.limit")
@click.option("--proxy", "proxies", default="127.0.0.1", help="cli.serve.proxy")
@click.option("--metrics-for", "metrics_for", callback=_networks, help="cli.serve.metrics_for")
@click.option(
    "--log",
    "log_level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="cli.serve.log",
)
@click.option("--database", envvar="FORETELL_DATABASE", help="cli.serve.database")
@click.option("--bus", envvar="FORETELL_BUS", help="cli.serve.bus")
@click.option("--inner-address", default="127.0.0.1:0", help="cli.serve.inner_address")
@click.option("--backup", type=click.Path(path_type=Path), help="cli.serve.backup")
def command(
    *,
    port: int | None,
    host: str | None,
    lan: bool,
    data: Path | None,
    no_browser: bool,
    origins: tuple[str, ...],
    names: tuple[str, ...],
    limits: tuple[str, ...],
    proxies: str,
    metrics_for: tuple[Network, ...],
    log_level: str,
    database: str | None,
    bus: str | None,
    inner_address: str,
    backup: Path | None,
) -> None:
    folder = data or data_folder()
    if backup is not None:
        _back_up(folder, backup, sqlite.backup)
        return
    kept_in: object = folder
    if database is not None:
        require_psycopg()
        kept_in = database.rpartition("@")[2]  # without a password
    host = host or ("0.0.0.0" if lan else "127.0.0.1")
    settings = serve.ServerSettings(
        data=folder,
        host=host,
        port=8000 if port is None else port,
        is_port_fixed=port is not None,
        origins=origins,
        names=names,
        limits=limits_from(limits),
        proxies=proxies,
        metrics_for=metrics_for,
        log_level=log_level,
        database=database,
        bus=bus,
        inner_address=inner_address,
    )

    has_started = False

    def ready(bound: int) -> None:
        nonlocal has_started
        has_started = True
        found = serve.addresses(host, bound)
        for address in found:
            click.echo(_say("cli.serve.at", address=address))
        if len(found) > 1:
            click.echo(serve.qr_code(found[1]))
        click.echo(_say("cli.serve.stop", data=kept_in))
        # A browser is for a person at a terminal, not for a service.
        if not no_browser and sys.stdout.isatty():
            # The address that others can use too: links to tables are made from it.
            threading.Thread(target=_open, args=(found[-1],), name="browser", daemon=True).start()

    try:
        serve.run(settings, ready)
        if has_started:
            # The terminal has written "^C" without a line break.
            start = "\n" if sys.stdout.isatty() else ""
            click.echo(start + _say("cli.serve.stopped", data=kept_in))
    except NotAllowed as error:
        address = str(error.values.get("address") or "")
        if not address or port is not None or host != "127.0.0.1":
            raise
        # A server is already running on these games: show its address instead of an error.
        click.echo(_say("cli.serve.at", address=address))
        if not no_browser and sys.stdout.isatty():
            _open(address)
    except OSError as error:
        why = error.strerror or str(error)
        where = f"{error.filename}: " if error.filename else ""
        message = _say("cli.serve.failed", why=f"{where}{why}")
        raise click.ClickException(message) from None


def require_psycopg() -> None:
    """Says what to install where PostgreSQL's driver, an extra of the package, is missing."""
    if find_spec("psycopg") is None:
        raise click.ClickException(_say("cli.serve.no_psycopg"))


def _open(address: str) -> None:
    if not serve.open_browser(address):
        click.echo(_say("cli.serve.unopened", address=address))


def _back_up(folder: Path, into: Path, backup: Callable[[Path, Path], None]) -> None:
    source = folder / "foretell.sqlite3"
    if not source.exists():
        raise click.ClickException(_say("cli.serve.no_data", data=folder))
    if into.exists():
        raise click.ClickException(_say("cli.serve.backup_exists", file=into))
    try:
        # The copy holds the secrets of running games, so only its owner may read it.
        os.close(os.open(into, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _copy(source, into, backup)
    except (sqlite3.Error, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        message = _say("cli.unwritable", file=into, why=why)
        raise click.ClickException(message) from error
    click.echo(_say("cli.serve.backed_up", file=into))


def _copy(source: Path, into: Path, backup: Callable[[Path, Path], None]) -> None:
    try:
        backup(source, into)
    except (sqlite3.Error, KeyboardInterrupt):
        # Half a copy is worse than none, and the next try would find the file in its way.
        into.unlink(missing_ok=True)
        raise

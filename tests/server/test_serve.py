"""`foretell serve`: one command that starts a server and prints an address that works."""

import asyncio
import gzip
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from foretell.client import Player, Remote
from foretell.errors import NotAllowed
from foretell.i18n import catalogue
from foretell.server.network.serve import addresses, listening_socket, open_browser, qr_code
from foretell.server.wire import protocol as p


@contextmanager
def serving(
    folder: Path | None, *options: str
) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Runs the command as a person would; yields the process and the lines it printed until it was ready."""
    data = [] if folder is None else ["--data", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "foretell", "serve", *data, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    printed = []
    for line in process.stdout:
        printed.append(line.rstrip("\n"))
        if "Ctrl-C" in line:
            break
    try:
        yield process, printed
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


def address_in(printed: list[str]) -> str:
    return printed[0].rsplit(" ", 1)[1]


def test_it_prints_an_address_that_works_and_keeps_its_games_in_the_folder(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as (_, printed):
        address = address_in(printed)
        assert address.startswith("http://localhost:")
        with urllib.request.urlopen(address + "api/ready", timeout=10) as answer:
            assert json.load(answer)["status"] == "ok"
    assert (tmp_path / "foretell.sqlite3").exists()


def test_ctrl_c_says_goodbye_and_where_the_games_are(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as (process, _):
        process.send_signal(signal.SIGINT)
        said, problems = process.communicate(timeout=20)
    assert said == f"{catalogue().say('cli.serve.stopped', data=tmp_path)}\n"
    assert "Goodbye" in said
    assert (process.returncode, problems) == (0, "")


def test_on_the_local_network_it_shows_the_address_and_qr_code_for_others(tmp_path: Path) -> None:
    if len(addresses("0.0.0.0", 1)) == 1:
        pytest.skip("this machine is in no network")
    with serving(tmp_path, "--lan", "--port", "0") as (_, printed):
        here, there = (line.rsplit(" ", 1)[1] for line in printed[:2])
        assert here.startswith("http://localhost:")
        with urllib.request.urlopen(there + "api/ready", timeout=10) as answer:
            assert json.load(answer)["status"] == "ok"
        assert qr_code(there).splitlines() == printed[2 : 2 + len(qr_code(there).splitlines())]


@pytest.mark.skipif(sys.platform != "linux", reason="the folder has another name elsewhere")
def test_games_are_kept_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with serving(None, "--port", "0") as (_, printed):
        assert str(tmp_path / "foretell") in printed[1]
        assert (tmp_path / "foretell" / "foretell.sqlite3").exists()


def test_a_port_in_use_is_skipped_unless_it_was_asked_for(tmp_path: Path) -> None:
    first = listening_socket("127.0.0.1", 0, is_fixed=True)
    port = first.getsockname()[1]
    second = listening_socket("127.0.0.1", port, is_fixed=False)
    assert second.getsockname()[1] != port
    second.close()
    with pytest.raises(NotAllowed, match=f"port {port} is in use"):
        listening_socket("127.0.0.1", port, is_fixed=True)
    asked = subprocess.run(
        [sys.executable, "-m", "foretell", "serve", "--data", str(tmp_path), "--port", str(port)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    first.close()
    assert asked.returncode == 1
    assert f"port {port} is in use" in asked.stderr
    assert "Traceback" not in asked.stderr


@pytest.mark.parametrize("content", [b"not a database" * 100, None])
def test_an_unusable_database_is_reported_and_not_changed(
    tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "foretell.sqlite3"
    if content is None:  # from a newer version of Foretell
        with sqlite3.connect(file) as newer:
            newer.execute("create table alembic_version (version_num varchar(32) primary key)")
            newer.execute("insert into alembic_version values ('later')")
        newer.close()
    else:
        file.write_bytes(content)
    before = file.read_bytes()
    command = [sys.executable, "-m", "foretell", "serve", "--data", str(tmp_path), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert f"{file} cannot be used" in done.stderr
    assert "Traceback" not in done.stderr
    assert file.read_bytes() == before


def test_a_second_server_for_the_same_folder_shows_the_address_of_the_first(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "foretell", "serve", "--data", str(tmp_path)]

    def second(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *options], capture_output=True, text=True, timeout=30, check=False
        )

    with serving(tmp_path, "--port", "0") as (process, printed):
        shown = second()
        assert (shown.returncode, shown.stdout) == (0, printed[0] + "\n")
        refused = second("--port", "0")
        assert refused.returncode != 0
        assert "another Foretell server already uses the games" in refused.stderr
        process.kill()
        process.wait()
        # A killed server leaves nothing behind that would stop the next one.
        with serving(tmp_path, "--port", "0") as (_, again):
            assert address_in(again).startswith("http://localhost:")


def test_an_error_names_a_data_folder_that_is_not_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    command = [sys.executable, "-m", "foretell", "serve", "--data", str(file), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert str(file) in done.stderr


def test_answers_are_sent_at_once(tmp_path: Path) -> None:
    """With Nagle's algorithm, an answer of two frames would wait 40 ms for the client's acknowledgement."""
    found = listening_socket("127.0.0.1", 0, is_fixed=True)
    assert found.proto == socket.IPPROTO_TCP
    found.close()


def test_on_the_local_network_there_is_a_qr_code_for_phones() -> None:
    assert addresses("127.0.0.1", 8000) == ["http://localhost:8000/"]
    assert addresses("2001:db8::1", 8000) == ["http://[2001:db8::1]:8000/"]
    assert addresses("0.0.0.0", 8000)[0] == "http://localhost:8000/"
    code = qr_code("http://192.0.2.7:8000/")
    assert len(code.splitlines()) > 10
    assert set(code) <= set(" ▀▄█\n\x1b[0123456789;m")


def test_without_a_browser_the_server_says_so_and_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> bool:
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "open", none)
    assert open_browser("http://localhost:8000/") is False


def test_a_browser_that_runs_in_the_terminal_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("/usr/bin/w3m"))
    monkeypatch.setattr(webbrowser, "open", asked.append)
    assert open_browser("http://localhost:8000/") is False
    assert asked == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal to pretend with")
def test_a_browser_that_blocks_does_not_block_the_server(tmp_path: Path) -> None:
    browser, asked = tmp_path / "browser", tmp_path / "asked"
    browser.write_text(f"#!/bin/sh\necho $1 > {asked}\nexec sleep 10\n")
    browser.chmod(0o700)
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "foretell", "serve", "--data", str(tmp_path), "--port", "0"]
    process = subprocess.Popen(
        command, stdout=theirs, env={**os.environ, "BROWSER": f"{browser} %s"}
    )
    os.close(theirs)
    try:
        with open(ours, encoding="utf-8") as terminal:
            address = terminal.readline().split()[-1]
            assert "Ctrl-C" in terminal.readline()
            with urllib.request.urlopen(address + "api/health", timeout=5) as answer:
                assert answer.status == 200
            for _ in range(100):
                if asked.exists() and asked.read_text():
                    break
                time.sleep(0.05)
            assert asked.read_text().strip() == address
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_debug_logs_contain_no_messages_and_no_tokens(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--log", "debug") as (process, printed):
        token = asyncio.run(_chatted(address_in(printed)))
        process.send_signal(signal.SIGTERM)
        _, logged = process.communicate(timeout=20)
    assert '"event": "pruned"' in logged  # the level is really "debug"
    for hidden in ("open sesame", "Zaphod", '\\"bid', token[:8], token[-8:]):
        assert hidden not in logged


async def _chatted(address: str) -> str:
    """Sends a chat message and a bid; returns the token of the player."""
    transport = Remote(address)
    options = p.TableOptions(seats=3, bots=("random", "random"), bot_pause_ms=0)
    seat = await transport.make(p.NewTable(name="Zaphod", options=options))
    async with Player(transport, seat.table, seat.token) as zaphod:
        await zaphod.start()
        await zaphod.say("open sesame")
        seen = await zaphod.turn()
        assert seen is not None
        await zaphod.act(seen.legal[0])
    return seat.token


def test_only_the_owner_may_read_files_with_secrets(tmp_path: Path) -> None:
    folder = tmp_path / "open to all"
    folder.mkdir(mode=0o755)
    copy = tmp_path / "copy.sqlite3"
    with serving(folder, "--port", "0"):
        command = [sys.executable, "-m", "foretell", "serve", "--data", str(folder)]
        subprocess.run([*command, "--backup", str(copy)], check=True, timeout=60)
        files = [copy, *folder.iterdir()]
        assert {"foretell.sqlite3", "foretell.sqlite3-wal"} <= {one.name for one in files}
        assert {oct(one.stat().st_mode & 0o077) for one in files} == {"0o0"}


def test_a_failed_backup_leaves_no_file_behind(tmp_path: Path) -> None:
    (tmp_path / "foretell.sqlite3").write_bytes(b"not a database" * 100)
    command = [sys.executable, "-m", "foretell", "serve", "--data", str(tmp_path), "--backup"]
    for into in (tmp_path / "copy.sqlite3", tmp_path / "no" / "such" / "folder"):
        done = subprocess.run(
            [*command, str(into)], capture_output=True, text=True, timeout=60, check=False
        )
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
        assert f"{into} cannot be written" in done.stderr
        assert not into.exists()


def test_a_backup_while_the_server_runs(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    command = [
        sys.executable,
        "-m",
        "foretell",
        "serve",
        "--data",
        str(tmp_path),
        "--backup",
        str(copy),
    ]
    with serving(tmp_path, "--port", "0"):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        again = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert "already exists" in again.stderr
    assert copy.exists()


def test_the_web_client_is_served_with_its_types(tmp_path: Path) -> None:
    from foretell.server.network.static_files import web_files

    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "assets" / "app-1a2b.js").write_text("export {}")
    found = web_files(tmp_path)
    (tmp_path / "assets" / "app-1a2b.js.br").write_bytes(b"compressed by the build")
    assert set(web_files(tmp_path)) == set(found) == {"/", "/index.html", "/assets/app-1a2b.js"}
    assert [coding for coding, _ in found["/assets/app-1a2b.js"].compressed] == ["gzip"]
    compressed = dict(web_files(tmp_path)["/assets/app-1a2b.js"].compressed)
    assert compressed["br"] == b"compressed by the build"
    gzipped = compressed["gzip"]
    assert isinstance(gzipped, bytes)
    assert gzip.decompress(gzipped) == b"export {}"
    assert found["/"].kind == "text/html; charset=utf-8"
    assert found["/assets/app-1a2b.js"].kind == "text/javascript; charset=utf-8"
    assert found["/assets/app-1a2b.js"].never_changes
    assert not found["/"].never_changes

"""The container file, the compose file and the systemd units of `deploy/`, as far as they can be read without a daemon."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml  # type: ignore[import-untyped]

from foretell.cli import main
from hosting.balancers import DEPLOY, changed, installed
from ports import lasting_port
from server.postgresql import Postgresql

ROOT = DEPLOY.parent
CONTAINER = (DEPLOY / "Containerfile").read_text()
COMPOSE = (DEPLOY / "compose.yaml").read_text()
UNITS = sorted((DEPLOY / "systemd").iterdir())
SERVICES = [path for path in UNITS if path.suffix == ".service"]


def _command_of(unit: Path) -> str:
    (found,) = re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE)
    return str(found)


def commands() -> dict[str, list[str]]:
    """Every command of `deploy/` that starts Foretell, as words, without the shell's and systemd's variables."""
    (entry,) = re.findall(r"^ENTRYPOINT (\[.*\])$", CONTAINER, re.MULTILINE)
    (shell,) = yaml.safe_load(COMPOSE)["services"]["server"]["command"]
    found = {"Containerfile": yaml.safe_load(entry), "compose.yaml": shlex.split(shell)}
    for unit in SERVICES:
        text = _command_of(unit)
        if "/bin/sh -c" in text:
            text = shlex.split(text)[-1]
        text = text.replace("%i", "8001").replace("$FORETELL_OPTIONS", "")
        found[unit.name] = shlex.split(re.sub(r"\$\{FORETELL_\w+\}", "10.0.0.5", text))
    return {
        name: words[next(n for n, one in enumerate(words) if one.endswith("foretell")) + 1 :]
        for name, words in found.items()
    }


@pytest.mark.parametrize("name", commands())
def test_a_command_has_only_options_that_there_are(name: str) -> None:
    first, *options = commands()[name]
    assert isinstance(main, click.Group)
    command = main.get_command(click.Context(main), first)
    assert command is not None
    command.make_context(
        first, options
    )  # raises an error for an unknown option, or for an unreadable value


def test_environment_variables_are_those_that_the_server_reads() -> None:
    command = main.get_command(click.Context(main), "serve")
    assert command is not None
    read = {str(one.envvar) for one in command.params if one.envvar}
    given = yaml.safe_load(COMPOSE)["services"]["server"]["environment"].keys()
    assert set(given) <= read


# The container


def test_the_image_is_small_and_its_server_is_not_root() -> None:
    stages = re.split(r"^FROM ", CONTAINER, flags=re.MULTILINE)[1:]
    assert len(stages) == 2
    last = stages[-1]
    assert "apt-get" not in last
    assert re.search(r"^USER foretell$", last, re.MULTILINE)
    assert last.index("USER foretell") < last.index("ENTRYPOINT")
    assert "HEALTHCHECK" in last


def test_everything_that_the_image_copies_is_there() -> None:
    for line in re.findall(r"^COPY (?!--from)(.*)$", CONTAINER, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text().split("\n")
    for needed in ("src", "web", "pyproject.toml", "README.md", "LICENSE", "hatch_build.py"):
        assert needed not in ignored
        assert (ROOT / needed).exists()


def test_the_health_check_is_healthy_only_if_the_server_is(tmp_path: Path) -> None:
    """The check of the image, on a server that is run here."""
    (check,) = re.findall(r"^HEALTHCHECK .*\\\n +CMD (\[.*\])$", CONTAINER, re.MULTILINE)
    _, *arguments = yaml.safe_load(check)
    port = lasting_port()
    command = [sys.executable, *(one.replace(":8000/", f":{port}/") for one in arguments)]

    def is_healthy() -> bool:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    assert not is_healthy()
    ready = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ready.bind(str(tmp_path / "notify"))
    ready.settimeout(60)
    serve = [sys.executable, "-m", "foretell", "serve", "--no-browser", "--port", str(port)]
    server = subprocess.Popen(
        [*serve, "--data", str(tmp_path / "data")],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")},
    )
    with ready:
        # systemd waits for this (Type=notify), and goes on to the next process only then.
        assert ready.recv(100) == b"READY=1"
        assert is_healthy()
        server.terminate()
        assert ready.recv(100) == b"STOPPING=1"
    server.wait()
    assert not is_healthy()


# Compose


def test_compose_reads_its_file() -> None:
    command = [installed("docker-compose"), "--file", str(DEPLOY / "compose.yaml"), "config"]
    env = {**os.environ, "FORETELL_PASSWORD": "secret", "FORETELL_NAME": "wizard.example"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stderr
    services = yaml.safe_load(done.stdout)["services"]
    assert set(services) == {"balancer", "server", "database", "bus"}
    # Scaled: nothing in it belongs to one server only, and only the balancer can be reached from outside.
    assert not {"container_name", "hostname", "ports"} & services["server"].keys()
    assert [name for name, one in services.items() if "ports" in one] == ["balancer"]
    without = {name: one for name, one in env.items() if name != "FORETELL_PASSWORD"}
    refused = subprocess.run(command, capture_output=True, text=True, check=False, env=without)
    assert "deploy/.env" in refused.stderr


def test_the_files_that_compose_mounts_and_names_are_there() -> None:
    services: dict[str, Any] = yaml.safe_load(COMPOSE)["services"]
    for service in services.values():
        for volume in service.get("volumes", []):
            if volume.startswith("./"):
                assert (DEPLOY / volume.split(":")[0]).exists(), volume
    build = services["server"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).exists()
    named = set(re.findall(r"\$\{(\w+)", COMPOSE))
    assert named <= set(re.findall(r"^(\w+)=", (DEPLOY / "example.env").read_text(), re.MULTILINE))


def test_the_command_of_compose_starts_a_server(
    database_server: Postgresql, tmp_path: Path
) -> None:
    """As it is run in a container, except for its port, its folder, and the address of the other servers' network."""
    (shell,) = yaml.safe_load(COMPOSE)["services"]["server"]["command"]
    inner = lasting_port()
    script = changed(
        shell.replace("$$", "$"),
        {
            "exec foretell": f"exec {sys.executable} -m foretell",
            "--host 0.0.0.0 --port 8000": "--host 127.0.0.1 --port 0",
            "--data /data": f"--data {tmp_path}",
            r"\$\(hostname -i\):9000": f"127.0.0.1:{inner}",
        },
    )
    env = {**os.environ, "FORETELL_DATABASE": database_server.new_database()}
    with subprocess.Popen(
        ["sh", "-c", script], stdout=subprocess.PIPE, env=env, text=True
    ) as server:
        assert server.stdout is not None
        assert "http://localhost:" in server.stdout.readline()
        with socket.create_connection(("127.0.0.1", inner), timeout=10):
            pass
        server.terminate()  # it is the shell's own process, so the signal reaches it
        server.stdout.read()
        assert server.wait(timeout=20) in (0, -signal.SIGTERM)


# systemd


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    program = installed("systemd-analyze")
    for path in UNITS:
        # Foretell is not installed under /opt on this machine.
        text = path.read_text().replace("/opt/foretell/bin/foretell", sys.executable)
        (tmp_path / path.name.replace("@.", "@8001.")).write_text(text)
    for path in sorted(tmp_path.iterdir()):
        done = subprocess.run(
            [program, "verify", str(path)], capture_output=True, text=True, check=False
        )
        ours = [line for line in done.stderr.splitlines() if path.name in line]
        assert ours == []
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_service_can_write_only_to_its_own_folders(unit: Path) -> None:
    text = unit.read_text()
    assert "User=foretell" in text
    assert "ProtectSystem=strict" in text
    assert "NoNewPrivileges=yes" in text
    if "foretell serve --host" in text:
        assert "Type=notify" in text
        assert "StateDirectory=foretell" in text

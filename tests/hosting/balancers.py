"""Real balancers in front of real servers: nginx and Caddy with the files of `deploy/`, on free ports of this machine."""

import asyncio
import contextlib
import os
import re
import shutil
import socket
import struct
import subprocess
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from ports import lasting_port

__all__ = ["DEPLOY", "caddy", "certificate", "changed", "compose_caddy", "installed", "nginx"]

DEPLOY = Path(__file__).parents[2] / "deploy"


def installed(program: str) -> str:
    """The path of a program.  Without it, the test is skipped; where CI is set, that is a failure."""
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        reason = f"no {program} here: `make programs` installs it on Debian"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def changed(text: str, changes: dict[str, str]) -> str:
    """The text with each pattern replaced; every pattern must be there."""
    for pattern, into in changes.items():
        assert re.search(pattern, text), pattern
        text = re.sub(pattern, into.replace("\\", r"\\"), text)
    return text


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost, which signs itself, and its key."""
    made, key = folder / "certificate.pem", folder / "key.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command = [installed("openssl"), "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec"]
    more = ["-pkeyopt", "ec_paramgen_curve:prime256v1", "-keyout", str(key), "-out", str(made)]
    subprocess.run([*command, *more, *subject], check=True, capture_output=True)
    return made, key


@contextlib.asynccontextmanager
async def running(command: list[str], folder: Path, port: int) -> AsyncIterator[str]:
    """Runs a balancer until the end of the block; yields its address."""
    own = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder / "config")}
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, cwd=folder, env={**os.environ, **own}
        )
    try:
        async with asyncio.timeout(30):
            while not _listens(port):
                assert process.poll() is None, log.read_text()
                await asyncio.sleep(0.02)
        yield f"https://localhost:{port}"
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.asynccontextmanager
async def nginx(folder: Path, servers: Sequence[str], tls: tuple[Path, Path]) -> AsyncIterator[str]:
    """nginx with `deploy/nginx.conf`, in which only addresses, ports and the certificate are others."""
    program, port = installed("nginx"), lasting_port()
    upstream = "".join(f"server {one} max_fails=1 fail_timeout=2s;\n" for one in servers)
    site = changed(
        (DEPLOY / "nginx.conf").read_text(),
        {
            r"(server 10\.0\.0\.\d:8000 [^;]*;.*\n\s*)+": upstream,
            r"listen \[::\]:.*;": "",
            r"listen 80;": f"listen 127.0.0.1:{lasting_port()};",
            r"listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
            r"wizard\.example;": "localhost;",
            r"/etc/letsencrypt/live/wizard\.example/fullchain\.pem": str(tls[0]),
            r"/etc/letsencrypt/live/wizard\.example/privkey\.pem": str(tls[1]),
        },
    )
    (folder / "site.conf").write_text(site)
    own = [
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    ]
    main = f"""
        daemon off; pid {folder}/pid; error_log stderr; worker_processes 2;
        events {{ worker_connections 500; }}
        http {{ {" ".join(own)} include {folder}/site.conf; }}
    """
    (folder / "nginx.conf").write_text(main)
    # With the privileges of the test: nginx would otherwise give its workers those of another user.
    user = ["-g", "user root;"] if os.geteuid() == 0 else []
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), *user]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    async with running(command, folder, port) as address:
        yield address


def _caddyfile(folder: Path, site: str, tls: tuple[Path, Path]) -> tuple[list[str], int]:
    """The command that runs Caddy with a site of `deploy/`, which here has the test's certificate and port."""
    program, port = installed("caddy"), lasting_port()
    made, key = tls
    ours = changed(
        site, {r"\{\$FORETELL_NAME:localhost\} \{": f"localhost:{port} {{\ntls {made} {key}\n"}
    )
    options = (
        f"{{\nadmin off\nskip_install_trust\nhttp_port {lasting_port()}\nhttps_port {port}\n}}\n"
    )
    path = folder / "Caddyfile"
    path.write_text(options + ours)
    command = [program, "run", "--adapter", "caddyfile", "--config", str(path)]
    subprocess.run(
        [program, "validate", "--adapter", "caddyfile", "--config", str(path)],
        check=True,
        capture_output=True,
    )
    return command, port


@contextlib.asynccontextmanager
async def caddy(folder: Path, servers: Sequence[str], tls: tuple[Path, Path]) -> AsyncIterator[str]:
    """Caddy with `deploy/Caddyfile`, in which only addresses, ports and the certificate are others."""
    site = changed(
        (DEPLOY / "Caddyfile").read_text(),
        {
            r"wizard\.example \{": "{$FORETELL_NAME:localhost} {",
            r"reverse_proxy( 10\.0\.0\.\d:8000)+": f"reverse_proxy {' '.join(servers)}",
        },
    )
    command, port = _caddyfile(folder, site, tls)
    async with running(command, folder, port) as address:
        yield address


@contextlib.asynccontextmanager
async def compose_caddy(
    folder: Path, servers: Sequence[str], tls: tuple[Path, Path]
) -> AsyncIterator[str]:
    """Caddy with `deploy/compose.Caddyfile`, and a DNS server that has an address for each server, as in a network of
    containers.  All servers have the same port."""
    hosts, ports = zip(*(one.rsplit(":", 1) for one in servers), strict=True)
    assert len(set(ports)) == 1
    async with _dns(hosts) as dns:
        site = changed(
            (DEPLOY / "compose.Caddyfile").read_text(),
            {
                r"\{\$FORETELL_PORT:8000\}": ports[0],
                r"\{\$FORETELL_DNS:127\.0\.0\.11\}": f"127.0.0.1:{dns}",
            },
        )
        command, port = _caddyfile(folder, site, tls)
        async with running(command, folder, port) as address:
            yield address


@contextlib.asynccontextmanager
async def _dns(hosts: Sequence[str]) -> AsyncIterator[int]:
    """Answers every question for an IPv4 address with all of these, over UDP and TCP; yields its port."""
    found = b"".join(b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + socket.inet_aton(one) for one in hosts)

    def answer(asked: bytes) -> bytes:
        end = asked.index(b"\0", 12) + 5  # the name, and two numbers: the kind and the class
        is_ipv4 = asked[end - 4 : end - 2] == b"\0\1"
        flags, answers = 0x8580, len(hosts) if is_ipv4 else 0
        header = asked[:2] + struct.pack("!5H", flags, 1, answers, 0, 0)
        return header + asked[12:end] + (found if is_ipv4 else b"")

    async def over_tcp(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                size = int.from_bytes(await reader.readexactly(2))
                text = answer(await reader.readexactly(size))
                writer.write(len(text).to_bytes(2) + text)
        writer.close()

    def over_udp() -> None:
        asked, client = listening.recvfrom(2000)
        listening.sendto(answer(asked), client)

    port, loop = lasting_port(), asyncio.get_running_loop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", port))
        loop.add_reader(listening, over_udp)
        try:
            async with await asyncio.start_server(over_tcp, "127.0.0.1", port):
                yield port
        finally:
            loop.remove_reader(listening)

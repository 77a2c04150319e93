"""The dashboard and the alarms in `deploy/monitoring` ask for metrics that servers have, in words that Prometheus reads."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml  # type: ignore[import-untyped]
from click.testing import CliRunner

from foretell.cli import main
from foretell.client import Remote
from foretell.errors import NotAllowed
from foretell.server.network.addresses import networks_in
from foretell.server.network.prometheus import PrometheusMetrics
from hosting.balancers import DEPLOY, installed
from server.rooms import open_room

MONITORING = DEPLOY / "monitoring"
BESIDES = {"le", "instance", "job"}  # labels that Prometheus adds


def _panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((MONITORING / "grafana.json").read_text())["panels"]
    return found


def _rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def expressions() -> Iterator[tuple[str, str]]:
    for panel in _panels():
        for target in panel["targets"]:
            yield f"panel: {panel['title']}", target["expr"]
    for rule in _rules():
        yield f"alarm: {rule['alert']}", rule["expr"]


def metrics() -> dict[str, set[str]]:
    """The names under which a server shows its metrics, with the labels of each."""
    found: dict[str, set[str]] = {}
    ours = PrometheusMetrics()
    for family in ours.registry.collect():
        suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}
        for suffix in suffixes.get(family.type, [""]):
            found[family.name + suffix] = set()
    for metric in vars(ours).values():
        labels = getattr(metric, "_labelnames", ())
        for name in found:
            if labels and name.startswith(f"{metric._name}_"):
                found[name] = set(labels)
    return found


@pytest.mark.parametrize(("where", "expression"), list(expressions()), ids=lambda one: one[:60])
def test_what_it_asks_for_is_measured(where: str, expression: str) -> None:
    known = metrics()
    named = set(re.findall(r"foretell_\w+", expression))
    assert named <= known.keys(), where
    labels = set[str]().union(*(known[one] for one in named))
    asked = set(re.findall(r"(\w+)=~?\"", expression))
    for group in re.findall(r"by \(([^)]*)\)", expression):
        asked |= {one.strip() for one in group.split(",")}
    assert asked <= labels | BESIDES, where


def test_every_metric_is_on_the_dashboard() -> None:
    shown = "".join(target["expr"] for panel in _panels() for target in panel["targets"])
    missing = {
        re.sub("_(total|bucket|sum|count)$", "", name)
        for name in metrics()
        if name.removesuffix("_sum").removesuffix("_count").removesuffix("_bucket") not in shown
    }
    assert missing == set()


def test_every_alarm_says_what_it_is_about() -> None:
    for rule in _rules():
        assert rule["annotations"]["summary"].endswith((".", "?", ": nobody can play.", "process."))
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_prometheus_reads_the_dashboard_and_the_alarms(tmp_path: Path) -> None:
    """The alarms are raised when they should be, and only then (`alerts.test.yaml`)."""
    program = installed("promtool")
    asked = [
        {"record": f"panel:{number}", "expr": _in_prometheus(one)}
        for number, (_, one) in enumerate(expressions())
    ]
    (tmp_path / "panels.yaml").write_text(
        json.dumps({"groups": [{"name": "panels", "rules": asked}]})
    )
    when = (Path(__file__).parent / "alerts.test.yaml").read_text()
    (tmp_path / "when.yaml").write_text(when.replace("ALERTS]", f"{MONITORING}/alerts.yaml]"))
    for command in (
        ["check", "rules", str(tmp_path / "panels.yaml")],
        ["check", "config", str(MONITORING / "prometheus.yaml")],
        ["test", "rules", str(tmp_path / "when.yaml")],
    ):
        done = subprocess.run([program, *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def _in_prometheus(expression: str) -> str:
    """Without Grafana's variables."""
    return expression.replace("$__rate_interval", "5m").replace("$instance", ".*")


@pytest.mark.anyio
async def test_only_those_whom_the_host_names_read_the_metrics(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        room.app.http.state.metrics_for = networks_in("10.0.0.9, 2001:db8:7::/48")

        async def may_read(address: str) -> bool:
            remote = Remote(room.address, {"x-forwarded-for": address})
            try:
                await remote.ask("GET", "/metrics", None, msgspec.Raw)
            except NotAllowed as refused:
                return refused.code != "not_found"
            except msgspec.DecodeError:  # metrics are no JSON
                return True
            return False

        asked = ["127.0.0.1", "10.0.0.9", "2001:db8:7:1::1", "10.0.0.8", "2001:db8:8::1", "unknown"]
        assert [await may_read(one) for one in asked] == [True, True, True, False, False, False]


def test_a_network_that_nobody_can_read_is_refused_at_the_start() -> None:
    done = CliRunner().invoke(main, ["serve", "--metrics-for", "10.0.0.300"])
    assert done.exit_code == 2
    assert "10.0.0.300" in done.output

"""The learner on the CPU: advantages by hand, and a few updates of a small run that stops and goes on."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the learner is not tested")

from training.learner.advantages import advantages, outcome_bins, rewards  # noqa: E402
from training.learner.memory import TorchMemory  # noqa: E402
from training.learner.settings import Settings  # noqa: E402
from training.learner.train import Run, keep, kept  # noqa: E402
from training.simulator.batch import Bundle  # noqa: E402
from training.simulator.bundle import write_bundle  # noqa: E402
from training.simulator.rule_sets import every_rule_set  # noqa: E402

CPU = torch.device("cpu")
torch.set_num_threads(1)  # the nets are tiny
SMALL: dict[str, Any] = {
    "seconds": 100.0, "tables": 48, "steps": 24, "width": 16, "critic_width": 8, "batch": 64,
    "last_batch": 64, "league_slots": 2, "snapshot_seconds": 0.0, "shares": {"base": 1.0},
}  # fmt: skip


def test_rewards_are_points_over_the_mean_of_the_others() -> None:
    points = torch.tensor([[30, -10, 20, 0, 0, 0]], dtype=torch.int16)
    found = rewards(points, torch.tensor([3]))[0, :3]
    assert found.tolist() == [25.0, -35.0, 10.0]
    assert outcome_bins(torch.tensor([0.0, 14.0, -999.0, 999.0])).tolist() == [30, 31, 0, 60]


def test_advantages_go_back_along_each_seats_own_decisions() -> None:
    reward = torch.zeros(5, 1, 6)
    reward[3, 0, :2] = torch.tensor([30.0, -30.0])
    found = advantages(
        reward=reward,
        ended=torch.tensor([[0], [0], [0], [1], [0]]),
        seat=torch.tensor([[0], [1], [0], [1], [0]]),
        is_learner=torch.tensor([[True], [True], [True], [False], [True]]),
        value=torch.tensor([[0.1], [0.2], [0.3], [0.4], [0.5]]),
        discount=0.5,
    )
    # Seat 0: 1 - 0.3, then 0.3 - 0.1 + half of that.  Seat 1's second decision is not the learner's.
    assert found.value[:, 0].tolist()[:3] == pytest.approx([0.55, -1.2, 0.7])
    assert found.counts[:, 0].tolist() == [True, True, True, False, False]
    assert found.outcome[:, 0].tolist() == [33, 27, 33, -1, -1]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here: the learner is not tested")
    folder: Path = tmp_path_factory.mktemp("bundle")
    write_bundle(folder, every_rule_set()[:4])
    return Bundle(folder, TorchMemory(CPU))


def test_a_run_stops_and_goes_on(bundle: Bundle, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(SMALL), encoding="utf-8")
    settings = Settings.read(tmp_path / "config.json")
    run = Run(settings, bundle, CPU)
    run.begin()
    before = run.actor.head.weight.clone()
    for _ in range(3):
        found = run.update()
    assert not torch.equal(before, run.actor.head.weight)
    assert all(torch.isfinite(one).all() for one in run.actor.parameters())
    assert found["counted"] > 0
    assert len(run.league) == 3
    torch.save(run.state(), tmp_path / "state.pt")
    later = Run(settings, bundle, CPU)
    later.load(torch.load(tmp_path / "state.pt"))
    assert torch.equal(later.actor.head.weight, run.actor.head.weight)
    assert (later.updates, later.decisions) == (3, 3 * 48 * 24)
    later.begin()
    later.update()
    keep(later, tmp_path)
    for is_same_run in (True, False):
        other = Run(settings, bundle, CPU)
        other.load(kept(tmp_path, CPU, is_same_run=is_same_run))
        assert torch.equal(other.critic.head.weight, later.critic.head.weight.half().float())
        assert torch.equal(other.actor.head.weight, later.average["head.weight"].half().float())
        assert other.updates == (4 if is_same_run else 0)
        assert len(other.league) == (0 if is_same_run else 1)


def test_a_net_is_measured_against_each_kind_of_player(bundle: Bundle) -> None:
    run = Run(Settings(**SMALL), bundle, CPU)
    run.meet(run.actor.state_dict())
    found = run.measure(2, {"counting": "base/COUNTING", "itself": "base/FROZEN"})
    assert set(found) == {f"{kind} {n}" for kind in ("counting", "itself") for n in (3, 4, 5, 6)}
    # A net against a copy of itself, in every seat of the same deals: no margin at all.
    assert [found[f"itself {n}"][0] for n in (3, 4, 5, 6)] == [0.0] * 4

"""The learner on the CPU: advantages by hand, and a few updates of a small run that stops and goes on."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from foretell.bots.net import belief_layout as in_belief
from foretell.bots.net import layout as in_view
from foretell.bots.net.belief_drawing import begin_drawing, put_card
from foretell.bots.net.beliefs import Beliefs, can_believe
from foretell.bots.net.encoding import observe_all
from foretell.bots.net.from_view import seen_state, traits_of
from foretell.bots.net.net_player import NetPlayer
from foretell.engine import Game, act, awaited_seats, deal, view
from foretell.kernel.backend.compiled import ints
from foretell.kernel.hidden.hidden_hands import hidden_hands
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.tables import compile_rules
from foretell.kernel.state.turn_loop import take_turn
from tables import every_rules, rich, setup_by_lot

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the learner is not tested")

from training.learner.advantages import advantages, outcome_bins, rewards  # noqa: E402
from training.learner.distil import Distiller, DistilSettings, margins  # noqa: E402
from training.learner.hidden_cards import HiddenCards  # noqa: E402
from training.learner.league import League  # noqa: E402
from training.learner.memory import TorchMemory  # noqa: E402
from training.learner.nets import FastNet, Net  # noqa: E402
from training.learner.outcomes import BIDDING, NOT_KNOWN, Outcomes, last_steps  # noqa: E402
from training.learner.settings import Settings  # noqa: E402
from training.learner.train import Run, as_half, keep, kept  # noqa: E402
from training.learner.train_belief import BeliefLearner, BeliefSettings  # noqa: E402
from training.learner.train_value import ValueLearner, ValueSettings  # noqa: E402
from training.learner.true_leads import TrueLeads  # noqa: E402
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
    assert len(run.league.past) == 3
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
        assert len(other.league.past) == (0 if is_same_run else 1)


def test_a_run_may_begin_with_flatter_answers(bundle: Bundle) -> None:
    """Its favourites stay the same."""
    torch.manual_seed(1)
    run = Run(Settings(**SMALL, start_flatness=0.25), bundle, CPU)
    inputs = torch.randint(0, 2, (5, run.actor.layers[0].in_features)).float()
    before = run.actor(inputs)
    run.flatten()
    assert torch.allclose(run.actor(inputs), before / 4, rtol=1e-4, atol=1e-6)
    assert torch.allclose(FastNet(run.actor, run.average)(inputs), run.actor(inputs), atol=0.05)


ONE_OF_TWO = """
import sys
from pathlib import Path
import torch
from training.learner.memory import TorchMemory
from training.learner.settings import Settings
from training.learner.train import Run
from training.learner.workers import Workers
from training.simulator.batch import Bundle

torch.set_num_threads(1)
folder, workers = Path(sys.argv[1]), Workers()
cpu = torch.device("cpu")
run = Run(Settings.read(folder / "config.json"), Bundle(folder / "bundle", TorchMemory(cpu)), cpu, workers)
run.begin()
for _ in range(3):
    run.update()
torch.save([run.learner.weights, run.rollout.words.clone(), run.decisions], folder / f"{workers.number}.pt")
workers.end()
"""


def test_two_processes_train_one_net_by_different_games(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here: the learner is not tested")
    (tmp_path / "bundle").mkdir()
    write_bundle(tmp_path / "bundle", every_rule_set()[:4])
    (tmp_path / "config.json").write_text(json.dumps(SMALL), encoding="utf-8")
    program = tmp_path / "one_of_two.py"
    program.write_text(ONE_OF_TWO, encoding="utf-8")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    root = Path(__file__).parents[2]
    subprocess.run(
        [*torchrun, str(program), str(tmp_path)],
        check=True,
        timeout=240,
        env=os.environ | {"PYTHONPATH": f"{root}:{root / 'src'}", "OMP_NUM_THREADS": "1"},
    )
    (weights, words, decisions), (other_weights, other_words, _) = (
        torch.load(tmp_path / f"{number}.pt", weights_only=False) for number in range(2)
    )
    assert all(map(torch.equal, weights, other_weights))
    assert not torch.equal(words, other_words)
    assert decisions == 2 * 3 * 48 * 24


def test_a_net_is_measured_against_each_kind_of_player(bundle: Bundle) -> None:
    run = Run(Settings(**SMALL), bundle, CPU)
    run.meet(run.actor.state_dict())
    found = run.measure(2, {"counting": "base/COUNTING", "itself": "base/FROZEN"})
    assert set(found) == {f"{kind} {n}" for kind in ("counting", "itself") for n in (3, 4, 5, 6)}
    # A net against a copy of itself, in every seat of the same deals: no margin at all.
    assert [found[f"itself {n}"][0] for n in (3, 4, 5, 6)] == [0.0] * 4


def test_a_best_response_sits_alone_among_frozen_nets(bundle: Bundle, tmp_path: Path) -> None:
    settings = Settings(
        **SMALL | {"is_best_response": True, "league_slots": 1, "batch": 16, "last_batch": 16}
    )
    first = Run(Settings(**SMALL), bundle, CPU)
    keep(first, tmp_path)
    run = Run(settings, bundle, CPU)
    run.load(kept(tmp_path, CPU, is_same_run=False))
    run.begin()
    frozen = run.league.slots[0].head.weight.clone()
    at = bundle.layout["table"]
    for _ in range(2):
        run.update()
        room = run.rollout.batch.arrays["room"]
        rules = room[:, at["RULES"]].tolist()
        for row, one in zip(room[:, at["SEAT_KIND"] :].tolist(), rules, strict=True):
            kinds = row[: bundle.rule_sets[one]["players"]]
            assert sorted(kinds) == [at["LEARNER"]] + [at["FROZEN"]] * (len(kinds) - 1)
    assert torch.equal(frozen, run.league.slots[0].head.weight)
    assert len(run.league.past) == 1
    assert not torch.equal(run.actor.head.weight.half(), run.league.past[0]["head.weight"])


def test_a_smaller_net_joins_the_league_with_its_own_answers(
    bundle: Bundle, tmp_path: Path
) -> None:
    small = Net(bundle.layout["view"]["WORDS"] * 64, 8, 3, bundle.layout["view"]["ACTIONS"], 1.0)
    np.savez(tmp_path / "weights.npz", **as_half(small.state_dict()))  # type: ignore[arg-type]
    league = League([FastNet(Run(Settings(**SMALL), bundle, CPU).actor)], 0.0, seed=1)
    league.meet(tmp_path)
    league.choose()
    inputs = torch.randint(0, 2, (5, small.layers[0].in_features)).bfloat16()
    answers = FastNet(small)(inputs)
    assert torch.allclose(league.slots[0](inputs), answers, rtol=0.02, atol=0.02)
    # A careless one finds all actions more alike.
    careless = League(league.slots, 1.0, seed=1)
    careless.others = league.others
    careless.choose()
    assert careless.slots[0](inputs).std() < 0.6 * answers.std()


def observed_whole(game: Game, seat: int) -> list[int]:
    """What the critic would be shown: the observation, and all hands."""
    tables = compile_rules(game.rules, game.seats, game.peoples)
    state, words = state_of_game(tables, game), ints(in_view.CRITIC_WORDS)
    take_turn(tables.words, state, seat)
    observe_all(tables.words, state, traits_of(tables), ints(in_view.SCRATCH_WORDS), words)
    return list(words)


def drawn_at_play(game: Game, seat: int, cards: list[list[int]]) -> list[int] | None:
    """The words from DRAWN on at play, once every card is drawn to where it really is."""
    seen = view(game, seat)
    tables = compile_rules(seen.rules, seen.seats, seen.peoples)
    hidden = hidden_hands(seen, tables=tables)
    take_turn(tables.words, hidden.state, seat)
    if not can_believe(hidden):
        return None
    beliefs = Beliefs(hidden, seen_state(tables, seen), 1)
    begin_drawing(beliefs.words, beliefs.plan)
    left = [list(row) for row in cards]
    for place, row in enumerate(left):
        for kind in range(len(row)):
            certain = beliefs.words[in_belief.DRAWN + place] >> kind & 1
            row[kind] -= int(certain)
    for card in range(int(beliefs.plan[in_belief.CARDS])):
        kind = int(beliefs.plan[in_belief.ASKED + card])
        place = next(place for place, row in enumerate(left) if row[kind] > 0)
        left[place][kind] -= 1
        put_card(tables.words, beliefs.words, beliefs.plan, card, place)
    assert not any(any(row) for row in left)  # no card is missing at play
    return list(beliefs.words)[in_belief.DRAWN :]


def test_the_belief_net_is_shown_the_same_cards_in_training_and_at_play(bundle: Bundle) -> None:
    """Read off the critic's words in training, and dealt card by card at play; in all kinds of rule sets."""
    cards, random, net, compared = HiddenCards(bundle.layout, CPU), Random(4), NetPlayer(), 0
    for number, rules in enumerate(every_rules()[::37]):
        game = setup_by_lot(number, rules, most_cards=7).start()
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, rich(number)(game))
                continue
            seat = awaited_seats(game)[0]
            seen = view(game, seat)
            if random.random() < 0.15:
                words = torch.tensor([observed_whole(game, seat)])
                places = cards.places(words)
                drawn = cards.drawn(places, torch.ones_like(places, dtype=torch.bool))
                at_play = drawn_at_play(game, seat, cards.counts(words)[0].tolist())
                if at_play is not None and (places >= 0).any():
                    bits = drawn.inputs[0].view(-1, 64).bool().tolist()
                    shown = [sum(1 << bit for bit in range(64) if row[bit]) for row in bits]
                    assert shown == at_play
                    compared += 1
            game, _ = act(game, seat, net.choose(seen, random))
    assert compared > 20


def test_the_belief_net_learns_the_sizes_of_hands(bundle: Bundle) -> None:
    settings = BeliefSettings(
        tables=64, steps=16, width=32, batch=256, learning_rate=(0.01, 0.001), average=0.9,
        shares={"base": 1.0},
    )  # fmt: skip
    torch.manual_seed(1)
    view_of, actions = bundle.layout["view"], bundle.layout["view"]["ACTIONS"]
    player = FastNet(Net(view_of["WORDS"] * 64, 16, 2, actions, 0.01))
    learner = BeliefLearner(settings, bundle, player, [player])
    learner.begin()
    learner.update(0.0)
    first = learner.statistics.clone()
    for number in range(12):
        found = learner.update(number / 12)
    assert learner.steps == 13 * 4
    assert found["first"] / found["sizes"] < 0.9 * (first[1] / first[2]).item()
    assert not torch.equal(learner.fitted.average["head.weight"], learner.net.head.weight)


def test_decisions_count_from_the_last_surprise_of_a_round_on(bundle: Bundle) -> None:
    """The round ends at step 3 and again at step 6; after that the end is not known."""
    at = bundle.layout["table"]
    ended = torch.tensor(
        [[0, 0, 0, at["ROUND_ENDED"], 0, at["CARDS_EXCHANGED"], at["ROUND_ENDED"], 0]]
    )
    is_favourite = torch.tensor([[1, 0, 1, 1, 1, 1, 1, 1]])
    found = last_steps(ended.T.byte(), is_favourite.T.byte(), at)
    none = NOT_KNOWN
    assert found[:, 0].tolist() == [none, none, 3, 3, none, none, 6, none]


def test_the_value_net_learns_how_rounds_end(bundle: Bundle) -> None:
    settings = ValueSettings(
        tables=64, steps=96, widths=(16, 32), batch=256, learning_rate=(0.01, 0.001), average=0.9,
        lead_tables=64, shares={"base": 1.0},
    )  # fmt: skip
    torch.manual_seed(1)
    view_of, actions = bundle.layout["view"], bundle.layout["view"]["ACTIONS"]
    player = FastNet(Net(view_of["WORDS"] * 64, 16, 2, actions, 3.0))
    learner = ValueLearner(settings, bundle, player)
    learner.begin()
    for number in range(12):
        learner.update(number / 12)
    found = learner.errors.found()["base"]
    assert found["32"] < found["16"] < found["constant"]
    leads = TrueLeads(learner.rollout, learner.outcomes, learner.draws, settings.lead_tables)
    one = learner.fitted[32]
    assert any(len(row) > 1 for row in leads.found(FastNet(one.net, one.average)).values())


def test_what_is_read_off_the_critics_words(bundle: Bundle) -> None:
    """Bids and numbers of players, as the game has them; and the reward of each seat from its points."""
    outcomes, random, net = Outcomes(bundle), Random(3), NetPlayer()
    compared = 0
    for number in range(3):
        game = setup_by_lot(number, every_rules()[0], most_cards=4).start()
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, rich(number)(game))
                continue
            seat = awaited_seats(game)[0]
            if random.random() < 0.5:
                found = outcomes.moments(torch.tensor([observed_whole(game, seat)]))
                state = state_of_game(compile_rules(game.rules, game.seats, game.peoples), game)
                bids = [state[in_state.BID + (seat + n) % game.seats] for n in range(game.seats)]
                assert found.bids[0, : game.seats].tolist() == bids
                assert found.players.tolist() == [game.seats]
                assert bool(found.is_base[0])
                assert (found.part[0] == BIDDING) == (state[in_state.PHASE] <= codes.BIDDING)
                compared += 1
            game, _ = act(game, seat, net.choose(view(game, seat), random))
    assert compared > 10
    points = torch.tensor([[30, -10, 20, 0, 0, 0]], dtype=torch.int16)
    turned = outcomes.from_here(points, torch.tensor([2]), torch.tensor([3]))
    assert turned.tolist() == [[20, 30, -10, 0, 0, 0]]
    assert outcomes.missed(turned).tolist() == [[0, 0, 1, 0, 0, 0]]


def test_a_small_net_learns_its_teachers_answers(bundle: Bundle) -> None:
    """The teacher is a net with random weights, but with clear wishes."""
    settings = DistilSettings(
        tables=64, steps=16, width=32, batch=256, learning_rate=(0.01, 0.001), average=0.9,
        remembered=2000, shares={"base": 1.0}, decisions=14 * 64 * 16,
    )  # fmt: skip
    torch.manual_seed(1)
    view_of = bundle.layout["view"]
    teacher = FastNet(Net(view_of["WORDS"] * 64, 16, 2, view_of["ACTIONS"], 30.0))
    distiller = Distiller(settings, bundle, teacher)
    distiller.begin()
    found = [distiller.update(number / 14) for number in range(14)]
    assert found[-1]["loss"] < 0.6 * found[1]["loss"]
    assert found[-1]["same"] > found[0]["same"] + 0.1
    assert distiller.memory.count == 2000
    assert set(margins(bundle, distiller.player, teacher, 2)) == {
        f"{who} {players}" for who in ("counting", "teacher") for players in (3, 4, 5, 6)
    }

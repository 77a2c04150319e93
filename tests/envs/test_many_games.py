"""Many games at once: seeds, buffers, rewards, bots, threads."""

from typing import Any

import numpy as np
import pytest

from foretell.bots.net import layout as in_view
from foretell.envs.features import ACTIONS, INPUTS, as_bits
from foretell.envs.many_games import BUFFERS, ManyGames
from foretell.errors import NotAllowed
from foretell.rules import Rules

SHORT = Rules(rounds=(1, 2, 5))


def course(games: ManyGames, steps: int) -> list[list[Any]]:
    """Everything that random play shows."""
    found = []
    for _ in range(steps):
        games.random_actions()
        games.step()
        found.append([getattr(games, name).tolist() for name in BUFFERS])
    return found


def test_a_seed_decides_everything() -> None:
    one, same, other = (ManyGames(5, SHORT, seed=seed) for seed in (1, 1, 2))
    assert course(one, 120) == course(same, 120)
    one.reset(2)
    assert one.observations.tolist() == other.observations.tolist()
    assert course(one, 40) == course(other, 40)


def test_the_cards_depend_on_nothing_that_is_played() -> None:
    def hands(games: ManyGames, *, at_random: bool) -> list[Any]:
        found: list[Any] = []
        while len(found) < 9:
            if at_random:
                games.random_actions()
            else:
                games.actions[:] = games.masks.argmax(axis=1)
            games.step()
            if games.round_over[0]:
                found.append(games.state(0)[21:27])
        return found

    first = hands(ManyGames(3, SHORT, seed=4), at_random=True)
    assert first == hands(ManyGames(3, SHORT, seed=4), at_random=False)
    assert len({str(one) for one in first}) == 9


def test_threads_change_nothing() -> None:
    assert course(ManyGames(70, SHORT, seed=1), 30) == course(
        ManyGames(70, SHORT, seed=1, threads=3), 30
    )


def test_masks_and_bits_say_what_the_observation_says() -> None:
    games = ManyGames(50, Rules(), seed=3)
    for _ in range(100):
        games.random_actions()
        games.step()
        bits = as_bits(games.observations)
        assert bits.shape == (50, INPUTS)
        legal = bits[:, 64 * in_view.LEGAL : 64 * in_view.LEGAL + 61].sum(axis=1)
        assert legal.tolist() == games.masks.sum(axis=1).tolist()
        assert games.masks.shape == (50, ACTIONS)
        for place in range(50):
            assert games.masks[place, games.random_actions()[place]] == 1


def test_an_action_that_is_not_legal_is_refused_and_nothing_has_happened() -> None:
    games = ManyGames(4, SHORT, seed=1)
    before = games.observations.copy()
    wrong = games.random_actions().copy()
    for action in (-1, 159, 160, 10**9, int(np.flatnonzero(games.masks[2] == 0)[0])):
        wrong[2] = action
        with pytest.raises(NotAllowed, match=f"game 2, seat .: {action} is not among"):
            games.step(wrong)
        assert (games.observations == before).all()
    games.masks[:] = 1  # whoever writes into the masks may not do more for it
    with pytest.raises(NotAllowed):
        games.step(wrong)
    games.step(games.random_actions())


class Tensor:
    """Like a tensor of another library: it shows its memory by DLPack, and nothing else."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("wrapped", [lambda array: array, Tensor], ids=["NumPy", "DLPack"])
def test_given_buffers_are_written(wrapped: Any) -> None:
    arrays = {name: np.zeros((6, *shape), kind) for name, (shape, kind) in BUFFERS.items()}
    games = ManyGames(6, SHORT, buffers={name: wrapped(one) for name, one in arrays.items()})
    own = ManyGames(6, SHORT)
    for _ in range(30):
        own.random_actions()
        own.step()
        games.random_actions()
        games.step()
        for name, array in arrays.items():
            assert (array == getattr(own, name)).all(), name
    assert np.from_dlpack(games.observations).ctypes.data == arrays["observations"].ctypes.data


@pytest.mark.parametrize(
    ("name", "array", "says"),
    [
        ("masks", np.zeros((6, ACTIONS), np.int64), "needs int8"),
        ("masks", np.zeros((5, ACTIONS), np.int8), "shape"),
        ("seats", np.zeros(12, np.int8)[::2], "contiguous"),
        ("hands", np.zeros(6), "unknown"),
    ],
)
def test_a_buffer_that_does_not_fit_is_refused(name: str, array: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ManyGames(6, SHORT, buffers={name: array})
    closed = np.zeros(6, np.int8)
    closed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        ManyGames(6, SHORT, buffers={"seats": closed})


def test_rewards_by_game_are_those_of_its_rounds_together() -> None:
    by_round, by_game = (ManyGames(20, SHORT, seed=2, rewards=one) for one in ("round", "game"))
    total = np.zeros((20, 6), int)
    ended = 0
    for _ in range(200):
        by_round.step(by_round.random_actions())
        by_game.step(by_game.random_actions())
        total += by_round.rewards
        is_over = by_game.game_over.astype(bool)
        assert (by_game.rewards[is_over] == total[is_over]).all()
        assert not by_game.rewards[~is_over].any()
        total[is_over] = 0
        ended += int(is_over.sum())
    assert ended > 20


def test_bots_play_and_forced_actions_are_left_out() -> None:
    games = ManyGames(
        40, SHORT, seed=1, bots={1: "counting", 2: "random", 3: "counting"}, skips_forced=True
    )
    points = np.zeros(6)
    for _ in range(1000):
        assert (games.seats == 0).all()
        assert (games.masks.sum(axis=1) > 1).all()
        games.step(games.random_actions())
        points += games.rewards.sum(axis=0)
    assert min(points[1], points[3]) > max(points[0], points[2])
    assert points[4] == points[5] == 0


def test_rewards_of_two_games_are_never_added_up() -> None:
    """With plus/minus one the dealer's bid on one card is mostly forced, and so is the card."""
    rules = Rules(plus_minus_one=True, rounds=(1,))
    games = ManyGames(100, rules, 3, seed=5, bots={1: "random", 2: "random"}, skips_forced=True)
    ended = asked = 0
    for _ in range(60):
        games.step(games.random_actions())
        is_over = games.game_over.astype(bool)
        assert np.isin(games.rewards[is_over, :3], (-10, 20, 30)).all()
        assert not games.rewards[~is_over].any()
        forced = games.masks.sum(axis=1) == 1
        assert is_over[forced].all()
        ended, asked = ended + int(is_over.sum()), asked + int(forced.sum())
    assert ended > asked > 100


@pytest.mark.parametrize("seed", [2**63, 2**64 + 5, -1, -(2**70)])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    games = ManyGames(3, SHORT, seed=seed)
    found = games.observations.copy()
    games.reset(seed + 1)
    assert (games.observations != found).any()
    games.reset(seed)
    assert (games.observations == found).all()
    games.reset(seed % 2**62)
    assert (games.observations == found).all()


def test_a_game_without_a_next_one_stays_over() -> None:
    games = ManyGames(3, Rules(rounds=(1,)), goes_on=False)
    for _ in range(8):
        games.step(games.random_actions())
    assert games.game_over.all()
    assert not games.masks.any()
    games.step(games.random_actions())
    assert not games.game_over.any()
    assert not games.rewards.any()


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"bots": dict.fromkeys(range(4), "random")}, "at least one seat"),
        ({"bots": {0: "best"}}, "bots: seats"),
        ({"rewards": "trick"}, "rewards"),
        ({"threads": 0}, "at least one"),
    ],
)
def test_choices_that_make_no_sense_are_refused(choices: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ManyGames(4, SHORT, **choices)

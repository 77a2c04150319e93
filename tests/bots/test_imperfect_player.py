"""Weaker levels make a beginner's mistakes, but play no nonsense; what they do not remember or hear changes nothing."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from foretell.bots import LEVELS, Bot, bot
from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.encoding import kernel_action
from foretell.bots.net.from_view import seen_state
from foretell.bots.net.imperfect_player import EVERY_CARD, WIZARDS, ImperfectPlayer
from foretell.bots.net.net_player import NetPlayer, net_arrays
from foretell.bots.net.playing_out import evaluate_state
from foretell.bots.net.weights import shipped
from foretell.deals import seeded
from foretell.engine import Game, Phase, View, act, awaited_seats, deal, new_game, view
from foretell.kernel.state import codes
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules
from tables import dealt, told

WEAKER = ["beginner", "casual", "skilled", "expert"]


def chosen(name: str, seen: View, times: int = 40) -> Counter[str]:
    player = bot(name)
    return Counter(str(player.choose(seen, Random(seed))) for seed in range(times))


@pytest.mark.parametrize("name", WEAKER)
def test_no_wizard_is_thrown_under_a_wizard_without_need(name: str) -> None:
    """Two tricks are wanted, and a Wizard leads: it would be wasted."""
    game = dealt("ZB R9 G2 Y3", "ZR G9 R1 Y7", "B4 Y5 G4 B8", turned_up="R5", dealer=0)
    game = told(game, "bid 1", "bid 0", "bid 2", "play ZR", "play B4")
    assert not chosen(name, view(game, 0))["play ZB"]


@pytest.mark.parametrize("name", WEAKER)
def test_a_bid_is_never_far_from_what_the_hand_can_take(name: str) -> None:
    strong = dealt("ZB ZR ZG R13 R12", "B1 B2 B3 B4 B5", "Y1 Y2 Y3 Y4 Y6", turned_up="R5")
    assert min(int(one.split()[1]) for one in chosen(name, view(strong, 0))) >= 4
    weak = dealt("NB NR B1 Y1 G1", "B13 B2 B3 B4 B5", "Y13 Y2 Y3 Y4 Y6", turned_up="R5")
    assert max(int(one.split()[1]) for one in chosen(name, view(weak, 0))) <= 1


@pytest.mark.parametrize("name", WEAKER)
def test_a_trump_that_must_be_played_is_not_beaten_by_a_wizard_without_need(name: str) -> None:
    """No trick is wanted: R9 stays below R11 and is rid of, and the Wizard would take the trick."""
    game = dealt("ZB R9 G2 Y3", "R8 G9 R1 Y7", "R11 Y5 G4 B8", turned_up="R5", dealer=0)
    game = told(game, "bid 1", "bid 0", "bid 0", "play R8", "play R11")
    assert set(chosen(name, view(game, 0))) == {"play R9"}


def test_a_weaker_level_errs_more_often() -> None:
    """The further down, the less often a level bids as the net does."""
    hands = ("ZB R9 R4 G12 Y3 B7", "R2 R13 G1 G2 B1 B2", "Y1 Y2 Y13 Y4 B8 B9", "ZG NB G4 G5 R6 R7")
    seen = view(dealt(*hands, turned_up="R5"), 0)
    best = str(NetPlayer().choose(seen, Random(0)))
    agreed = [chosen(name, seen, 60)[best] for name in (*WEAKER, "master")]
    assert agreed[0] < agreed[2] < agreed[4] == 60


def points_behind(player: Bot, seed: int) -> Iterator[float]:
    """How far each card of a game is behind the best one, in the large net's answers."""
    tables = compile_rules(Rules(), 4)
    arrays = net_arrays(shipped(), tables)
    game, dealing, random = new_game(Rules(), "ABCD"), seeded(seed), Random(seed)
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat = awaited_seats(game)[0]
        seen = view(game, seat)
        action = player.choose(seen, random)
        if seen.phase == Phase.PLAY and len(seen.legal) > 1:
            state = seen_state(tables, seen)
            evaluate_state(tables.words, state, *arrays)
            legal = int(arrays.words[in_view.LEGAL])
            answers = {
                kernel_action(state, arrays.scratch, one): arrays.desk[in_net.ANSWERS + one]
                for one in range(codes.KINDS)
                if legal >> one & 1
            }
            behind = max(answers.values()) - answers[kernel_actions(action)[0]]
            yield behind / in_net.ANSWER_UNIT
        game, _ = act(game, seat, action)


def share_of_nonsense(player: Bot) -> float:
    """Of the cards of two games, how many the large net finds far behind: half as far again as the worst of a hand."""
    behind = [one for seed in range(2) for one in points_behind(player, seed)]
    return sum(one > 64 for one in behind) / len(behind)


def test_no_level_plays_nonsense() -> None:
    assert all(share_of_nonsense(bot(name)) < 0.02 for name in WEAKER)
    assert share_of_nonsense(bot("random")) > 0.05


def after(first: str, second: str) -> Game:
    """The third trick of a round; `first` and `second` were played to the first two."""
    game = dealt("ZB R9 G12", f"{first} G3 R2", f"{second} G6 B3", turned_up="R5", dealer=2)
    return told(game, "bid 1", "bid 1", "bid 1", "play G12", f"play {first}", f"play {second}")


def test_what_is_forgotten_changes_nothing() -> None:
    """Low cards of an earlier trick are not remembered; with a full memory they change the answers."""
    one, other = view(after("G8", "G7"), 0), view(after("G2", "G4"), 0)
    assert len(one.legal) == len(other.legal) == 2

    def differences(remembers_from: int) -> int:
        player = ImperfectPlayer(remembers_from=remembers_from, doubt=30.0, sense=99.0)
        pairs = [
            (player.choose(one, Random(n)), player.choose(other, Random(n))) for n in range(60)
        ]
        return sum(a != b for a, b in pairs)

    assert differences(WIZARDS) == 0
    assert differences(EVERY_CARD) > 0


def test_bids_that_are_not_heard_change_nothing() -> None:
    hands = ("ZB R9 R4", "R2 R13 G1", "Y1 Y2 Y13")
    games = [told(dealt(*hands, turned_up="R5", dealer=0), *bids) for bids in (("bid 0", "bid 0"), ("bid 3", "bid 2"))]  # fmt: skip
    one, other = (view(game, 0) for game in games)

    def differences(hears_bids: bool) -> int:
        player = ImperfectPlayer(hears_bids=hears_bids, doubt=30.0, sense=99.0)
        pairs = [
            (player.choose(one, Random(n)), player.choose(other, Random(n))) for n in range(60)
        ]
        return sum(a != b for a, b in pairs)

    assert differences(hears_bids=False) == 0
    assert differences(hears_bids=True) > 0


def test_the_levels_are_in_their_order() -> None:
    assert list(LEVELS) == [*WEAKER, "master", "champion"]

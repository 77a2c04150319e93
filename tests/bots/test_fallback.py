"""A level plays as `counting` does where the kernel refuses the rules, and says so once."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import pytest

from foretell.bots import BOTS, LEVELS, Counting, bot, play_out
from foretell.deals import seeded
from foretell.engine import Game, act, awaited_seats, deal, new_game, view
from foretell.errors import RulesClash
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules
from foretell.rules.bidding import AnyBid

NEED_THE_KERNEL = [*LEVELS, "champion@0.2"]


@dataclass(frozen=True)
class NobodyRepeats(AnyBid):
    """A made-up rule that the kernel does not know: no two players make the same bid."""

    def open_bids(self, hand_size: int, earlier: Sequence[int], bidders: int) -> tuple[int, ...]:
        return tuple(bid for bid in range(hand_size + 1) if bid not in earlier)


def made_up(first: int) -> Rules:
    """Rules with it.  What is known of a rule set is kept by its fields, so every test has rounds of its own."""
    rules = Rules(rounds=(first, 9))
    rules.__dict__["bidding"] = NobodyRepeats()  # where `Rules` keeps the answer it has found
    return rules


def begun(rules: Rules) -> Game:
    game = new_game(rules, ["Ada", "Bo", "Cy"])
    return deal(game, seeded(1)(game))[0]


def test_the_kernel_refuses_the_made_up_rule() -> None:
    with pytest.raises(RulesClash, match="NobodyRepeats"):
        compile_rules(made_up(4), 3)


@pytest.mark.parametrize("name", ["skilled", "master", "champion", "champion@0.2"])
def test_it_chooses_what_counting_chooses(name: str) -> None:
    game, asked = begun(made_up(5)), 0
    while not game.awaits_deal:
        seat = awaited_seats(game)[0]
        seen = view(game, seat)
        wanted = Counting().choose(seen, Random(0))
        assert bot(name).choose(seen, Random(asked)) == wanted
        asked += len(seen.legal) > 1
        game, _ = act(game, seat, wanted)
    assert asked


@pytest.mark.parametrize("name", sorted(set(BOTS) - {"random"}))
def test_it_plays_a_whole_game(name: str) -> None:
    game = new_game(made_up(6), ["Ada", "Bo", "Cy"])
    assert play_out(game, [bot(name)] * 3, seeded(2), Random(2)).is_over


def test_it_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    game = begun(made_up(7))
    seen = view(game, awaited_seats(game)[0])
    with caplog.at_level(logging.WARNING):
        for name in NEED_THE_KERNEL:
            for number in range(3):
                bot(name).choose(seen, Random(number))
    (said,) = caplog.records
    assert "NobodyRepeats" in said.getMessage()
    assert "play as counting does" in said.getMessage()

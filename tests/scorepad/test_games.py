"""Properties: the pad and the engine count the same points; a correction is as good as writing it right at first."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.engine import view
from foretell.errors import NotAllowed
from foretell.rules import Rules
from foretell.scorepad import Bid, Pad, Tricks, correct, enter, from_json, new_pad, to_json, undo
from scorepad.tables import NAMES, padded, played, short_games

SEEDS = st.integers(0, 2**32)


@pytest.mark.prove
@given(short_games(), SEEDS, st.integers(0, 5))
def test_a_game_of_the_engine_comes_to_the_same_on_the_pad(
    table: tuple[Rules, int], seed: int, first: int
) -> None:
    rules, players = table
    game = played(rules, players, seed, first % players)
    pad = padded(game, Random(seed))
    assert pad.is_over
    assert pad.totals == game.score
    assert pad.winners == game.winners
    for line, scored in zip(pad.lines, view(game, None).sheet, strict=True):
        assert (line.number, line.dealer) == (scored.number, scored.dealer)
        assert (line.bids, line.won) == (scored.bids, scored.won)
        assert (line.points, line.totals) == (scored.points, scored.totals)


@pytest.mark.prove
@given(short_games(), SEEDS)
def test_every_step_back_is_the_pad_as_it_was(table: tuple[Rules, int], seed: int) -> None:
    random = Random(seed)
    pad = padded(played(*table, seed), random)
    again = new_pad(pad.names, pad.rules)
    looked_at = random.sample(range(len(pad.entries)), 5)  # each undo writes the whole pad again
    for place, entry in enumerate(pad.entries):
        before, again = again, enter(again, entry)
        if place in looked_at:
            assert undo(again) == before
            assert from_json(to_json(again)) == again
    assert again == pad


@pytest.mark.prove
@given(short_games(), SEEDS, SEEDS)
def test_two_games_that_differ_in_a_round_are_one_correction_apart(
    table: tuple[Rules, int], seed: int, other_seed: int
) -> None:
    pad, other = (padded(played(*table, one), Random(one)) for one in (seed, other_seed))
    place = Random(seed).randrange(len(pad.rounds))
    new = other.rounds[place]
    corrected = correct(pad, new.number, bids=new.bids, won=new.won, cloud=new.cloud)
    assert corrected.rounds == (*pad.rounds[:place], new, *pad.rounds[place + 1 :])
    points = zip(*(one.points for one in corrected.rounds), strict=True)
    assert corrected.totals == tuple(sum(p or 0 for p in seat) for seat in points)
    assert corrected.lines[-1].totals == corrected.totals
    assert undo(corrected) == pad
    assert from_json(to_json(corrected)) == corrected


@pytest.mark.prove
@given(short_games(), SEEDS)
def test_the_pad_takes_what_it_says_is_open_and_nothing_else(
    table: tuple[Rules, int], seed: int
) -> None:
    rules, players = table
    pad, random = new_pad(NAMES[:players], rules), Random(seed)
    for _ in range(80):
        now = pad.now
        if now is None:
            break
        seat, tricks = random.randrange(players), random.randrange(-1, now.hand_size + 2)
        entry: Bid | Tricks
        if random.random() < 0.5:
            entry = Bid(seat, tricks)
            is_open = seat in now.bidders and tricks in now.open_bids()
        else:
            entry = Tricks(seat, tricks)
            is_open = seat in now.counters and tricks in now.open_tricks(seat)
        after = _accepted(pad, entry)
        assert (after is not None) == is_open
        pad = after or pad
        assert all(one.open_tricks(seat) for one in pad.rounds for seat in one.counters)


def _accepted(pad: Pad, entry: Bid | Tricks) -> Pad | None:
    try:
        return enter(pad, entry)
    except NotAllowed:
        return None

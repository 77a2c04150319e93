"""Game → text → game → text, whatever the rules; and an independent referee finds nothing to object to."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn import setups
from foretell.deals import Fair, fair
from foretell.engine import Phase, act, awaited_seats, deal, legal_actions
from foretell.record import Proof, Record, dumps, loads
from referee import check
from tables import PROVING, Setup, every_rules, head_counts, last_round, with_rounds

pytestmark = pytest.mark.prove


@given(setups())
def test_a_game_stopped_anywhere_is_written_and_read_and_written_alike(setup: Setup) -> None:
    game = setup.game
    text = dumps(Record(game))
    check(json.loads(text))
    read = loads(text).game
    assert dumps(Record(read)) == text
    if game.now is not None and game.now.phase is Phase.PASS and any(game.now.passing):
        assert (
            read.rounds[:-1] == game.rounds[:-1]
        )  # cards chosen, but not passed yet, are not kept
    else:
        assert read == game


@given(setups(most_cards=4), st.binary(min_size=32, max_size=32))
def test_a_game_of_fair_deals_is_proven_by_its_record(setup: Setup, secret: bytes) -> None:
    proof = Fair(secret, tuple("word"[seat % 4] for seat in range(setup.players)))
    dealing, game = fair(proof), setup.start()
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
        seat = awaited_seats(game)[-1]
        game, _ = act(game, seat, legal_actions(game, seat)[0])
    text = dumps(Record(game, fair=Proof(proof.commit, proof.words, secret.hex())))
    check(json.loads(text))
    assert dumps(loads(text)) == text


@pytest.mark.parametrize("part", range(8))
def test_the_referee_accepts_a_finished_game_of_every_set_of_rules(part: int) -> None:
    for number, rules in enumerate(every_rules()[part::8]):
        for players in head_counts(rules):
            rounds = (1, 3, last_round(rules, players)) if PROVING else (1, 3)
            dealer = number % players
            game = Setup(with_rounds(rules, *rounds), players, dealer, number, stop=9999).game
            assert game.is_over
            check(json.loads(dumps(Record(game))))

"""The shared games, whole and stopped anywhere, replayed in the kernel."""

from collections.abc import Iterator
from typing import Any

import pytest

from agreement.lockstep import act_in_step, compare
from foretell.engine import Action, Bid, ChangeBid, NameTrump, PassCard, Play, deal, new_game
from foretell.engine.round import Round
from foretell.kernel.state import turn_loop
from foretell.kernel.state.from_engine import new_state
from foretell.kernel.state.tables import compile_rules
from foretell.record import from_object
from kernel.to_engine import deck_of
from record.conformance import games


def actions(now: Round) -> Iterator[tuple[int, Action]]:
    """What was done in a round, from its record."""
    if now.named_by is not None:
        yield now.named_by, NameTrump(now.trump)
    for turn in range(now.seats):
        seat = (now.first + turn) % now.seats
        made = now.bids[seat]
        if made is not None:
            yield seat, Bid(made)
    for trick in (*now.tricks, *([now.trick] if now.trick else [])):
        for place, face in enumerate(trick.faces):
            yield (trick.leader + place) % now.seats, Play(face)
        yield from ((seat, PassCard(card)) for seat, card in enumerate(trick.passed or ()))
    yield from ((seat, PassCard(card)) for seat, card in enumerate(now.passing) if card)
    if now.change is not None and now.cloud_seat is not None:
        yield now.cloud_seat, ChangeBid(now.change)


@pytest.mark.parametrize("file", ["valid.jsonl", "unfinished.jsonl"])
def test_every_shared_game_is_the_same_in_the_kernel(file: str) -> None:
    lines: list[Any] = games(file)
    for line in lines:
        wanted = from_object(line).game
        tables = compile_rules(wanted.rules, wanted.seats, wanted.peoples)
        game = new_game(
            wanted.rules, wanted.names, first_dealer=wanted.first_dealer, peoples=wanted.peoples
        )
        s = new_state()
        turn_loop.new_game(tables.words, s, game.first_dealer)
        for now in wanted.rounds:
            turn_loop.deal(tables.words, s, deck_of(tables, now.deal, now.dealer))
            game = deal(game, now.deal)[0]
            compare(tables, game, s, every_word=True)
            for seat, action in actions(now):
                turn_loop.take_turn(tables.words, s, seat)
                game = act_in_step(tables, game, s, seat, action)
            compare(tables, game, s, every_word=True)
        assert game == wanted

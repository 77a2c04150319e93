"""What a face would do in a trick is what it does once the turn loop has put it there."""

from random import Random

import pytest

from foretell.cards import SPECIALS
from foretell.kernel.backend.compiled import ints
from foretell.kernel.state import codes, turn_loop
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import FACE_LIST, face_number, kind_of
from foretell.kernel.state.tables import compile_rules
from foretell.kernel.state.trick_outcome import would_take
from foretell.rules import Rules


@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules(wizards_on_trump="barred"), Rules(unicolor=True), Rules(specials=SPECIALS)],
    ids=["base", "F1", "V6", "X1-X9"],
)
def test_a_face_takes_the_trick_exactly_if_it_was_said_to(rules: Rules) -> None:
    players = 4 if rules == Rules(unicolor=True) else 6
    tables, random, answers = compile_rules(rules, players), Random(3), set()
    lookup = tables.words
    faces = [one for one in FACE_LIST if one is not None and one.card in tables.deck]
    for _ in range(3000):
        state = ints(in_state.SIZE)
        state[in_state.TRICKS_LEFT] = 2
        state[in_state.TRUMP] = random.randrange(codes.TRUMPS)
        turn_loop.open_trick(state)
        # One card fewer than a trick: the last would be taken off the table at once.
        for face in random.sample(faces, players - 1):
            seat, number = state[in_state.TURN], face_number(face)
            said = would_take(lookup, state, number)
            turn_loop.give(lookup, state, seat, kind_of(face.card))
            turn_loop.play_face(lookup, state, kind_of(face.card), number)
            takes = state[in_state.BEST_SEAT] == seat and not state[in_state.EFFECTS] & codes.BOMBS
            assert said == takes, face
            answers.add(bool(said))
    assert answers == {True, False}

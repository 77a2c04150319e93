"""What a face would do in a trick is what it does once the turn loop has put it there."""

from random import Random

import pytest

from foretell.cards import SPECIALS
from foretell.kernel.backend.compiled import ints
from foretell.kernel.state import layout as at
from foretell.kernel.state import turn_loop
from foretell.kernel.state.tables import FACE_LIST, compile_rules, face_number, kind_of
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
    t = tables.words
    faces = [one for one in FACE_LIST if one is not None and one.card in tables.deck]
    for _ in range(3000):
        s = ints(at.STATE)
        s[at.LEFT] = 2
        s[at.TRUMP] = random.randrange(at.TRUMPS)
        turn_loop.open_trick(s)
        # One card fewer than a trick: the last would be taken off the table at once.
        for face in random.sample(faces, players - 1):
            seat, number = s[at.TURN], face_number(face)
            said = would_take(t, s, number)
            turn_loop.give(t, s, seat, kind_of(face.card))
            turn_loop.play_face(t, s, kind_of(face.card), number)
            takes = s[at.WINNER] == seat and not s[at.EFFECTS] & at.BOMBS
            assert said == takes, face
            answers.add(bool(said))
    assert answers == {True, False}

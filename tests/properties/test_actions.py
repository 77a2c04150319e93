"""Action → text → action, and what reads as an action at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.cards import CARDS, FACES
from foretell.engine import action
from foretell.errors import Unreadable
from tables import UNIVERSE, refusal_of

VERBS = ("bid", "play", "pass", "trump", "change")
WORDS = (*CARDS, *FACES, "0", "1", "07", "+1", "-1", "+2", "none", "B", "", " ", "Z", "²", "1e3")
WRITTEN = {one.text for one in UNIVERSE}


def test_every_action_reads_as_it_is_written() -> None:
    assert len(WRITTEN) == len(UNIVERSE)
    for one in UNIVERSE:
        same = action(str(one))
        assert same == one
        assert type(same) is type(one)
        assert str(same) == str(one)
        assert hash(same) == hash(one)


@pytest.mark.prove
@given(st.one_of(st.text(), st.builds("{} {}".format, st.sampled_from(VERBS), st.text(max_size=4))))
def test_any_other_text_is_unreadable(text: str) -> None:
    error = refusal_of(lambda: action(text))
    if error is None:
        read = action(text)
        assert action(str(read)) == read
    else:
        assert isinstance(error, Unreadable)
        assert str(error)
        assert text not in WRITTEN


@pytest.mark.prove
@given(st.sampled_from(VERBS), st.sampled_from(WORDS), st.sampled_from(["", " ", "\n", "x"]))
def test_a_near_miss_is_read_as_what_it_says_or_not_at_all(verb: str, word: str, tail: str) -> None:
    text = f"{verb} {word}{tail}"
    try:
        read = action(text)
    except Unreadable:
        assert text not in WRITTEN
    else:
        assert str(read) == text or (verb == "bid" and int(word) == int(str(read)[4:]))

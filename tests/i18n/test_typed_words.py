"""What people type in a terminal is understood with or without accents, in any case; the words of a group stay apart."""

import pytest

from foretell.i18n import catalogue, languages, plainly_typed, typed_words

GROUPS = {
    "play": ("help", "sheet", "fair", "last", "table", "quit", "none"),
    "score": ("help", "undo", "fix", "sheet", "save", "quit", "nobody", "yes", "no"),
    "talk": ("yes", "no", "bot", "remove"),
}


def test_accents_and_capitals_do_not_matter() -> None:
    assert plainly_typed(" Sí ") == plainly_typed("si") == "si"
    assert plainly_typed("NÃO") == "nao"
    assert plainly_typed("ändern") == "andern"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("group", GROUPS)
def test_the_words_of_a_group_differ_without_their_accents(language: str, group: str) -> None:
    say = catalogue(language).say
    words = typed_words(lambda word: say(f"{group}.word.{word}"), GROUPS[group])
    assert list(words.values()) == list(GROUPS[group])
    assert all(word and " " not in word for word in words)

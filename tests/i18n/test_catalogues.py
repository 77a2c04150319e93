"""Every catalogue says the same things: the same keys and placeholders as English, in the forms of its own language."""

import json
import re

import pytest

from foretell.errors import NotAGame
from foretell.i18n import Catalogue, Term, catalogue, languages
from foretell.i18n.catalogues import own_texts
from foretell.i18n.checking import compared, placeholders
from foretell.i18n.pseudo import pseudo_texts

ENGLISH = own_texts("en")


@pytest.mark.parametrize("language", languages())
def test_a_catalogue_has_the_keys_and_the_placeholders_of_the_english_one(language: str) -> None:
    found = compared(ENGLISH, own_texts(language))
    assert found.is_complete, json.dumps(found.by_kind(), indent=1)


@pytest.mark.parametrize("language", languages())
def test_no_text_is_empty_or_begins_or_ends_with_a_stray_space(language: str) -> None:
    for key, text in own_texts(language).items():
        assert text.strip(), key
        # the lines of a terminal are indented in the text itself
        assert text == text.rstrip(), key
        assert not text.startswith(" ") or ENGLISH[key].startswith(" "), key


@pytest.mark.parametrize("language", languages())
def test_no_text_has_a_hyphen_for_a_minus_sign(language: str) -> None:
    typed = ("error.not_a_change", "score.ask_change")  # there people type the hyphen
    for key, text in own_texts(language).items():
        assert key in typed or not re.search(r"(?<![\w-])-\d", text), f"{key}: {text}"


QUOTES = {"pt": "«»", "es": "“”", "hu": "„”", "pt-BR": "“”", "fr": "«»", "de": "„“"}
IN_CODE = re.compile(r"pip install '[^']*'|{{.*?}}|![rsa](?=})")


@pytest.mark.parametrize("language", sorted(QUOTES))
def test_a_language_has_its_own_quotation_marks(language: str) -> None:
    for key, text in own_texts(language).items():
        found = set(re.findall("[«»„“”‘\"]|(?<!\\w)'", IN_CODE.sub("", text)))
        assert found <= set(QUOTES[language]), f"{key}: {text}"


def test_french_signs_stand_behind_a_space_that_does_not_break_the_line() -> None:
    """Otherwise a phone puts a colon or a closing quotation mark at the beginning of a line."""
    for key, text in own_texts("fr").items():
        plain = IN_CODE.sub("", text)
        assert not re.search(r" [:;!?»%]|« ", plain), f"{key}: {text}"
        assert not re.search("[^\u202f][;!?]", plain), f"{key}: {text}"


def test_a_spanish_question_is_opened_as_well_as_closed() -> None:
    for key, written in own_texts("es").items():
        text = IN_CODE.sub("", written)
        assert text.count("¿") == text.count("?"), f"{key}: {text}"
        assert text.count("¡") == text.count("!"), f"{key}: {text}"


def test_a_comparison_finds_what_is_missing_unknown_different_and_long() -> None:
    english = {"a": "{name} plays", "b": "bid", "c": "trump of {x}", "d": "Foretell it", "e": "ok"}
    own = {
        "a": "joue",
        "c": "atout {x:object}",
        "d": "Foretell it",
        "e": "d'accord, on y va donc",
        "f": "?",
    }
    found = compared(english, own)
    assert found.by_kind() == {
        "missing": ("b",),
        "unknown": ("f",),
        "other_placeholders": ("a",),
        "same_as_english": ("d",),
        "long": ("e",),
    }
    assert not found.is_complete
    assert compared(english, english).is_complete


def test_placeholders_are_found_with_their_forms_and_not_in_doubled_braces() -> None:
    assert placeholders('{name!r} {card:object} {{"action": 1}} {x}') == {"name", "card", "x"}


def test_a_missing_text_is_said_in_english_and_an_unknown_key_is_an_error() -> None:
    half = Catalogue("fr", ENGLISH | {"web.home": "Accueil"})
    assert half.say("web.home") == "Accueil"
    assert half.say("web.close") == "Close"
    with pytest.raises(KeyError, match=r"no text for 'web.nothing' in fr"):
        half.say("web.nothing")


def test_a_placeholder_may_ask_for_a_form_of_the_word_that_fills_it() -> None:
    hungarian = Catalogue(
        "hu",
        {
            "colour.R": "piros",
            "colour.R.object": "pirosat",
            "colour.B": "kék",
            "follow": "adj {colour:object}! ({colour})",
        },
    )
    assert hungarian.say("follow", colour=Term("colour.R")) == "adj pirosat! (piros)"
    # a word without that form stays as it is
    assert hungarian.say("follow", colour=Term("colour.B")) == "adj kék! (kék)"


def test_the_pseudo_language_is_complete_accented_and_longer() -> None:
    pseudo = pseudo_texts(ENGLISH)
    assert compared(ENGLISH, pseudo).is_complete
    assert all(".word." in key for key in compared(ENGLISH, pseudo).same_as_english)
    assert pseudo["web.home.play"] == "Plååý ñõõw"
    assert len(pseudo["web.home.lead"]) > 1.2 * len(ENGLISH["web.home.lead"])


def test_a_plural_text_has_both_forms() -> None:
    counted = re.compile(
        r"(.*(?<!plus_minus))_(?:one|other)"
    )  # the variant plus/minus one is a name
    bases = {found[1] for key in ENGLISH if (found := counted.fullmatch(key))}
    for base in bases:
        assert f"{base}_one" in ENGLISH, base
        assert f"{base}_other" in ENGLISH, base
        assert base not in ENGLISH, f"{base} would always win over its plural forms"


def test_zero_is_singular_in_french_and_in_brazil_but_not_in_portugal() -> None:
    said = {
        language: Catalogue(language, {"t_one": "{count} one", "t_other": "{count} other"})
        for language in ("en", "pt", "es", "hu", "pt-BR", "fr", "de")
    }
    assert {key: one.say("t", count=0) for key, one in said.items()} == {
        "en": "0 other",
        "pt": "0 other",
        "es": "0 other",
        "hu": "0 other",
        "pt-BR": "0 one",
        "fr": "0 one",
        "de": "0 other",
    }
    assert catalogue("en").say("web.bid.one", count=1) == "1 trick"


@pytest.mark.parametrize("language", sorted(set(languages()) - {"hu"}))
@pytest.mark.parametrize(
    "code",
    [
        "bids_of_seats",
        "fair_hashes",
        "fair_words",
        "hand_size",
        "hands_of_seats",
        "not_finished",
        "passed_of_seats",
        "too_few_tricks",
        "too_many_rounds",
        "too_many_tricks",
    ],
)
def test_errors_about_one_thing_are_in_the_singular(language: str, code: str) -> None:
    """A record of a single round was once said to have "1 rounds"."""
    one, two = (
        NotAGame(code, rule="D3", seat=0, seats=4, size=7, got=0, count=count).sentence(language)
        for count in (1, 2)
    )
    assert one.replace("1", "2") != two

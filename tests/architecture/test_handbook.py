"""The players' rules explain every rule of docs/rules.md, and every rule that an error can name; each text is used."""

import json
import re
from pathlib import Path

import pytest

from architecture.test_rule_ids import ID, rules_named_in, rules_of_the_book
from foretell.cards import SPECIALS, cards
from foretell.handbook import EXAMPLES, SECTIONS, section_of, steps, text_keys
from foretell.i18n import languages
from foretell.rules import DECISIONS
from foretell.rules.presets import PRESETS

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "src/foretell/i18n/handbook"
PAGE = ROOT / "web/src/handbook"


def texts(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("rule", rules_of_the_book())
def test_every_rule_of_the_book_is_explained(rule: str) -> None:
    section = section_of(rule)
    assert section is not None, f"no section of the players' rules explains {rule}"
    place = next(place for place, rules in enumerate(section.paragraphs, start=1) if rule in rules)
    for language in languages():
        assert texts(language)[f"handbook.{section.key}.{place}"]


def test_the_sections_explain_no_rule_that_does_not_exist_and_no_rule_twice() -> None:
    explained = [rule for section in SECTIONS for rule in section.rules]
    assert set(explained) == set(rules_of_the_book())
    assert len(explained) == len(set(explained))


def test_every_rule_that_an_error_or_a_choice_names_opens_a_section() -> None:
    named = {choice.rule for one in DECISIONS for choice in one.choices}
    for path in sorted((ROOT / "src" / "foretell").rglob("*.py")):
        named |= {rule for rule in rules_named_in(path) if ID.fullmatch(rule)}
    assert len(named) > 30
    assert all(section_of(rule) is not None for rule in named)


def test_every_text_is_used_and_every_text_that_is_needed_is_there() -> None:
    used = set(text_keys())
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(PAGE.glob("*.*")))
    named = set(re.findall(r"'(handbook\.[a-z_.]+)'", code))
    groups = {f"handbook.group.{section.group}" for section in SECTIONS}
    books = {f"handbook.book.{book}" for book in PRESETS}
    assert set(texts("en")) == used | groups | books | (named - used)


@pytest.mark.parametrize("language", languages())
def test_the_files_of_all_languages_have_the_same_keys_in_the_same_order(language: str) -> None:
    assert list(texts(language)) == list(texts("en"))


def test_a_section_tells_which_rulebooks_offer_it() -> None:
    books = {section.key: section.books for section in SECTIONS}
    assert books["play"] is None
    assert books["plus_minus_one"] == ("es", "hu", "pt-BR", "fr")
    assert books["foresight_first"] == books["dragon"] == books["specials"] == ("pt-BR",)
    assert books["french"] == ("fr",)
    # every variant that a book offers has its section
    offered = {rule for book in PRESETS.values() for rule in book.variants}
    for rule in offered:
        section = section_of(rule)
        assert section is not None
        assert section.books == tuple(key for key, one in PRESETS.items() if rule in one.variants)


def test_every_special_card_has_a_section_with_its_picture_and_an_example() -> None:
    for card in SPECIALS:
        section = section_of(card.lower())
        assert section is not None
        assert section.cards == card
        assert section.examples == (card.lower(),)


def test_every_example_belongs_to_a_section_and_explains_steps_that_it_has() -> None:
    shown = [key for section in SECTIONS for key in section.examples]
    assert sorted(shown) == sorted(EXAMPLES)
    for example in EXAMPLES.values():
        assert set(example.explained) <= set(range(len(steps(example))))
        assert example.explained


def test_the_cards_beside_a_section_exist() -> None:
    for section in SECTIONS:
        assert len(cards(section.cards)) == len(section.cards.split())

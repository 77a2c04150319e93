"""The five rulebooks: what a table starts from, and what it may change."""

from typing import Any

import pytest

from foretell.cards import SPECIALS, card
from foretell.errors import RulesClash
from foretell.rules import DECISIONS, Rules
from foretell.rules.deck import HEADS
from foretell.rules.presets import FEATURED, PRESETS, FeaturedGame, preset

# docs/rules.md, "Presets"
BOOKS = {
    "pt-PT": ("free", (), False),
    "es": ("free", ("V1",), False),
    "hu": ("free", ("V1", "V2", "V3", "V5", "V6"), False),
    "pt-BR": ("free", ("V1", "V2", "V3", "V4", "V6"), True),
    "fr": ("barred", ("V1", "V2", "V3", "V5"), False),
}

CHOICES: dict[str, dict[str, Any]] = {
    choice.rule: {one.key: choice.value}
    for one in DECISIONS
    for choice in one.choices
    if choice.rule.startswith("V")
}


def test_there_are_five_rulebooks() -> None:
    assert list(PRESETS) == list(BOOKS)


@pytest.mark.parametrize("book", BOOKS)
def test_a_preset_is_what_its_book_says(book: str) -> None:
    wizards, variants, offers_specials = BOOKS[book]
    one = PRESETS[book]
    assert one.rules == Rules(rulebook=book, wizards_on_trump=wizards)  # type: ignore[arg-type]
    assert (one.rules.bids, one.rules.foresight, one.rules.rounds) == ("open", "none", None)
    assert one.variants == variants
    assert one.offers_specials is offers_specials


def test_every_variant_that_a_book_offers_is_a_choice() -> None:
    offered = {rule for one in PRESETS.values() for rule in one.variants}
    assert offered == set(CHOICES)


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_changes_what_it_likes(book: str) -> None:
    for variant in CHOICES.values():
        changed = preset(book, **variant)
        assert changed.rulebook == book
        for key, value in variant.items():
            assert getattr(changed, key) == value


@pytest.mark.parametrize("book", BOOKS)
def test_within_V7_and_F2(book: str) -> None:
    with pytest.raises(RulesClash, match="V7"):
        preset(book, plus_minus_one=True, bids="secret")
    if book == "fr":
        with pytest.raises(RulesClash, match="F2"):
            preset(book, specials=("BOMB",))
        assert preset(book, specials=("BOMB",), wizards_on_trump="free").specials == ("BOMB",)
    else:
        assert preset(book, specials=tuple(SPECIALS)).specials == tuple(SPECIALS)


def test_a_rulebook_that_there_is_not() -> None:
    with pytest.raises(RulesClash, match="'de' is not a rulebook: pt-PT, es, hu, pt-BR, fr"):
        preset("de")


@pytest.mark.parametrize("game", FEATURED, ids=lambda game: game.name)
def test_a_featured_game_changes_only_what_its_book_offers(game: FeaturedGame) -> None:
    book = PRESETS[game.rules.rulebook]
    for one in DECISIONS:
        chosen = getattr(game.rules, one.key)
        if chosen == getattr(book.rules, one.key):
            continue
        if one.form == "subset":
            assert book.offers_specials
        else:
            assert next(each.rule for each in one.choices if each.value == chosen) in book.variants


@pytest.mark.parametrize("game", FEATURED, ids=lambda game: game.name)
def test_a_featured_game_can_be_played_by_any_number_and_has_a_picture(game: FeaturedGame) -> None:
    assert all(game.rules.has_game_for(players) for players in HEADS)
    assert len({card(face) for face in game.faces}) == 3


def test_featured_games_are_different_games() -> None:
    assert len({game.name for game in FEATURED}) == len({game.rules for game in FEATURED}) == 4

"""The questions before the first deal, made from the rulebooks and decisions in `foretell.rules`."""

from collections.abc import Callable, Sequence
from typing import Any

from foretell.cards import SPECIALS
from foretell.errors import ForetellError
from foretell.i18n import Catalogue
from foretell.rules import DECISIONS, Rules, Setting
from foretell.rules.presets import PRESETS, Preset, preset

__all__ = ["asked_table"]

Ask = Callable[[str], str]
Show = Callable[[str], object]


def asked_table(texts: Catalogue, ask: Ask, show: Show) -> tuple[Rules, int]:
    """The rules and the number of seats that a person wants; Enter takes the default each time."""
    while True:
        book = _one(list(PRESETS.values()), texts, ask, show)
        seats = _head_count(texts, ask, show)
        try:
            rules = preset(book.key, **_variants(book, texts, ask, show))
            rules.seats(seats)
        except ForetellError as error:
            show(f"  {error.sentence(texts.language)}")
            continue
        return rules, seats


def _one(books: Sequence[Preset], texts: Catalogue, ask: Ask, show: Show) -> Preset:
    for number, book in enumerate(books, start=1):
        show(f"  {number}  {texts.say(f'rules.book.{book.key}')}")
    while True:
        typed = ask(texts.say("play.which_book")).strip() or "1"
        if typed in PRESETS:
            return PRESETS[typed]
        if typed.isdecimal() and 1 <= int(typed) <= len(books):
            return books[int(typed) - 1]
        show("  " + texts.say("play.not_in_list", typed=typed, most=len(books)))


def _head_count(texts: Catalogue, ask: Ask, show: Show) -> int:
    while True:
        typed = ask(texts.say("play.how_many")).strip() or "4"
        try:
            Rules().seats(int(typed) if typed.isdecimal() else 0)
        except ForetellError as error:
            show(f"  {error.sentence(texts.language)}")
            continue
        return int(typed)


def _variants(book: Preset, texts: Catalogue, ask: Ask, show: Show) -> dict[str, Any]:
    """The variants chosen from those that the book offers."""
    offered = [
        Setting(one.key, choice.value)
        for one in DECISIONS
        for choice in one.choices
        if choice.rule in book.variants
    ]
    if book.offers_specials:
        offered.append(Setting("specials", "any"))
    if not offered:
        return {}
    for number, setting in enumerate(offered, start=1):
        show(f"  {number}  {texts.say(setting.term)} ({setting.rule})")
    while True:
        typed = ask(texts.say("play.which_variants")).replace(",", " ").split()
        if all(text.isdecimal() and 1 <= int(text) <= len(offered) for text in typed):
            break
        show("  " + texts.say("play.not_in_list", typed=" ".join(typed), most=len(offered)))
    chosen = {offered[int(text) - 1].key: offered[int(text) - 1].value for text in typed}
    return {key: tuple(SPECIALS) if key == "specials" else value for key, value in chosen.items()}

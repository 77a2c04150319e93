"""The sections of the players' rules, in the order in which they are read, and the rules that each paragraph explains.

The text of a section is in the catalogue: `handbook.KEY.title`, its paragraphs `handbook.KEY.1`, `handbook.KEY.2` and
so on, and, where the five rulebooks differ, `handbook.KEY.note`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from foretell.handbook.examples import EXAMPLES
from foretell.rules.presets import PRESETS, Preset

__all__ = ["SECTIONS", "Group", "Section", "section_of", "text_keys"]

Group = Literal["game", "variants", "specials", "books"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section.  `paragraphs` has the ids of the rules that each paragraph explains: none, one or several."""

    key: str
    group: Group
    paragraphs: tuple[tuple[str, ...], ...]
    cards: str = ""  # drawn beside the title
    examples: tuple[str, ...] = ()
    has_note: bool = True  # about how the rulebooks differ

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of all rules explained here, each once."""
        return tuple(dict.fromkeys(rule for rules in self.paragraphs for rule in rules))

    @property
    def books(self) -> tuple[str, ...] | None:
        """The rulebooks that offer what this section is about; None for the game that is the same in all of them."""
        found = tuple(
            key for key, book in PRESETS.items() if self.rules[:1] and _offers(book, self.rules[0])
        )
        return found if self.group in ("variants", "specials") and found else None


def _offers(book: Preset, rule: str) -> bool:
    """Whether the rulebook has this variant, special card or French rule."""
    if rule == "F1":
        return book.rules.wizards_on_trump == "barred"
    return rule in book.variants or ((rule[0] == "X" or rule == "C4") and book.offers_specials)


def _ids(text: str) -> tuple[tuple[str, ...], ...]:
    """`C1 | C2 C3 | -` as one tuple of ids for each paragraph."""
    return tuple(tuple(part.split()) if part.strip() != "-" else () for part in text.split("|"))


SECTIONS = (
    Section(
        key="minute",
        group="game",
        paragraphs=_ids("- | - | - | - | -"),
        cards="B7 G7 ZR NY",
        has_note=False,
    ),
    Section(key="cards", group="game", paragraphs=_ids("C1 | C2 | C3"), cards="B1 R5 G9 Y13 ZB NR"),
    Section(key="rounds", group="game", paragraphs=_ids("D1 | D3 | D4 D5 | D2 | D6")),
    Section(key="trump", group="game", paragraphs=_ids("T1 | T2 | T3 | T4"), cards="G9 NB ZR"),
    Section(key="bids", group="game", paragraphs=_ids("B1 | B2 | B3")),
    Section(
        key="play",
        group="game",
        paragraphs=_ids("P1 P2 | P5 | P3 | P4 | P6 | P7"),
        examples=("follow", "jester_led"),
    ),
    Section(
        key="winning",
        group="game",
        paragraphs=_ids("- | K1 | K2 | K3 | K4 | K5"),
        examples=("trump_beats", "first_wizard", "all_jesters"),
    ),
    Section(
        key="score", group="game", paragraphs=_ids("S1 | S2 | - | S3 | S4"), examples=("score",)
    ),
    Section(
        key="plus_minus_one",
        group="variants",
        paragraphs=_ids("V1 | V1 | V1"),
        examples=("plus_minus_one",),
    ),
    Section(key="hidden", group="variants", paragraphs=_ids("V2")),
    Section(key="secret", group="variants", paragraphs=_ids("V3"), has_note=False),
    Section(key="foresight_first", group="variants", paragraphs=_ids("V4 | V4")),
    Section(key="foresight_every", group="variants", paragraphs=_ids("V5 | V5 | V5")),
    Section(
        key="unicolor",
        group="variants",
        paragraphs=_ids("V6 | V6 | V6 | V6"),
        cards="ZB B13 B7 NB",
    ),
    Section(
        key="french",
        group="variants",
        paragraphs=_ids("F1 | F1 | F1"),
        examples=("french",),
    ),
    Section(key="together", group="variants", paragraphs=_ids("V7 | V7 F2 | V7")),
    Section(
        key="specials",
        group="specials",
        paragraphs=_ids("C4 | X1 | X1 | X9"),
        cards="DRAGON FAIRY BOMB WEREWOLF JUGGLER CLOUD SHAPESHIFTER",
    ),
    Section(
        key="shapeshifter",
        group="specials",
        paragraphs=_ids("X2 | X2"),
        cards="SHAPESHIFTER",
        examples=("shapeshifter",),
        has_note=False,
    ),
    Section(
        key="dragon",
        group="specials",
        paragraphs=_ids("X3 | X3"),
        cards="DRAGON",
        examples=("dragon",),
        has_note=False,
    ),
    Section(
        key="fairy",
        group="specials",
        paragraphs=_ids("X4 | X4"),
        cards="FAIRY",
        examples=("fairy",),
        has_note=False,
    ),
    Section(
        key="bomb",
        group="specials",
        paragraphs=_ids("X5 | X5 | X5"),
        cards="BOMB",
        examples=("bomb",),
        has_note=False,
    ),
    Section(
        key="werewolf",
        group="specials",
        paragraphs=_ids("X6 | X6 | X6"),
        cards="WEREWOLF",
        examples=("werewolf",),
        has_note=False,
    ),
    Section(
        key="juggler",
        group="specials",
        paragraphs=_ids("X7 | X7 | X7"),
        cards="JUGGLER",
        examples=("juggler",),
        has_note=False,
    ),
    Section(
        key="cloud",
        group="specials",
        paragraphs=_ids("X8 | X8 | X8"),
        cards="CLOUD",
        examples=("cloud",),
    ),
    Section(key="books", group="books", paragraphs=_ids("-"), has_note=False),
)


def section_of(rule: str) -> Section | None:
    """The section that explains a rule (`P3`), or that has this key (`cloud`)."""
    return next((one for one in SECTIONS if rule in one.rules or rule == one.key), None)


def text_keys() -> Iterator[str]:
    """The key of every text that the sections and their examples have."""
    for one in SECTIONS:
        yield f"handbook.{one.key}.title"
        yield from (f"handbook.{one.key}.{place}" for place in range(1, len(one.paragraphs) + 1))
        if one.has_note:
            yield f"handbook.{one.key}.note"
    for example in EXAMPLES.values():
        yield f"handbook.example.{example.key}"
        yield from (f"handbook.example.{example.key}.{step}" for step in example.explained)

"""Golden games: a change of behaviour shows as a diff.  Meant so?  make golden, and read the diff."""

import re
from pathlib import Path

import pytest

from foretell.cards import SPECIALS
from foretell.rules import DECISIONS, Rules
from foretell.rules.presets import PRESETS
from golden.regenerate import FOLDER, GAMES, files

MADE = files()
TOLD = {name: text for name, text in MADE.items() if not name.endswith(".views.txt")}


@pytest.mark.parametrize("name", MADE)
def test_the_game_goes_as_it_went(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == MADE[name], (
        "python tests/golden/regenerate.py"
    )


def test_no_file_is_left_over() -> None:
    kept = {path.name for path in Path(FOLDER).iterdir() if path.suffix == ".txt"}
    assert kept == set(MADE)


@pytest.mark.parametrize("book", PRESETS)
def test_every_rulebook_has_a_golden_game(book: str) -> None:
    assert GAMES[f"rulebook-{book}"].rules.rulebook == book


def test_every_choice_of_the_rules_has_a_golden_game() -> None:
    chosen = [golden.rules for golden in GAMES.values()]
    for one in DECISIONS:
        for choice in one.choices:
            if one.form == "subset":
                assert any(choice.value in getattr(rules, one.key) for rules in chosen), choice
            else:
                assert any(getattr(rules, one.key) == choice.value for rules in chosen), choice
    assert any(rules.rounds != Rules().rounds for rules in chosen)


@pytest.mark.parametrize("kind", [kind for kind in SPECIALS if kind != "WEREWOLF"])
def test_every_special_card_is_played_in_a_golden_game_of_its_own(kind: str) -> None:
    (text,) = (text for name, text in TOLD.items() if name.endswith(f"-{kind.lower()}.txt"))
    assert f" play {kind}" in text


@pytest.mark.parametrize(
    ("name", "shows"),
    [
        ("X2-shapeshifter", r"play SHAPESHIFTER:Z"),
        ("X2-shapeshifter", r"play SHAPESHIFTER:N"),
        ("X4-fairy", r"play DRAGON[^-]*play FAIRY|play FAIRY[^-]*play DRAGON"),
        ("X5-bomb", r"nobody's; \w+ is next to lead"),
        ("X6-werewolf", r"exchanges the Werewolf for"),
        ("X6-werewolf", r"\(X6, named by"),
        ("X6-werewolf", r"turned up: WEREWOLF"),
        ("X7-juggler", r" pass \w+"),
        ("X8-cloud", r" change \+1"),
        ("X8-cloud", r" change -1"),
        ("V3-secret-bids", r"is next to lead\n  bids shown"),
        ("V2-hidden-bids", r"bid \d .*\n  bids shown"),
        ("F1-french-wizards", r"trump: [BRGY]"),
        ("V6-unicolor", r"turned up: nothing"),
    ],
)
def test_a_golden_game_has_what_its_name_promises(name: str, shows: str) -> None:
    assert re.search(shows, TOLD[f"{name}.txt"])


def test_a_wizard_waits_in_the_french_game() -> None:
    """F1: someone with a Wizard, who may not play it, is among the turns that are told."""
    assert _wizard_waits(TOLD["F1-french-wizards.txt"])


def _wizard_waits(text: str) -> bool:
    hands: dict[str, set[str]] = {}
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if "play" in words and words[0] in hands:
            allowed = set(words[words.index("of") + 1 :])
            wizards = {card for card in hands[words[0]] if card.startswith("Z")}
            if wizards - allowed:
                return True
            hands[words[0]].discard(words[2])
        elif line.startswith("  ") and len(words) > 1 and words[1] not in ("bid", "trump"):
            hands[words[0]] = set(words[1:])
    return False

"""The page's folders, what each may import, and what only one file may know."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from foretell.cards import SPECIALS

SRC = Path(__file__).parents[2] / "web" / "src"
GENERATED = {"protocol.ts", "generated.ts"}
FILES = sorted(
    path for path in SRC.rglob("*") if path.suffix in (".ts", ".svelte") and path.name not in GENERATED
)  # fmt: skip
MOST_LINES = 400

# What each folder may import, besides the files at the top of `src`.
CARDS = {"cards"}
PARTS = {"cards", "parts"}
NET = {"device", "net"}
FAIR = {"cards", "fair"}
STATE = FAIR | NET | {"state"}
FORMS = PARTS | STATE | {"forms"}
ANNOUNCEMENTS = PARTS | STATE | {"table/announcements"}
BOARD = ANNOUNCEMENTS | {"table/board"}
QUESTIONS = ANNOUNCEMENTS | {"table/questions"}
HANDBOOK = PARTS | STATE | {"handbook"}
PANELS = ANNOUNCEMENTS | FORMS | {"handbook", "table/panels"}
ENDING = BOARD | PANELS | {"review", "table/ending"}
TABLE = ENDING | QUESTIONS | {"guide", "table"}
MAY_IMPORT = {
    "cards": CARDS,
    "parts": PARTS,
    "device": {"device"},
    "net": NET,
    "fair": FAIR,
    "state": STATE,
    "forms": FORMS,
    "guide": PARTS | {"guide", "state"},
    "handbook": HANDBOOK,
    "review": PARTS | NET | {"review"},
    "table/announcements": ANNOUNCEMENTS,
    "table/board": BOARD,
    "table/questions": QUESTIONS,
    "table/panels": PANELS,
    "table/ending": ENDING,
    "table": TABLE,
    "pad": FORMS | {"pad", "table/panels"},
    "replay": ENDING | {"replay"},
    "screens": FORMS | {"handbook", "screens", "table/ending"},
}
# X6: the View says who had the Werewolf; the page draws it where the card was turned up.
# X8: what the score pad awaits has this name in Python too (scorepad/pad_round.py).
MAY_NAME_CARDS = {
    "table/board/pieces.ts": {"WEREWOLF"},
    "pad/CorrectionDialog.svelte": {"CLOUD"},
    "pad/EntryPanel.svelte": {"CLOUD"},
}


def _room(path: Path) -> str:
    """The folder of a file; "." for one at the top."""
    return path.parent.relative_to(SRC).as_posix()


def _imports(path: Path) -> Iterator[Path]:
    """The files of the page that a file imports, except those outside `src` and in packages."""
    for found in re.findall(r"from '(\.[^']+)'", path.read_text(encoding="utf-8")):
        target = (path.parent / found).resolve()
        if target.is_relative_to(SRC):
            yield target


def _named(path: Path) -> str:
    return path.relative_to(SRC).as_posix()


def test_every_folder_has_a_place_in_the_order() -> None:
    assert {_room(path) for path in FILES} - {"."} == set(MAY_IMPORT)


@pytest.mark.parametrize("path", FILES, ids=_named)
def test_imports_go_one_way(path: Path) -> None:
    room = _room(path)
    if room == ".":
        return  # App puts the screens together; the test below is for the other files at the top
    for target in _imports(path):
        assert _room(target) in MAY_IMPORT[room] | {"."}, f"imports {_named(target)}"


def test_what_everyone_uses_knows_no_screen_and_no_table() -> None:
    for path in FILES:
        if _room(path) == "." and path.name != "App.svelte":
            rooms = {_room(target) for target in _imports(path)}
            assert rooms <= {".", "cards", "state"}, path.name


@pytest.mark.parametrize("path", FILES, ids=_named)
def test_no_file_is_too_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", FILES, ids=_named)
def test_only_one_file_knows_how_actions_are_written(path: Path) -> None:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    if path.name != "actions.ts":
        assert not re.search(r"['`](?:bid|trump|play|pass|change) ", code)


@pytest.mark.parametrize("path", FILES, ids=_named)
def test_special_cards_are_known_only_where_they_are_drawn(path: Path) -> None:
    named = set(re.findall(rf"\b(?:{'|'.join(SPECIALS)})\b", path.read_text(encoding="utf-8")))
    if _room(path) != "cards" and path.name != "actions.ts":
        assert named <= MAY_NAME_CARDS.get(_named(path), set())

"""Imports go one way, towards the cards; only the rules know the variants; the game itself is pure."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "foretell"

# docs/architecture.md, "Which way imports go": a part may import those before it, never those after it.
ORDER = (
    "i18n",
    "errors",
    "workers",
    "cards",
    "rules",
    "engine",
    "deals",
    "kernel",
    "record",
    "scorepad",
    "handbook",
    "narration",
    "options",
    "bots",
    "coach",
    "arena",
    "datasets",
    "one_card",
    "openspiel",
    "envs",
    "server",
    "browser",
    "client",
    "terminal",
    "commands",
    "cli",
    "__main__",
)

# Stricter than the order: all that some parts may import.
KNOWS = {
    "i18n": set[str](),
    "errors": {"i18n"},
    "workers": {"errors"},
    "cards": {"errors"},
    "rules": {"cards", "errors", "i18n"},
    "engine": {"rules", "cards", "errors", "i18n"},
    "deals": {"engine", "rules", "cards", "errors"},
    "scorepad": {"rules", "cards", "errors", "i18n"},
    "handbook": {"engine", "rules", "cards"},
}


# The rooms of the larger parts, in the order in which they may import each other.  A module beside the rooms is either
# a leaf that every room may use ("leaves") or the front door that may use every room ("front").
ROOMS: dict[str, tuple[str, ...]] = {
    "server": ("leaves", "wire", "store", "game", "coach", "table", "network"),
    "bots": ("simple", "net", "front"),
    "kernel": ("backend", "state", "hidden", "bulk", "front"),
    "envs": ("loop", "front"),
}


def part_of(path: Path) -> str:
    """`rules` for rules/trump.py, `deals` for deals.py; the package's own `__init__.py` is not a part."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def modules() -> list[Path]:
    return [path for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "__init__.py"]


def imported(path: Path) -> Iterator[str]:
    """The parts of foretell that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are written out in full"
            names = [node.module or ""]
            if node.module == "foretell":
                names = [f"foretell.{alias.name}" for alias in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("foretell."))


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_one_way(path: Path) -> None:
    own = part_of(path)
    assert own in ORDER, f"{own} is new: give it a place in ORDER and in docs/architecture.md"
    for part in set(imported(path)) - {own}:
        assert part in ORDER, f"{own} imports {part}, which has no place in ORDER"
        assert ORDER.index(part) < ORDER.index(own), f"{own} ◄─ {part} goes the wrong way"
        assert part in KNOWS.get(own, {part}), f"{own} may not import {part}"


def room_of(dotted: list[str]) -> str | None:
    """`wire` for foretell.server.wire.protocol, `leaves` or `front` for a module beside the rooms."""
    rooms = ROOMS.get(dotted[1] if len(dotted) > 1 else "")
    if rooms is None:
        return None
    if len(dotted) > 2 and dotted[2] in rooms:
        return dotted[2]
    return "leaves" if "leaves" in rooms else "front"


def imported_modules(path: Path) -> Iterator[list[str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ([*node.module.split("."), alias.name] for alias in node.names)


@pytest.mark.parametrize(
    "path",
    [path for path in modules() if part_of(path) in ROOMS],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_rooms_import_one_way(path: Path) -> None:
    dotted = ["foretell", *path.relative_to(SOURCE).with_suffix("").parts]
    part, own = dotted[1], room_of(dotted)
    assert own is not None
    order = ROOMS[part]
    for other in imported_modules(path):
        if other[:2] == ["foretell", part]:
            room = room_of(other)
            assert room is not None
            assert order.index(room) <= order.index(own), f"{own} imports {'.'.join(other)}"


def test_no_module_stands_outside_its_room() -> None:
    """A part with rooms keeps its modules in them; only leaves and front doors stand beside them."""
    beside = {part: {p.stem for p in (SOURCE / part).glob("*.py")} - {"__init__"} for part in ROOMS}
    assert beside == {
        "server": {
            "bot_threads",
            "page_files",
            "fair_queue",
            "fair_threads",
            "keys",
            "logs",
            "metrics",
            "thinking",
            "wakeups",
        },
        "bots": {"conformance", "levels"},
        "kernel": set(),
        "envs": {"buffers", "engine_side", "features", "many_games", "wizard_v0"},
    }


DECIDED = {"bids", "plus_minus_one", "foresight", "unicolor", "specials", "wizards_on_trump"}


@pytest.mark.parametrize(
    "path",
    [path for path in modules() if part_of(path) in ("engine", "deals", "kernel", "bots", "coach")],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_nobody_but_the_rules_asks_which_variant_is_on(path: Path) -> None:
    """`game.rules.unicolor` asks which variant is on; `game.rules.tricks` is the answer of whichever is on."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr in DECIDED:
            owner = node.value
            name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
            assert name != "rules", f"line {node.lineno}: rules.{node.attr}"


PURE = ("cards", "rules", "engine", "errors")


@pytest.mark.parametrize(
    "path",
    [path for path in modules() if part_of(path) in PURE],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_nothing_of_the_game_itself_is_random_or_reads_or_writes(path: Path) -> None:
    banned = {"random", "secrets", "os", "io", "pathlib", "time", "datetime", "socket", "sys"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not {alias.name.split(".")[0] for alias in node.names} & banned
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] not in banned
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("open", "print", "input")


SPECIAL_NAMES = {"DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER"}


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in modules()
        if part_of(path) in ("cards", "rules", "engine", "deals", "record", "kernel", "scorepad")
        and not path.is_relative_to(SOURCE / "cards" / "specials")
    ],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_nobody_but_its_own_module_asks_which_special_card_it_is(path: Path) -> None:
    """`Kind.BOMB` would be such a question; `special.is_nobodys` is the answer to it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            named = node.value.id == "Kind" and node.attr in SPECIAL_NAMES
            assert not named, f"line {node.lineno}: Kind.{node.attr}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_member = path.name == "kinds.py"  # where the names are given
            assert is_member or node.value not in SPECIAL_NAMES, f"line {node.lineno}"

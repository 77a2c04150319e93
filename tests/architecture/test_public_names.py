"""The public names are a decision: every module lists what it offers, and those of the main modules are fixed here."""

import ast
import importlib
from pathlib import Path
from types import ModuleType

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "foretell"

# Other programs may use these names: add one on purpose, and remove one only for a good reason.
FRONT_DOORS = {
    "foretell.cards": """
        CARDS FACES NUMBERS SPECIALS Card Colour Face Kind card cards codes colour face faces""",
    "foretell.deals": "Dealing Fair commitment fair given seeded word_hash",
    "foretell.engine": """
        Action Bid ChangeBid Event Game NameTrump PassCard Phase Play Round Trick View
        act action awaited_seats deal from_json legal_actions new_game to_json view""",
    "foretell.engine.events": """
        BidChanged BidMade BidsShown CardsPassed Event Exchanged GameOver Played RoundDealt RoundScored
        TrickEnded TrumpSettled""",
    "foretell.engine.view": "PassSeen RoundView ScoredRound TrickView View from_json to_json view",
    "foretell.engine.view_fields": """
        CARD GAME_FIELDS ROUND ROUND_FIELDS SCORE TRICK Change Field Moment PassSeen Row TrickView change_between""",
    "foretell.errors": "BadDeal ForetellError NotAGame NotAllowed Refused RulesClash Unreadable",
    "foretell.i18n": """
        Catalogue Term accepted_language best_language catalogue languages listed plainly_typed say speak terminal_language
        texts typed_words""",
    "foretell.rules": """
        CLASHES DECISIONS Choice Clash Deal Decision Exchange Naming Rulebook Rules Setting Shuffle Trump
        change_after decision exchange_in excluded_by is_nobodys naming_open_to pass_after points trump_after
        winners""",
    "foretell.rules.presets": "FEATURED PRESETS FeaturedGame Preset preset",
}

NEVER_IMPORTED = (
    "foretell.__main__",
    "foretell.cli",
    "foretell.commands",
    "foretell.server.store.migrations",
)
"""Run from the command line or by Alembic, and never imported."""


def module_names() -> list[str]:
    names = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return [name for name in names if not name.startswith(NEVER_IMPORTED)]


def tree_of(module: ModuleType) -> ast.Module:
    assert module.__file__ is not None
    return ast.parse(Path(module.__file__).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", module_names())
def test_every_module_says_what_it_offers(name: str) -> None:
    module = importlib.import_module(name)
    offered = getattr(module, "__all__", None)
    if hasattr(module, "__path__") and len(tree_of(module).body) == 1:
        return  # a folder with nothing but a docstring
    assert offered is not None, f"{name} has no __all__"
    assert len(set(offered)) == len(offered)
    for one in offered:
        assert hasattr(module, one), f"{name} lists {one}, which it does not have"
        assert not one.startswith("_")


@pytest.mark.parametrize("name", module_names())
def test_every_module_says_what_it_is_for(name: str) -> None:
    assert importlib.import_module(name).__doc__


@pytest.mark.parametrize("name", module_names())
def test_a_module_offers_its_own_names_and_a_package_gathers_them(name: str) -> None:
    module = importlib.import_module(name)
    if hasattr(module, "__path__"):
        return
    own = set()
    package = name.rpartition(".")[0]
    body = tree_of(module).body
    body += [inner for node in body if isinstance(node, ast.If) for inner in node.body]
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            own.add(node.name)
        elif isinstance(node, ast.ImportFrom) and package != "foretell":
            if (node.module or "").startswith(f"{package}."):
                own |= {alias.name for alias in node.names}  # re-exported from the same package
        elif isinstance(node, ast.Assign):
            names = [one for target in node.targets for one in ast.walk(target)]
            own |= {one.id for one in names if isinstance(one, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            own.add(node.target.id)
    assert set(module.__all__) <= own, f"{name} lists a name that another module defines"


@pytest.mark.parametrize("name", FRONT_DOORS)
def test_the_front_doors_of_the_game(name: str) -> None:
    assert set(importlib.import_module(name).__all__) == set(FRONT_DOORS[name].split())


def test_the_package_is_typed() -> None:
    assert (SOURCE / "py.typed").exists()

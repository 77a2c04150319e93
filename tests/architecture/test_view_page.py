"""docs/view.md describes every field of a View: authors of bots in other languages have nothing else to read."""

import re
from pathlib import Path

import pytest

from foretell.engine.view import PassSeen, RoundView, ScoredRound, TrickView, View

PAGE = (Path(__file__).parents[2] / "docs" / "view.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("part", [View, RoundView, TrickView, PassSeen, ScoredRound])
def test_every_field_is_described(part: type) -> None:
    told = set(re.findall(r"`(\w+)`", PAGE))
    assert set(part.__struct_fields__) <= told  # type: ignore[attr-defined]

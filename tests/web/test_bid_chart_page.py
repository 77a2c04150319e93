"""The bid chart on paper: one sheet for each number of players, with nothing cut off."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from foretell.cli import main
from web.playing import Player

Browse = Callable[..., Player]


@pytest.mark.parametrize("language", ["en", "hu"])  # Hungarian has the longest names of cards
def test_each_number_of_players_has_one_sheet(
    browse: Browse, tmp_path: Path, language: str
) -> None:
    out = tmp_path / "chart.html"
    asked = ["--lang", language, "odds", "--chart", "--games", "2000", "--out", str(out)]
    assert CliRunner().invoke(main, asked).exit_code == 0
    page = browse(1000, 900).page
    page.goto(out.as_uri())
    pdf = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 4
    # As wide as A4 without its margins, at 96 dots an inch: (210 - 2 * 9) mm.
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 725, "height": 1000})
    for table in page.locator("table").all():
        box = table.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 726
    heights = [section.bounding_box() for section in page.locator("section").all()]
    assert all(box is not None and box["height"] < 1054 for box in heights)

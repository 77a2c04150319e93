"""The tutorials run, as the notebooks that they are: all cells in order, with small parameters."""

import subprocess
import sys
from pathlib import Path

import jupytext
import pytest

TUTORIALS = sorted((Path(__file__).parents[2] / "docs" / "tutorials").glob("*.md"))

# What a tutorial's cell with the tag "parameters" says is replaced by this; what must be printed follows.
SMALL = {"small_agent": ("MINUTES, SETS = 0.02, 1", ["error", "small", "counting", "bids met"])}


def test_every_tutorial_is_run() -> None:
    assert {page.stem for page in TUTORIALS} == SMALL.keys()


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_runs(page: Path, tmp_path: Path) -> None:
    small, says = SMALL[page.stem]
    cells = [cell for cell in jupytext.read(page, fmt="md").cells if cell.cell_type == "code"]
    assert sum("parameters" in cell.metadata.get("tags", []) for cell in cells) == 1
    source = []
    for cell in cells:
        source.append(cell.source)
        if "parameters" in cell.metadata.get("tags", []):
            source.append(small)
    program = tmp_path / f"{page.stem}.py"
    program.write_text("\n\n".join(source), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", program],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    for text in says:
        assert text in done.stdout, done.stdout

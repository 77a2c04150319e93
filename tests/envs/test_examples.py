"""The examples of docs/environments.md run, and the first agent learns."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_run(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[number], f"example {number}", "exec"), {})
    told = capsys.readouterr().out
    learned = re.search(r"(-?\d+) points a round at first, (-?\d+) at the end", told)
    if "weights" in EXAMPLES[number]:
        assert learned is not None
        assert int(learned[2]) > int(learned[1]) + 5

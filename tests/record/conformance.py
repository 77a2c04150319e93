"""The conformance files, and what "a rule of that kind" means in them."""

import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "conformance"


def games(name: str) -> list[Any]:
    """Every line of one of the files."""
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def rules_of(kind: str) -> set[str]:
    """`P3/F1` are two rules, `K1-K4` four."""
    rules: set[str] = set()
    for part in kind.split("/"):
        span = re.fullmatch(r"([A-Z]+)(\d+)-[A-Z]+(\d+)", part)
        if span:
            rules |= {f"{span[1]}{number}" for number in range(int(span[2]), int(span[3]) + 1)}
        else:
            rules.add(part)
    return rules

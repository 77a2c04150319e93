"""Long texts in the lines of a terminal."""

import textwrap

__all__ = ["wrapped"]


def wrapped(text: str, width: int = 80) -> str:
    """The text with each of its lines broken before the edge; what goes on below keeps the line's indentation."""
    lines = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines += textwrap.wrap(line, width, subsequent_indent=indent) or [""]
    return "\n".join(lines)

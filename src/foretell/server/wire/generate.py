"""Writes what is made from the protocol into a checkout: `python -m foretell.server.wire.generate`.

`--check` writes nothing and fails when a file is stale; a test does the same.
"""

import json
import sys
from pathlib import Path

from foretell.server.wire.openapi import openapi
from foretell.server.wire.typescript import typescript

__all__ = ["generated"]


def generated() -> dict[str, str]:
    """Each file's path in the checkout, and what it must hold."""
    page = json.dumps(openapi(), indent=1, ensure_ascii=False) + "\n"
    return {"web/src/protocol.ts": typescript(), "docs/openapi.json": page}


def main(arguments: list[str]) -> int:
    root = Path(__file__).parents[4]
    stale = [
        (root / path, text)
        for path, text in generated().items()
        if not (root / path).exists() or (root / path).read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        print(("stale: " if "--check" in arguments else "written: ") + str(path.relative_to(root)))
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Writes the files that are generated for the page and its documents: `python -m foretell.server.wire.generate`.

With `--check` it writes nothing, and fails if a file is stale.  A test makes the same check.
"""

import json
import sys
from pathlib import Path

from foretell.handbook import handbook_json
from foretell.scorepad.page import pad_typescript
from foretell.server.wire.openapi import openapi
from foretell.server.wire.typescript import typescript

__all__ = ["generated"]


def generated() -> dict[str, str]:
    """The content of each generated file, by its path in the checkout."""
    description = json.dumps(openapi(), indent=1, ensure_ascii=False) + "\n"
    return {
        "web/src/protocol.ts": typescript(),
        "web/src/handbook/handbook.json": handbook_json(),
        "web/src/pad/generated.ts": pad_typescript(),
        "docs/openapi.json": description,
    }


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

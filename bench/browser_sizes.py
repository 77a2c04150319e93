"""How much a browser loads, compressed by gzip: `python bench/browser_sizes.py`.

The page and the engine must have been built: `make site`.
"""

import gzip
import json
from pathlib import Path

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "foretell" / "server" / "static"
LANGUAGE = "en"


def compressed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def show(what: str, sizes: list[int]) -> None:
    print(f"{what:55} {sum(sizes) / 1000:9,.1f} kB")


def main() -> None:
    listed = STATIC / "engine" / "engine.json"
    if not listed.exists():
        print("bench/browser_sizes.py needs the page and the engine: make site")
        return
    scripts = sorted((STATIC / "assets").glob("*.js"))
    first = [one for one in scripts if one.name.startswith(("index-", f"{LANGUAGE}-"))]
    whole = [one for one in STATIC.rglob("*") if one.is_file() and one.suffix not in (".gz", ".br")]
    files = json.loads(listed.read_bytes())["files"]
    weights = {
        one["name"]: compressed(ROOT / "src" / one["into"]) for one in files if "into" in one
    }
    engine = [compressed(STATIC / "engine" / one["path"]) for one in files if "into" not in one]
    page = [compressed(one) for one in whole if "engine" not in one.relative_to(STATIC).parts]
    show("scripts before the page can be used", list(map(compressed, first)))
    show("the page in all languages", page)
    show("the engine without nets", engine)
    for name, size in weights.items():
        show(f"the net {name}", [size])
    show("engine and net before a bot chooses", [*engine, weights["small.bin"]])
    show("everything", [*page, *engine, *weights.values()])


if __name__ == "__main__":
    main()

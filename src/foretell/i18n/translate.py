"""The translator's command: `python -m foretell.i18n.translate fr`, or `make translation TO=fr`.

It says what is missing in a catalogue, what is wrong with it and what is worth a second look.  With `--pictures` it
also walks through the page and makes a picture of each screen, on which every text is numbered and listed by its key.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from foretell.i18n.catalogues import own_texts
from foretell.i18n.checking import compared

__all__ = ["main"]

_HERE = Path(__file__).parent
_PICTURES = Path("tests/web/translation_pictures.py")
_ABOUT = {
    "missing": "Missing: write these",
    "unknown": "Unknown: not in the English catalogue, so remove these",
    "other_placeholders": "Placeholders differ from the English ones: correct these",
    "same_as_english": "The same as in English: is that so?",
    "long": "Much longer than in English: look at the pictures",
}


def main(words: list[str] | None = None) -> int:
    """Prints the report; 0 if the catalogue is complete."""
    parser = argparse.ArgumentParser(prog="python -m foretell.i18n.translate", description=__doc__)
    parser.add_argument("language", help="the name of the file without .json: fr, pt-BR")
    parser.add_argument("--pictures", action="store_true", help="make pictures, in build/")
    asked = parser.parse_args(words)
    english = own_texts("en")
    try:
        own = own_texts(asked.language)
    except FileNotFoundError as error:
        print(
            f"There is no {error.filename}. Begin with a copy of en.json, and translate its texts."
        )
        return 1
    except ValueError as error:
        print(f"A file of {asked.language} is not JSON: {error}")
        return 1
    found = compared(english, own)
    for kind, keys in found.by_kind().items():
        if not keys:
            continue
        print(f"\n{_ABOUT[kind]} ({len(keys)})")
        for key in keys:
            print(f"  {key}")
            print(f"    en  {english[key]!r}" if key in english else "    en  (no such key)")
            if kind not in ("missing", "same_as_english"):
                print(f"    {asked.language}  {own[key]!r}")
    done = len(english) - len(found.missing)
    print(f"\n{asked.language}: {done} of {len(english)} texts.", end=" ")
    print("Complete." if found.is_complete else "Not complete yet.")
    made = _make_pictures(asked.language) if asked.pictures else 0
    return made or (0 if found.is_complete else 1)


def _make_pictures(language: str) -> int:
    root = _HERE.parents[2]
    if not (root / _PICTURES).exists():
        print("Pictures are made in a checkout of the repository, not in an installed package.")
        return 1
    return subprocess.run([sys.executable, _PICTURES, language], cwd=root, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

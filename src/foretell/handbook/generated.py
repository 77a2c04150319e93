"""The handbook as the page reads it: sections, rulebooks and examples, as JSON.

`python -m foretell.server.wire.generate` writes it to web/src/handbook/handbook.json.
"""

import msgspec

from foretell.engine.codec import encoded
from foretell.handbook.examples import EXAMPLES, NAMES, Example
from foretell.handbook.sections import SECTIONS, Section
from foretell.handbook.steps import steps
from foretell.rules.presets import PRESETS

__all__ = ["handbook_json"]


def handbook_json() -> str:
    """All that the page needs besides the texts, with a line for each section and each example."""
    sections = ",\n".join(_json(_section(one)) for one in SECTIONS)
    examples = ",\n".join(f"{_json(key)}:{_json(_example(one))}" for key, one in EXAMPLES.items())
    books = _json(list(PRESETS))
    return f'{{"books":{books},\n"sections":[\n{sections}\n],\n"examples":{{\n{examples}\n}}}}\n'


def _json(value: object) -> str:
    return msgspec.json.encode(value, enc_hook=encoded).decode()


def _section(one: Section) -> dict[str, object]:
    return {
        "key": one.key,
        "group": one.group,
        "paragraphs": one.paragraphs,
        "cards": one.cards.split(),
        "examples": one.examples,
        "has_note": one.has_note,
        "books": one.books,
    }


def _example(one: Example) -> dict[str, object]:
    return {
        "key": one.key,
        "names": NAMES[: len(one.hands)],
        "explained": one.explained,
        "steps": steps(one),
    }

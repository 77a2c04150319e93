"""What docs/record.md shows is a record, and the cards in it are those that its secret deals."""

import json
import re
from pathlib import Path

from foretell.cards import codes
from foretell.deals import Fair
from foretell.record import dumps, loads

PAGE = (Path(__file__).parents[2] / "docs" / "record.md").read_text(encoding="utf-8")


def _examples() -> list[str]:
    return [
        text for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL) if '"rounds": [' in text
    ]


def test_the_examples_are_accepted_and_written_again_alike() -> None:
    assert _examples()
    for text in _examples():
        record = loads(text)
        assert json.loads(dumps(record)) == json.loads(text)


def test_the_shuffles_shown_are_those_of_the_example() -> None:
    record = loads(_examples()[-1])
    assert record.fair is not None
    proof = Fair(bytes.fromhex(record.fair.secret or ""), record.fair.words)
    decks = re.search(r"\| deck starts with \| `([^`]+)` \| `([^`]+)` \|", PAGE)
    assert decks is not None
    for number, shown in enumerate(decks.groups(), start=1):
        shuffled = proof.shuffled(record.game.rules.deck.cards, number, None)  # type: ignore[attr-defined]
        assert codes(shuffled).startswith(shown + " ")

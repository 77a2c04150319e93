"""A whole game with a screen reader: nothing but roles, names, keys and announcements."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from foretell.cards import SPECIALS
from web.hearing import Listener
from web.playing import Player
from web.serving import Served

COLOURS = {"B": "blue", "R": "red", "G": "green", "Y": "yellow"}
SHAPES = {"Z": "Wizard", "N": "Jester"}
GAMES = {
    "base": {"rulebook": "pt-PT", "rounds": [1, 2, 5]},
    "specials": {"rulebook": "pt-BR", "rounds": [4, 8, 12], "specials": list(SPECIALS)},
}


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_screen_reader_plays_a_whole_game_and_tells_all_of_it(
    serve: Callable[..., Served], browse: Callable[..., Player], rules: dict[str, object]
) -> None:
    served, ada = serve(), browse()
    listener = Listener(ada)
    options = {"seats": 3, "bots": ["counting"] * 2, "bot_pause_ms": 0, "rules": rules}
    made = served.table(options)
    ada.sit(served.address, made, "?start")
    listener.play_to_the_end()
    said = iter(listener.transcript)
    for sentence in _told(ada.record()):
        assert sentence in said, f"never said, or not in its place: {sentence}"


def _told(record: dict[str, Any]) -> Iterator[str]:
    """What must be announced, in this order."""
    names = ["You", *(player["name"] for player in record["players"][1:])]
    for one in record["rounds"]:
        trump = COLOURS.get(one["trump"])
        if one["named_by"] is not None:
            yield f"{names[one['named_by']]}: {f'trump is {trump}' if trump else 'no trump'}"
        else:
            yield f"Trump is {trump}" if trump else "No trump in this round"
        for place in range(len(names)):
            seat = (one["dealer"] + 1 + place) % len(names)
            bid = one["bids"][seat]
            yield f"{names[seat]}: bid of {bid} {'trick' if bid == 1 else 'tricks'}"
        for trick in one["tricks"]:
            for place, face in enumerate(trick["plays"]):
                yield f"{names[(trick['leader'] + place) % len(names)]}: {_card(face)}"
            if trick["winner"] is None:
                yield f"The Bomb: nobody gets this trick. Next lead: {names[trick['next_leader']]}"
            else:
                yield f"Trick: {names[trick['winner']]}"
            if trick.get("passed"):
                yield f"You received {_object(trick['passed'][-1])} from {names[-1]}"
        if one["cloud"]:
            yield (
                f"{names[one['cloud']['seat']]}: the Cloud changes the bid by"
                f" {'+1' if one['cloud']['change'] > 0 else '−1'}"
            )


def _object(card: str) -> str:
    return f"{'a' if card[0] in SHAPES and card not in SPECIALS else 'the'} {_card(card)}"


def _card(face: str) -> str:
    code, _, declared = face.partition(":")
    if code in SPECIALS:
        name = code.capitalize()
        if declared in SHAPES:
            return f"{name} as a {SHAPES[declared]}"
        return f"{name} in {COLOURS[declared]}" if declared else name
    return SHAPES.get(code[0]) or f"{COLOURS[code[0]]} {code[1:]}"

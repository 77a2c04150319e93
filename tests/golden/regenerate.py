"""Writes the golden games anew: python tests/golden/regenerate.py

Each is a short game told so that a person can follow it: every deal, every action with what else was allowed, every trick
and every score.  A change of behaviour then shows as a diff that can be read.  The players choose by lot; the lots are
picked so that each game has what its name promises (`test_golden.py` looks).
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))

from foretell.cards import SPECIALS, codes  # noqa: E402
from foretell.engine import (  # noqa: E402
    Event,
    Game,
    act,
    awaited_seats,
    deal,
    legal_actions,
    new_game,
    to_json,
    view,
)
from foretell.engine.events import (  # noqa: E402
    BidsShown,
    CardsPassed,
    Exchanged,
    GameOver,
    RoundDealt,
    RoundScored,
    TrickEnded,
    TrumpSettled,
)
from foretell.rules import Rules  # noqa: E402
from foretell.rules.presets import PRESETS, preset  # noqa: E402
from tables import NAMES, now, rich  # noqa: E402


@dataclass(frozen=True)
class Golden:
    """What a golden game is made of: the rest follows from the lot."""

    about: str
    rules: Rules
    players: int
    lot: int
    first_dealer: int = 0


def _short(rulebook: str, *rounds: int, **changes: Any) -> Rules:
    return preset(rulebook, rounds=rounds or (1, 2, 3), **changes)


GAMES = {
    **{
        f"rulebook-{book}": Golden(f"The rulebook {book}", _short(book), 3 + place % 4, 7 + place)
        for place, book in enumerate(PRESETS)
    },
    "V1-plus-minus-one": Golden(
        "V1 the bids never add up to the tricks", _short("es", plus_minus_one=True), 3, 1
    ),
    "V2-hidden-bids": Golden(
        "V2 bids come in any order and are shown together", _short("hu", bids="hidden"), 4, 2
    ),
    "V3-secret-bids": Golden(
        "V3 bids are shown after the last trick", _short("fr", bids="secret"), 3, 3
    ),
    "V4-foresight-first-round": Golden(
        "V4 the first round is bid on the others' cards",
        _short("pt-BR", foresight="first_round"),
        4,
        1,
    ),
    "V5-foresight-every-round": Golden(
        "V5 every round is bid on the others' hands", _short("hu", foresight="every_round"), 3, 5
    ),
    "V6-unicolor": Golden(
        "V6 each plays the cards of one people", _short("hu", 1, 2, unicolor=True), 3, 6
    ),
    "D6-shorter-game": Golden("D6 rounds 2, 5 and 6 alone", _short("pt-PT", 2, 5, 6), 4, 7, 3),
    "F1-french-wizards": Golden(
        "F1 no Wizard while trump is demanded", _short("fr", 3, 4, 5), 3, 1
    ),
    "X1-all-special-cards": Golden(
        "X1 all seven special cards", _short("pt-BR", 3, 5, specials=tuple(SPECIALS)), 4, 1
    ),
    **{
        f"{rule}-{name.lower()}": Golden(
            f"{rule} {name.capitalize()}", _short("pt-BR", 2, 3, specials=specials), 3, lot
        )
        for rule, name, specials, lot in (
            ("X2", "SHAPESHIFTER", ("SHAPESHIFTER",), 4),
            ("X3", "DRAGON", ("DRAGON", "FAIRY"), 1),
            ("X4", "FAIRY", ("DRAGON", "FAIRY"), 7),
            ("X5", "BOMB", ("BOMB",), 1),
            ("X6", "WEREWOLF", ("WEREWOLF",), 11),
            ("X7", "JUGGLER", ("JUGGLER",), 1),
            ("X8", "CLOUD", ("CLOUD",), 4),
        )
    },
}

VIEWS = ("V3-secret-bids", "V5-foresight-every-round", "V6-unicolor", "X1-all-special-cards")
"""Games of which the views of seat 0 and of a spectator are kept as well: the JSON form does not change unnoticed."""


def happenings(golden: Golden) -> Iterator[tuple[Game, str | None, tuple[Event, ...]]]:
    """The game after each deal and action, the action in words, and what everyone heard."""
    random, dealing = Random(golden.lot), rich(golden.lot)
    game = new_game(golden.rules, NAMES[: golden.players], first_dealer=golden.first_dealer)
    while not game.is_over:
        if game.awaits_deal:
            game, events = deal(game, dealing(game))
            yield game, None, events
        seat = random.choice(awaited_seats(game))
        legal = legal_actions(game, seat)
        action = random.choice(legal)
        options = " ".join(str(one).partition(" ")[2] for one in legal)
        words = f"{game.names[seat]:<4} {action!s:<22} of {options}"
        game, events = act(game, seat, action)
        yield game, words, events


def text_of(golden: Golden) -> str:
    """The golden game, told."""
    lines = [golden.about, "", f"rules    {msgspec.json.encode(golden.rules).decode()}"]
    names = NAMES[: golden.players]
    lines.append(f"players  {' '.join(names)}; {names[golden.first_dealer]} deals first")
    for game, words, events in happenings(golden):
        if words is not None:
            lines.append(f"  {words}")
        for event in events:
            lines += _told(game, event)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _told(game: Game, event: Event) -> Iterator[str]:
    names = game.names
    match event:
        case RoundDealt():
            yield ""
            yield f"Round {event.number}, {names[event.dealer]} deals {event.hand_size} each"
            for name, hand in zip(names, now(game).deal.hands, strict=True):
                yield f"  {name:<4} {codes(hand)}"
            yield f"  turned up: {event.turned_up or 'nothing'}"
        case Exchanged():
            yield f"  {names[event.seat]} exchanges the Werewolf for {event.card}"
        case TrumpSettled():
            by = "" if event.named_by is None else f", named by {names[event.named_by]}"
            yield f"  trump: {event.colour or 'none'} ({event.rule}{by})"
        case BidsShown():
            yield f"  bids shown: {_row(game, event.bids)}"
        case TrickEnded():
            taken = "nobody's" if event.winner is None else f"{names[event.winner]} takes it"
            yield f"  -- {taken}; {names[event.next_leader]} is next to lead"
        case CardsPassed():
            yield "  -- all have passed: " + ", ".join(
                f"{name} {codes(hand)}" for name, hand in zip(names, now(game).hands, strict=True)
            )
        case RoundScored():
            yield f"  bids    {_row(game, event.bids)}"
            yield f"  won     {_row(game, event.won)}"
            yield f"  points  {_row(game, event.points)}"
            yield f"  totals  {_row(game, event.totals)}"
        case GameOver():
            yield ""
            yield f"Won by {' and '.join(names[seat] for seat in event.winners)}"
        case _:
            pass  # a bid, a play or a change: the action itself has told it


def _row(game: Game, numbers: tuple[int, ...]) -> str:
    return "  ".join(f"{name} {number}" for name, number in zip(game.names, numbers, strict=True))


def views_of(golden: Golden) -> str:
    """What seat 0 and a spectator see at the first bid, and when the first trick of the last round is over."""
    last = golden.rules.rounds[-1] if golden.rules.rounds else 1
    moments: dict[str, Game] = {}
    for game, _, _ in happenings(golden):
        moments.setdefault("dealt", game)
        if now(game).number == last and now(game).tricks:
            moments.setdefault("one trick played", game)
    lines = []
    for moment, game in moments.items():
        for seat, who in ((0, "seat 0"), (None, "a spectator")):
            lines += ["", f"Round {now(game).number}, {moment}, as {who} sees it"]
            lines += _fields(json.loads(to_json(view(game, seat))), "  ")
    return "\n".join(lines[1:]) + "\n"


def _fields(struct: dict[str, Any], indent: str) -> Iterator[str]:
    for key, value in struct.items():
        if key == "now":
            yield f"{indent}now"
            yield from _fields(value, indent * 2)
        else:
            yield f"{indent}{key:<16} {json.dumps(value)}"


def files() -> dict[str, str]:
    """Every golden file and what it holds."""
    made = {f"{name}.txt": text_of(golden) for name, golden in GAMES.items()}
    return made | {f"{name}.views.txt": views_of(GAMES[name]) for name in VIEWS}


if __name__ == "__main__":
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"tests/golden/{name}")

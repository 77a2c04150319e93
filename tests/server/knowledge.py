"""What an attacker was told about each round while it was played, compared with the true deals of the finished games.

Everything is read from the bytes that were sent: every card that is named anywhere, and every bid.  A round is kept secret if
there is one seat, or a spectator, who could have been told all of it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from foretell.cards import CARDS, Card
from foretell.engine import Game, act, action, deal
from foretell.server.game.live_game import DealingOf, begun
from foretell.server.store.interface import GameRow, LoggedAction
from secrecy.reshuffling import hidden_cards
from server.adversary import Adversary, Heard

_RULES = (
    "rules",
    "rule",
    "options",
)  # ids of rules look like cards, and so do names of special ones
_RULE_IDS = re.compile(r"\([A-Z]\d+(?:, [A-Z]\d+)*\)")
_BIDS = ("bids", "needs", "standing")


class Moment(NamedTuple):
    """Where a table stands: its game, the number of actions in it, and whether it is over."""

    game: str | None
    number: int
    is_over: bool


class Told(NamedTuple):
    """The cards that a message names, and the seats whose bids it tells, when so many actions were made."""

    number: int
    cards: frozenset[Card]
    bidders: frozenset[int]
    message: bytes


@dataclass(frozen=True)
class Truth:
    """A game as it really was: after each action, with the deal that follows it."""

    row: GameRow
    games: Sequence[Game]

    @classmethod
    def of(cls, row: GameRow, log: Sequence[LoggedAction], dealing: DealingOf) -> "Truth":
        live = begun(row.id, row.setup, dealing).live
        game = live.game
        games = [game]
        for one in log:
            game, _ = act(game, one.seat, action(one.action))
            if game.awaits_deal:
                game, _ = deal(game, live.dealing(game))
            games.append(game)
        return cls(row, games)

    def round(self, number: int) -> int:
        """The index of the round that is played after so many actions."""
        return len(self.games[number].rounds) - 1

    def could_be_told(self, told: Told, seat: int | None) -> bool:
        """Whether this seat, or a spectator if it is None, may know all that was told then."""
        game = self.games[told.number]
        now = game.rounds[-1]
        if told.cards & hidden_cards(game, seat):
            return False
        return now.bids_are_shown or told.bidders <= {seat}


def cards_in(value: Any) -> Iterator[Card]:
    """Every card that is named anywhere in a message."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            if key not in _RULES:
                yield from cards_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from cards_in(part)
    elif isinstance(value, str):
        for word in re.split(r"[^A-Za-z0-9_-]+", _RULE_IDS.sub("", value)):
            if word in CARDS:
                yield CARDS[word]


def _bidders_in(message: Mapping[str, Any]) -> set[int]:
    """The seats about whose bids a snapshot tells something."""
    now = message["view"]["now"]
    found = {
        seat for name in _BIDS for seat, value in enumerate(now[name] or ()) if value is not None
    }
    events = [one for one in message["events"] if one["event"] == "bid_made"]
    return found | {one["seat"] for one in events if one["bid"] is not None}


def told_of_running_rounds(
    eve: Adversary, truths: Mapping[str, Truth]
) -> dict[tuple[str, int], list[Told]]:
    """What was told of each round, by game and index, while it was played."""
    found: dict[tuple[str, int], list[Told]] = defaultdict(list)
    before: dict[str, Moment] = {}
    shown: dict[str, tuple[str, int]] = {}  # the last snapshot of each connection: game and number
    for one in eve.heard:
        at: Moment = one.at
        was, before[one.source] = before.get(one.source, at), at
        if not one.body.startswith((b"{", b"[")):
            continue  # no JSON, such as /metrics
        message = msgspec.json.decode(one.body)
        snapshot = message.get("snapshot") if message.get("type") == "welcome" else message
        if isinstance(snapshot, Mapping) and snapshot.get("type") == "snapshot":
            shown[one.source] = snapshot["game"], snapshot["number"]
            if snapshot["view"]["phase"] not in ("deal", "over"):
                truth, number = truths[snapshot["game"]], snapshot["number"]
                cards = frozenset(cards_in(snapshot))
                told = Told(number, cards, frozenset(_bidders_in(snapshot)), one.body)
                found[snapshot["game"], truth.round(number)].append(told)
            continue
        named = re.match(r"\w+ /api/games/([^/ ?]+)", one.source)
        is_of_finished = named is not None and named[1] != at.game
        # The answer to a record follows from what the attacker has sent: the record of a finished game.
        is_of_finished |= one.source.startswith(("POST /api/replay", "POST /api/review"))
        if at.game is None or at.is_over or is_of_finished or was.game != at.game:
            continue
        truth = truths[at.game]
        game, number = shown.get(one.source, (at.game, at.number))
        told_in = {truth.round(n) for n in (was.number, at.number, *(number,) * (game == at.game))}
        if len(told_in) == 1:
            # Otherwise it may be about the round before, in which the attacker had other cards.  It may have been on
            # its way for a while, if it comes from another process.
            tried = eve.tried.get((one.source, message.get("id")), "")  # a refusal repeats it
            cards = frozenset(cards_in(message)) - set(cards_in(tried))
            told = Told(at.number, cards, frozenset(), one.body)
            found[at.game, truth.round(at.number)].append(told)
    return found


def leaks(eve: Adversary, truths: Mapping[str, Truth]) -> list[str]:
    """The rounds of which the attacker was told more than any one seat may know."""
    found = []
    for (game, index), told in told_of_running_rounds(eve, truths).items():
        truth = truths[game]
        seats = (None, *range(len(truth.row.setup.names)))
        too_much = {
            seat: [one for one in told if not truth.could_be_told(one, seat)] for seat in seats
        }
        if all(too_much.values()):
            first = {seat: ones[0].message.decode() for seat, ones in too_much.items()}
            found.append(f"round {index} of {game}: no seat may know all of this: {first}")
    return found


def spoken_secrets(
    heard: Sequence[Heard], truths: Mapping[str, Truth], never: set[str]
) -> list[str]:
    """Where a message has a text that nobody may ever send, or the secret or a word of a game too early."""
    order = list(truths)
    found = []
    for one in heard:
        at: Moment = one.at
        text = one.body.decode()
        found += [f"{one.source}: {secret}" for secret in never if secret in text]
        begun_games = order[: order.index(at.game) + 1] if at.game in order else []
        over = begun_games if at.is_over else begun_games[:-1]
        for game, truth in truths.items():
            if game not in over and truth.row.setup.secret in text:
                found.append(f"{one.source}: the secret of {game}")
            if game not in begun_games:
                words = [word for word in truth.row.setup.words if word.startswith("honest")]
                found += [f"{one.source}: {word}" for word in words if word in text]
    return found

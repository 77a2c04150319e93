"""From a game to its record.

The record of an unfinished game leaves out what the format has no place for: the cards chosen for a pass that is not
complete (X7), and an exchange before the trump has been named (X6).
"""

import msgspec
from msgspec import UNSET, UnsetType

from foretell.cards import Card
from foretell.engine import Phase, Round, Trick
from foretell.engine.round import round_points
from foretell.record.record import Proof, Record
from foretell.record.shape import (
    FORMAT,
    CloudLine,
    FairLine,
    GameLine,
    PlayerLine,
    RoundLine,
    RulesLine,
    TrickLine,
)

__all__ = ["dumps"]


def dumps(record: Record) -> str:
    """The record as one line of JSON, without a line break."""
    return msgspec.json.encode(_game(record)).decode()


def _game(record: Record) -> GameLine:
    game = record.game
    bots = record.bots or (None,) * game.seats
    totals = [*game.totals, None][: len(game.rounds)]
    return GameLine(
        format=FORMAT,
        rules=RulesLine(**msgspec.structs.asdict(game.rules)),
        players=[
            PlayerLine(name, bot or UNSET) for name, bot in zip(game.names, bots, strict=True)
        ],
        peoples=None if game.peoples is None else [people.value for people in game.peoples],
        rounds=[_round(now, after) for now, after in zip(game.rounds, totals, strict=True)],
        finished=game.is_over,
        winners=list(game.winners),
        fair=UNSET if record.fair is None else _fair(record.fair),
    )


def _round(now: Round, totals: tuple[int, ...] | None) -> RoundLine:
    tricks = [*now.tricks, now.trick] if now.trick is not None and now.trick.faces else now.tricks
    line = RoundLine(
        dealer=now.dealer,
        hands=[_codes(hand) for hand in now.deal.hands],
        turned_up=None if now.deal.turned_up is None else now.deal.turned_up.code,
        werewolf=None if now.phase is Phase.TRUMP else now.werewolf,
        named_by=now.named_by,
        trump=None if now.trump is None else now.trump.value,
        bids=list(now.bids),
        tricks=[_trick(trick) for trick in tricks],
    )
    if totals is not None:
        line.cloud = _cloud(now)
        line.won = list(now.won)
        line.points = list(round_points(now))
        line.totals = list(totals)
    return line


def _trick(trick: Trick) -> TrickLine:
    plays = [face.code for face in trick.faces]
    if not trick.is_complete:
        return TrickLine(trick.leader, plays)
    next_leader: int | UnsetType | None = trick.next_leader if trick.winner is None else UNSET
    passed = UNSET if trick.passed is None else _codes(trick.passed)
    return TrickLine(trick.leader, plays, trick.winner, next_leader, passed)


def _cloud(now: Round) -> CloudLine | None:
    if now.change is None or now.cloud_seat is None:
        return None
    return CloudLine(now.cloud_seat, now.change)


def _fair(proof: Proof) -> FairLine:
    hashes = list(proof.hashes) or UNSET
    return FairLine(proof.commit, list(proof.words), proof.secret or UNSET, hashes)


def _codes(cards: tuple[Card, ...]) -> list[str]:
    return [card.code for card in cards]

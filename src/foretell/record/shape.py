"""The shape of `wizard-record/1` (docs/record.md), as written and as read.

`UNSET` means that a key is absent.  In an unfinished game that is not the same as null.
"""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from foretell.rules import Rules

__all__ = [
    "FORMAT",
    "CloudLine",
    "FairLine",
    "GameLine",
    "PlayerLine",
    "RoundLine",
    "RulesLine",
    "TrickLine",
]

FORMAT = "wizard-record/1"


# Whatever `Rules` has, in its order.  A record must say all of it; only `rounds` may be absent, when all are played.
RulesLine = msgspec.defstruct(
    "RulesLine",
    [
        (one.name, one.type, None) if one.name == "rounds" else (one.name, one.type)
        for one in msgspec.structs.fields(Rules)
    ],
)


class PlayerLine(msgspec.Struct):
    name: str
    bot: str | UnsetType | None = UNSET


class TrickLine(msgspec.Struct):
    leader: int
    plays: list[str]
    winner: int | UnsetType | None = UNSET
    next_leader: int | UnsetType | None = UNSET
    passed: list[str] | UnsetType | None = UNSET


class CloudLine(msgspec.Struct):
    seat: int
    change: int


class RoundLine(msgspec.Struct):
    dealer: int
    hands: list[list[str]]
    turned_up: str | None
    werewolf: int | None
    named_by: int | None
    trump: Literal["B", "R", "G", "Y"] | None
    bids: list[int | None]
    tricks: list[TrickLine]
    cloud: CloudLine | UnsetType | None = UNSET
    won: list[int] | UnsetType = UNSET
    points: list[int] | UnsetType = UNSET
    totals: list[int] | UnsetType = UNSET


class FairLine(msgspec.Struct):
    commit: str
    words: list[str]
    secret: str | UnsetType = UNSET
    hashes: list[str | None] | UnsetType = UNSET


class GameLine(msgspec.Struct, kw_only=True):
    format: str
    rules: RulesLine  # type: ignore[valid-type]  # made from the fields of `Rules`, above
    players: list[PlayerLine]
    peoples: list[Literal["B", "R", "G", "Y"]] | None
    rounds: list[RoundLine]
    finished: bool
    winners: list[int]
    fair: FairLine | UnsetType | None = UNSET

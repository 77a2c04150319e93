"""The shape of `wizard-record/1` (docs/record.md), as written and as read.

`UNSET` means that a key is absent, which in an unfinished game says something else than null.
"""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

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


class RulesLine(msgspec.Struct):
    rulebook: Literal["pt-PT", "es", "hu", "pt-BR", "fr"]
    bids: Literal["open", "hidden", "secret"]
    plus_minus_one: bool
    foresight: Literal["none", "first_round", "every_round"]
    unicolor: bool
    specials: list[str]
    wizards_on_trump: Literal["free", "barred"]
    rounds: list[int] | None = None


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


class GameLine(msgspec.Struct, kw_only=True):
    format: str
    rules: RulesLine
    players: list[PlayerLine]
    peoples: list[Literal["B", "R", "G", "Y"]] | None
    rounds: list[RoundLine]
    finished: bool
    winners: list[int]
    fair: FairLine | UnsetType | None = UNSET

"""The Block of Truth as a value: the players, the rules, and every entry in the order in which it was written.

    pad = new_pad(["Ana", "Bruno", "Carla"])
    pad = enter(pad, Bid(seat=1, tricks=1))     # Ana deals, so Bruno bids first
    ...
    pad = correct(pad, 1, won=(0, 0, 1))        # all later totals change with it
    pad = undo(pad)

An entry that is not allowed raises an error and changes nothing.  Totals are never stored: they are computed from the
rounds, so a corrected round changes every later total.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import msgspec

from foretell.errors import NotAllowed, RulesClash
from foretell.rules import Rules, winners
from foretell.scorepad.entries import Bid, Cloud, Correction, Entry, Tricks
from foretell.scorepad.pad_round import Awaits, PadRound
from foretell.scorepad.width import is_invisible, is_unsafe

__all__ = ["Pad", "PadLine", "correct", "enter", "missing", "new_pad", "rewritten", "undo"]

LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class PadLine:
    """One round as a line of the score sheet; None where nothing is known yet."""

    number: int
    dealer: int
    bids: tuple[int | None, ...]  # after the Cloud's change
    won: tuple[int | None, ...]
    points: tuple[int | None, ...]
    totals: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Pad:
    """The table, the rounds so far with the current one last (it may be blank), and the entries that made them."""

    names: tuple[str, ...]
    rules: Rules
    first_dealer: int
    numbers: tuple[int, ...]  # the rounds to be played (D3, D6)
    rounds: tuple[PadRound, ...]
    entries: tuple[Entry, ...] = ()

    @property
    def now(self) -> PadRound | None:
        """The current round; None when the game is over."""
        return None if self.is_over else self.rounds[-1]

    @property
    def is_over(self) -> bool:
        return len(self.rounds) == len(self.numbers) and self.rounds[-1].is_scored

    @property
    def coming(self) -> tuple[PadRound, ...]:
        """The rounds that have not begun, each with its dealer (D2)."""
        return tuple(_blank(self, place) for place in range(len(self.rounds), len(self.numbers)))

    @property
    def totals(self) -> tuple[int, ...]:
        """S3: each seat's points so far."""
        scored = [[more or 0 for more in one.points] for one in self.rounds]
        return tuple(map(sum, zip(*scored, strict=True)))

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the most points so far."""
        return winners(self.totals)

    @property
    def winners(self) -> tuple[int, ...]:
        """S4: the seats that have won; none until the last round is complete."""
        return self.leaders if self.is_over else ()

    @property
    def lines(self) -> tuple[PadLine, ...]:
        """The score sheet: every round that is not blank, with running totals as far as they are known."""
        written = [one for one in self.rounds if not one.is_blank]
        rows = ([more or 0 for more in one.points] for one in written)
        totals = accumulate(
            rows, lambda before, more: [a + b for a, b in zip(before, more, strict=True)]
        )
        nothing = (None,) * len(self.names)
        return tuple(
            PadLine(
                one.number,
                one.dealer,
                one.final_bids,
                one.won,
                one.points,
                tuple(total) if one.is_scored else nothing,
            )
            for one, total in zip(written, totals, strict=True)
        )

    def round(self, number: int) -> PadRound:
        """The round with this number; refuses one that has not begun."""
        for one in self.rounds:
            if one.number == number:
                return one
        begun = ", ".join(str(one.number) for one in self.rounds)
        raise NotAllowed("pad_no_round", rule="D3", number=number, begun=begun)


def new_pad(names: Sequence[str], rules: Rules | None = None, *, first_dealer: int = 0) -> Pad:
    """A blank pad; refuses a number of players that the rules do not allow, and names that are the same."""
    rules = rules or Rules()
    called = tuple(map(_name, names))
    rules.seats(len(called))
    for seat, name in enumerate(called):
        if name.casefold() in (other.casefold() for other in called[:seat]):
            raise RulesClash("pad_name_twice", name=name)
    if not 0 <= first_dealer < len(called):
        raise RulesClash("no_such_seat", rule="D2", seat=first_dealer, most=len(called) - 1)
    pad = Pad(called, rules, first_dealer, rules.round_numbers(len(called)), ())
    return replace(pad, rounds=(_blank(pad, 0),))


def enter(pad: Pad, entry: Entry) -> Pad:
    """The pad with one more entry."""
    if isinstance(entry, Correction):
        rounds = _corrected(pad, entry)
    elif pad.now is None:
        raise NotAllowed("game_over")
    else:
        rounds = (*pad.rounds[:-1], _entered(pad.now, entry))
    pad = replace(pad, rounds=rounds, entries=(*pad.entries, entry))
    if rounds[-1].is_scored and not pad.is_over:
        pad = replace(pad, rounds=(*rounds, _blank(pad, len(rounds))))
    return pad


def correct(
    pad: Pad,
    number: int,
    *,
    bids: Sequence[int | None] | None = None,
    won: Sequence[int | None] | None = None,
    cloud: Cloud | None = None,
) -> Pad:
    """The pad with a corrected round; what is not given stays as it was."""
    old = pad.round(number)
    entry = Correction(
        number,
        tuple(old.bids if bids is None else bids),
        tuple(old.won if won is None else won),
        cloud,
    )
    if cloud is None and rewritten(pad, entry).awaits is Awaits.CLOUD:
        entry = msgspec.structs.replace(entry, cloud=old.cloud)
    return enter(pad, entry)


def undo(pad: Pad) -> Pad:
    """The pad without its last entry: a bid, tricks, the Cloud or a correction."""
    if not pad.entries:
        raise NotAllowed("pad_nothing_to_undo")
    before = new_pad(pad.names, pad.rules, first_dealer=pad.first_dealer)
    for entry in pad.entries[:-1]:
        before = enter(before, entry)
    return before


def missing(pad: Pad) -> NotAllowed | None:
    """What the pad needs next, as an error whose sentence says it; None when the game is over."""
    now = pad.now
    if now is None:
        return None
    seats = {Awaits.BIDS: now.silent, Awaits.TRICKS: now.counters}.get(now.awaits, ())
    return NotAllowed(f"pad_misses_{now.awaits}", number=now.number, awaited=now.listed(seats))


def _blank(pad: Pad, place: int) -> PadRound:
    """A blank round.  D2, D6: the deal moves one seat to the left after each round that is played."""
    seats = len(pad.names)
    nothing = (None,) * seats
    dealer = (pad.first_dealer + place) % seats
    return PadRound(pad.rules, pad.names, pad.numbers[place], dealer, nothing, nothing)


def _entered(now: PadRound, entry: Bid | Tricks | Cloud) -> PadRound:
    if entry.seat is not None and not 0 <= entry.seat < len(now.names):
        raise NotAllowed("no_such_seat", rule="D1", seat=entry.seat, most=len(now.names) - 1)
    match entry:
        case Bid(seat, tricks):
            return now.with_bid(seat, tricks)
        case Tricks(seat, tricks):
            return now.with_tricks(seat, tricks)
        case Cloud():
            return now.with_cloud(entry)


def rewritten(pad: Pad, entry: Correction) -> PadRound:
    """The corrected round, written again entry by entry, so that a correction obeys the same rules as an entry."""
    seats = len(pad.names)
    if len(entry.bids) != seats or len(entry.won) != seats:
        raise NotAllowed("pad_row_length", rule="D1", count=seats)
    new = _blank(pad, pad.rounds.index(pad.round(entry.round)))
    for seat in new.order:
        if (bid := entry.bids[seat]) is not None:
            new = _entered(new, Bid(seat, bid))
    for seat in new.order:
        if (won := entry.won[seat]) is not None:
            new = _entered(new, Tricks(seat, won))
    if entry.cloud is not None and (entry.cloud != Cloud() or new.cloud_takers):
        new = _entered(new, entry.cloud)
    return new


def _corrected(pad: Pad, entry: Correction) -> tuple[PadRound, ...]:
    old, new = pad.round(entry.round), rewritten(pad, entry)
    if old.is_scored and not new.is_scored:
        raise NotAllowed("pad_correction_incomplete", number=old.number)
    return tuple(new if one is old else one for one in pad.rounds)


def _name(text: str) -> str:
    """A name on one line, without spaces around it; refuses one that is empty, too long or unprintable."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if any(map(is_unsafe, name)):
        raise RulesClash("pad_name_unprintable")
    if is_invisible(name):
        raise RulesClash("pad_name_empty")
    if len(name) > LONGEST_NAME:
        raise RulesClash("pad_name_long", name=name[:LONGEST_NAME], most=LONGEST_NAME)
    return name

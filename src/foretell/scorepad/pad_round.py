"""One round on the pad, as an immutable value: bids, tricks won, the Cloud's change."""

from dataclasses import dataclass, replace
from enum import StrEnum

from foretell.errors import NotAllowed
from foretell.rules import Rules, points
from foretell.rules.possible_results import change_takers, open_changes, trick_sums
from foretell.scorepad.entries import Cloud

__all__ = ["Awaits", "PadRound"]


class Awaits(StrEnum):
    """What the pad needs to know next."""

    BIDS = "bids"
    TRICKS = "tricks"
    CLOUD = "cloud"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class PadRound:
    """What is written down about a round; None where nothing is written yet."""

    rules: Rules
    names: tuple[str, ...]
    number: int
    dealer: int
    bids: tuple[int | None, ...]  # as made, before the Cloud's change
    won: tuple[int | None, ...]
    cloud: Cloud | None = None

    @property
    def hand_size(self) -> int:
        """The cards dealt to each player, which is also the number of tricks."""
        return self.rules.deck.hand_size(self.number)

    @property
    def order(self) -> tuple[int, ...]:
        """B2: the seats from the dealer's left to the dealer."""
        seats = len(self.names)
        return tuple((self.dealer + 1 + place) % seats for place in range(seats))

    @property
    def awaits(self) -> Awaits:
        if None in self.bids:
            return Awaits.BIDS
        if None in self.won:
            return Awaits.TRICKS
        return Awaits.CLOUD if self.cloud is None and self.cloud_takers else Awaits.NOTHING

    @property
    def is_scored(self) -> bool:
        return self.awaits is Awaits.NOTHING

    @property
    def is_blank(self) -> bool:
        return not any(told is not None for told in (*self.bids, *self.won))

    @property
    def bidders(self) -> tuple[int, ...]:
        """The seats that may bid now: with open bids the next one, otherwise all that have not bid."""
        seats = self.rules.disclosure.bidders(self.bids, self.order[0])
        return tuple(seat for seat in self.order if seat in seats)

    @property
    def silent(self) -> tuple[int, ...]:
        """The seats that have not bid yet, in the order of bidding."""
        return tuple(seat for seat in self.order if self.bids[seat] is None)

    @property
    def counters(self) -> tuple[int, ...]:
        """The seats whose tricks may be written now.

        Bids come first, except secret ones (V3): they are shown after the last trick, so tricks may come before them.
        """
        if None in self.bids and self.are_bids_first:
            return ()
        return tuple(seat for seat in self.order if self.won[seat] is None)

    @property
    def are_bids_first(self) -> bool:
        """Whether the table knows the bids before it plays."""
        return self.rules.disclosure.are_shown(all_made=True, all_played=False)

    @property
    def over(self) -> int:
        """By how many the bids so far exceed the number of tricks; negative if they are fewer."""
        return sum(bid for bid in self.bids if bid is not None) - self.hand_size

    @property
    def was_bombed(self) -> bool:
        """X5: whether a trick is missing from the sum, once all tricks are written."""
        return None not in self.won and sum(won or 0 for won in self.won) < self.hand_size

    @property
    def cloud_takers(self) -> tuple[int, ...]:
        """X8: who may have won the trick with the Cloud."""
        return change_takers(self.rules.specials, tuple(won or 0 for won in self.won))

    @property
    def final_bids(self) -> tuple[int | None, ...]:
        """The bids that count: those made, with the Cloud's change."""
        if self.cloud is None:
            return self.bids
        return tuple(
            bid + self.cloud.change if bid is not None and seat == self.cloud.seat else bid
            for seat, bid in enumerate(self.bids)
        )

    @property
    def points(self) -> tuple[int | None, ...]:
        """S1, S2: the points of each seat; None until the round is complete."""
        if not self.is_scored:
            return (None,) * len(self.names)
        return tuple(
            points(bid or 0, won or 0) for bid, won in zip(self.final_bids, self.won, strict=True)
        )

    def open_bids(self) -> tuple[int, ...]:
        """B1, V1: the bids open to the next bidder."""
        made = [bid for bid in self.bids if bid is not None]
        return self.rules.bidding.open_bids(self.hand_size, made, len(self.names))

    def open_tricks(self, seat: int) -> tuple[int, ...]:
        """D3, X5: the numbers of tricks that this seat can have, given those of the others."""
        others = [won for one, won in enumerate(self.won) if one != seat and won is not None]
        sums = trick_sums(self.rules.specials, self.hand_size)
        if len(others) == len(self.names) - 1:
            return tuple(sorted(left for total in sums if (left := total - sum(others)) >= 0))
        return tuple(range(max(sums) - sum(others) + 1))

    def open_changes(self, seat: int) -> tuple[int, ...]:
        """X8: how the bid of this seat may change."""
        return open_changes(self.rules.specials, self.bids[seat] or 0, self.hand_size)

    def with_bid(self, seat: int, tricks: int) -> "PadRound":
        if self.bids[seat] is not None:
            raise NotAllowed("pad_told", name=self.names[seat], told=self.bids[seat])
        if seat not in self.bidders:
            raise NotAllowed(
                "pad_not_their_bid",
                rule="B2",
                name=self.names[seat],
                awaited=self.names[self.bidders[0]],
            )
        if tricks not in self.open_bids():
            if not 0 <= tricks <= self.hand_size:
                raise NotAllowed("bid_range", rule="B1", bid=tricks, most=self.hand_size)
            raise NotAllowed("bid_adds_up", rule="V1", bid=tricks, tricks=self.hand_size)
        return replace(self, bids=_with(self.bids, seat, tricks))

    def with_tricks(self, seat: int, tricks: int) -> "PadRound":
        if self.won[seat] is not None:
            raise NotAllowed("pad_told", name=self.names[seat], told=self.won[seat])
        if seat not in self.counters:
            raise NotAllowed("pad_bids_first", rule="B1", awaited=self.listed(self.bidders))
        if tricks not in self.open_tricks(seat):
            raise self._does_not_add_up(seat, tricks)
        return replace(self, won=_with(self.won, seat, tricks))

    def with_cloud(self, cloud: Cloud) -> "PadRound":
        if self.awaits is not Awaits.CLOUD:
            raise NotAllowed("pad_no_cloud", rule="X8")
        if cloud.seat is None:
            if cloud.change:
                raise NotAllowed("pad_change_of_nobody", rule="X8")
            return replace(self, cloud=cloud)
        if cloud.seat not in self.cloud_takers:
            raise NotAllowed(
                "pad_cloud_without_trick",
                rule="X8",
                name=self.names[cloud.seat],
                allowed=self.listed(self.cloud_takers),
            )
        if cloud.change not in self.open_changes(cloud.seat):
            raise NotAllowed(
                "change_range",
                rule="X8",
                bid=self.bids[cloud.seat],
                change=f"{cloud.change:+d}",
                most=self.hand_size,
            )
        return replace(self, cloud=cloud)

    def listed(self, seats: tuple[int, ...]) -> str:
        return ", ".join(self.names[seat] for seat in seats)

    def _does_not_add_up(self, seat: int, tricks: int) -> NotAllowed:
        """An error that states the sum, because the mistake may be in the number of another player."""
        allowed = self.open_tricks(seat)
        if not 0 <= tricks <= self.hand_size or not allowed:
            code, rule = "pad_tricks_range", "D3"
        elif len(trick_sums(self.rules.specials, self.hand_size)) > 1:
            code, rule = "pad_tricks_with_bomb", "X5"
        else:
            code, rule = "pad_tricks_add_up", "D3"
        written = sum(won for won in self.won if won is not None)
        return NotAllowed(
            code,
            rule=rule,
            name=self.names[seat],
            tricks=tricks,
            total=written + tricks,
            most=self.hand_size,
        )


def _with(row: tuple[int | None, ...], seat: int, value: int) -> tuple[int | None, ...]:
    return (*row[:seat], value, *row[seat + 1 :])

"""Who may bid now, and when the others see the bids (B2, B3, V2, V3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Disclosure", "HiddenBids", "OpenBids", "SecretBids"]


class Disclosure(Protocol):
    """The way in which bids are made and shown."""

    def bidders(self, bids: Sequence[int | None], first: int) -> tuple[int, ...]:
        """The seats that may bid now."""

    def are_shown(self, *, all_made: bool, all_played: bool) -> bool:
        """Whether everyone may see every bid made so far."""


def _without_bid(bids: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(seat for seat, bid in enumerate(bids) if bid is None)


@dataclass(frozen=True, slots=True)
class OpenBids:
    """B2: said aloud in turn, from the dealer's left, the dealer last."""

    def bidders(self, bids: Sequence[int | None], first: int) -> tuple[int, ...]:
        made = len(bids) - bids.count(None)
        return ((first + made) % len(bids),) if made < len(bids) else ()

    def are_shown(self, *, all_made: bool, all_played: bool) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class HiddenBids:
    """V2: written down by all at once, shown when everyone has bid."""

    def bidders(self, bids: Sequence[int | None], first: int) -> tuple[int, ...]:
        return _without_bid(bids)

    def are_shown(self, *, all_made: bool, all_played: bool) -> bool:
        return all_made


@dataclass(frozen=True, slots=True)
class SecretBids:
    """V3: written down by all at once, shown after the round's last trick."""

    def bidders(self, bids: Sequence[int | None], first: int) -> tuple[int, ...]:
        return _without_bid(bids)

    def are_shown(self, *, all_made: bool, all_played: bool) -> bool:
        return all_played

"""What a browser may know, worked out from the finished game's record and not from any View.

Every frame that the browser received is gone through: no card's code may stand in it before its seat may see that card,
and no bid before it is shown.
"""

import json
import re
from typing import Any

from foretell.cards import SPECIALS
from foretell.engine import Game
from foretell.engine.round import Round

__all__ = ["Knowing"]

_CODE = re.compile(
    r"(?<![A-Z0-9])(?:[BRGY](?:1[0-3]|[1-9])|[ZN][BRGY]|" + "|".join(SPECIALS) + r")(?![A-Z0-9])"
)
# Names and keys, which may look like a card's code by chance.
_NAMES = frozenset({"id", "game", "code", "token", "link", "replay", "name", "names", "commit"})
_NO_CARDS = _NAMES | {"next_commit", "secret", "words", "rules", "chat"}


class Knowing:
    """One browser at one finished game."""

    def __init__(self, game: Game, seat: int | None) -> None:
        self.game, self.seat = game, seat
        self.checked = 0
        self._place = -1  # of the round being played
        self._plays = self._bids = self._passes = 0
        self._are_bids_shown = False

    def leaks(self, frames: list[str]) -> list[str]:
        """Everything that was sent too early, in words."""
        found: list[str] = []
        for frame in frames:
            message = json.loads(frame)
            snapshot = message if message["type"] == "snapshot" else message.get("snapshot")
            told = self._heard(snapshot, found) if snapshot else set()
            if snapshot:
                found += self._bids_told(snapshot)
            for code in _codes(message) - self._may_know() - told:
                found.append(f"{code} in {frame[:60]}… of round {self._place + 1}")
            is_over = bool(snapshot) and snapshot["view"]["phase"] == "over"
            if '"secret":"' in frame and not is_over and not self._is_last_told():
                found.append(f"the secret of the deals in {frame[:60]}…")
            self.checked += 1
        return found

    def _is_last_told(self) -> bool:
        """Whether every card of the last round has been played."""
        is_last = self._place == len(self.game.rounds) - 1
        return is_last and self._plays == len(_faces(self.game.rounds[-1]))

    @property
    def _now(self) -> Round | None:
        return self.game.rounds[self._place] if self._place >= 0 else None

    def _heard(self, snapshot: dict[str, Any], found: list[str]) -> set[str]:
        """Follows the events; returns the cards that they show, of this round or the one before."""
        told: set[str] = set()
        for event in snapshot["events"]:
            match event["event"]:
                case "round_dealt":
                    self._place += 1
                    self._plays = self._bids = self._passes = 0
                    self._are_bids_shown = False
                case "bid_made":
                    self._bids += 1
                case "cards_passed":
                    self._passes += 1
                case "bids_shown" | "round_scored":
                    self._are_bids_shown = True
                case "played":
                    assert self._now is not None
                    told.add(event["face"].partition(":")[0])
                    if event["face"] != _faces(self._now)[self._plays]:
                        found.append(f"{event['face']} played, and not so in the record")
                    self._plays += 1
        return told

    def _may_know(self) -> set[str]:
        now, seat = self._now, self.seat
        if now is None:
            return set()
        known = {face.partition(":")[0] for face in _faces(now)[: self._plays]}
        if now.deal.turned_up is not None:
            known.add(now.deal.turned_up.code)
        hands = [{card.code for card in hand} for hand in now.deal.hands]
        if any("WEREWOLF" in hand for hand in hands):
            known.add("WEREWOLF")  # X6: whoever is dealt it shows it
        if seat is None:
            return known
        is_foresight = self.game.rules.sight.is_foresight(now.number)
        if not is_foresight or self._bids == now.seats:
            known |= hands[seat]
        if is_foresight:
            known |= set().union(*(hand for n, hand in enumerate(hands) if n != seat))
        passed = [trick.passed for trick in now.tricks if trick.passed]
        return known | {one[seat - 1].code for one in passed[: self._passes]}

    def _bids_told(self, snapshot: dict[str, Any]) -> list[str]:
        """V2, V3: a bid, and what follows from it, is sent only to its own seat before it is shown."""
        now = snapshot["view"]["now"]
        if now is None or self.game.rules.bids == "open" or self._are_bids_shown:
            return []
        return [
            f"the {key} of seat {seat}"
            for key in ("bids", "needs", "standing")
            for seat, value in enumerate(now[key])
            if seat != self.seat and value is not None
        ]


def _faces(now: Round) -> list[str]:
    return [face.code for trick in now.tricks for face in trick.faces]


def _codes(message: Any) -> set[str]:
    """The codes of all cards anywhere in a message."""
    if isinstance(message, dict):
        parts = [value for key, value in message.items() if key not in _NO_CARDS]
        return set().union(*map(_codes, parts), *map(_codes, message))
    if isinstance(message, list):
        return set().union(*map(_codes, message))
    return set(_CODE.findall(message)) if isinstance(message, str) else set()

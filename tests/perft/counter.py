"""Counts sequences of actions by the rules of docs/rules.md, on plain strings, with nothing of foretell.

Written a second time on purpose, as short as it can be: where it and the engine count alike, both are right or both have
misread the rules in the same way.  Run it on a file to get its counts:

    python tests/perft/counter.py FILE [DEPTH]
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

PLAIN = {"bids": "open", "plus_minus_one": False, "unicolor": False, "wizards_on_trump": "free"}
SAID = {"JUGGLER": "BRGY", "CLOUD": "BRGY", "SHAPESHIFTER": "ZN"}
HEIGHT = {"JUGGLER": 7.5, "CLOUD": 9.75}


class Position(NamedTuple):
    """A file, read."""

    rules: dict[str, Any]
    number: int
    dealer: int
    turned_up: str | None
    hands: tuple[tuple[str, ...], ...]
    after: tuple[str, ...]
    counts: dict[str, list[int]]
    rounds: int | None


def read(path: Path) -> Position:
    lines: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition("#")[0].strip().partition(" ")
        if word:
            lines.setdefault(word, []).append(rest.strip())
    turned_up = lines["turned_up"][0]
    return Position(
        rules=json.loads(lines["rules"][0]),
        number=int(lines["number"][0]),
        dealer=int(lines["dealer"][0]),
        turned_up=None if turned_up == "none" else turned_up,
        hands=tuple(tuple(hand.split()) for hand in lines["hand"]),
        after=tuple(done.strip() for done in lines["after"][0].split(","))
        if "after" in lines
        else (),
        counts={
            key: [int(n) for n in lines[key][0].split()]
            for key in ("cards", "kinds")
            if key in lines
        },
        rounds=int(lines["rounds"][0]) if "rounds" in lines else None,
    )


class State(NamedTuple):
    phase: str
    turn: int
    hands: tuple[tuple[str, ...], ...]
    trump: str | None = None
    may_be_none: bool = False
    bids: tuple[int, ...] = ()  # in the order they were made
    plays: tuple[str, ...] = ()
    given: tuple[str, ...] = ()  # by seat, from seat 0
    leader: int = 0
    cloud: int | None = None


class Table:
    """One round of one set of rules."""

    def __init__(self, position: Position) -> None:
        self.rules = PLAIN | position.rules
        self.dealer = position.dealer
        self.seats = len(position.hands)
        self.size = len(position.hands[0])
        self.first = (self.dealer + 1) % self.seats
        self.start = self._dealt(position)
        for move in position.after:
            self.start = self.after(self.start, move)

    def _dealt(self, position: Position) -> State:
        up, hands = position.turned_up, position.hands
        for seat, hand in enumerate(hands):
            if "WEREWOLF" in hand and up:
                held = tuple(up if card == "WEREWOLF" else card for card in hand)
                hands = (*hands[:seat], held, *hands[seat + 1 :])
                return State("trump", seat, hands, may_be_none=True)
        if up is None or up[0] == "N" or up in ("FAIRY", "BOMB"):
            return State("bid", self.first, hands)
        if up[0] in "BRGY" and up[1:].isdigit():
            return State("bid", self.first, hands, trump=up[0])
        return State("trump", self.dealer, hands)

    def moves(self, now: State) -> list[str]:
        match now.phase:
            case "trump":
                return [f"trump {c}" for c in ("B", "R", "G", "Y", *(["none"] * now.may_be_none))]
            case "bid":
                is_last = len(now.bids) == self.seats - 1
                barred = (
                    self.size - sum(now.bids) if self.rules["plus_minus_one"] and is_last else -1
                )
                return [f"bid {n}" for n in range(self.size + 1) if n != barred]
            case "play":
                return [f"play {face}" for card in self.playable(now) for face in said(card)]
            case "pass":
                return [f"pass {card}" for card in now.hands[now.turn]]
            case "change":
                bid = now.bids[(now.turn - self.first) % self.seats]
                return [f"change {c:+d}" for c in (1, -1) if 0 <= bid + c <= self.size]
        return []

    def playable(self, now: State) -> list[str]:
        hand = now.hands[now.turn]
        wanted = None if self.rules["unicolor"] else demanded(now.plays)
        if wanted is None:
            return list(hand)
        can = [card for card in hand if colour(card) == wanted]
        allowed = [card for card in hand if not can or colour(card) in (None, wanted)]
        is_barred = self.rules["wizards_on_trump"] == "barred" and wanted == now.trump
        if is_barred and not all(card[0] == "Z" for card in hand):
            allowed = [card for card in allowed if card[0] != "Z"]
        return allowed

    def after(self, now: State, move: str) -> State:
        _, what = move.split()
        following = (now.turn + 1) % self.seats
        match now.phase:
            case "trump":
                trump = None if what == "none" else what
                return now._replace(phase="bid", turn=self.first, trump=trump)
            case "bid":
                bids = (*now.bids, int(what))
                if len(bids) < self.seats:
                    return now._replace(bids=bids, turn=following)
                return now._replace(bids=bids, phase="play", turn=self.first, leader=self.first)
            case "play":
                played = now._replace(
                    hands=without(now.hands, now.turn, what.split(":")[0]),
                    plays=(*now.plays, what),
                    turn=following,
                )
                return played if len(played.plays) < self.seats else self._trick_over(played)
            case "pass":
                given = (*now.given, what)
                if len(given) < self.seats:
                    return now._replace(given=given, turn=following)
                hands = now.hands
                for seat, card in enumerate(given):
                    hands = without(hands, seat, card)
                hands = tuple((*hand, given[seat - 1]) for seat, hand in enumerate(hands))
                return now._replace(phase="play", hands=hands, given=(), turn=now.leader)
        return now._replace(phase="over")

    def _trick_over(self, now: State) -> State:
        best = (now.leader + self.winner(now.plays, now.trump)) % self.seats
        has_cloud = any(play.startswith("CLOUD") for play in now.plays)
        cloud = best if has_cloud and "BOMB" not in now.plays else now.cloud
        done = now._replace(plays=(), leader=best, turn=best, cloud=cloud)
        if not any(done.hands):
            if cloud is None:
                return done._replace(phase="over")
            return done._replace(phase="change", turn=cloud)
        if any(play.startswith("JUGGLER") for play in now.plays):
            return done._replace(phase="pass", turn=0)
        return done

    def winner(self, plays: tuple[str, ...], trump: str | None) -> int:
        if self.rules["unicolor"]:
            ranks = [14 if p[0] == "Z" else 0 if p[0] == "N" else int(p[1:]) for p in plays]
            return ranks.index(max(ranks))
        if "DRAGON" in plays:
            return plays.index("FAIRY" if "FAIRY" in plays else "DRAGON")
        wanted = demanded(plays)
        is_barred = self.rules["wizards_on_trump"] == "barred" and wanted and wanted == trump
        wizards = [i for i, p in enumerate(plays) if p[0] == "Z" or p == "SHAPESHIFTER:Z"]
        if wizards and not is_barred:
            return wizards[0]
        for suit in (trump, wanted):
            heights = [height(p) if suit and colour(p) == suit else 0 for p in plays]
            if max(heights):
                return heights.index(max(heights))
        return next(i for i, p in enumerate(plays) if p[0] == "N" or p == "SHAPESHIFTER:N")


def said(card: str) -> list[str]:
    return [f"{card}:{word}" for word in SAID[card]] if card in SAID else [card]


def colour(face: str) -> str | None:
    card, _, word = face.partition(":")
    if card in HEIGHT:
        return word or None
    return face[0] if face[1:].isdigit() else None


def height(face: str) -> float:
    return HEIGHT.get(face.partition(":")[0]) or int(face[1:])


def demanded(plays: tuple[str, ...]) -> str | None:
    for play in plays:
        if play[0] != "N" and play not in ("FAIRY", "BOMB", "SHAPESHIFTER:N"):
            return colour(play)
    return None


def without(
    hands: tuple[tuple[str, ...], ...], seat: int, card: str
) -> tuple[tuple[str, ...], ...]:
    hand = tuple(held for held in hands[seat] if held != card)
    return (*hands[:seat], hand, *hands[seat + 1 :])


def alike(moves: list[str]) -> list[str]:
    """One of each kind: Wizards are alike, and so are Jesters."""
    kinds: dict[str, str] = {}
    for move in moves:
        verb, _, card = move.partition(" ")
        is_pair = verb in ("play", "pass") and len(card) == 2 and card[0] in "ZN"
        kinds.setdefault(move[:-1] if is_pair else move, move)
    return list(kinds.values())


def counts(table: Table, depth: int, *, kinds: bool) -> tuple[list[int], int]:
    """Sequences by length up to this depth, and how many of them end the round."""
    found = [0] * (depth + 1)
    ended = 0

    def go(now: State, done: int) -> None:
        nonlocal ended
        moves = table.moves(now)
        if kinds:
            moves = alike(moves)
        ended += not moves
        if done == depth:
            return
        found[done + 1] += len(moves)
        for move in moves:
            go(table.after(now, move), done + 1)

    go(table.start, 0)
    while found and not found[-1]:
        found.pop()
    return found[1:], ended


def lines(path: Path, depth: int | None) -> Iterator[str]:
    table = Table(read(path))
    for key in ("cards", "kinds"):
        found, ended = counts(table, depth or 999, kinds=key == "kinds")
        yield f"{key:<10} {' '.join(map(str, found))}"
        if key == "cards":
            rounds = ended
    if depth is None:
        yield f"{'rounds':<10} {rounds}"


if __name__ == "__main__":
    for text in lines(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None):
        print(text)

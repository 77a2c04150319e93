"""A client's part in fair deals: its word, what it saw before and during the game, and the check at the end.

docs/fair.md describes the protocol and what the check proves.
"""

import secrets
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from foretell.cards import Card
from foretell.deals import word_hash
from foretell.engine import Round, Trick, View
from foretell.engine.view import TrickView
from foretell.errors import Refused
from foretell.record import Proof, loads
from foretell.server.game.live_game import first_dealer
from foretell.server.wire import protocol as p

__all__ = ["Problem", "Verdict", "Witness", "random_word"]

MOST_TYPED = 31
"""Characters that a person may type.  With a space and 32 random hex digits, that is the longest word of a record."""


def random_word(typed: str = "") -> str:
    """A word with 128 random bits, so that nobody can find it from its hash.  What a person typed comes before them."""
    line = " ".join("".join(one if one.isprintable() else " " for one in typed).split())
    return f"{line[:MOST_TYPED].strip()} {secrets.token_hex(16)}".strip()


class Problem(Struct, frozen=True):
    """Something that is wrong with the deals: a key of the catalogue (`fair.problem.<code>`) and its values."""

    code: str
    values: dict[str, Any] = {}


class Verdict(Struct, frozen=True, kw_only=True):
    """The result of the check.  `problem` is the first thing that is wrong, or None.

    `is_proven` says that this client took part: it saw the commitment before it chose its word.  `missing` are the
    seats whose words were not revealed in time.
    """

    problem: Problem | None
    is_proven: bool
    deals: int
    missing: tuple[int, ...] = ()


class _Sealed(Struct):
    """The word of this client for one game, and the list of hashes that it saw before it revealed the word."""

    commit: str
    word: str
    games_played: int  # at the table, before this game
    is_second: bool = False  # the server has asked for a word before, and there was no game
    draw: p.Draw | None = None
    seat: int = 0  # in that list
    is_accepted: bool = False  # the server has acknowledged the word


class _SeenRound(Struct):
    """The cards of a round as this client saw them."""

    dealer: int
    turned_up: Card | None
    seat: int | None
    hand: tuple[Card, ...] | None = None
    foreseen: tuple[tuple[Card, ...] | None, ...] | None = None
    tricks: tuple[tuple[str, ...], ...] = ()


class Witness:
    """What one client saw of the games at one table.

    `make_word` returns a new word for each game; without it, the client sends no words, and only watches.
    """

    def __init__(self, make_word: Callable[[], str] | None = random_word) -> None:
        self._make_word = make_word
        self._next: _Sealed | None = None  # for the game that has not begun
        self._games_played = 0  # before the current game, or before the next one
        self._game: str | None = None
        self._sealed: _Sealed | None = None  # for the game that is played, or was the last
        self._rounds: dict[int, _SeenRound] = {}

    @property
    def word(self) -> str | None:
        """The word for the next game, or else for the current one."""
        sealed = self._next or self._sealed
        return None if sealed is None else sealed.word

    def reply(self, table: p.Table, seat: int | None) -> p.SealWord | p.RevealWord | None:
        """What this client has to send after a message about the table: the hash of its word, the word, or nothing."""
        # After a game, the newest snapshot is of the game that is over.
        self._games_played = table.games_played - (table.phase == "over")
        if seat is None or self._make_word is None or table.next_commit is None:
            return None
        draw, commit = table.draw, table.next_commit
        if draw is None:
            if self._next is None or self._next.commit != commit:
                self._next = self._new_word(commit, table.games_played)
            elif table.seats[seat].has_word:
                return None
            return p.SealWord(commit=commit, hash=word_hash(commit, self._next.word))
        # The word stays secret unless the list is for the commitment that this client saw, and has its hash.
        mine = self._next
        if mine is None or draw.commit != mine.commit or seat not in draw.missing:
            return None
        if draw.hashes[seat] != word_hash(mine.commit, mine.word):
            return None
        if mine.draw is None:
            mine.draw, mine.seat = draw, seat
        return p.RevealWord(word=mine.word)

    def _new_word(self, commit: str, games_played: int) -> _Sealed:
        """A word for another secret of the server.

        If this client has already revealed a word, and the game of that word was never played, then the server knew the
        deals when it drew the new secret.
        """
        assert self._make_word is not None
        old = self._next
        is_second = old is not None and old.draw is not None and old.games_played == games_played
        is_second = is_second or (old is not None and old.is_second)
        return _Sealed(commit, self._make_word(), games_played, is_second)

    def accepted(self, message: p.SealWord | p.RevealWord) -> None:
        """The server has acknowledged this message."""
        sealed = self._next or self._sealed
        if isinstance(message, p.RevealWord) and sealed is not None:
            sealed.is_accepted = sealed.word == message.word

    def see(self, snapshot: p.Snapshot) -> None:
        """Keeps the cards of a snapshot."""
        view = snapshot.view
        if snapshot.game != self._game:
            self._game, self._rounds = snapshot.game, {}
            mine, self._next = self._next, None
            # The client may have been disconnected for a whole game: then its word was not for this one.
            is_mine = mine is not None and mine.games_played == self._games_played
            self._sealed = mine if is_mine else None
        now = view.now
        if now is None:
            return
        seen = self._rounds.get(now.number)
        if seen is None or seen.seat != view.seat:
            seen = self._rounds[now.number] = _SeenRound(now.dealer, now.turned_up, view.seat)
        if now.hand is not None and len(now.hand) == now.hand_size and seen.hand is None:
            seen.hand = now.hand
        seen.foreseen = seen.foreseen or now.foreseen
        seen.tricks = _tricks(view)

    def verdict(self, record: str) -> Verdict:
        """Whether the deals of the finished game in this record are fair, as far as this client can tell."""
        try:
            found = loads(record)
        except Refused as refused:
            what = Problem("record", {"what": str(refused)})
            return Verdict(problem=what, is_proven=False, deals=0)
        deals, proof = len(found.game.rounds), found.fair
        if proof is None or proof.secret is None:
            return Verdict(problem=Problem("none"), is_proven=False, deals=deals)
        pairs = enumerate(zip(proof.words, proof.hashes, strict=False))
        missing = tuple(seat for seat, (word, one) in pairs if word == one)
        problem = self._problem_of_words(proof)
        if problem is None:
            dealer = first_dealer(proof.secret, proof.words)
            if found.game.rounds[0].dealer != dealer:
                problem = Problem("dealer")
        for now in found.game.rounds if problem is None else ():
            if not self._fits(now):
                problem = Problem("seen", {"number": now.number})
                break
        sealed = self._sealed
        is_proven = problem is None and sealed is not None and sealed.draw is not None
        is_proven = is_proven and sealed is not None and sealed.seat not in missing
        return Verdict(problem=problem, is_proven=is_proven, deals=deals, missing=missing)

    def _problem_of_words(self, proof: Proof) -> Problem | None:
        """Compares the proof with what this client saw before the game."""
        sealed = self._sealed
        if sealed is None:
            return None
        if proof.commit != sealed.commit:
            return Problem("commit")
        draw = sealed.draw
        if sealed.is_second:
            return Problem("second")
        if draw is None:
            return None
        pairs = zip(draw.hashes, proof.words, strict=True)
        are_open_words_same = draw.words == tuple("" if one else word for one, word in pairs)
        if draw.hashes != proof.hashes or not are_open_words_same:
            return Problem("draw")
        if proof.words[sealed.seat] != sealed.word and sealed.is_accepted:
            return Problem("ignored")
        return None

    def _fits(self, now: Round) -> bool:
        """Whether a round of the record has the cards that this client saw."""
        seen = self._rounds.get(now.number)
        if seen is None:
            return True
        hands = now.deal.hands
        if seen.dealer != now.dealer or seen.turned_up is not now.deal.turned_up:
            return False
        if seen.hand is not None and set(seen.hand) != _exchanged(now, seen.seat or 0):
            return False
        for hand, dealt in zip(seen.foreseen or (), hands, strict=False):
            if hand is not None and set(hand) != set(dealt):
                return False
        tricks = tuple(_played(trick) for trick in now.tricks)
        return tricks[: len(seen.tricks)] == seen.tricks


def _tricks(view: View) -> tuple[tuple[str, ...], ...]:
    """The complete tricks of the round: the leader and the cards of each."""
    assert view.now is not None
    return tuple(_played(trick) for trick in view.now.tricks)


def _played(trick: Trick | TrickView) -> tuple[str, ...]:
    return str(trick.leader), *(face.code for face in trick.faces)


def _exchanged(now: Round, seat: int) -> set[Card]:
    """The hand after the exchange of the Werewolf (X6), which comes with the deal."""
    hand, exchange, turned_up = now.deal.hands[seat], now.exchange, now.deal.turned_up
    if exchange is None or exchange.seat != seat or turned_up is None:
        return set(hand)
    return set(exchange.hand_after(hand, turned_up))

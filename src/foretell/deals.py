"""Where the cards of a round come from: a seed, a list made by hand, or a committed secret (fair deals).

Each is a function from a game that awaits a deal to that deal.  The engine knows none of them.
"""

import hashlib
import hmac
import random
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from foretell.cards import Card
from foretell.engine.game import Game
from foretell.errors import NotAGame
from foretell.rules import Deal, Shuffle

__all__ = ["Dealing", "Fair", "commitment", "fair", "given", "seeded", "word_hash"]

Dealing = Callable[[Game], Deal]


def _dealt(game: Game, shuffle: Shuffle) -> Deal:
    return game.rules.deck.deal(
        shuffle, game.seats, game.peoples, game.next_number, game.next_dealer
    )


def seeded(seed: int | str) -> Dealing:
    """The same seed deals the same cards in the same round, whatever was dealt before."""

    def dealing(game: Game) -> Deal:
        def shuffle(cards: Sequence[Card], seat: int | None) -> Sequence[Card]:
            order = list(cards)
            random.Random(f"{seed}/{game.next_number}/{seat}").shuffle(order)
            return order

        return _dealt(game, shuffle)

    return dealing


def given(deals: Iterable[Deal]) -> Dealing:
    """Deals made by hand, one after another; refuses when none is left."""
    left: Iterator[Deal] = iter(deals)

    def dealing(game: Game) -> Deal:
        made = next(left, None)
        if made is None:
            raise NotAGame("no_deal_left", number=game.next_number)
        return made

    return dealing


MOST_WORD = 64


def commitment(secret: bytes) -> str:
    """The SHA-256 of a secret, in hex.  It is published before the first deal, and the secret after the last."""
    return hashlib.sha256(secret).hexdigest()


def word_hash(commit: str, word: str) -> str:
    """The hash by which a player fixes a word without showing it, in hex.

    It contains the commitment, so nobody can have made it before the commitment was known.
    """
    return hashlib.sha256(f"wizard-word/1\n{commit}\n{word}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Fair:
    """A secret of 32 bytes and a word from each seat, from which every shuffle of the game follows.

    The commitment is published before the first deal and the secret after the last, so nobody can have chosen the
    cards: not the host, who did not know the words, nor a player, who did not know the secret.
    """

    secret: bytes
    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.secret) != hashlib.sha256().digest_size:
            raise NotAGame("fair_secret", rule="FAIR", length=len(self.secret))
        for seat, word in enumerate(self.words):
            if len(word) > MOST_WORD or "\n" in word:
                raise NotAGame("fair_word", rule="FAIR", seat=seat, most=MOST_WORD)

    @property
    def commit(self) -> str:
        return commitment(self.secret)

    def shuffled(self, cards: Sequence[Card], number: int, seat: int | None) -> Sequence[Card]:
        """The cards of round `number` in the order of the deal; `seat` is given if each seat shuffles its own (V6)."""
        lines = ["wizard-deal/1", str(number), *self.words]
        if seat is not None:
            lines.append(str(seat))
        seed = hmac.digest(self.secret, "\n".join(lines).encode(), "sha256")
        return _fisher_yates(cards, _numbers(seed))


def fair(proof: Fair) -> Dealing:
    """Deals that anyone can check once the secret is known."""

    def dealing(game: Game) -> Deal:
        if len(proof.words) != game.seats:
            raise NotAGame("fair_words", rule="FAIR", count=len(proof.words), seats=game.seats)
        return _dealt(game, lambda cards, seat: proof.shuffled(cards, game.next_number, seat))

    return dealing


def _numbers(seed: bytes) -> Iterator[int]:
    """32-bit numbers, big-endian, eight from each SHA-256 of the seed and a counter."""
    counter = 0
    while True:
        block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        yield from struct.unpack(">8I", block)
        counter += 1


def _fisher_yates(cards: Sequence[Card], numbers: Iterator[int]) -> Sequence[Card]:
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        sides = last + 1
        # Numbers from `bound` on would make low places more likely: draw another one.
        bound = 2**32 - 2**32 % sides
        while (drawn := next(numbers)) >= bound:
            pass
        place = drawn % sides
        order[last], order[place] = order[place], order[last]
    return order

"""What is settled before the first card: the rule set, the seats, and fair deals."""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .cards import COLOURS, SPECIALS, deck, own_deck
from .refusal import Refused

RULEBOOKS = ("pt-PT", "es", "hu", "pt-BR", "fr")
ROUNDS = {3: 20, 4: 15, 5: 12, 6: 10}
UNICOLOR_ROUNDS = 12


@dataclass(frozen=True)
class Table:
    """The rule set and the seats, found to be in order."""

    seats: int
    bids: str
    plus_minus_one: bool
    unicolor: bool
    specials: tuple[str, ...]
    barred: bool
    rounds: tuple[int, ...]
    peoples: tuple[str, ...]
    secret: bytes | None
    words: tuple[str, ...]

    def cards_dealt(self, number: int) -> int:
        """D3, V6: how many cards each holds in the round of this number."""
        return number + 3 if self.unicolor else number


def is_whole(value: Any) -> bool:
    """JSON's true and false are no numbers, though Python's are."""
    return type(value) is int


def need(place: Any, key: str, what: str) -> Any:
    if not isinstance(place, dict):
        raise Refused("FORMAT", f"{what} must be an object, not {place!r}")
    if key not in place:
        raise Refused("FORMAT", f"{what} must have {key!r}")
    return place[key]


def one_of(rules: Any, key: str, choices: Sequence[Any]) -> Any:
    value = need(rules, key, "rules")
    if not any(value is choice or (type(value) is str and value == choice) for choice in choices):
        raise Refused("FORMAT", f"rules.{key} is one of {list(choices)}, not {value!r}")
    return value


def checked_table(record: dict[str, Any]) -> Table:
    rules = need(record, "rules", "a record")
    one_of(rules, "rulebook", RULEBOOKS)
    bids = one_of(rules, "bids", ("open", "hidden", "secret"))
    plus_minus_one = one_of(rules, "plus_minus_one", (False, True))
    foresight = one_of(rules, "foresight", ("none", "first_round", "every_round"))
    unicolor = one_of(rules, "unicolor", (False, True))
    barred = one_of(rules, "wizards_on_trump", ("free", "barred")) == "barred"
    specials = checked_specials(need(rules, "specials", "rules"))
    seats = checked_seats(need(record, "players", "a record"))

    if plus_minus_one and bids != "open":
        raise Refused("V7", f"plus/minus one (V1) needs open bids, not {bids} bids (V2, V3)")
    if specials and foresight != "none":
        raise Refused("V7", "special cards (C4) exclude foresight (V4, V5)")
    if specials and unicolor:
        raise Refused("V7", "special cards (C4) exclude unicolor (V6)")
    if unicolor and foresight != "none":
        raise Refused("V7", "unicolor (V6) excludes foresight (V4, V5)")
    if specials and barred:
        raise Refused("F2", "barred Wizards (F1) exclude special cards (C4)")
    if unicolor and seats not in (3, 4):
        raise Refused("V6", f"unicolor is for 3 or 4 players, not {seats}")

    last = UNICOLOR_ROUNDS if unicolor else ROUNDS[seats]
    rounds = checked_rounds(rules.get("rounds"), last)
    peoples = checked_peoples(need(record, "peoples", "a record"), seats, unicolor=unicolor)
    secret, words = checked_fair(record, seats)
    return Table(
        seats=seats,
        bids=bids,
        plus_minus_one=plus_minus_one,
        unicolor=unicolor,
        specials=specials,
        barred=barred,
        rounds=rounds,
        peoples=peoples,
        secret=secret,
        words=words,
    )


def checked_specials(specials: Any) -> tuple[str, ...]:
    if not isinstance(specials, list) or not all(isinstance(name, str) for name in specials):
        raise Refused("FORMAT", f"rules.specials is a list of cards, not {specials!r}")
    for name in specials:
        if name not in SPECIALS:
            raise Refused("C4", f"{name!r} is not a special card")
        if specials.count(name) > 1:
            raise Refused("C4", f"{name} is there only once")
    if ("DRAGON" in specials) != ("FAIRY" in specials):
        raise Refused("C4", "Dragon and Fairy go in together or not at all")
    return tuple(specials)


def checked_seats(players: Any) -> int:
    if not isinstance(players, list):
        raise Refused("FORMAT", f"players is a list, not {players!r}")
    for player in players:
        if not isinstance(need(player, "name", "a player"), str):
            raise Refused("FORMAT", "a player's name is a text")
        if "bot" in player and not isinstance(player["bot"], str):
            raise Refused("FORMAT", "a player's bot is a text")
    if len(players) not in ROUNDS:
        raise Refused("D1", f"3 to 6 players, not {len(players)}")
    return len(players)


def checked_rounds(agreed: Any, last: int) -> tuple[int, ...]:
    """D3, D6: the numbers of the rounds to be played."""
    if agreed is None:
        return tuple(range(1, last + 1))
    if not isinstance(agreed, list) or not all(is_whole(number) for number in agreed):
        raise Refused("FORMAT", f"rules.rounds is null or a list of numbers, not {agreed!r}")
    if not agreed:
        raise Refused("D6", "a game has at least one round")
    for number in agreed:
        if not 1 <= number <= last:
            raise Refused("D6", f"there is no round {number} of {last}")
    for earlier, later in pairwise(agreed):
        if later <= earlier:
            raise Refused("D6", f"the rounds agreed on must rise: {agreed}")
    return tuple(agreed)


def checked_peoples(peoples: Any, seats: int, *, unicolor: bool) -> tuple[str, ...]:
    if not unicolor:
        if peoples is not None:
            raise Refused("V6", "only unicolor has peoples")
        return ()
    if not isinstance(peoples, list) or not all(people in COLOURS for people in peoples):
        raise Refused("V6", f"unicolor gives each seat a colour, not {peoples!r}")
    if len(peoples) != seats or len(set(peoples)) != seats:
        raise Refused("V6", f"{seats} seats take {seats} different peoples, not {peoples}")
    return tuple(peoples)


def checked_hex(fair: dict[str, Any], key: str) -> bytes:
    text = fair.get(key)
    if not isinstance(text, str) or len(text) != 64 or set(text) - set("0123456789abcdef"):
        raise Refused("FAIR", f"fair.{key} is 32 bytes in lower-case hex, not {text!r}")
    return bytes.fromhex(text)


def checked_fair(record: dict[str, Any], seats: int) -> tuple[bytes | None, tuple[str, ...]]:
    """The secret, once it is known and fits its hash, and everyone's words."""
    if "fair" not in record:
        return None, ()
    fair = record["fair"]
    if not isinstance(fair, dict):
        raise Refused("FAIR", f"fair is an object, not {fair!r}")
    words = fair.get("words")
    if not isinstance(words, list) or len(words) != seats:
        raise Refused("FAIR", f"fair.words has one text a seat, not {words!r}")
    for word in words:
        if not isinstance(word, str) or len(word) > 64 or "\n" in word or not is_utf_8(word):
            raise Refused("FAIR", f"a word is at most 64 characters, no line feed: not {word!r}")
    commit = checked_hex(fair, "commit")
    if "secret" not in fair:
        return None, tuple(words)
    secret = checked_hex(fair, "secret")
    if hashlib.sha256(secret).digest() != commit:
        raise Refused("FAIR", "the secret is not the one that was committed to")
    return secret, tuple(words)


def is_utf_8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def numbers(seed: bytes) -> Iterator[int]:
    """The stream of 32-bit numbers that a seed gives."""
    counter = 0
    while True:
        block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def shuffled(cards: list[str], secret: bytes, message: str) -> list[str]:
    stream = numbers(hmac.new(secret, message.encode(), hashlib.sha256).digest())
    cards = list(cards)
    for i in range(len(cards) - 1, 0, -1):
        x = next(stream)
        while x >= 2**32 - 2**32 % (i + 1):
            x = next(stream)
        j = x % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def fair_deal(table: Table, number: int, dealer: int) -> tuple[list[set[str]], str | None]:
    """The hands and the turned-up card that the secret and the words lead to."""
    assert table.secret is not None
    message = f"wizard-deal/1\n{number}\n" + "\n".join(table.words)
    size = table.cards_dealt(number)
    if table.unicolor:
        hands = [
            set(shuffled(own_deck(people), table.secret, f"{message}\n{seat}")[:size])
            for seat, people in enumerate(table.peoples)
        ]
        return hands, None
    stock = shuffled(deck(table.specials), table.secret, message)
    hands = [set() for _ in range(table.seats)]
    for turn in range(size * table.seats):
        hands[(dealer + 1 + turn) % table.seats].add(stock[turn])
    rest = stock[size * table.seats :]
    return hands, rest[0] if rest else None

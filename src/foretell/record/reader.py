"""From a record to its game, refusing what breaks a rule.

The record is played through the engine, action by action.  What the engine refuses, or settles differently, is refused
with the round (its place in the list, from 1), the trick (from 1) and the rule.
"""

import re
from typing import Any, NoReturn

import msgspec
from msgspec import UNSET, UnsetType

from foretell.cards import Colour, card
from foretell.deals import Fair, fair, word_hash
from foretell.engine import Game, deal, new_game
from foretell.errors import ForetellError, Refused
from foretell.record.record import Proof, Record
from foretell.record.round_replay import replay_round
from foretell.record.shape import FORMAT, FairLine, GameLine, RoundLine
from foretell.rules import Deal, Rules

__all__ = ["from_object", "loads"]

_HEX_64 = re.compile(r"[0-9a-f]{64}\Z")
_PLACE = re.compile(r"\$\.rounds\[(\d+)\](?:\.tricks\[(\d+)\])?")
_BYTE_ORDER_MARK = "\ufeff"  # some editors begin a file with it


def loads(text: str | bytes) -> Record:
    """The record written on one line of JSON."""
    try:
        text = text.decode() if isinstance(text, bytes) else text
        found = msgspec.json.decode(text.removeprefix(_BYTE_ORDER_MARK))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refused("not_json", rule="FORMAT", what=str(error)) from None
    return from_object(found)


def from_object(found: Any) -> Record:
    """The record held by a JSON object."""
    line = _shaped(found)
    if line.format != FORMAT:
        raise Refused("unknown_format", rule="FORMAT", format=line.format)
    game = _set_up(line)
    proof = _proof(line, game)
    for place, one in enumerate(line.rounds, start=1):
        if not game.awaits_deal:
            raise _going_on(game, place)
        game = _dealt(game, one, place, proof)
        game = replay_round(
            game, one, place, is_last=place == len(line.rounds) and not line.finished
        )
    _ended(line, game)
    bots = tuple(player.bot or None for player in line.players)
    return Record(game, bots, proof)


def _shaped(found: Any) -> GameLine:
    try:
        return msgspec.convert(found, GameLine)
    except msgspec.ValidationError as error:
        place = _PLACE.search(str(error))
        numbers = (
            {}
            if place is None
            else {"round": int(place[1]) + 1, "trick": place[2] and int(place[2]) + 1}
        )
        rule = "FAIR" if "`$.fair" in str(error) else "FORMAT"
        raise Refused("format", rule=rule, what=str(error), **numbers) from None


def _set_up(line: GameLine) -> Game:
    """The game before the first deal; the first round says who deals first (D2)."""
    try:
        rules = Rules(**msgspec.structs.asdict(line.rules))
        peoples = None if line.peoples is None else [Colour(people) for people in line.peoples]
        names = [player.name for player in line.players]
        dealer = line.rounds[0].dealer if line.rounds else 0
        game = new_game(rules, names, peoples=peoples, first_dealer=dealer)
        if game.peoples is not None and peoples is None:
            raise Refused("peoples_not_apart", rule="V6", peoples="null", players=game.seats)
        return game
    except ForetellError as error:
        refuse(error, 1 if error.code == "no_such_seat" else None)


def _proof(line: GameLine, game: Game) -> Proof | None:
    found = line.fair
    if not isinstance(found, FairLine):
        return None
    secret = None if found.secret is UNSET else str(found.secret)
    for key, text in (("commit", found.commit), ("secret", secret)):
        if text is not None and not _HEX_64.match(text):
            raise Refused("fair_hex", rule="FAIR", key=key)
    if len(found.words) != game.seats:
        raise Refused("fair_words", rule="FAIR", count=len(found.words), seats=game.seats)
    if secret is not None and not line.finished:
        raise Refused("fair_early", rule="FAIR")
    try:
        committed = Fair(bytes.fromhex(secret or "00" * 32), tuple(found.words)).commit
    except ForetellError as error:
        refuse(error)
    if secret is not None and committed != found.commit:
        raise Refused("fair_commit", rule="FAIR")
    return Proof(found.commit, tuple(found.words), secret, _hashes(found))


def _hashes(found: FairLine) -> tuple[str | None, ...]:
    """The hashes, each of which fits the word of its seat, or takes its place."""
    if isinstance(found.hashes, UnsetType):
        return ()
    if len(found.hashes) != len(found.words):
        raise Refused("fair_hashes", rule="FAIR", count=len(found.hashes), seats=len(found.words))
    for seat, (one, word) in enumerate(zip(found.hashes, found.words, strict=True)):
        if one is not None and one not in (word, word_hash(found.commit, word)):
            raise Refused("fair_word_hash", rule="FAIR", seat=seat)
    return tuple(found.hashes)


def _dealt(game: Game, line: RoundLine, place: int, proof: Proof | None) -> Game:
    if line.dealer != game.next_dealer:
        raise Refused(
            "wrong_dealer", rule="D2", round=place, seat=game.next_dealer, got=line.dealer
        )
    try:
        hands = tuple(tuple(card(code) for code in hand) for hand in line.hands)
        turned_up = None if line.turned_up is None else card(line.turned_up)
        cards = Deal(hands, turned_up)
        after, _ = deal(game, cards)
        if proof is not None and proof.secret is not None:
            _check_fair(game, cards, Fair(bytes.fromhex(proof.secret), proof.words), place)
    except ForetellError as error:
        refuse(error, place)
    return after


def _check_fair(game: Game, cards: Deal, proof: Fair, place: int) -> None:
    """Refuses a deal whose hands (in any order) or turned-up card differ from those that the secret makes."""
    due = fair(proof)(game)
    same_hands = all(set(a) == set(b) for a, b in zip(due.hands, cards.hands, strict=True))
    if not same_hands or due.turned_up is not cards.turned_up:
        raise Refused("fair_deal", rule="FAIR", round=place)


def _going_on(game: Game, place: int) -> Refused:
    if game.is_over:
        return Refused("too_many_rounds", rule="D3", round=place, count=len(game.numbers))
    return Refused("not_scored", rule="S3", round=place - 1)


def _ended(line: GameLine, game: Game) -> None:
    """D3: a finished game has all its rounds.  S4: the right seats have won."""
    if line.finished and not game.is_over:
        got, count = len(game.totals), len(game.numbers)
        raise Refused("not_finished", rule="D3", got=got, count=count)
    last_is_scored = bool(line.rounds) and line.rounds[-1].totals is not UNSET
    if not line.finished and game.is_over and last_is_scored:
        raise Refused("is_finished", rule="S4")
    right = game.winners if line.finished else ()
    if sorted(line.winners) != list(right):
        raise Refused("wrong_winners", rule="S4", right=list(right), got=line.winners)


def refuse(error: ForetellError, place: int | None = None, trick: int | None = None) -> NoReturn:
    """Raises the error again as one about a record, with its round and trick."""
    if isinstance(error, Refused):
        raise error
    values = error.values | {"round": place, "trick": trick}
    raise Refused(error.code, rule=error.rule or "FORMAT", **values) from error

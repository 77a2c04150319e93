"""An observation read back into the words of the game, and the same told by the View that it was made from.

`decoded` reads bits by the names of `layout`.  `told_by` knows the rules and the View, and nothing of the kernel.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from foretell.bots.net import layout as in_view
from foretell.cards import CARDS, FACES, SPECIALS, Card, Colour, Face
from foretell.engine import View
from foretell.engine.view import RoundView

COLOURS = tuple(Colour)
PHASES = ("trump", "bid", "play", "declare", "pass", "change")
DECLARED = ("JUGGLER", "CLOUD", "SHAPESHIFTER")
EFFECTS = ("BOMB", "JUGGLER", "CLOUD", "FAIRY", "DRAGON")
ANY_OF = {colour: CARDS[f"{colour.value}7"] for colour in COLOURS}
Told = dict[str, Any]


def kind(card: Card) -> str:
    """A card as the net knows it: the four Wizards are alike, and so are the four Jesters."""
    if card.is_wizard:
        return "Wizard"
    return "Jester" if card.is_jester else card.code


def kinds(cards: Iterable[Card]) -> set[str]:
    return {kind(card) for card in cards}


def surplus(cards: Iterable[Card]) -> tuple[int, int]:
    """How many Wizards and Jesters there are beyond the first of each."""
    shown = [kind(card) for card in cards]
    return max(shown.count("Wizard") - 1, 0), max(shown.count("Jester") - 1, 0)


# What the bits say.


def decoded(words: Sequence[int], order: Sequence[Colour]) -> Told:
    """The observation in words; `order` has the colours as the net orders them."""
    bits = _Bits(words, order)
    players = bits.one(in_view.TABLE, in_view.TABLE_PLAYERS, 4, 3)
    assert players is not None
    seats = range(players)
    phase = PHASES[bits.one(in_view.TABLE, in_view.TABLE_PHASE, 6) or 0]
    return {
        "hand": bits.cards(in_view.HAND),
        "played": [bits.cards(in_view.PLAYED + seat) for seat in seats],
        "trick": bits.cards(in_view.TRICK),
        "best": bits.cards(in_view.BEST),
        "known": [bits.cards(in_view.KNOWN + seat - 1) for seat in seats[1:]],
        "turned up": bits.cards(in_view.TURNED_UP),
        "takes": bits.cards(in_view.TAKES),
        "seats": [_decoded_seat(bits, seat) for seat in seats],
        "empty seats": [bits.number(in_view.SEAT + seat, 0, 63) for seat in range(players, 6)],
        "tally": [_decoded_tally(bits, seat) for seat in seats],
        "phase": phase,
        "demand": bits.one(in_view.TABLE, in_view.TABLE_DEMAND, 6, names=(*order, "free", "open")),
        "acted": bits.one(in_view.TABLE, in_view.TABLE_ACTED, 6),
        "has trump": bits.flag(in_view.TABLE, in_view.TABLE_HAS_TRUMP),
        "players": players,
        "hand size": bits.one(in_view.TABLE, in_view.TABLE_HAND_SIZE, 20, 1),
        "tricks left": bits.one(in_view.TABLE, in_view.TABLE_TRICKS_LEFT, 20, 1),
        "overbid": bits.one(in_view.SUMS, in_view.SUMS_BIDS, 21, -in_view.MOST_OVERBID),
        "contested": bits.one(in_view.SUMS, in_view.SUMS_NEEDS, 17, -in_view.MOST_CONTESTED),
        "rounds left": bits.one(in_view.SUMS, in_view.SUMS_ROUNDS_LEFT, 20),
        "rounds scored": bits.steps(in_view.SUMS, in_view.SUMS_SCORED, 3),
        "rules": _decoded_rules(bits),
        "legal": _decoded_legal(bits, phase),
    }


class _Bits:
    """The words of an observation, asked by word and bit."""

    def __init__(self, words: Sequence[int], order: Sequence[Colour]) -> None:
        self._words = words
        self.order = order
        coloured = [f"{colour.value}{value}" for colour in order for value in range(1, 14)]
        self._kinds = (*coloured, "Wizard", "Jester", *(special.value for special in SPECIALS))

    def number(self, word: int, first: int, count: int) -> int:
        return self._words[word] >> first & (1 << count) - 1

    def flag(self, word: int, bit: int) -> bool:
        return bool(self.number(word, bit, 1))

    def these(self, word: int, first: int, names: Sequence[Any]) -> set[Any]:
        """The names whose bits are set."""
        return {name for place, name in enumerate(names) if self.flag(word, first + place)}

    def one(
        self, word: int, first: int, count: int, lowest: int = 0, names: Sequence[Any] = ()
    ) -> Any:
        """The number, or the name, whose bit is the only one that is set; None if no bit is."""
        found = self.these(word, first, names or range(lowest, lowest + count))
        assert len(found) <= 1
        return found.pop() if found else None

    def steps(self, word: int, first: int, count: int) -> int:
        """How many steps are reached: so many bits are set, from the first on."""
        found = self.number(word, first, count)
        assert found & (found + 1) == 0
        return found.bit_count()

    def cards(self, word: int) -> set[str]:
        assert self._words[word] >> len(self._kinds) == 0
        return self.these(word, 0, self._kinds)

    def copies(self, word: int, first: int) -> tuple[int, int]:
        """The Wizards and Jesters beyond the first, of which so many bits are set."""
        wizards, jesters = (self.number(word, first + start, 3) for start in (0, 3))
        assert {wizards, jesters} <= {0, 1, 3, 7}
        return wizards.bit_count(), jesters.bit_count()


def _decoded_seat(bits: _Bits, seat: int) -> Told:
    word = in_view.SEAT + seat
    none_of = (*bits.order, "Wizard")
    bid = bits.one(word, in_view.SEAT_BID, 21)
    assert (bid is not None) == bits.flag(word, in_view.SEAT_BID_KNOWN)
    return {
        "is there": bits.flag(word, in_view.SEAT_PRESENT),
        "deals": bits.flag(word, in_view.SEAT_DEALS),
        "bid": bid,
        "needs": bits.one(word, in_view.SEAT_NEEDS, 13, in_view.FEWEST_NEEDED),
        "Cloud": bits.flag(word, in_view.SEAT_CLOUD),
        "Werewolf": bits.flag(word, in_view.SEAT_WEREWOLF),
        "holds none of": bits.these(word, in_view.SEAT_VOID, none_of),
        "held none of": bits.these(word, in_view.SEAT_VOID_BEFORE, none_of),
        "wins": bits.flag(word, in_view.SEAT_WINS),
        "leads": bits.flag(word, in_view.SEAT_LEADS),
        "has played": bits.flag(word, in_view.SEAT_HAS_PLAYED),
        "fell short": bits.steps(word, in_view.SEAT_SHORT, in_view.SHORT_STEPS),
        "went over": bits.steps(word, in_view.SEAT_OVER, in_view.OVER_STEPS),
    }


def _decoded_tally(bits: _Bits, seat: int) -> Told:
    word = in_view.TALLY + seat
    return {
        "won": bits.one(word, in_view.TALLY_WON, 21),
        "lead": bits.one(word, in_view.TALLY_SCORE, in_view.SCORE_STEPS, -8),
        "played again": bits.copies(word, in_view.TALLY_PLAYED_COPIES),
        "held again": bits.copies(word, in_view.TALLY_HELD_COPIES),
        "in the trick again": bits.copies(word, in_view.TALLY_TRICK_COPIES),
    }


def _decoded_rules(bits: _Bits) -> Told:
    word = in_view.RULES
    special = [one.value for one in SPECIALS]
    declared = (*bits.order, "Wizard", "Jester")
    return {
        "plus/minus one": bits.flag(word, in_view.RULES_PLUS_MINUS_ONE),
        "bids at once": bits.flag(word, in_view.RULES_BIDS_AT_ONCE),
        "secret bids": bits.flag(word, in_view.RULES_SECRET),
        "unicolor": bits.flag(word, in_view.RULES_UNICOLOR),
        "barred Wizards": bits.flag(word, in_view.RULES_BARRED),
        "special cards": bits.these(word, in_view.RULES_SPECIALS, special),
        "foresight": bits.flag(word, in_view.RULES_FORESIGHT),
        "unseen hand": bits.flag(word, in_view.RULES_UNSEEN_HAND),
        "declaring": bits.one(word, in_view.RULES_DECLARING, 3, names=DECLARED),
        "best declared": bits.one(word, in_view.RULES_BEST_DECLARED, 6, names=declared),
        "effects": bits.these(word, in_view.RULES_EFFECTS, EFFECTS),
        "passed": bits.flag(word, in_view.RULES_PASSED),
    }


def _decoded_legal(bits: _Bits, phase: str) -> set[Any]:
    if phase in ("play", "pass"):
        return bits.cards(in_view.LEGAL)
    names: dict[str, Sequence[Any]] = {
        "trump": (*bits.order, None),
        "bid": range(21),
        "declare": (*bits.order, "Wizard", "Jester"),
        "change": (+1, -1),
    }
    return bits.these(in_view.LEGAL, 0, names[phase])


# What the View says.


def told_by(seen: View) -> Told:
    """The same from a View of the seat on turn."""
    now, me = seen.now, seen.seat
    assert now is not None
    assert me is not None
    seats = [(me + place) % len(seen.names) for place in range(len(seen.names))]
    trick = now.trick.faces if now.trick else ()
    played = _played(now, len(seats))
    bids = [bid for bid in now.bids if bid is not None]
    needs = [need for need in now.needs if need is not None]
    has_passed = seen.phase != "pass" and bool(now.passes)
    voids, earlier_voids = _voids(seen, is_passing=seen.phase == "pass")
    held = [_held(seen, seat) for seat in seats]
    left = now.hand_size - len(now.tricks)
    return {
        "hand": kinds(held[0]),
        "played": [kinds(played[seat]) for seat in seats],
        "trick": kinds(face.card for face in trick),
        "best": kinds([trick[_place_of_winner(now)].card]) if trick else set(),
        "known": [_known(seen, seat, has_passed=has_passed) for seat in seats[1:]],
        "turned up": kinds([now.turned_up] if now.turned_up else []),
        "takes": _takes(seen) if trick else set(),
        "seats": [
            {
                "is there": True,
                "deals": seat == now.dealer,
                "bid": now.bids[seat],
                "needs": None if now.needs[seat] is None else _within(now.needs[seat], -3, 9),
                "Cloud": seat == now.cloud,
                "Werewolf": seat == now.werewolf,
                "holds none of": voids[seat],
                "held none of": earlier_voids[seat],
                "wins": bool(trick) and seat == now.winning,
                "leads": now.trick is not None and seat == now.trick.leader,
                "has played": bool(trick) and seat in _seats_of(now),
                "fell short": _step_reached(seen, seat, 6, lambda bid, won: bid - won),
                "went over": _step_reached(seen, seat, 5, lambda bid, won: won - bid),
            }
            for seat in seats
        ],
        "empty seats": [0] * (6 - len(seats)),
        "tally": [
            {
                "won": now.won[seat],
                "lead": _within(seen.totals[seat] - seen.totals[me] + 10, -160, 160) // 20,
                "played again": surplus(played[seat]),
                "held again": surplus(held[place]),
                "in the trick again": surplus(face.card for face in trick) if not place else (0, 0),
            }
            for place, seat in enumerate(seats)
        ],
        "phase": seen.phase,
        "demand": _demand(seen) if now.trick else "open",
        "acted": len(bids) if seen.phase == "bid" and seen.rules.bids == "open" else len(trick),
        "has trump": now.trump is not None,
        "players": len(seats),
        "hand size": now.hand_size,
        "tricks left": left or None,
        "overbid": _within(sum(bids) - now.hand_size, -10, 10),
        "contested": _within(sum(needs) - left, -8, 8),
        "rounds left": sum(number > now.number for number in seen.numbers),
        "rounds scored": sum(len(seen.sheet) >= step for step in (1, 4, 7)),
        "rules": {
            "plus/minus one": bool(seen.rules.plus_minus_one),
            "bids at once": seen.rules.bids != "open",
            "secret bids": seen.rules.bids == "secret",
            "unicolor": bool(seen.rules.unicolor),
            # Where no colour is ever demanded (V6), no Wizard is ever barred.
            "barred Wizards": seen.rules.wizards_on_trump == "barred" and not seen.rules.unicolor,
            "special cards": set(seen.rules.specials),
            "foresight": now.foreseen is not None,
            "unseen hand": now.hand is None,
            "declaring": None,
            "best declared": _declared(trick[_place_of_winner(now)]) if trick else None,
            "effects": {face.special.kind.value for face in trick if face.special} & set(EFFECTS),
            "passed": has_passed,
        },
        "legal": {_chosen(seen, str(action)) for action in seen.legal},
    }


def order_of(seen: View) -> tuple[Colour, ...]:
    """Trump first, then by length in the hand as it was dealt; in unicolor by seats.  Higher cards break a tie."""
    now, me = seen.now, seen.seat
    assert now is not None
    assert me is not None
    if seen.peoples is not None:
        mine = [
            seen.peoples[(me + place) % len(seen.peoples)] for place in range(len(seen.peoples))
        ]
        return (*mine, *(colour for colour in COLOURS if colour not in mine))
    shown = [*(now.hand or ()), *_played(now, len(seen.names))[me]]
    if now.hand is None:
        shown = [card for hand in now.foreseen or () for card in hand or ()]
    elif seen.phase != "pass":
        shown += [one.gave for one in now.passes]

    def weight(colour: Colour) -> tuple[bool, int, list[float]]:
        values = sorted((card.value for card in set(shown) if card.colour is colour), reverse=True)
        return colour is now.trump, len(values), values

    return tuple(sorted(COLOURS, key=weight, reverse=True))


def _step_reached(seen: View, seat: int, most: int, missed: Callable[[int, int], int]) -> int:
    """In steps of 3/16 of a trick a round: how far another seat missed its bids in this direction."""
    if seat == seen.seat:
        return 0
    tricks = sum(max(missed(line.bids[seat], line.won[seat]), 0) for line in seen.sheet)
    return min(int(Fraction(tricks, len(seen.sheet) + 1) / Fraction(3, 16)), most)


def _within(number: int | None, low: int, high: int) -> int:
    assert number is not None
    return min(max(number, low), high)


def _played(now: RoundView, players: int) -> list[list[Card]]:
    found: list[list[Card]] = [[] for _ in range(players)]
    for trick in (*now.tricks, *([now.trick] if now.trick else [])):
        for place, face in enumerate(trick.faces):
            found[(trick.leader + place) % players].append(face.card)
    return found


def _held(seen: View, seat: int) -> list[Card]:
    """The cards that a seat is seen to hold: one's own, and in V4 and V5 those of the others."""
    now = seen.now
    assert now is not None
    if seat == seen.seat:
        return list(now.hand or ())
    foreseen = now.foreseen[seat] if now.foreseen else None
    gone = set(_played(now, len(seen.names))[seat])
    return [card for card in foreseen or () if card not in gone]


def _known(seen: View, seat: int, *, has_passed: bool) -> set[str]:
    """Foreseen cards, and the card that came to a seat by the pass (X7) or by the Werewolf (X6), until it is played."""
    now = seen.now
    assert now is not None
    players = len(seen.names)
    known = kinds(_held(seen, seat))
    if has_passed:
        since = [*now.tricks[now.passes[-1].trick + 1 :], *([now.trick] if now.trick else [])]
        faces = _played_in(since, seat, players)
        if seat == ((seen.seat or 0) + 1) % players:
            known |= kinds([now.passes[-1].gave]) - kinds(faces)
    elif seat == now.werewolf and now.turned_up is not None:
        known |= kinds([now.turned_up]) - kinds(_played(now, players)[seat])
    return known


def _played_in(tricks: Sequence[Any], seat: int, players: int) -> list[Card]:
    return [
        trick.faces[(seat - trick.leader) % players].card
        for trick in tricks
        if (seat - trick.leader) % players < len(trick.faces)
    ]


def _voids(seen: View, *, is_passing: bool) -> tuple[list[set[Any]], list[set[Any]]]:
    """What each seat has shown that it does not hold, since the pass (X7) and before it.

    A seat holds none of a colour if the rules would have forbidden its card to a hand with that colour.
    """
    now, tricks = seen.now, seen.rules.tricks
    assert now is not None
    players = len(seen.names)
    since: list[set[Any]] = [set() for _ in range(players)]
    before: list[set[Any]] = [set() for _ in range(players)]
    passed_after = None if is_passing or not now.passes else now.passes[-1].trick
    for number, trick in enumerate((*now.tricks, *([now.trick] if now.trick else []))):
        for place, face in enumerate(trick.faces):
            demanded = tricks.demanded(trick.faces[:place])
            seat = (trick.leader + place) % players
            for name, other in (*ANY_OF.items(), ("Wizard", CARDS["ZB"])):
                if face.card not in tricks.playable((face.card, other), demanded, now.trump):
                    since[seat].add(name)
        if number == passed_after:
            since, before = [set() for _ in range(players)], since
    return since, before


def _place_of_winner(now: RoundView) -> int:
    assert now.trick is not None
    assert now.winning is not None
    return (now.winning - now.trick.leader) % len(now.hand_sizes)


def _seats_of(now: RoundView) -> list[int]:
    assert now.trick is not None
    return [
        (now.trick.leader + place) % len(now.hand_sizes) for place in range(len(now.trick.faces))
    ]


def _demand(seen: View) -> Any:
    """The colour that is demanded, `open` while the next card may demand one, and `free` when none will."""
    now = seen.now
    assert now is not None
    assert now.trick is not None
    faces = now.trick.faces
    if not faces:
        return "open"
    after = seen.rules.tricks.demanded((*faces, FACES["B7"]))
    return "free" if after is None else now.demanded or "open"


def _takes(seen: View) -> set[str]:
    """The cards without a declaration that would win the trick so far; nobody's trick is won by none (X5)."""
    now = seen.now
    assert now is not None
    assert now.trick is not None
    found = set()
    for action in seen.legal:
        face = FACES[str(action).removeprefix("play ")]
        faces = (*now.trick.faces, face)
        is_nobodys = any(
            one.special is not None and one.special.kind.value == "BOMB" for one in faces
        )
        wins = seen.rules.tricks.winning_place(faces, now.trump) == len(faces) - 1
        if wins and not is_nobodys and face.card.code not in DECLARED:
            found.add(kind(face.card))
    return found


def _declared(face: Face) -> Any:
    if face.card.code not in DECLARED:
        return None
    if face.colour is not None:
        return face.colour
    return "Wizard" if face.code.endswith("Z") else "Jester"


def _chosen(seen: View, action: str) -> Any:
    """The action as the net numbers it: a card first, its declaration later."""
    what, _, which = action.partition(" ")
    if what in ("play", "pass"):
        return kind(FACES[which].card if what == "play" else CARDS[which])
    if what == "trump":
        return None if which == "none" else Colour(which)
    return int(which)

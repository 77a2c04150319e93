"""From the kernel back to the engine: the order of a deck for a given deal, and a state as a round.

A state does not say which of the four Wizards or Jesters lies where, nor the order of cards in a hand.  So `round_of` is
given the deal where these matter, and otherwise makes up a deal that fits.  It plays the round through the engine, which
fails for a state that no round can have.
"""

from collections.abc import Iterable

from foretell.cards import Card
from foretell.engine.round import Phase, Round, awaited, deal_round, legal
from foretell.engine.round import step as engine_step
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.state import codes, turn_loop
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.from_engine import new_state
from foretell.kernel.state.refusals import CHANGES
from foretell.kernel.state.tables import Tables
from foretell.rules import Deal


class NoSuchRound(Exception):
    """No round can have come to this state."""


def deck_of(tables: Tables, deal: Deal, dealer: int) -> Ints:
    """The order of the deck from which the kernel deals this deal."""
    place = {card: number for number, card in enumerate(tables.deck)}
    n, size = tables.players, len(deal.hands[0])
    order = ints(len(tables.deck))
    used: set[int] = set()

    def put(where: int, card: Card) -> None:
        order[where] = place[card]
        used.add(where)

    own = int(tables.words[in_lookup.OWN_CARDS])
    for seat, hand in enumerate(deal.hands):
        for number, card in enumerate(hand):
            put(seat * own + number if own else number * n + (seat - dealer - 1) % n, card)
    if deal.turned_up is not None:
        put(n * size, deal.turned_up)
    dealt = {int(order[where]) for where in used}
    for seat in range(n if own else 1):
        block = range(seat * own, (seat + 1) * own) if own else range(len(tables.deck))
        rest = iter(number for number in block if number not in dealt)
        for where in block:
            if where not in used:
                order[where] = next(rest)
    return order


def round_of(tables: Tables, state: Ints, deal: Deal | None = None) -> Round:
    """The state as a round of the engine, played through from its deal."""
    chosen = deal or _fitting_deal(tables, state)
    number = tables.numbers[state[in_state.ROUND]]
    now, _ = deal_round(tables.rules, number, int(state[in_state.DEALER]), chosen)
    if now.phase is Phase.TRUMP and state[in_state.PHASE] != codes.NAMING_TRUMP:
        now = _act(now, (int(state[in_state.TRUMP]),))
    for turn in range(tables.players):
        seat = (now.first + turn) % tables.players
        if state[in_state.BID + seat] >= 0:
            now = _act(now, (int(state[in_state.BID + seat]),), seat)
    for place in range(state[in_state.FACES_PLAYED]):
        now = _passed(now, state)
        face = int(state[in_state.HISTORY + place])
        kind = int(tables.words[in_lookup.KIND_OF_FACE + face])
        several = tables.words[in_lookup.NEEDS_DECLARATION] >> kind & 1
        first = int(tables.words[in_lookup.FIRST_FACE + kind])
        now = _act(now, (kind, face - first) if several else (kind,))
    now = _passed(now, state)
    if state[in_state.BID_CHANGE]:
        now = _act(now, (CHANGES.index(int(state[in_state.BID_CHANGE])),))
    return now


def _passed(now: Round, state: Ints) -> Round:
    if now.phase is Phase.PASS:
        for seat in range(now.seats):
            if state[in_state.PASSED_KIND + seat] >= 0:
                now = _act(now, (int(state[in_state.PASSED_KIND + seat]),), seat)
    return now


def _act(now: Round, wanted: tuple[int, ...], seat: int | None = None) -> Round:
    if seat is None:
        seat = next(iter(awaited(now)), 0)
    offered = legal(now, seat)
    chosen = next((one for one in offered if kernel_actions(one) == wanted), None)
    if chosen is None:
        raise NoSuchRound(f"seat {seat} cannot have done {wanted}")
    return engine_step(now, seat, chosen)[0]


def _fitting_deal(tables: Tables, state: Ints) -> Deal:
    """Hands as they were dealt: those held now and what was played, with the pass and the exchange taken back."""
    n = tables.players
    kinds: list[list[int]] = [[] for _ in range(n)]
    for seat in range(n):
        for kind in range(codes.KINDS):
            if state[in_state.HAND + seat] >> kind & 1:
                copies = {
                    codes.WIZARD: state[in_state.COPIES + seat] & codes.WIZARD_COUNT_MASK,
                    codes.JESTER: state[in_state.COPIES + seat] // codes.ONE_JESTER,
                }.get(kind, 1)
                kinds[seat] += [kind] * int(copies)
    for seat, face in _played_by(tables, state):
        kinds[seat].append(int(tables.words[in_lookup.KIND_OF_FACE + face]))
    if (
        all(state[in_state.PASSED_KIND + seat] >= 0 for seat in range(n))
        and state[in_state.PHASE] != codes.PASSING
    ):
        for seat in range(n):
            kinds[seat].append(int(state[in_state.PASSED_KIND + seat]))
            kinds[(seat + 1) % n].remove(int(state[in_state.PASSED_KIND + seat]))
    held: dict[int, list[Card]] = {}
    for card in tables.deck:
        held.setdefault(kind_of(card), []).append(card)
    up = int(state[in_state.TURNED_UP])
    own = int(tables.words[in_lookup.OWN_CARDS])
    if state[in_state.WEREWOLF_SEAT] != codes.NOBODY:
        kinds[state[in_state.WEREWOLF_SEAT]].remove(up)
        wolves = [kind for kind in held if tables.words[in_lookup.MUST_BE_EXCHANGED] >> kind & 1]
        kinds[state[in_state.WEREWOLF_SEAT]] += wolves
    try:
        turned_up = None if up == codes.NO_CARD else held[up].pop()
        hands = []
        for seat in range(n):
            mine = set(tables.deck[seat * own : (seat + 1) * own]) if own else set(tables.deck)
            hand = []
            for kind in sorted(kinds[seat]):
                card = next(one for one in held[kind] if one in mine)
                held[kind].remove(card)
                hand.append(card)
            hands.append(tuple(hand))
    except (IndexError, KeyError, StopIteration):
        raise NoSuchRound("there are not so many cards of a kind") from None
    deal = Deal(tuple(hands), turned_up)
    tables.rules.deck.check(deal, n, tables.peoples, tables.numbers[state[in_state.ROUND]])
    return deal


def _played_by(tables: Tables, state: Ints) -> Iterable[tuple[int, int]]:
    """Who played each face of the history: found by playing it again."""
    n = tables.players
    again = new_state()
    again[in_state.TRUMP], again[in_state.CLOUD_SEAT], again[in_state.TRICKS_LEFT] = (
        state[in_state.TRUMP],
        codes.NOBODY,
        state[in_state.HAND_SIZE] + 1,
    )
    again[in_state.DEALER] = state[in_state.DEALER]
    turn_loop.open_trick(again)
    again[in_state.TURN] = (state[in_state.DEALER] + 1) % n
    for place in range(state[in_state.FACES_PLAYED]):
        seat, face = int(again[in_state.TURN]), int(state[in_state.HISTORY + place])
        kind = int(tables.words[in_lookup.KIND_OF_FACE + face])
        turn_loop.give(tables.words, again, seat, kind)
        turn_loop.play_face(tables.words, again, kind, face)
        again[in_state.PHASE] = codes.PLAYING
        yield seat, face

"""States made from the engine's values: a round, a game, or what one seat sees.

A state holds less than a round: the four Wizards look the same, and so do the four Jesters, and the cards of a hand
have no order.
"""

from collections.abc import Iterable, Sequence

from foretell.cards import Card, Face
from foretell.engine.game import Game, ScoredRound
from foretell.engine.round import Phase, Round
from foretell.engine.view import RoundView, TrickView, View
from foretell.errors import NotAGame
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.state import codes, turn_loop
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import COLOURS, face_number, kind_of
from foretell.kernel.state.tables import Tables

__all__ = ["effects_of", "new_state", "state_of_game", "state_of_round", "state_of_view"]

_PHASES = {
    Phase.TRUMP: codes.NAMING_TRUMP,
    Phase.BID: codes.BIDDING,
    Phase.PLAY: codes.PLAYING,
    Phase.PASS: codes.PASSING,
    Phase.CHANGE: codes.CHANGING_BID,
}


def new_state() -> Ints:
    """An array for a state, all zeros."""
    return ints(in_state.SIZE)


def effects_of(tables: Tables, faces: Iterable[Face]) -> int:
    """The effects of these faces besides their strength, as a mask (BOMBS, JUGGLES, ... of `codes`)."""
    effects = 0
    for face in faces:
        # A face has the same effects whatever is demanded and whatever is trump, so the first row will do.
        effects |= int(tables.words[in_lookup.STRENGTH + face_number(face)]) >> codes.EFFECT_SHIFT
    return effects


def state_of_game(tables: Tables, game: Game) -> Ints:
    """The game as a state."""
    if game.now is None:
        state = new_state()
        turn_loop.new_game(tables.words, state, game.first_dealer)
        return state
    return state_of_round(tables, game.now, game.score, game.sheet)


def state_of_round(
    tables: Tables,
    now: Round,
    score: Sequence[int] | None = None,
    sheet: Sequence[ScoredRound] = (),
) -> Ints:
    """The round as a state; `score` is the total of each seat, with the points of this round once it is scored.

    `sheet` has the rounds scored so far, this one included.
    """
    tricks = [TrickView(one.leader, one.faces, one.winner, one.next_leader) for one in now.tricks]
    trick = None if now.trick is None else TrickView(now.trick.leader, now.trick.faces)
    state = _public_state(tables, now, now.deal.turned_up, tricks, trick)
    for seat in range(tables.players):
        _set_hand(tables, state, seat, now.hands[seat])
    for passed in (*(one.passed or () for one in now.tricks), now.passing):
        for seat, card in enumerate(passed):
            if card is not None:
                state[in_state.PASSED_KIND + seat] = kind_of(card)
    _set_phase(tables, state, now.phase.value, score)
    _set_record(tables, state, sheet)
    return state


def state_of_view(
    tables: Tables, seen: View, hands: Sequence[Sequence[Card] | None] | None = None
) -> Ints:
    """What a seat sees, as a state.  `hands` are guesses of the hands that it does not see; `None` leaves a hand empty.

    A bid that the seat has not seen is NOT_YET.  During the bidding, such a bid counts as not made yet.  During the
    play, the caller has to guess it before the round can be scored.
    """
    now = seen.now
    if now is None:
        raise NotAGame("no_round_yet")
    state = _public_state(tables, now, now.turned_up, now.tricks, now.trick)
    for seat in range(tables.players):
        own = now.hand if seat == seen.seat else None
        guessed = hands[seat] if hands is not None else None
        _set_hand(tables, state, seat, (own if own is not None else guessed) or ())
    for one in now.passes:
        if seen.seat is not None:
            state[in_state.PASSED_KIND + seen.seat] = kind_of(one.gave)
    _set_phase(tables, state, seen.phase, seen.totals)
    _set_record(tables, state, seen.sheet)
    return state


def _public_state(
    tables: Tables,
    now: Round | RoundView,
    turned_up: Card | None,
    tricks: Sequence[TrickView],
    trick: TrickView | None,
) -> Ints:
    """The part that a round and a view of it share: everything but hands, passed cards and the phase."""
    state = new_state()
    state[in_state.DEALER] = now.dealer
    state[in_state.ROUND] = tables.numbers.index(now.number)
    state[in_state.HAND_SIZE] = tables.words[in_lookup.HAND_SIZES + state[in_state.ROUND]]
    state[in_state.TURNED_UP] = codes.NO_CARD if turned_up is None else kind_of(turned_up)
    turn_loop.begin_round(tables.words, state)
    state[in_state.WEREWOLF_SEAT] = codes.NOBODY if now.werewolf is None else now.werewolf
    state[in_state.TRUMP] = COLOURS.index(now.trump)
    for seat, made in enumerate(now.bids):
        state[in_state.BID + seat] = codes.NOT_YET if made is None else made
    state[in_state.BID_SUM] = sum(made or 0 for made in now.bids)
    _add_tricks(tables, state, tricks)
    if trick is not None:
        _play_trick(tables, state, trick)
    for seat, won in enumerate(now.won):
        state[in_state.TRICKS_WON + seat] = won
    state[in_state.BID_CHANGE] = now.change or 0
    return state


def _set_hand(tables: Tables, state: Ints, seat: int, hand: Iterable[Card]) -> None:
    state[in_state.HAND + seat] = state[in_state.COPIES + seat] = 0
    for card in hand:
        turn_loop.give(tables.words, state, seat, kind_of(card))


def _add_tricks(tables: Tables, state: Ints, tricks: Sequence[TrickView]) -> None:
    """Writes the complete tricks into the history, and sets the leader and the Cloud's seat that follow from them."""
    state[in_state.TRICKS_LEFT] = state[in_state.HAND_SIZE] - len(tricks)
    for trick in tricks:
        for face in trick.faces:
            state[in_state.HISTORY + state[in_state.FACES_PLAYED]] = face_number(face)
            state[in_state.FACES_PLAYED] += 1
        if effects_of(tables, trick.faces) & codes.CLOUDS and trick.winner is not None:
            state[in_state.CLOUD_SEAT] = trick.winner
    if tricks and tricks[-1].next_leader is not None:
        state[in_state.LEADER] = state[in_state.TURN] = tricks[-1].next_leader


def _play_trick(tables: Tables, state: Ints, trick: TrickView) -> None:
    """Lets the turn loop itself play the faces on the table."""
    state[in_state.LEADER] = state[in_state.TURN] = trick.leader
    for face in trick.faces:
        kind = kind_of(face.card)
        turn_loop.give(tables.words, state, state[in_state.TURN], kind)
        turn_loop.play_face(tables.words, state, kind, face_number(face))


def _set_phase(tables: Tables, state: Ints, phase: str, score: Sequence[int] | None) -> None:
    """Sets phase, turn and score.  `phase` is a phase of the engine, or one that only a view of a scored round has."""
    waiting = _awaited(tables, state, phase)
    if phase in (Phase.BID, Phase.PASS):
        state[in_state.ACTED] = tables.players - len(waiting)
    if phase in _PHASES:
        state[in_state.PHASE] = _PHASES[Phase(phase)]
    else:
        turn_loop.finish_round(tables.words, state)
    for seat, total in enumerate(score or ()):
        state[in_state.SCORE + seat] = total
    if waiting:
        # If several seats are awaited, the first one, counted from the leader.
        players, leader = tables.players, int(state[in_state.LEADER])
        state[in_state.TURN] = min(waiting, key=lambda seat: (seat - leader) % players)


def _set_record(tables: Tables, state: Ints, sheet: Sequence[ScoredRound]) -> None:
    """How the bids of the rounds scored so far have gone.  It replaces what `finish_round` has counted."""
    state[in_state.SCORED] = len(sheet)
    for seat in range(tables.players):
        missing = [line.bids[seat] - line.won[seat] for line in sheet]
        state[in_state.SHORT + seat] = sum(max(tricks, 0) for tricks in missing)
        state[in_state.OVER + seat] = sum(max(-tricks, 0) for tricks in missing)


def _awaited(tables: Tables, state: Ints, phase: str) -> list[int]:
    """The seats that have to act, except in play, where the turn is known already."""
    if phase == Phase.TRUMP:
        holder = int(state[in_state.WEREWOLF_SEAT])
        return [int(state[in_state.DEALER]) if holder == codes.NOBODY else holder]
    if phase == Phase.CHANGE:
        return [int(state[in_state.CLOUD_SEAT])]
    answers = {Phase.BID.value: in_state.BID, Phase.PASS.value: in_state.PASSED_KIND}.get(phase)
    if answers is None:
        return []
    return [seat for seat in range(tables.players) if state[answers + seat] == codes.NOT_YET]

"""Between the kernel and the readable engine: actions, rounds, games, and what one seat sees.

A state holds all of a round but which of the four Wizards or Jesters lies where, and the order of cards in a hand.  So
`round_of` is given the deal where these matter, and otherwise deals a fitting one; it plays the round through the
engine, which refuses a state that no round can have.
"""

from collections.abc import Iterable, Sequence

from foretell.cards import CARDS, Card
from foretell.engine.actions import Action, Bid, ChangeBid, NameTrump, PassCard, Play
from foretell.engine.game import Game
from foretell.engine.round import Phase, Round, awaited, deal_round, legal
from foretell.engine.round import step as engine_step
from foretell.engine.view import TrickView, View
from foretell.errors import NotAGame
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.state import layout as at
from foretell.kernel.state import turn_loop
from foretell.kernel.state.tables import CHANGES, COLOURS, Tables, face_number, kind_of
from foretell.rules import Deal, change_after

__all__ = [
    "action_of",
    "actions_of",
    "deck_of",
    "kernel_actions",
    "kind_name",
    "new_state",
    "round_of",
    "state_of_game",
    "state_of_round",
    "state_of_view",
]

_PHASES = {
    Phase.TRUMP: at.TRUMP_NAMED,
    Phase.BID: at.BIDDING,
    Phase.PLAY: at.PLAYING,
    Phase.PASS: at.PASSING,
    Phase.CHANGE: at.CHANGING,
}


def new_state() -> Ints:
    """Room for a state."""
    return ints(at.STATE)


def deck_of(tables: Tables, deal: Deal, dealer: int) -> Ints:
    """The order of the deck from which the kernel deals this deal."""
    place = {card: number for number, card in enumerate(tables.deck)}
    n, size = tables.players, len(deal.hands[0])
    order = ints(len(tables.deck))
    used: set[int] = set()

    def put(where: int, card: Card) -> None:
        order[where] = place[card]
        used.add(where)

    own = int(tables.words[at.OWN_CARDS])
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


def kernel_actions(action: Action) -> tuple[int, ...]:
    """An action of the engine as one or two of the kernel's."""
    match action:
        case Bid():
            return (action.tricks,)
        case NameTrump():
            return (COLOURS.index(action.colour),)
        case PassCard():
            return (kind_of(action.card),)
        case ChangeBid():
            return (CHANGES.index(action.change),)
        case Play():
            kind = kind_of(action.card)
            faces = action.card.faces
            return (kind,) if len(faces) == 1 else (kind, faces.index(action.face))
    raise TypeError(action)


def action_of(
    t: Ints, s: Ints, chosen: int, declared: int, offered: Iterable[Action]
) -> Action | None:
    """The kernel's choice as one of the actions offered by the engine; of Wizards the first one held."""
    wanted = (chosen, declared) if (t[at.NEEDS_WORD] >> chosen) & 1 and _plays(s) else (chosen,)
    return next((one for one in offered if kernel_actions(one) == wanted), None)


def _plays(s: Ints) -> bool:
    return bool(s[at.PHASE] in (at.PLAYING, at.DECLARING))


def actions_of(s: Ints, mask: int) -> tuple[str, ...]:
    """What `legal` offers, written as the engine's actions are; cards with a declaration without it."""
    places = [place for place in range(at.KINDS) if mask >> place & 1]
    match s[at.PHASE]:
        case at.TRUMP_NAMED:
            return tuple(str(NameTrump(COLOURS[place])) for place in places)
        case at.BIDDING:
            return tuple(str(Bid(place)) for place in places)
        case at.PASSING | at.PLAYING:
            verb = "pass" if s[at.PHASE] == at.PASSING else "play"
            return tuple(f"{verb} {kind_name(place)}" for place in places)
        case at.CHANGING:
            return tuple(str(ChangeBid(CHANGES[place])) for place in places)
        case _:
            return tuple(str(place) for place in places)


def kind_name(kind: int) -> str:
    """R5, Z, N, JUGGLER."""
    if kind == at.WIZARD:
        return "Z"
    if kind == at.JESTER:
        return "N"
    return next(card.code for card in CARDS.values() if kind_of(card) == kind)


def _begin(tables: Tables, number: int, dealer: int, turned_up: Card | None) -> Ints:
    """A state at the beginning of the round, its hands still empty."""
    s = new_state()
    s[at.DEALER] = dealer
    s[at.ROUND] = tables.numbers.index(number)
    s[at.HAND_SIZE] = tables.words[at.SIZES + s[at.ROUND]]
    s[at.TURNED_UP] = at.NOTHING if turned_up is None else kind_of(turned_up)
    turn_loop.begin_round(tables.words, s)
    return s


def _hold(t: Ints, s: Ints, seat: int, hand: Iterable[Card]) -> None:
    s[at.HAND + seat] = s[at.COPIES + seat] = 0
    for card in hand:
        turn_loop.give(t, s, seat, kind_of(card))


def _bids(s: Ints, bids: Sequence[int | None]) -> None:
    for seat, made in enumerate(bids):
        s[at.BID + seat] = at.NOBODY if made is None else made
    s[at.BID_SUM] = sum(made or 0 for made in bids)


def _trick_so_far(tables: Tables, s: Ints, leader: int, faces: Sequence[int]) -> None:
    """The faces on the table, put there by the turn loop itself."""
    s[at.LEADER] = s[at.TURN] = leader
    for face in faces:
        seat = s[at.TURN]
        hand, copies = s[at.HAND + seat], s[at.COPIES + seat]
        kind = tables.words[at.KIND_OF + face]
        turn_loop.give(tables.words, s, seat, kind)
        turn_loop.play_face(tables.words, s, kind, face)
        s[at.HAND + seat], s[at.COPIES + seat] = hand, copies


def _set_phase(tables: Tables, s: Ints, phase: str, waiting: Sequence[int]) -> None:
    if phase in list(Phase) and Phase(phase) is not Phase.SCORED:
        s[at.PHASE] = _PHASES[Phase(phase)]
    else:
        last = s[at.ROUND] + 1 == tables.words[at.ROUNDS]
        s[at.PHASE] = at.OVER if last else at.DEALING
    if waiting:
        # Of several, the one from whom the turn goes round.
        n, first = tables.players, int(s[at.LEADER])
        s[at.TURN] = min(waiting, key=lambda seat: (seat - first) % n)


def state_of_round(tables: Tables, now: Round, score: Sequence[int] | None = None) -> Ints:
    """The round as a state; `score` is each seat's total, this round's points included once it is scored."""
    s = _begin(tables, now.number, now.dealer, now.deal.turned_up)
    s[at.WEREWOLF] = at.NOBODY if now.werewolf is None else now.werewolf
    s[at.TRUMP] = COLOURS.index(now.trump)
    _bids(s, now.bids)
    for seat in range(tables.players):
        _hold(tables.words, s, seat, now.hands[seat])
    for trick in now.tricks:
        if trick.passed is not None:
            for seat, card in enumerate(trick.passed):
                s[at.PASSED + seat] = kind_of(card)
    for seat, given in enumerate(now.passing):
        if given is not None:
            s[at.PASSED + seat] = kind_of(given)
    _table(
        tables,
        s,
        [TrickView(one.leader, one.faces, one.winner, one.next_leader) for one in now.tricks],
        None if now.trick is None else TrickView(now.trick.leader, now.trick.faces),
    )
    for seat, won in enumerate(now.won):
        s[at.WON + seat] = won
    s[at.CHANGE] = now.change or 0
    _finish(tables, s, now.phase.value, score)
    return s


def _table(tables: Tables, s: Ints, tricks: Sequence[TrickView], trick: TrickView | None) -> None:
    """The tricks taken and the one on the table."""
    s[at.LEFT] = s[at.HAND_SIZE] - len(tricks)
    for one in tricks:
        for face in one.faces:
            s[at.HISTORY + s[at.PLAYED]] = face_number(face)
            s[at.PLAYED] += 1
        if change_after(one.faces) is not None and one.winner is not None:
            s[at.CLOUD] = one.winner
    if tricks and tricks[-1].next_leader is not None:
        s[at.LEADER] = s[at.TURN] = tricks[-1].next_leader
    if trick is not None:
        _trick_so_far(tables, s, trick.leader, [face_number(face) for face in trick.faces])


def _finish(tables: Tables, s: Ints, phase: str, score: Sequence[int] | None) -> None:
    n = tables.players
    waiting: list[int] = []
    t = tables.words
    if phase == Phase.TRUMP:
        waiting = [int(s[at.DEALER] if s[at.WEREWOLF] == at.NOBODY else s[at.WEREWOLF])]
    elif phase == Phase.BID:
        waiting = [seat for seat in range(n) if s[at.BID + seat] < 0]
        s[at.COUNT] = n - len(waiting)
    elif phase == Phase.PASS:
        waiting = [seat for seat in range(n) if s[at.PASSED + seat] < 0]
        s[at.COUNT] = n - len(waiting)
    elif phase == Phase.CHANGE:
        waiting = [int(s[at.CLOUD])]
    elif phase != Phase.PLAY:
        turn_loop.finish_round(t, s)
    if score is not None:
        for seat, total in enumerate(score):
            s[at.SCORE + seat] = total
    _set_phase(tables, s, phase, waiting)


def state_of_game(tables: Tables, game: Game) -> Ints:
    """The game as a state."""
    if game.now is None:
        s = new_state()
        turn_loop.new_game(tables.words, s, game.first_dealer)
        return s
    return state_of_round(tables, game.now, game.score)


def state_of_view(
    tables: Tables, seen: View, hands: Sequence[Sequence[Card] | None] | None = None
) -> Ints:
    """What a seat sees as a state, with a guess of the hands it does not see (`None` leaves a hand empty).

    Bids that are not shown stay unmade while bids are made; in play they are NOBODY's until someone guesses them too.
    """
    now = seen.now
    if now is None:
        raise NotAGame("no_round_yet")
    s = _begin(tables, now.number, now.dealer, now.turned_up)
    s[at.WEREWOLF] = at.NOBODY if now.werewolf is None else now.werewolf
    s[at.TRUMP] = COLOURS.index(now.trump)
    _bids(s, now.bids)
    for seat in range(tables.players):
        own = now.hand if seat == seen.seat else None
        guessed = hands[seat] if hands is not None else None
        _hold(tables.words, s, seat, (own if own is not None else guessed) or ())
    for one in now.passes:
        if seen.seat is not None:
            s[at.PASSED + seen.seat] = kind_of(one.gave)
    _table(tables, s, now.tricks, now.trick)
    for seat, won in enumerate(now.won):
        s[at.WON + seat] = won
    s[at.CHANGE] = now.change or 0
    phase = seen.phase if seen.phase in list(Phase) else Phase.SCORED.value
    _finish(tables, s, phase, seen.totals)
    return s


def round_of(tables: Tables, s: Ints, deal: Deal | None = None) -> Round:
    """The state as a round of the engine, played through from its deal."""
    chosen = deal or _fitting_deal(tables, s)
    number = tables.numbers[s[at.ROUND]]
    now, _ = deal_round(tables.rules, number, int(s[at.DEALER]), chosen)
    if now.phase is Phase.TRUMP and s[at.PHASE] != at.TRUMP_NAMED:
        now = _do(now, (int(s[at.TRUMP]),))
    for turn in range(tables.players):
        seat = (now.first + turn) % tables.players
        if s[at.BID + seat] >= 0:
            now = _do(now, (int(s[at.BID + seat]),), seat)
    for place in range(s[at.PLAYED]):
        now = _passed(now, s)
        face = int(s[at.HISTORY + place])
        kind = int(tables.words[at.KIND_OF + face])
        several = tables.words[at.NEEDS_WORD] >> kind & 1
        first = int(tables.words[at.FIRST_FACE + kind])
        now = _do(now, (kind, face - first) if several else (kind,))
    now = _passed(now, s)
    if s[at.CHANGE]:
        now = _do(now, (CHANGES.index(int(s[at.CHANGE])),))
    return now


def _passed(now: Round, s: Ints) -> Round:
    if now.phase is Phase.PASS:
        for seat in range(now.seats):
            if s[at.PASSED + seat] >= 0:
                now = _do(now, (int(s[at.PASSED + seat]),), seat)
    return now


def _do(now: Round, wanted: tuple[int, ...], seat: int | None = None) -> Round:
    if seat is None:
        seat = next(iter(awaited(now)), 0)
    offered = legal(now, seat)
    chosen = next((one for one in offered if kernel_actions(one) == wanted), None)
    if chosen is None:
        raise NotAGame("no_such_state", seat=seat, action=" ".join(map(str, wanted)))
    return engine_step(now, seat, chosen)[0]


def _fitting_deal(tables: Tables, s: Ints) -> Deal:
    """Hands as they were dealt: those held now and what was played, with the pass and the exchange taken back."""
    n = tables.players
    kinds: list[list[int]] = [[] for _ in range(n)]
    for seat in range(n):
        for kind in range(at.KINDS):
            if s[at.HAND + seat] >> kind & 1:
                copies = {
                    at.WIZARD: s[at.COPIES + seat] & at.MOST_COPIES,
                    at.JESTER: s[at.COPIES + seat] // at.COPIES_OF_JESTER,
                }.get(kind, 1)
                kinds[seat] += [kind] * int(copies)
    for seat, face in _played_by(tables, s):
        kinds[seat].append(int(tables.words[at.KIND_OF + face]))
    if all(s[at.PASSED + seat] >= 0 for seat in range(n)) and s[at.PHASE] != at.PASSING:
        for seat in range(n):
            kinds[seat].append(int(s[at.PASSED + seat]))
            kinds[(seat + 1) % n].remove(int(s[at.PASSED + seat]))
    held: dict[int, list[Card]] = {}
    for card in tables.deck:
        held.setdefault(kind_of(card), []).append(card)
    up = int(s[at.TURNED_UP])
    own = int(tables.words[at.OWN_CARDS])
    if s[at.WEREWOLF] != at.NOBODY:
        kinds[s[at.WEREWOLF]].remove(up)
        wolves = [kind for kind in held if tables.words[at.WEREWOLVES] >> kind & 1]
        kinds[s[at.WEREWOLF]] += wolves
    try:
        turned_up = None if up == at.NOTHING else held[up].pop()
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
        raise NotAGame("no_such_hands") from None
    deal = Deal(tuple(hands), turned_up)
    tables.rules.deck.check(deal, n, tables.peoples, tables.numbers[s[at.ROUND]])
    return deal


def _played_by(tables: Tables, s: Ints) -> Iterable[tuple[int, int]]:
    """Who played each face of the history: found by playing it again."""
    n = tables.players
    again = new_state()
    again[at.TRUMP], again[at.CLOUD], again[at.LEFT] = s[at.TRUMP], at.NOBODY, s[at.HAND_SIZE] + 1
    again[at.DEALER] = s[at.DEALER]
    turn_loop.open_trick(again)
    again[at.TURN] = (s[at.DEALER] + 1) % n
    for place in range(s[at.PLAYED]):
        seat, face = int(again[at.TURN]), int(s[at.HISTORY + place])
        kind = int(tables.words[at.KIND_OF + face])
        turn_loop.give(tables.words, again, seat, kind)
        turn_loop.play_face(tables.words, again, kind, face)
        again[at.PHASE] = at.PLAYING
        yield seat, face

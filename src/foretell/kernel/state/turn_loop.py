"""The turn loop: deal, legal, step, over a flat state `s` and the tables `t` of a rule set.

Plain functions over indexables of int64: no allocation, no exception, no object, so that one source runs in CPython,
under Numba and, translated word by word, as C for a GPU.  Which rules are played is a matter of the tables alone; this
file knows the order of things, as `foretell.engine.round` does, and is held to it by tests in lock-step.

Nothing is checked here: an action that `legal` does not offer leads nowhere.
"""

from foretell.kernel.backend.compiled import ONE, Ints, inlined, jit
from foretell.kernel.state import layout as at

__all__ = [
    "copy_state",
    "deal",
    "give",
    "is_over",
    "is_round_over",
    "legal",
    "new_game",
    "points",
    "score",
    "step",
    "take",
    "take_turn",
]


@jit
def new_game(t: Ints, s: Ints, first_dealer: int) -> None:
    """A game before its first deal."""
    for place in range(at.STATE):
        s[place] = 0
    s[at.PHASE] = at.DEALING
    s[at.ROUND] = -1
    s[at.DEALER] = first_dealer - 1 if first_dealer > 0 else t[at.PLAYERS] - 1


@jit
def copy_state(source: Ints, s: Ints) -> None:
    """All that play depends on; not the history, which a copy goes on writing behind its own."""
    for place in range(at.CORE):
        s[place] = source[place]


@inlined
def is_over(s: Ints) -> bool:
    return s[at.PHASE] == at.OVER


@inlined
def is_round_over(s: Ints) -> bool:
    return s[at.PHASE] >= at.DEALING


@inlined
def points(s: Ints, seat: int) -> int:
    """A seat's points in the round just scored."""
    return s[at.POINTS + seat]


@inlined
def score(s: Ints, seat: int) -> int:
    """A seat's points in the game so far."""
    return s[at.SCORE + seat]


@inlined
def give(t: Ints, s: Ints, seat: int, kind: int) -> None:
    """Puts a card into a hand."""
    s[at.HAND + seat] |= ONE << kind
    s[at.COPIES + seat] += t[at.COUNTS + kind]


@inlined
def take(t: Ints, s: Ints, seat: int, kind: int) -> None:
    """Takes a card out of a hand; a Wizard's or Jester's bit goes with the last of them."""
    copies = s[at.COPIES + seat] - t[at.COUNTS + kind]
    s[at.COPIES + seat] = copies
    s[at.HAND + seat] = (s[at.HAND + seat] ^ (ONE << kind)) | t[at.STILL_HELD + copies]


@inlined
def deal(t: Ints, s: Ints, deck: Ints) -> None:
    """The next round, dealt from the top of the deck (places in it), one card at a time from the dealer's left."""
    n = t[at.PLAYERS]
    s[at.ROUND] += 1
    s[at.DEALER] += 1
    if s[at.DEALER] == n:
        s[at.DEALER] = 0
    first = s[at.DEALER] + 1
    if first == n:
        first = 0
    size = t[at.SIZES + s[at.ROUND]]
    s[at.HAND_SIZE] = size
    for seat in range(n):
        hand = ONE * 0
        copies = 0
        # One deck: every n-th card from where the seat's first one lies.  Own cards: the top of the own.
        place = seat - first
        if place < 0:
            place += n
        stride = n
        if t[at.OWN_CARDS] > 0:
            place = seat * t[at.OWN_CARDS]
            stride = 1
        for _ in range(size):
            kind = t[at.DECK + deck[place]]
            hand |= ONE << kind
            copies += t[at.COUNTS + kind]
            place += stride
        s[at.HAND + seat] = hand
        s[at.COPIES + seat] = copies
    s[at.TURNED_UP] = at.NOTHING
    if t[at.OWN_CARDS] == 0 and n * size < t[at.CARDS]:
        s[at.TURNED_UP] = t[at.DECK + deck[n * size]]
    begin_round(t, s)


@jit
def begin_round(t: Ints, s: Ints) -> None:
    """Everything between the cards and the first decision; hands, HAND_SIZE, DEALER and TURNED_UP are set."""
    n = t[at.PLAYERS]
    s[at.LEFT] = s[at.HAND_SIZE]
    s[at.COUNT] = 0
    s[at.PLAYED] = 0
    s[at.BID_SUM] = 0
    s[at.CLOUD] = at.NOBODY
    s[at.CHANGE] = 0
    s[at.WEREWOLF] = at.NOBODY
    for seat in range(n):
        s[at.BID + seat] = at.NOBODY
        s[at.WON + seat] = 0
        s[at.PASSED + seat] = at.NOBODY
        s[at.POINTS + seat] = 0
        # X6: the Werewolf for the turned-up card.
        if s[at.HAND + seat] & t[at.WEREWOLVES] and s[at.TURNED_UP] != at.NOTHING:
            s[at.WEREWOLF] = seat
            s[at.HAND + seat] &= ~t[at.WEREWOLVES]
            give(t, s, seat, s[at.TURNED_UP])
    s[at.LEADER] = s[at.DEALER] + 1 if s[at.DEALER] + 1 < n else 0
    open_trick(s)
    s[at.TURN] = s[at.LEADER]
    s[at.PHASE] = at.BIDDING
    s[at.TRUMP] = at.NO_TRUMP
    if s[at.WEREWOLF] != at.NOBODY:
        s[at.PHASE] = at.TRUMP_NAMED
        s[at.TURN] = s[at.WEREWOLF]
    elif t[at.TRUMP_AFTER + s[at.TURNED_UP]] == at.DEALER_NAMES:
        s[at.PHASE] = at.TRUMP_NAMED
        s[at.TURN] = s[at.DEALER]
    else:
        s[at.TRUMP] = t[at.TRUMP_AFTER + s[at.TURNED_UP]]


@inlined
def open_trick(s: Ints) -> None:
    s[at.COUNT] = 0
    s[at.DEMAND] = at.UNDECIDED
    s[at.BEST] = 0
    s[at.EFFECTS] = 0


@inlined
def legal(t: Ints, s: Ints) -> int:
    """The actions open to the seat whose turn it is, as a mask."""
    phase = s[at.PHASE]
    if phase == at.PLAYING:
        hand = s[at.HAND + s[at.TURN]]
        row = s[at.DEMAND] * at.TRUMPS + s[at.TRUMP]
        # Both are read before it is known which one holds: a machine is faster without a branch it cannot foretell.
        bound = t[at.WITH + row]
        unbound = t[at.WITHOUT + row]
        mask = hand & (bound if hand & t[at.FOLLOWS + row] else unbound)
        if mask == 0:
            mask = hand
    elif phase == at.BIDDING:
        row = (s[at.ROUND] * t[at.PLAYERS] + s[at.COUNT]) * t[at.SUMS]
        mask = t[at.OPEN_BIDS + row + s[at.BID_SUM]]
    elif phase == at.DECLARING:
        mask = t[at.WORDS + s[at.DECLARED]]
    elif phase == at.PASSING:
        mask = s[at.HAND + s[at.TURN]]
    elif phase == at.TRUMP_NAMED:
        mask = t[at.NAMING] if s[at.WEREWOLF] == at.NOBODY else t[at.NAMING + 1]
    elif phase == at.CHANGING:
        mask = t[at.CHANGES + s[at.ROUND] * at.MOST_TRICKS + s[at.BID + s[at.TURN]]]
    else:
        mask = ONE * 0
    return mask


@inlined
def step(t: Ints, s: Ints, action: int) -> None:
    """The seat whose turn it is does this."""
    phase = s[at.PHASE]
    if phase == at.PLAYING:
        if (t[at.NEEDS_WORD] >> action) & 1:
            s[at.DECLARED] = action
            s[at.PHASE] = at.DECLARING
        else:
            play_face(t, s, action, action)
    elif phase == at.BIDDING:
        bid(t, s, action)
    else:
        step_rarely(t, s, action)


@jit
def step_rarely(t: Ints, s: Ints, action: int) -> None:
    """What is not done all the time, kept out of the loop's way."""
    phase = s[at.PHASE]
    if phase == at.DECLARING:
        s[at.PHASE] = at.PLAYING
        kind = s[at.DECLARED]
        play_face(t, s, kind, t[at.FIRST_FACE + kind] + action)
    elif phase == at.TRUMP_NAMED:
        s[at.TRUMP] = action
        s[at.PHASE] = at.BIDDING
        s[at.TURN] = s[at.LEADER]
    elif phase == at.PASSING:
        pass_card(t, s, action)
    elif phase == at.CHANGING:
        s[at.CHANGE] = 1 - 2 * action
        finish_round(t, s)


@inlined
def bid(t: Ints, s: Ints, tricks: int) -> None:
    n = t[at.PLAYERS]
    seat = s[at.TURN]
    s[at.BID + seat] = tricks
    s[at.BID_SUM] += tricks
    s[at.COUNT] += 1
    if s[at.COUNT] == n:
        s[at.COUNT] = 0
        s[at.PHASE] = at.PLAYING
        s[at.TURN] = s[at.LEADER]
    else:
        # The next without a bid: the left neighbour, unless bids are made at once and in any order.
        seat = seat + 1 if seat + 1 < n else 0
        while s[at.BID + seat] >= 0:
            seat = seat + 1 if seat + 1 < n else 0
        s[at.TURN] = seat


@inlined
def play_face(t: Ints, s: Ints, kind: int, face: int) -> None:
    n = t[at.PLAYERS]
    seat = s[at.TURN]
    take(t, s, seat, kind)
    s[at.HISTORY + s[at.PLAYED]] = face
    s[at.PLAYED] += 1
    demand = s[at.DEMAND]
    decided = t[at.DEMANDED_BY + face]
    demand = decided if demand == at.UNDECIDED else demand
    s[at.DEMAND] = demand
    word = t[at.STRENGTH + (demand * at.TRUMPS + s[at.TRUMP]) * at.FACES + face]
    strength = word & at.UNBEATABLE
    best = s[at.BEST]
    winner = s[at.WINNER]
    s[at.BEST] = strength if strength > best else best
    s[at.WINNER] = seat if strength > best else winner
    if word > at.UNBEATABLE:
        show_effects(s, seat, word >> at.EFFECT_SHIFT)
    s[at.COUNT] += 1
    seat = seat + 1 if seat + 1 < n else 0
    s[at.TURN] = seat
    if s[at.COUNT] == n:
        end_trick(t, s)


@jit
def show_effects(s: Ints, seat: int, effects: int) -> None:
    """X4: the face that upsets another wins, whichever of the two comes first."""
    s[at.EFFECTS] |= effects
    if effects & at.UPSETS:
        s[at.UPSETTER] = seat
    both = at.UPSETS | at.IS_UPSET
    if s[at.EFFECTS] & both == both:
        s[at.BEST] = at.UNBEATABLE
        s[at.WINNER] = s[at.UPSETTER]


@inlined
def end_trick(t: Ints, s: Ints) -> None:
    """K1-K4; X5: a bombed trick is nobody's, but who would have won it leads.  X7, X8: what follows from it."""
    effects = s[at.EFFECTS]
    seat = s[at.WINNER]
    s[at.LEADER] = seat
    s[at.TURN] = seat
    s[at.LEFT] -= 1
    if effects & at.BOMBS == 0:
        s[at.WON + seat] += 1
        if effects & at.CLOUDS:
            s[at.CLOUD] = seat
    open_trick(s)
    if s[at.LEFT] == 0:
        if s[at.CLOUD] == at.NOBODY:
            finish_round(t, s)
        else:
            s[at.PHASE] = at.CHANGING
            s[at.TURN] = s[at.CLOUD]
    elif effects & at.JUGGLES:
        s[at.PHASE] = at.PASSING


@inlined
def pass_card(t: Ints, s: Ints, kind: int) -> None:
    """X7: once all have chosen, every card goes to the left, and the leader leads."""
    n = t[at.PLAYERS]
    seat = s[at.TURN]
    s[at.PASSED + seat] = kind
    s[at.COUNT] += 1
    if s[at.COUNT] < n:
        while s[at.PASSED + seat] >= 0:
            seat = seat + 1 if seat + 1 < n else 0
        s[at.TURN] = seat
    else:
        for giver in range(n):
            take(t, s, giver, s[at.PASSED + giver])
        for giver in range(n):
            give(t, s, giver + 1 if giver + 1 < n else 0, s[at.PASSED + giver])
        s[at.COUNT] = 0
        s[at.PHASE] = at.PLAYING
        s[at.TURN] = s[at.LEADER]


@jit
def finish_round(t: Ints, s: Ints) -> None:
    for seat in range(t[at.PLAYERS]):
        made = s[at.BID + seat]
        if seat == s[at.CLOUD]:
            made += s[at.CHANGE]
        scored = t[at.POINTS_FOR + made * at.MOST_TRICKS + s[at.WON + seat]]
        s[at.POINTS + seat] = scored
        s[at.SCORE + seat] += scored
    s[at.PHASE] = at.DEALING if s[at.ROUND] + 1 < t[at.ROUNDS] else at.OVER


@jit
def take_turn(t: Ints, s: Ints, seat: int) -> None:
    """Where several seats may act at once (V2, V3, X7), lets this one be the next; otherwise does nothing."""
    if (s[at.PHASE] == at.BIDDING and t[at.AT_ONCE] and s[at.BID + seat] < 0) or (
        s[at.PHASE] == at.PASSING and s[at.PASSED + seat] < 0
    ):
        s[at.TURN] = seat

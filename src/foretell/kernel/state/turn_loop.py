"""The turn loop: deal a round, list the legal actions, take a step.

Each function gets the lookup tables of a rule set (`lookup`, see `lookup_layout`) and changes the state of a game in
place (`state`, see `state_layout`).  Both are flat arrays of int64.  The functions allocate nothing, raise nothing and
make no objects, so that the same source runs in CPython, under Numba and, translated statement by statement, as C.

The lookup tables decide which rules are played.  This file only knows the order of a round, as `foretell.engine.round`
does; tests play the two side by side and compare them after every action.

Nothing is checked here: an action that `legal` does not offer leads to a meaningless state.
"""

from foretell.kernel.backend.compiled import ONE, Ints, inlined, jit
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state

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
def new_game(lookup: Ints, state: Ints, first_dealer: int) -> None:
    """Begins a game; the next thing to come is its first deal."""
    for place in range(in_state.SIZE):
        state[place] = 0
    state[in_state.PHASE] = codes.DEALING
    state[in_state.ROUND] = -1
    # `deal` moves the dealer to the left first.
    state[in_state.DEALER] = first_dealer - 1 if first_dealer > 0 else lookup[in_lookup.PLAYERS] - 1


@jit
def copy_state(source: Ints, state: Ints) -> None:
    """Copies what play depends on.  History and record are left out: a playout adds to them, but never reads them."""
    for place in range(in_state.SIZE_FOR_PLAY):
        state[place] = source[place]


@inlined
def is_over(state: Ints) -> bool:
    """Whether the game is over."""
    return state[in_state.PHASE] == codes.GAME_OVER


@inlined
def is_round_over(state: Ints) -> bool:
    """Whether the round is scored, so that the next thing is a deal or the end of the game."""
    return state[in_state.PHASE] >= codes.DEALING


@inlined
def points(state: Ints, seat: int) -> int:
    """The points of a seat in the round just scored."""
    return state[in_state.ROUND_POINTS + seat]


@inlined
def score(state: Ints, seat: int) -> int:
    """The points of a seat in the game so far."""
    return state[in_state.SCORE + seat]


@inlined
def left_of(seat: int, players: int) -> int:
    """The seat to the left."""
    return seat + 1 if seat + 1 < players else 0


@inlined
def give(lookup: Ints, state: Ints, seat: int, kind: int) -> None:
    """Puts a card into a hand."""
    state[in_state.HAND + seat] |= ONE << kind
    state[in_state.COPIES + seat] += lookup[in_lookup.COPIES_OF_KIND + kind]


@inlined
def take(lookup: Ints, state: Ints, seat: int, kind: int) -> None:
    """Takes a card out of a hand; the bit for Wizards or Jesters stays set until the last of them is gone."""
    copies = state[in_state.COPIES + seat] - lookup[in_lookup.COPIES_OF_KIND + kind]
    state[in_state.COPIES + seat] = copies
    state[in_state.HAND + seat] = (state[in_state.HAND + seat] ^ (ONE << kind)) | lookup[
        in_lookup.BITS_OF_COPIES + copies
    ]


@inlined
def deal(lookup: Ints, state: Ints, deck: Ints) -> None:
    """Deals the next round from the top of `deck`, one card at a time, beginning on the dealer's left.

    `deck` is a shuffled list of places in the lookup table DECK.
    """
    players = lookup[in_lookup.PLAYERS]
    state[in_state.ROUND] += 1
    state[in_state.DEALER] = left_of(state[in_state.DEALER], players)
    first = left_of(state[in_state.DEALER], players)
    size = lookup[in_lookup.HAND_SIZES + state[in_state.ROUND]]
    state[in_state.HAND_SIZE] = size
    for seat in range(players):
        hand = ONE * 0
        copies = 0
        # From a common deck a seat gets every `players`-th card.  A seat with cards of its own (V6) gets the top of
        # those.
        place = seat - first
        if place < 0:
            place += players
        stride = players
        if lookup[in_lookup.OWN_CARDS] > 0:
            place = seat * lookup[in_lookup.OWN_CARDS]
            stride = 1
        for _ in range(size):
            kind = lookup[in_lookup.DECK + deck[place]]
            hand |= ONE << kind
            copies += lookup[in_lookup.COPIES_OF_KIND + kind]
            place += stride
        state[in_state.HAND + seat] = hand
        state[in_state.COPIES + seat] = copies
    state[in_state.TURNED_UP] = codes.NO_CARD
    if lookup[in_lookup.OWN_CARDS] == 0 and players * size < lookup[in_lookup.DECK_SIZE]:
        state[in_state.TURNED_UP] = lookup[in_lookup.DECK + deck[players * size]]
    begin_round(lookup, state)


@jit
def begin_round(lookup: Ints, state: Ints) -> None:
    """Does everything between the deal and the first decision.  Hands, HAND_SIZE, DEALER and TURNED_UP must be set."""
    players = lookup[in_lookup.PLAYERS]
    state[in_state.TRICKS_LEFT] = state[in_state.HAND_SIZE]
    state[in_state.ACTED] = 0
    state[in_state.FACES_PLAYED] = 0
    state[in_state.BID_SUM] = 0
    state[in_state.CLOUD_SEAT] = codes.NOBODY
    state[in_state.BID_CHANGE] = 0
    state[in_state.WEREWOLF_SEAT] = codes.NOBODY
    for seat in range(players):
        state[in_state.BID + seat] = codes.NOT_YET
        state[in_state.TRICKS_WON + seat] = 0
        state[in_state.PASSED_KIND + seat] = codes.NOT_YET
        state[in_state.ROUND_POINTS + seat] = 0
        # X6: the Werewolf is exchanged for the turned-up card.
        if (
            state[in_state.HAND + seat] & lookup[in_lookup.MUST_BE_EXCHANGED]
            and state[in_state.TURNED_UP] != codes.NO_CARD
        ):
            state[in_state.WEREWOLF_SEAT] = seat
            state[in_state.HAND + seat] &= ~lookup[in_lookup.MUST_BE_EXCHANGED]
            give(lookup, state, seat, state[in_state.TURNED_UP])
    state[in_state.LEADER] = left_of(state[in_state.DEALER], players)
    open_trick(state)
    state[in_state.TURN] = state[in_state.LEADER]
    state[in_state.PHASE] = codes.BIDDING
    state[in_state.TRUMP] = codes.NO_TRUMP
    if state[in_state.WEREWOLF_SEAT] != codes.NOBODY:
        state[in_state.PHASE] = codes.NAMING_TRUMP
        state[in_state.TURN] = state[in_state.WEREWOLF_SEAT]
    elif lookup[in_lookup.TRUMP_AFTER + state[in_state.TURNED_UP]] == codes.DEALER_NAMES:
        state[in_state.PHASE] = codes.NAMING_TRUMP
        state[in_state.TURN] = state[in_state.DEALER]
    else:
        state[in_state.TRUMP] = lookup[in_lookup.TRUMP_AFTER + state[in_state.TURNED_UP]]


@inlined
def open_trick(state: Ints) -> None:
    """Clears the table for the next trick."""
    state[in_state.ACTED] = 0
    state[in_state.DEMAND] = codes.UNDECIDED
    state[in_state.BEST_STRENGTH] = 0
    state[in_state.EFFECTS] = 0


@inlined
def legal(lookup: Ints, state: Ints) -> int:
    """The actions that the seat on turn may take, as a mask."""
    phase = state[in_state.PHASE]
    if phase == codes.PLAYING:
        hand = state[in_state.HAND + state[in_state.TURN]]
        row = state[in_state.DEMAND] * codes.TRUMPS + state[in_state.TRUMP]
        # Both masks are read before it is known which one applies: a branch that the CPU cannot predict is slower.
        if_obliged = lookup[in_lookup.IF_OBLIGED + row]
        if_not_obliged = lookup[in_lookup.IF_NOT_OBLIGED + row]
        mask = hand & (if_obliged if hand & lookup[in_lookup.OBLIGING + row] else if_not_obliged)
        if mask == 0:
            mask = hand
    elif phase == codes.BIDDING:
        row = state[in_state.ROUND] * lookup[in_lookup.PLAYERS] + state[in_state.ACTED]
        start = in_lookup.OPEN_BIDS + row * lookup[in_lookup.BID_SUMS]
        mask = lookup[start + state[in_state.BID_SUM]]
    elif phase == codes.DECLARING:
        mask = lookup[in_lookup.DECLARATIONS + state[in_state.DECLARING_KIND]]
    elif phase == codes.PASSING:
        mask = state[in_state.HAND + state[in_state.TURN]]
    elif phase == codes.NAMING_TRUMP:
        if state[in_state.WEREWOLF_SEAT] == codes.NOBODY:
            mask = lookup[in_lookup.DEALER_MAY_NAME]
        else:
            mask = lookup[in_lookup.WEREWOLF_MAY_NAME]
    elif phase == codes.CHANGING_BID:
        row = in_lookup.OPEN_CHANGES + state[in_state.ROUND] * codes.TRICK_COUNTS
        mask = lookup[row + state[in_state.BID + state[in_state.TURN]]]
    else:
        mask = ONE * 0
    return mask


@inlined
def step(lookup: Ints, state: Ints, action: int) -> None:
    """The seat on turn takes this action."""
    phase = state[in_state.PHASE]
    if phase == codes.PLAYING:
        if (lookup[in_lookup.NEEDS_DECLARATION] >> action) & 1:
            state[in_state.DECLARING_KIND] = action
            state[in_state.PHASE] = codes.DECLARING
        else:
            play_face(lookup, state, action, action)
    elif phase == codes.BIDDING:
        bid(lookup, state, action)
    else:
        step_rarely(lookup, state, action)


@jit
def step_rarely(lookup: Ints, state: Ints, action: int) -> None:
    """The rare phases.  They are a function of their own so that `step` stays small where it is inlined."""
    phase = state[in_state.PHASE]
    if phase == codes.DECLARING:
        state[in_state.PHASE] = codes.PLAYING
        kind = state[in_state.DECLARING_KIND]
        play_face(lookup, state, kind, lookup[in_lookup.FIRST_FACE + kind] + action)
    elif phase == codes.NAMING_TRUMP:
        state[in_state.TRUMP] = action
        state[in_state.PHASE] = codes.BIDDING
        state[in_state.TURN] = state[in_state.LEADER]
    elif phase == codes.PASSING:
        pass_card(lookup, state, action)
    elif phase == codes.CHANGING_BID:
        state[in_state.BID_CHANGE] = 1 - 2 * action
        finish_round(lookup, state)


@inlined
def bid(lookup: Ints, state: Ints, tricks: int) -> None:
    """The seat on turn bids; after the last bid the play begins."""
    players = lookup[in_lookup.PLAYERS]
    seat = state[in_state.TURN]
    state[in_state.BID + seat] = tricks
    state[in_state.BID_SUM] += tricks
    state[in_state.ACTED] += 1
    if state[in_state.ACTED] == players:
        state[in_state.ACTED] = 0
        state[in_state.PHASE] = codes.PLAYING
        state[in_state.TURN] = state[in_state.LEADER]
    else:
        # Next is the left neighbour, unless all bid at once and the neighbour has bid already.
        seat = left_of(seat, players)
        while state[in_state.BID + seat] >= 0:
            seat = left_of(seat, players)
        state[in_state.TURN] = seat


@inlined
def play_face(lookup: Ints, state: Ints, kind: int, face: int) -> None:
    """The seat on turn plays a card of this kind, with this face."""
    players = lookup[in_lookup.PLAYERS]
    seat = state[in_state.TURN]
    take(lookup, state, seat, kind)
    state[in_state.HISTORY + state[in_state.FACES_PLAYED]] = face
    state[in_state.FACES_PLAYED] += 1
    demand = state[in_state.DEMAND]
    decided = lookup[in_lookup.DEMAND_OF_FACE + face]
    demand = decided if demand == codes.UNDECIDED else demand
    state[in_state.DEMAND] = demand
    word = lookup[
        in_lookup.STRENGTH + (demand * codes.TRUMPS + state[in_state.TRUMP]) * codes.FACES + face
    ]
    strength = word & codes.STRENGTH_MASK
    best = state[in_state.BEST_STRENGTH]
    winner = state[in_state.BEST_SEAT]
    state[in_state.BEST_STRENGTH] = strength if strength > best else best
    state[in_state.BEST_SEAT] = seat if strength > best else winner
    if word > codes.STRENGTH_MASK:
        show_effects(state, seat, word >> codes.EFFECT_SHIFT)
    state[in_state.ACTED] += 1
    state[in_state.TURN] = left_of(seat, players)
    if state[in_state.ACTED] == players:
        end_trick(lookup, state)


@jit
def show_effects(state: Ints, seat: int, effects: int) -> None:
    """Notes the effects of a face besides its strength.

    X4: the face that upsets another wins, whichever of the two comes first.
    """
    state[in_state.EFFECTS] |= effects
    if effects & codes.UPSETS:
        state[in_state.UPSETTER] = seat
    both = codes.UPSETS | codes.IS_UPSET
    if state[in_state.EFFECTS] & both == both:
        state[in_state.BEST_STRENGTH] = codes.UNBEATABLE
        state[in_state.BEST_SEAT] = state[in_state.UPSETTER]


@inlined
def end_trick(lookup: Ints, state: Ints) -> None:
    """Gives the trick to its winner, who leads the next one.

    X5      Nobody takes a trick with the Bomb, but the seat that would have won it leads the next one.
    X7, X8  The Juggler and the Cloud cause a step of their own.
    """
    effects = state[in_state.EFFECTS]
    seat = state[in_state.BEST_SEAT]
    state[in_state.LEADER] = seat
    state[in_state.TURN] = seat
    state[in_state.TRICKS_LEFT] -= 1
    if effects & codes.BOMBS == 0:
        state[in_state.TRICKS_WON + seat] += 1
        if effects & codes.CLOUDS:
            state[in_state.CLOUD_SEAT] = seat
    open_trick(state)
    if state[in_state.TRICKS_LEFT] == 0:
        if state[in_state.CLOUD_SEAT] == codes.NOBODY:
            finish_round(lookup, state)
        else:
            state[in_state.PHASE] = codes.CHANGING_BID
            state[in_state.TURN] = state[in_state.CLOUD_SEAT]
    elif effects & codes.JUGGLES:
        state[in_state.PHASE] = codes.PASSING


@inlined
def pass_card(lookup: Ints, state: Ints, kind: int) -> None:
    """X7: the seat on turn chooses a card.  Once all have chosen, every card goes to the left."""
    players = lookup[in_lookup.PLAYERS]
    seat = state[in_state.TURN]
    state[in_state.PASSED_KIND + seat] = kind
    state[in_state.ACTED] += 1
    if state[in_state.ACTED] < players:
        while state[in_state.PASSED_KIND + seat] >= 0:
            seat = left_of(seat, players)
        state[in_state.TURN] = seat
    else:
        for giver in range(players):
            take(lookup, state, giver, state[in_state.PASSED_KIND + giver])
        for giver in range(players):
            give(lookup, state, left_of(giver, players), state[in_state.PASSED_KIND + giver])
        state[in_state.ACTED] = 0
        state[in_state.PHASE] = codes.PLAYING
        state[in_state.TURN] = state[in_state.LEADER]


@jit
def finish_round(lookup: Ints, state: Ints) -> None:
    """Scores the round."""
    for seat in range(lookup[in_lookup.PLAYERS]):
        made = state[in_state.BID + seat]
        if seat == state[in_state.CLOUD_SEAT]:
            made += state[in_state.BID_CHANGE]
        scored = lookup[
            in_lookup.POINTS_FOR + made * codes.TRICK_COUNTS + state[in_state.TRICKS_WON + seat]
        ]
        state[in_state.ROUND_POINTS + seat] = scored
        state[in_state.SCORE + seat] += scored
        missing = made - state[in_state.TRICKS_WON + seat]
        state[in_state.SHORT + seat] += max(missing, 0)
        state[in_state.OVER + seat] += max(-missing, 0)
    state[in_state.SCORED] += 1
    state[in_state.PHASE] = (
        codes.DEALING if state[in_state.ROUND] + 1 < lookup[in_lookup.ROUNDS] else codes.GAME_OVER
    )


@jit
def take_turn(lookup: Ints, state: Ints, seat: int) -> None:
    """Where several seats are awaited at once (V2, V3, X7), makes this one act next; otherwise does nothing."""
    if (
        state[in_state.PHASE] == codes.BIDDING
        and lookup[in_lookup.BIDS_AT_ONCE]
        and state[in_state.BID + seat] < 0
    ) or (state[in_state.PHASE] == codes.PASSING and state[in_state.PASSED_KIND + seat] < 0):
        state[in_state.TURN] = seat

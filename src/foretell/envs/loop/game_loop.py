"""Plays many games from one decision to the next, and writes what each seat that decides is shown.

Compiled functions in the small part of Python that `foretell.kernel.backend.c_source` translates.  The game is the
kernel's, the observation that of the nets; here is only the loop around them.
"""

from foretell.bots.net import layout as in_view
from foretell.bots.net.encoding import kernel_action, observe, observe_noted
from foretell.bots.net.evaluation import first_answer
from foretell.bots.net.plays import clear_notes, forget_voids, note_shown
from foretell.envs.loop import game_layout as in_game
from foretell.kernel.backend.compiled import (
    Ints,
    Ints8,
    Ints32,
    inlined,
    jit,
    kth,
    lowest,
    part,
    popcount,
)
from foretell.kernel.bulk.policies import chosen
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below, seed_rng, shuffle
from foretell.kernel.state.turn_loop import deal, legal, new_game, step

__all__ = ["begin_games", "choose_at_random", "first_refused", "observe_from", "play_on"]


@jit
def begin_numbered(
    lookup: Ints, settings: Ints, table: Ints, state: Ints, deals: Ints, deck: Ints
) -> None:
    """Begins the game with this number; its first dealer and its cards depend on the seed and the number alone."""
    seed_rng(deals, settings[in_game.SEED], table[in_game.NUMBER])
    new_game(lookup, state, below(deals, lookup[in_lookup.PLAYERS]))
    for place in range(lookup[in_lookup.DECK_SIZE]):
        deck[place] = place


@inlined
def take_noted(
    lookup: Ints, settings: Ints, table: Ints, state: Ints, notes: Ints, rewards: Ints32, action: int
) -> None:  # fmt: skip
    """The seat on turn takes this action; what it shows is noted, and a round that it ends is rewarded."""
    phase = state[in_state.PHASE]
    kind = action
    is_play = phase == codes.PLAYING and (lookup[in_lookup.NEEDS_DECLARATION] >> action) & 1 == 0
    if phase == codes.DECLARING:
        kind = state[in_state.DECLARING_KIND]
        is_play = True
    if is_play:
        note_shown(
            lookup, notes, state[in_state.TURN], kind, state[in_state.DEMAND],
            state[in_state.TRUMP], state[in_state.ACTED],
        )  # fmt: skip
    step(lookup, state, action)
    if phase == codes.PASSING and state[in_state.PHASE] != codes.PASSING:
        forget_voids(notes, lookup[in_lookup.PLAYERS])
    if state[in_state.PHASE] >= codes.DEALING:
        reward(lookup, settings, table, state, rewards)


@jit
def reward(lookup: Ints, settings: Ints, table: Ints, state: Ints, rewards: Ints32) -> None:
    """The points of the round that has just ended, or the score of the game.  Rewards add up until a seat is asked."""
    table[in_game.ROUND_OVER] = 1
    is_over = state[in_state.PHASE] == codes.GAME_OVER
    if is_over:
        table[in_game.GAME_OVER] = 1
    for seat in range(lookup[in_lookup.PLAYERS]):
        if settings[in_game.IS_BY_GAME] == 0:
            rewards[seat] += state[in_state.ROUND_POINTS + seat]
        elif is_over:
            rewards[seat] += state[in_state.SCORE + seat]


@inlined
def would_mix_rewards(table: Ints, state: Ints) -> bool:
    """Whether a card played now may end a round of the next game before anyone is asked since the last one ended.

    The rewards are still those of the game that has ended, so such a card is asked for, even if it is the only one.
    """
    return (
        table[in_game.GAME_OVER] != 0
        and state[in_state.PHASE] == codes.PLAYING
        and state[in_state.TRICKS_LEFT] == 1
    )


@jit
def go_on(
    lookup: Ints, policy_words: Ints, settings: Ints, table: Ints, state: Ints, deals: Ints,
    deck: Ints, choices: Ints, notes: Ints, rewards: Ints32,
) -> bool:  # fmt: skip
    """Deals, begins the next game and plays the seats that are not asked, until one is.  False: the game is over."""
    is_awaited = False
    has_next = True
    while has_next and not is_awaited:
        phase = state[in_state.PHASE]
        if phase == codes.GAME_OVER:
            has_next = settings[in_game.STRIDE] > 0
            if has_next:
                table[in_game.NUMBER] += settings[in_game.STRIDE]
                begin_numbered(lookup, settings, table, state, deals, deck)
        elif phase == codes.DEALING:
            shuffle(lookup, state, deals, deck)
            deal(lookup, state, deck)
            clear_notes(notes)
        else:
            policy = settings[in_game.POLICY + state[in_state.TURN]]
            action = -1
            if policy >= 0:
                action = chosen(lookup, state, choices, policy_words, policy)
            elif settings[in_game.SKIPS_FORCED] and not would_mix_rewards(table, state):
                mask = legal(lookup, state)
                if mask & (mask - 1) == 0:
                    action = lowest(mask)
            if action >= 0:
                take_noted(lookup, settings, table, state, notes, rewards, action)
            else:
                is_awaited = True
    return is_awaited


@inlined
def write_mask(state: Ints, allowed: int, mask: Ints8) -> None:
    """A byte for each action of the net: 1 if it is legal."""
    for place in range(in_view.ACTIONS):
        mask[place] = 0
    start = first_answer(state[in_state.PHASE])
    rest = allowed
    while rest:
        mask[start + lowest(rest)] = 1
        rest &= rest - 1


@jit
def end_observation(lookup: Ints, state: Ints, traits: int, notes: Ints, words: Ints) -> None:
    """The observation after the end of a game: a play with no tricks left and no legal actions."""
    state[in_state.PHASE] = codes.PLAYING
    observe_noted(lookup, state, traits, notes, words)
    state[in_state.PHASE] = codes.GAME_OVER
    words[in_view.LEGAL] = 0


@jit
def play_one(
    lookup: Ints, policy_words: Ints, settings: Ints, table: Ints, state: Ints, deals: Ints,
    deck: Ints, choices: Ints, notes: Ints, answer: int, words: Ints, mask: Ints8, rewards: Ints32,
) -> None:  # fmt: skip
    """One game takes its answer (-1: it has just begun) and goes on to the next decision."""
    for seat in range(codes.SEATS):
        rewards[seat] = 0
    table[in_game.ROUND_OVER] = 0
    table[in_game.GAME_OVER] = 0
    if answer >= 0 and state[in_state.PHASE] < codes.DEALING:
        action = kernel_action(state, notes, answer - first_answer(state[in_state.PHASE]))
        take_noted(lookup, settings, table, state, notes, rewards, action)
    if go_on(lookup, policy_words, settings, table, state, deals, deck, choices, notes, rewards):
        observe_noted(lookup, state, table[in_game.TRAITS], notes, words)
    else:
        end_observation(lookup, state, table[in_game.TRAITS], notes, words)
    table[in_game.LEGAL] = words[in_view.LEGAL]
    write_mask(state, words[in_view.LEGAL], mask)


@jit
def play_on(
    rules: Ints, settings: Ints, room: Ints, answers: Ints, words: Ints, masks: Ints8,
    seats: Ints8, rewards: Ints32, round_over: Ints8, game_over: Ints8, first: int, count: int,
) -> None:  # fmt: skip
    """Each of these games takes its answer and goes on to its next decision."""
    for game in range(first, first + count):
        at = game * in_game.ROOM_WORDS
        play_one(
            part(rules, room[at + in_game.LOOKUP_AT]),
            part(rules, room[at + in_game.POLICY_AT]),
            settings,
            part(room, at),
            part(room, at + in_game.STATE),
            part(room, at + in_game.DEALS),
            part(room, at + in_game.DECK),
            part(room, at + in_game.CHOICES),
            part(room, at + in_game.NOTES),
            answers[game],
            part(words, game * in_view.WORDS),
            part(masks, game * in_view.ACTIONS),
            part(rewards, game * codes.SEATS),
        )
        seats[game] = room[at + in_game.STATE + in_state.TURN]
        round_over[game] = room[at + in_game.ROUND_OVER]
        game_over[game] = room[at + in_game.GAME_OVER]


@jit
def begin_games(rules: Ints, settings: Ints, room: Ints, first: int, count: int) -> None:
    """Begins each of these games, and seeds its random choices."""
    for game in range(first, first + count):
        at = game * in_game.ROOM_WORDS
        begin_numbered(
            part(rules, room[at + in_game.LOOKUP_AT]),
            settings,
            part(room, at),
            part(room, at + in_game.STATE),
            part(room, at + in_game.DEALS),
            part(room, at + in_game.DECK),
        )
        seed_rng(
            part(room, at + in_game.CHOICES),
            settings[in_game.SEED] + 1,
            room[at + in_game.NUMBER],
        )


@jit
def first_refused(room: Ints, answers: Ints, first: int, count: int) -> int:
    """The first of these games whose answer is not legal, or -1.  A game that is over takes any answer."""
    refused = -1
    game = first
    while refused < 0 and game < first + count:
        at = game * in_game.ROOM_WORDS
        phase = room[at + in_game.STATE + in_state.PHASE]
        if phase < codes.DEALING:
            action = answers[game] - first_answer(phase)
            if (
                action < 0
                or action >= in_view.WORD_BITS - 1
                or (room[at + in_game.LEGAL] >> action) & 1 == 0
            ):
                refused = game
        game += 1
    return refused


@jit
def choose_at_random(room: Ints, answers: Ints, first: int, count: int) -> None:
    """A random legal answer for each of these games; each is equally likely."""
    for game in range(first, first + count):
        at = game * in_game.ROOM_WORDS
        allowed = room[at + in_game.LEGAL]
        answers[game] = 0
        if allowed:
            start = first_answer(room[at + in_game.STATE + in_state.PHASE])
            drawn = below(part(room, at + in_game.CHOICES), popcount(allowed))
            answers[game] = start + kth(allowed, drawn)


@jit
def observe_from(
    lookup: Ints, state: Ints, copy: Ints, traits: int, scratch: Ints, words: Ints, seat: int
) -> None:  # fmt: skip
    """The observation of any seat, on turn or not; `copy` is room for another state.

    A seat that is not asked has no legal actions, and is not told that another has chosen a card which still waits for
    its declaration.
    """
    for place in range(in_state.SIZE):
        copy[place] = state[place]
    is_asked = seat == state[in_state.TURN] and state[in_state.PHASE] < codes.DEALING
    if not is_asked:
        copy[in_state.TURN] = seat
        if state[in_state.PHASE] == codes.DECLARING or state[in_state.PHASE] >= codes.DEALING:
            copy[in_state.PHASE] = codes.PLAYING
    observe(lookup, copy, traits, scratch, words)
    if not is_asked:
        words[in_view.LEGAL] = 0
        words[in_view.TAKES] = 0

"""What happens at a table between two decisions of a net.

Compiled functions in the subset of Python that `foretell.kernel.backend.c_source` translates.  On a GPU one thread
plays one table; `entries.c` calls these functions for each.
"""

from foretell.bots.net.encoding import kernel_action
from foretell.kernel.backend.compiled import Ints, inlined, jit, lowest, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below, seed_rng, shuffle
from foretell.kernel.state.turn_loop import deal, legal, new_game, step
from training.simulator import table_layout as in_table
from training.simulator.exchanges import exchange_cards, is_time_to_exchange, plan_exchange
from training.simulator.opponents import scripted_action, shifted_bid


@jit
def draw_rules(settings: Ints, draws: Ints, rng: Ints, table: Ints) -> None:
    """Chooses the rule set of the next game."""
    seed_rng(rng, settings[in_table.SEED] + 1, table[in_table.NUMBER])
    table[in_table.RULES] = draws[below(rng, settings[in_table.DRAWS])]


@jit
def begin_table(
    lookup: Ints, state: Ints, rng: Ints, deck: Ints, settings: Ints, table: Ints
) -> None:
    """Begins a game.  In training it begins with any round, with a likely score, so that large rounds are common."""
    seed_rng(rng, settings[in_table.SEED] + 2, table[in_table.NUMBER])
    players = lookup[in_lookup.PLAYERS]
    new_game(lookup, state, below(rng, players))
    for place in range(lookup[in_lookup.DECK_SIZE]):
        deck[place] = place
    if settings[in_table.IS_TRAINING]:
        played = below(rng, lookup[in_lookup.ROUNDS])
        state[in_state.ROUND] = played - 1
        for seat in range(players):
            state[in_state.SCORE + seat] = 10 * (below(rng, 4 * played + 1) - played)
        seat_players(rng, settings, table, players)


@jit
def next_round(
    lookup: Ints, state: Ints, rng: Ints, deck: Ints, settings: Ints, table: Ints
) -> None:
    """Deals the next round.

    The cards depend on the seed and the number of the deal alone, so that other players can be given the same cards.
    """
    seed_rng(rng, settings[in_table.SEED], table[in_table.NUMBER])
    table[in_table.NUMBER] += 1
    shuffle(lookup, state, rng, deck)
    deal(lookup, state, deck)
    if settings[in_table.IS_TRAINING]:
        plan_exchange(state, rng, settings, table)


@jit
def seat_players(rng: Ints, settings: Ints, table: Ints, players: int) -> None:
    """Chooses who sits at the table for a game, so that earlier rounds tell something about the players.

    At a table of the league some seats are past nets; at others some games have scripted players.  At least one seat
    is always the learner's; for a best response, exactly one.
    """
    for seat in range(players):
        table[in_table.SEAT_KIND + seat] = in_table.LEARNER
        table[in_table.BID_SHIFT + seat] = 0
    is_scripted = below(rng, 256) < settings[in_table.SCRIPTED_SHARE]
    if table[in_table.LEAGUE] or is_scripted:
        chosen = 1 + below(rng, (1 << players) - 2)
        if table[in_table.LEAGUE] == in_table.ONE_LEARNER:
            chosen = (1 << players) - 1 - (1 << below(rng, players))
        is_mixed = below(rng, 2)
        first = lowest(chosen)
        for seat in range(players):
            if (chosen >> seat) & 1:
                if is_mixed or seat == first:
                    seat_other_player(rng, settings, table, seat)
                else:
                    table[in_table.SEAT_KIND + seat] = table[in_table.SEAT_KIND + first]
                    table[in_table.BID_SHIFT + seat] = table[in_table.BID_SHIFT + first]


@inlined
def seat_other_player(rng: Ints, settings: Ints, table: Ints, seat: int) -> None:
    """Gives a seat to a past net or a scripted player.  Some past nets bid one or two more, or one fewer."""
    table[in_table.SEAT_KIND + seat] = in_table.FROZEN
    if table[in_table.LEAGUE] == in_table.NO_LEAGUE:
        kind = below(rng, settings[in_table.KIND_COUNT])
        table[in_table.SEAT_KIND + seat] = in_table.FIRST_SCRIPTED + kind
    elif (
        table[in_table.LEAGUE] == in_table.PAST_NETS
        and below(rng, 256) < settings[in_table.SHIFTED_SHARE]
    ):
        lot = below(rng, 6)
        table[in_table.BID_SHIFT + seat] = -1 if lot < 2 else 1 if lot < 5 else 2


@jit
def end_round(lookup: Ints, state: Ints, table: Ints, outcome: Ints) -> None:
    """Notes the points of a round.  If two rounds end before the next decision, the first one counts."""
    if outcome[in_table.ENDED] == 0:
        outcome[in_table.ENDED] = 1
        for seat in range(codes.SEATS):
            outcome[in_table.POINTS + seat] = 0
        for seat in range(lookup[in_lookup.PLAYERS]):
            outcome[in_table.POINTS + seat] = state[in_state.ROUND_POINTS + seat]
    table[in_table.ROUNDS] += 1
    for seat in range(lookup[in_lookup.PLAYERS]):
        if state[in_state.ROUND_POINTS + seat] > 0:
            table[in_table.BIDS_MET + seat] += 1


@jit
def go_on(
    lookup: Ints, state: Ints, rng: Ints, deck: Ints, policy_words: Ints,
    settings: Ints, table: Ints, scratch: Ints, outcome: Ints,
) -> bool:  # fmt: skip
    """Plays forced moves and scripted players until a net has a real choice.  False: the game is over."""
    is_waiting = False
    while not is_waiting and state[in_state.PHASE] != codes.GAME_OVER:
        if state[in_state.PHASE] == codes.DEALING:
            next_round(lookup, state, rng, deck, settings, table)
        else:
            if is_time_to_exchange(state, rng, table):
                exchange_cards(lookup, state, rng, deck, scratch, table, outcome)
            player = table[in_table.SEAT_KIND + state[in_state.TURN]]
            mask = legal(lookup, state)
            if popcount(mask) == 1:
                step(lookup, state, lowest(mask))
            elif player >= in_table.FIRST_SCRIPTED:
                step(lookup, state, scripted_action(lookup, state, rng, policy_words, player))
            else:
                is_waiting = True
            if state[in_state.PHASE] >= codes.DEALING:
                end_round(lookup, state, table, outcome)
    return is_waiting


@jit
def take_action(
    lookup: Ints, state: Ints, scratch: Ints, table: Ints, outcome: Ints, answer: int
) -> None:
    """The net's answer for the seat on turn; `scratch` is as the last observation has left it."""
    outcome[in_table.ENDED] = 0
    action = kernel_action(state, scratch, answer)
    shift = table[in_table.BID_SHIFT + state[in_state.TURN]]
    if shift != 0 and state[in_state.PHASE] == codes.BIDDING:
        action = shifted_bid(legal(lookup, state), action + shift)
    step(lookup, state, action)
    if state[in_state.PHASE] >= codes.DEALING:
        end_round(lookup, state, table, outcome)

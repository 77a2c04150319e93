"""Whole games with everything that happens in them, noted in columns of numbers.

A batch has four tables: rounds, bids, plays and passes.  Each is one array with its columns one after another, so that
a column can be handed on without a copy.  `datasets` writes them to files; the columns are described there.
"""

from foretell.kernel.backend.compiled import (
    Ints,
    Ints8,
    Ints32,
    inlined,
    ints,
    jit,
    narrow_ints,
    popcount,
)
from foretell.kernel.bulk.playouts import GameArrays, begin_game
from foretell.kernel.bulk.policies import chosen
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import shuffle
from foretell.kernel.state.tables import Tables
from foretell.kernel.state.turn_loop import deal, step

__all__ = ["NotedGames", "note_games"]

# Columns of the rounds.
ROUND_GAME, ROUND_PLACE, ROUND_CARDS, ROUND_DEALER, ROUND_TURNED_UP, ROUND_TRUMP = range(6)
ROUND_NAMED_BY, ROUND_WEREWOLF, ROUND_CLOUD, ROUND_CHANGE, ROUND_COLUMNS = range(6, 11)
# Columns of the bids: a row for each round and seat.
BID_GAME, BID_PLACE, BID_SEAT, BID_ORDER, BID_MADE, BID_FINAL, BID_TRICKS = range(7)
BID_POINTS, BID_TOTAL, BID_WIZARDS, BID_JESTERS, BID_TRUMPS, BID_COLUMNS = range(7, 13)
# Columns of the plays, besides the game.
PLAY_PLACE, PLAY_TRICK, PLAY_ORDER, PLAY_SEAT, PLAY_FACE, PLAY_IS_TRUMP = range(6)
PLAY_TAKES, PLAY_COLUMNS = range(6, 8)
# Columns of the passes (X7).
PASS_GAME, PASS_PLACE, PASS_TRICK, PASS_SEAT, PASS_KIND, PASS_COLUMNS = range(6)

# How many rows of each table are noted, and how many there is room for.
ROUNDS, BIDS, PLAYS, PASSES, ROOM = range(5)
COUNTS = 2 * ROOM

COLOUR = 0x1FFF  # the 13 numbers of one colour


@inlined
def note_bid(lookup: Ints, state: Ints, counts: Ints, bids: Ints32) -> None:
    """Notes what the seat on turn holds when it bids."""
    players = lookup[in_lookup.PLAYERS]
    seat = state[in_state.TURN]
    room = counts[ROOM + BIDS]
    row = counts[BIDS] + seat
    dealer = state[in_state.DEALER]
    copies = state[in_state.COPIES + seat]
    bids[BID_ORDER * room + row] = (seat - dealer - 1 + players) % players
    bids[BID_WIZARDS * room + row] = copies & codes.WIZARD_COUNT_MASK
    bids[BID_JESTERS * room + row] = copies // codes.ONE_JESTER
    trumps = 0
    if state[in_state.TRUMP] < codes.NO_TRUMP:
        numbers = state[in_state.HAND + seat] >> (13 * state[in_state.TRUMP])
        trumps = popcount(numbers & COLOUR)
    bids[BID_TRUMPS * room + row] = trumps


@inlined
def note_play(lookup: Ints, state: Ints, counts: Ints, plays: Ints8, seat: int) -> None:
    """Notes the face that this seat has just played."""
    players = lookup[in_lookup.PLAYERS]
    room = counts[ROOM + PLAYS]
    row = counts[PLAYS]
    place = state[in_state.FACES_PLAYED] - 1
    face = state[in_state.HISTORY + place]
    plays[PLAY_PLACE * room + row] = state[in_state.ROUND]
    plays[PLAY_TRICK * room + row] = place // players
    plays[PLAY_ORDER * room + row] = place % players
    plays[PLAY_SEAT * room + row] = seat
    plays[PLAY_FACE * room + row] = face
    trump = state[in_state.TRUMP]
    plays[PLAY_IS_TRUMP * room + row] = (
        1 if trump < codes.NO_TRUMP and lookup[in_lookup.DEMAND_OF_FACE + face] == trump else 0
    )
    plays[PLAY_TAKES * room + row] = 0
    counts[PLAYS] = row + 1


@inlined
def note_taker(lookup: Ints, state: Ints, counts: Ints, plays: Ints8) -> None:
    """Notes which face has just taken the trick: the one of the seat that leads next."""
    room = counts[ROOM + PLAYS]
    for back in range(lookup[in_lookup.PLAYERS]):
        row = counts[PLAYS] - 1 - back
        if plays[PLAY_SEAT * room + row] == state[in_state.LEADER]:
            plays[PLAY_TAKES * room + row] = 1


@inlined
def tricks_taken(lookup: Ints, state: Ints) -> int:
    """How many tricks all seats have taken; a bombed trick is nobody's (X5)."""
    taken = 0
    for seat in range(lookup[in_lookup.PLAYERS]):
        taken += state[in_state.TRICKS_WON + seat]
    return taken


@jit
def note_step(
    lookup: Ints, state: Ints, counts: Ints, rounds: Ints32, bids: Ints32, plays: Ints8, passes: Ints32,
    number: int, action: int,
) -> None:  # fmt: skip
    """Takes a step, and notes it."""
    seat = state[in_state.TURN]
    phase = state[in_state.PHASE]
    played = state[in_state.FACES_PLAYED]
    left = state[in_state.TRICKS_LEFT]
    taken = tricks_taken(lookup, state)
    if phase == codes.BIDDING:
        note_bid(lookup, state, counts, bids)
    elif phase == codes.NAMING_TRUMP:
        rounds[ROUND_NAMED_BY * counts[ROOM + ROUNDS] + counts[ROUNDS]] = seat
    elif phase == codes.PASSING:
        room = counts[ROOM + PASSES]
        row = counts[PASSES]
        passes[PASS_GAME * room + row] = number
        passes[PASS_PLACE * room + row] = state[in_state.ROUND]
        passes[PASS_TRICK * room + row] = state[in_state.HAND_SIZE] - left - 1
        passes[PASS_SEAT * room + row] = seat
        passes[PASS_KIND * room + row] = action
        counts[PASSES] = row + 1
    step(lookup, state, action)
    if state[in_state.FACES_PLAYED] > played:
        note_play(lookup, state, counts, plays, seat)
    if state[in_state.TRICKS_LEFT] < left and tricks_taken(lookup, state) > taken:
        note_taker(lookup, state, counts, plays)


@jit
def note_scores(
    lookup: Ints, state: Ints, counts: Ints, rounds: Ints32, bids: Ints32, number: int
) -> None:
    """Notes the round that was just scored."""
    players = lookup[in_lookup.PLAYERS]
    room = counts[ROOM + ROUNDS]
    row = counts[ROUNDS]
    rounds[ROUND_GAME * room + row] = number
    rounds[ROUND_PLACE * room + row] = state[in_state.ROUND]
    rounds[ROUND_CARDS * room + row] = state[in_state.HAND_SIZE]
    rounds[ROUND_DEALER * room + row] = state[in_state.DEALER]
    rounds[ROUND_TURNED_UP * room + row] = state[in_state.TURNED_UP]
    rounds[ROUND_TRUMP * room + row] = state[in_state.TRUMP]
    rounds[ROUND_WEREWOLF * room + row] = state[in_state.WEREWOLF_SEAT]
    rounds[ROUND_CLOUD * room + row] = state[in_state.CLOUD_SEAT]
    rounds[ROUND_CHANGE * room + row] = state[in_state.BID_CHANGE]
    counts[ROUNDS] = row + 1
    room = counts[ROOM + BIDS]
    for seat in range(players):
        row = counts[BIDS] + seat
        made = state[in_state.BID + seat]
        bids[BID_GAME * room + row] = number
        bids[BID_PLACE * room + row] = state[in_state.ROUND]
        bids[BID_SEAT * room + row] = seat
        bids[BID_MADE * room + row] = made
        bids[BID_FINAL * room + row] = made
        if seat == state[in_state.CLOUD_SEAT]:
            bids[BID_FINAL * room + row] = made + state[in_state.BID_CHANGE]
        bids[BID_TRICKS * room + row] = state[in_state.TRICKS_WON + seat]
        bids[BID_POINTS * room + row] = state[in_state.ROUND_POINTS + seat]
        bids[BID_TOTAL * room + row] = state[in_state.SCORE + seat]
    counts[BIDS] += players


@jit
def note_batch(
    lookup: Ints, state: Ints, rng: Ints, deck: Ints, policy_words: Ints, policies: Ints, counts: Ints,
    rounds: Ints32, bids: Ints32, plays: Ints8, passes: Ints32, seed: int, first: int, count: int,
) -> None:  # fmt: skip
    """Plays `count` games, beginning with number `first`, each seat by its policy, and notes them."""
    for number in range(first, first + count):
        begin_game(lookup, state, rng, deck, seed, number)
        while state[in_state.PHASE] != codes.GAME_OVER:
            shuffle(lookup, state, rng, deck)
            deal(lookup, state, deck)
            rounds[ROUND_NAMED_BY * counts[ROOM + ROUNDS] + counts[ROUNDS]] = codes.NOBODY
            while state[in_state.PHASE] < codes.DEALING:
                policy = policies[state[in_state.TURN]]
                action = chosen(lookup, state, rng, policy_words, policy)
                note_step(lookup, state, counts, rounds, bids, plays, passes, number, action)
            note_scores(lookup, state, counts, rounds, bids, number)


class NotedGames:
    """Room for the tables of a batch; after `note_games`, the tables."""

    def __init__(self, tables: Tables, first: int, count: int) -> None:
        self.tables, self.first, self.count = tables, first, count
        words, players = tables.words, tables.players
        sizes = [int(words[in_lookup.HAND_SIZES + place]) for place in range(len(tables.numbers))]
        self.counts = ints(COUNTS)
        rounds = count * len(sizes)
        for table, rows in (
            (ROUNDS, rounds),
            (BIDS, rounds * players),
            (PLAYS, count * players * sum(sizes)),
            (PASSES, rounds * players),  # one Juggler, so one pass in a round
        ):
            self.counts[ROOM + table] = rows
        self.rounds = self._columns(ROUNDS, ROUND_COLUMNS, 4)
        self.bids = self._columns(BIDS, BID_COLUMNS, 4)
        self.plays = self._columns(PLAYS, PLAY_COLUMNS, 1)
        self.passes = self._columns(PASSES, PASS_COLUMNS, 4)

    def _columns(self, table: int, columns: int, size: int) -> Ints:
        return narrow_ints(bytes(int(self.counts[ROOM + table]) * columns * size), size)

    def rows(self, table: int) -> int:
        """How many rows of a table are noted."""
        return int(self.counts[table])


def note_games(
    tables: Tables, first: int, count: int, *, seed: int, policies: list[int], words: Ints
) -> NotedGames:
    """The games with these numbers, each the same that `play_games` plays."""
    noted, room, by_seat = NotedGames(tables, first, count), GameArrays(), ints(codes.SEATS)
    for seat, policy in enumerate(policies):
        by_seat[seat] = policy
    note_batch(
        tables.words, room.state, room.rng, room.deck, words, by_seat, noted.counts,
        noted.rounds, noted.bids, noted.plays, noted.passes, seed, first, count,
    )  # fmt: skip
    return noted

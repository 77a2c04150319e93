"""Games that the kernel played, as values of the engine, ready to be written as records.

Playing each round again in the engine would be several times slower.  So a scored round is put together from parts.
The rules deal, and the engine makes the Werewolf's exchange and the Juggler's pass.  The kernel notes who played each
face and who took each trick.  Nothing is decided here.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from foretell.cards import Card, Face
from foretell.engine.actions import PassCard
from foretell.engine.game import Game, ScoredRound, new_game
from foretell.engine.round import Phase, Round, Trick, awaited, deal_round, round_points
from foretell.engine.round import step as engine_step
from foretell.kernel.backend.compiled import Ints, ints, jit
from foretell.kernel.bulk.playouts import GameArrays, begin_game
from foretell.kernel.bulk.policies import PLAIN_WORDS, chosen
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import COLOURS, FACE_LIST, kind_of
from foretell.kernel.state.random_numbers import shuffle
from foretell.kernel.state.tables import Tables
from foretell.kernel.state.turn_loop import deal, step
from foretell.rules import Deal

__all__ = ["played_game"]

# What is noted of a round: the seat of each face in HISTORY; by trick, who took it (or NOBODY), who leads next, and
# whether all seats passed a card after it (X7).
PLAYER = 0
TAKER = PLAYER + in_state.MOST_FACES
NEXT_LEADER = TAKER + codes.TRICK_COUNTS
IS_PASSED = NEXT_LEADER + codes.TRICK_COUNTS
NOTES = IS_PASSED + codes.TRICK_COUNTS


@jit
def play_noted_round(
    lookup: Ints, state: Ints, rng: Ints, policy_words: Ints, policies: Ints, notes: Ints
) -> None:
    """Plays the round to its end, each seat by its policy, and notes what the state does not keep."""
    tricks = 0
    while state[in_state.PHASE] < codes.DEALING:
        seat = state[in_state.TURN]
        played = state[in_state.FACES_PLAYED]
        left = state[in_state.TRICKS_LEFT]
        taken = 0
        for other in range(lookup[in_lookup.PLAYERS]):
            taken -= state[in_state.TRICKS_WON + other]
        step(lookup, state, chosen(lookup, state, rng, policy_words, policies[seat]))
        if state[in_state.FACES_PLAYED] > played:
            notes[PLAYER + played] = seat
        if state[in_state.TRICKS_LEFT] < left:
            for other in range(lookup[in_lookup.PLAYERS]):
                taken += state[in_state.TRICKS_WON + other]
            notes[TAKER + tricks] = state[in_state.LEADER] if taken > 0 else codes.NOBODY
            notes[NEXT_LEADER + tricks] = state[in_state.LEADER]
            notes[IS_PASSED + tricks] = 1 if state[in_state.PHASE] == codes.PASSING else 0
            tricks += 1


def _deal_of(tables: Tables, order: Ints, number: int, dealer: int) -> Deal:
    """What the rules deal from the deck in this order."""
    cards = [tables.deck[place] for place in _listed(order)[: len(tables.deck)]]

    def in_order(offered: Sequence[Card], seat: int | None) -> Sequence[Card]:
        own = len(offered)  # V6: the seats' own cards lie one after another
        return cards if seat is None else cards[seat * own : (seat + 1) * own]

    return tables.rules.deck.deal(in_order, tables.players, tables.peoples, number, dealer)


def _scored_round(tables: Tables, state: Ints, noted: Ints, dealt: Deal) -> Round:
    """The round that the kernel has just scored; of several Wizards in a hand, the first was played."""
    n = tables.players
    s, notes = _listed(state), _listed(noted)
    now, _ = deal_round(tables.rules, tables.numbers[s[in_state.ROUND]], s[in_state.DEALER], dealt)
    named_by = awaited(now)[0] if now.phase is Phase.TRUMP else None
    hands = [list(hand) for hand in now.hands]
    tricks: list[Trick] = []
    for number in range(s[in_state.HAND_SIZE]):
        places = range(number * n, (number + 1) * n)
        players = [notes[PLAYER + place] for place in places]
        faces = tuple(
            _played(hands[seat], s[in_state.HISTORY + place])
            for seat, place in zip(players, places, strict=True)
        )
        taker, next_leader = notes[TAKER + number], notes[NEXT_LEADER + number]
        winner = None if taker == codes.NOBODY else taker
        tricks.append(Trick(players[0], faces, winner, next_leader))
        if notes[IS_PASSED + number]:
            after = _passed(now, hands, tricks, s[in_state.PASSED_KIND : in_state.PASSED_KIND + n])
            hands, tricks = [list(hand) for hand in after.hands], list(after.tricks)
    return replace(
        now,
        phase=Phase.SCORED,
        hands=((),) * n,
        bids=tuple(s[in_state.BID : in_state.BID + n]),
        won=tuple(s[in_state.TRICKS_WON : in_state.TRICKS_WON + n]),
        tricks=tuple(tricks),
        trump=COLOURS[s[in_state.TRUMP]],
        named_by=named_by,
        cloud_seat=None if s[in_state.CLOUD_SEAT] == codes.NOBODY else s[in_state.CLOUD_SEAT],
        change=s[in_state.BID_CHANGE] or None,
    )


def _listed(words: Ints) -> list[int]:
    """The words as a list of plain integers, which Python reads faster than an array."""
    return words.tolist() if hasattr(words, "tolist") else list(words)


def _held(hand: list[Card], kind: int) -> Card:
    return next(card for card in hand if kind_of(card) == kind)


def _played(hand: list[Card], number: int) -> Face:
    """Takes a card with the face of this number out of the hand, and returns its face."""
    face = FACE_LIST[number]
    assert face is not None
    card = _held(hand, kind_of(face.card))
    hand.remove(card)
    return face if card is face.card else card.faces[face.card.faces.index(face)]


def _passed(
    now: Round, hands: list[list[Card]], tricks: list[Trick], kinds: Sequence[int]
) -> Round:
    """X7: the round after the engine has passed a card of each of these kinds."""
    now = replace(
        now,
        phase=Phase.PASS,
        hands=tuple(tuple(hand) for hand in hands),
        passing=(None,) * len(hands),
        tricks=tuple(tricks),
    )
    for seat, (hand, kind) in enumerate(zip(hands, kinds, strict=True)):
        now, _ = engine_step(now, seat, PassCard(_held(hand, kind)))
    return now


def played_game(
    tables: Tables,
    number: int,
    *,
    seed: int = 0,
    policies: Sequence[int],
    words: Ints | None = None,
    names: Sequence[str] | None = None,
) -> Game:
    """The whole game that `play_games` plays under this number and seed."""
    lookup, n, room = tables.words, tables.players, GameArrays()
    policy_words = ints(PLAIN_WORDS) if words is None else words
    chosen_by, notes = ints(codes.SEATS), ints(NOTES)
    for seat, policy in enumerate(policies):
        chosen_by[seat] = policy
    begin_game(lookup, room.state, room.rng, room.deck, seed, number)
    rounds: list[Round] = []
    sheet: list[ScoredRound] = []
    while room.state[in_state.PHASE] != codes.GAME_OVER:
        shuffle(lookup, room.state, room.rng, room.deck)
        deal(lookup, room.state, room.deck)
        number_of_round = tables.numbers[room.state[in_state.ROUND]]
        dealt = _deal_of(tables, room.deck, number_of_round, int(room.state[in_state.DEALER]))
        play_noted_round(lookup, room.state, room.rng, policy_words, chosen_by, notes)
        now = _scored_round(tables, room.state, notes, dealt)
        rounds.append(now)
        totals = tuple(int(room.state[in_state.SCORE + seat]) for seat in range(n))
        sheet.append(
            ScoredRound(now.number, now.dealer, now.final_bids, now.won, round_points(now), totals)
        )
    called = names or [f"P{seat}" for seat in range(n)]
    game = new_game(tables.rules, called, first_dealer=number % n, peoples=tables.peoples)
    return replace(game, rounds=tuple(rounds), sheet=tuple(sheet))

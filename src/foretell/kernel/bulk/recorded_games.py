"""Games played in the kernel as values of the engine, ready to be written down.

A scored round is put together from its deal and its state, without playing it again: which card lay where is known
from the deal, who took a trick is asked of the rules.  `foretell check` plays every record through the engine anyway.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from foretell.cards import Card, Face
from foretell.engine.game import Game, ScoredRound, new_game
from foretell.engine.round import Phase, Round, Trick, round_points
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.bulk.playouts import GameArrays, begin_game, play_round
from foretell.kernel.bulk.policies import PLAIN_WORDS
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import shuffle
from foretell.kernel.state.tables import COLOURS, Tables, kind_of
from foretell.kernel.state.turn_loop import deal
from foretell.rules import Deal, Naming, has_bomb, has_juggler, trump_after, werewolf_holder

__all__ = ["deal_of_deck", "played_game", "scored_round"]


def deal_of_deck(tables: Tables, order: Ints, size: int, dealer: int) -> Deal:
    """The deal that `turn_loop.deal` gives from this order of the deck."""
    n, deck = tables.players, tables.deck
    own = int(tables.words[in_lookup.OWN_CARDS])
    if own:
        spans = [range(seat * own, seat * own + size) for seat in range(n)]
    else:
        spans = [range((seat - dealer - 1) % n, n * size, n) for seat in range(n)]
    hands = tuple(tuple(deck[order[place]] for place in span) for span in spans)
    is_left = not own and n * size < len(deck)
    return Deal(hands, deck[order[n * size]] if is_left else None)


def scored_round(tables: Tables, state: Ints, dealt: Deal) -> Round:
    """The round that has just been scored in the kernel, dealt so; of several Wizards the first held is played."""
    n, size, dealer = tables.players, int(state[in_state.HAND_SIZE]), int(state[in_state.DEALER])
    rules = tables.rules
    holder = werewolf_holder(dealt.hands)
    hands = [list(hand) for hand in dealt.hands]
    if holder is not None and dealt.turned_up is not None:
        wolf = next(card for card in hands[holder] if not card.faces)
        hands[holder][hands[holder].index(wolf)] = dealt.turned_up
    naming = trump_after(dealt.turned_up, dealer, holder)
    trump = COLOURS[state[in_state.TRUMP]]
    tricks: list[Trick] = []
    leader = (dealer + 1) % n
    for number in range(size):
        faces = tuple(
            _played(
                tables,
                hands[(leader + place) % n],
                int(state[in_state.HISTORY + number * n + place]),
            )
            for place in range(n)
        )
        best = (leader + rules.tricks.winning_place(faces, trump)) % n
        passed = None
        if has_juggler(faces) and number < size - 1:
            passed = _passed(hands, state)
        tricks.append(Trick(leader, faces, None if has_bomb(faces) else best, best, passed))
        leader = best
    return Round(
        rules=rules,
        number=tables.numbers[state[in_state.ROUND]],
        dealer=dealer,
        deal=dealt,
        phase=Phase.SCORED,
        hands=((),) * n,
        bids=tuple(int(state[in_state.BID + seat]) for seat in range(n)),
        won=tuple(int(state[in_state.TRICKS_WON + seat]) for seat in range(n)),
        tricks=tuple(tricks),
        werewolf=holder,
        trump=trump,
        named_by=naming.seat if isinstance(naming, Naming) else None,
        cloud_seat=None
        if state[in_state.CLOUD_SEAT] == codes.NOBODY
        else int(state[in_state.CLOUD_SEAT]),
        change=int(state[in_state.BID_CHANGE]) or None,
    )


def _taken(hand: list[Card], kind: int) -> Card:
    card = next(card for card in hand if kind_of(card) == kind)
    hand.remove(card)
    return card


def _played(tables: Tables, hand: list[Card], face: int) -> Face:
    kind = int(tables.words[in_lookup.KIND_OF_FACE + face])
    return _taken(hand, kind).faces[face - int(tables.words[in_lookup.FIRST_FACE + kind])]


def _passed(hands: list[list[Card]], state: Ints) -> tuple[Card, ...]:
    given = tuple(
        _taken(hand, int(state[in_state.PASSED_KIND + seat])) for seat, hand in enumerate(hands)
    )
    for seat, card in enumerate(given):
        hands[(seat + 1) % len(hands)].append(card)
    return given


def played_game(
    tables: Tables,
    number: int,
    *,
    seed: int = 0,
    policies: Sequence[int],
    words: Ints | None = None,
    names: Sequence[str] | None = None,
) -> Game:
    """The game with this number of `play_games`, whole."""
    lookup, n, room = tables.words, tables.players, GameArrays()
    policy_words = ints(PLAIN_WORDS) if words is None else words
    chosen_by = ints(codes.SEATS)
    for seat, policy in enumerate(policies):
        chosen_by[seat] = policy
    begin_game(lookup, room.state, room.rng, room.deck, seed, number)
    rounds: list[Round] = []
    sheet: list[ScoredRound] = []
    while room.state[in_state.PHASE] != codes.GAME_OVER:
        shuffle(lookup, room.state, room.rng, room.deck)
        deal(lookup, room.state, room.deck)
        size, dealer = int(room.state[in_state.HAND_SIZE]), int(room.state[in_state.DEALER])
        dealt = deal_of_deck(tables, room.deck, size, dealer)
        play_round(lookup, room.state, room.rng, policy_words, chosen_by)
        now = scored_round(tables, room.state, dealt)
        rounds.append(now)
        totals = tuple(int(room.state[in_state.SCORE + seat]) for seat in range(n))
        sheet.append(
            ScoredRound(now.number, now.dealer, now.final_bids, now.won, round_points(now), totals)
        )
    called = names or [f"P{seat}" for seat in range(n)]
    game = new_game(tables.rules, called, first_dealer=number % n, peoples=tables.peoples)
    return replace(game, rounds=tuple(rounds), sheet=tuple(sheet))

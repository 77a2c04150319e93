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
from foretell.kernel.bulk.playouts import Games, begin_game, play_round
from foretell.kernel.bulk.policies import PLAIN_WORDS
from foretell.kernel.state import layout as at
from foretell.kernel.state.chance import shuffle
from foretell.kernel.state.tables import COLOURS, Tables, kind_of
from foretell.kernel.state.turn_loop import deal
from foretell.rules import Deal, Naming, exchange_in, is_nobodys, pass_after, trump_after

__all__ = ["deal_of_deck", "played_game", "scored_round"]


def deal_of_deck(tables: Tables, order: Ints, size: int, dealer: int) -> Deal:
    """The deal that `core.deal` gives from this order of the deck."""
    n, deck = tables.players, tables.deck
    own = int(tables.words[at.OWN_CARDS])
    if own:
        spans = [range(seat * own, seat * own + size) for seat in range(n)]
    else:
        spans = [range((seat - dealer - 1) % n, n * size, n) for seat in range(n)]
    hands = tuple(tuple(deck[order[place]] for place in span) for span in spans)
    is_left = not own and n * size < len(deck)
    return Deal(hands, deck[order[n * size]] if is_left else None)


def scored_round(tables: Tables, s: Ints, dealt: Deal) -> Round:
    """The round that has just been scored in the kernel, dealt so; of several Wizards the first held is played."""
    n, size, dealer = tables.players, int(s[at.HAND_SIZE]), int(s[at.DEALER])
    rules = tables.rules
    exchange = exchange_in(dealt.hands)
    hands = [list(hand) for hand in dealt.hands]
    if exchange is not None and dealt.turned_up is not None:
        own = exchange.hand_after(hands[exchange.seat], dealt.turned_up)
        hands[exchange.seat] = list(own)
    naming = trump_after(dealt.turned_up, dealer, exchange)
    trump = COLOURS[s[at.TRUMP]]
    tricks: list[Trick] = []
    leader = (dealer + 1) % n
    for number in range(size):
        faces = tuple(
            _played(tables, hands[(leader + place) % n], int(s[at.HISTORY + number * n + place]))
            for place in range(n)
        )
        best = (leader + rules.tricks.winning_place(faces, trump)) % n
        passed = None
        if pass_after(faces) is not None and number < size - 1:
            passed = _passed(hands, s)
        tricks.append(Trick(leader, faces, None if is_nobodys(faces) else best, best, passed))
        leader = best
    return Round(
        rules=rules,
        number=tables.numbers[s[at.ROUND]],
        dealer=dealer,
        deal=dealt,
        phase=Phase.SCORED,
        hands=((),) * n,
        bids=tuple(int(s[at.BID + seat]) for seat in range(n)),
        won=tuple(int(s[at.WON + seat]) for seat in range(n)),
        tricks=tuple(tricks),
        exchange=exchange,
        trump=trump,
        named_by=naming.seat if isinstance(naming, Naming) else None,
        cloud_seat=None if s[at.CLOUD] == at.NOBODY else int(s[at.CLOUD]),
        change=int(s[at.CHANGE]) or None,
    )


def _taken(hand: list[Card], kind: int) -> Card:
    card = next(card for card in hand if kind_of(card) == kind)
    hand.remove(card)
    return card


def _played(tables: Tables, hand: list[Card], face: int) -> Face:
    kind = int(tables.words[at.KIND_OF + face])
    return _taken(hand, kind).faces[face - int(tables.words[at.FIRST_FACE + kind])]


def _passed(hands: list[list[Card]], s: Ints) -> tuple[Card, ...]:
    given = tuple(_taken(hand, int(s[at.PASSED + seat])) for seat, hand in enumerate(hands))
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
    t, n, room = tables.words, tables.players, Games()
    w = ints(PLAIN_WORDS) if words is None else words
    chosen_by = ints(at.SEATS)
    for seat, policy in enumerate(policies):
        chosen_by[seat] = policy
    begin_game(t, room.s, room.g, room.deck, seed, number)
    rounds: list[Round] = []
    sheet: list[ScoredRound] = []
    while room.s[at.PHASE] != at.OVER:
        shuffle(t, room.s, room.g, room.deck)
        deal(t, room.s, room.deck)
        size, dealer = int(room.s[at.HAND_SIZE]), int(room.s[at.DEALER])
        dealt = deal_of_deck(tables, room.deck, size, dealer)
        play_round(t, room.s, room.g, w, chosen_by)
        now = scored_round(tables, room.s, dealt)
        rounds.append(now)
        totals = tuple(int(room.s[at.SCORE + seat]) for seat in range(n))
        sheet.append(
            ScoredRound(now.number, now.dealer, now.final_bids, now.won, round_points(now), totals)
        )
    called = names or [f"P{seat}" for seat in range(n)]
    game = new_game(tables.rules, called, first_dealer=number % n, peoples=tables.peoples)
    return replace(game, rounds=tuple(rounds), sheet=tuple(sheet))

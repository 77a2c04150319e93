"""What holds at every moment of every game, whatever the rules."""

from collections import Counter

from foretell.cards import Card
from foretell.engine import Game, Round, Trick, awaited_seats, legal_actions, view


def has(trick: Trick, name: str) -> bool:
    """Whether this special card lies in the trick; told by its name, and not by what its module says of it."""
    return name in [face.card.code for face in trick.faces]


def bombed(now: Round) -> int:
    return sum(has(trick, "BOMB") for trick in now.tricks)


def dealt_cards(now: Round) -> Counter[Card]:
    """What the hands and the tricks are made of: the deal, with the Werewolf exchanged (X6)."""
    held = Counter(card for hand in now.deal.hands for card in hand)
    wolves = Counter(card for card in held if not card.faces)
    if wolves and now.deal.turned_up is not None:
        held = held - wolves + Counter([now.deal.turned_up])
    return held


def cards_are_conserved(now: Round) -> None:
    lying = [trick for trick in (*now.tricks, now.trick) if trick is not None]
    shown = Counter(face.card for trick in lying for face in trick.faces)
    held = Counter(card for hand in now.hands for card in hand)
    assert held + shown == dealt_cards(now)
    assert max((held + shown).values()) == 1
    for seat, hand in enumerate(now.hands):
        has_played = now.trick is not None and (
            (seat - now.trick.leader) % now.seats < len(now.trick.faces)
        )
        assert len(hand) == now.hand_size - len(now.tricks) - has_played


def tricks_add_up(now: Round) -> None:
    """With the Bomb one fewer (X5)."""
    assert sum(now.won) + bombed(now) == len(now.tricks) <= now.hand_size
    assert bombed(now) <= 1
    for seat, won in enumerate(now.won):
        assert won == sum(trick.winner == seat for trick in now.tricks)


def leads_follow_wins(now: Round) -> None:
    """P1, X5."""
    leader = (now.dealer + 1) % now.seats
    for trick in (*now.tricks, *((now.trick,) if now.trick else ())):
        assert trick.leader == leader
        if trick.next_leader is not None:
            leader = trick.next_leader
            assert trick.winner == (None if has(trick, "BOMB") else leader)


def someone_can_act(game: Game) -> None:
    """Until the end a deal is awaited, or a seat; and a seat that is awaited has something to do."""
    awaited = awaited_seats(game)
    assert [game.is_over, game.awaits_deal, bool(awaited)].count(True) == 1
    for seat in range(game.seats):
        actions = legal_actions(game, seat)
        assert bool(actions) == (seat in awaited)
        assert len(set(actions)) == len(actions)


def points_are_right(game: Game) -> None:
    """S1-S4, X8, reckoned anew."""
    totals = [0] * game.seats
    for one, shown in zip(game.rounds, game.totals, strict=False):
        takers = [t.winner for t in one.tricks if has(t, "CLOUD") and not has(t, "BOMB")]
        assert (one.change is not None) == bool(takers)
        for seat, bid in enumerate(one.bids):
            assert bid is not None
            final = bid + (one.change or 0) if takers == [seat] else bid
            assert 0 <= final <= one.hand_size
            missed = abs(final - one.won[seat])
            totals[seat] += -10 * missed if missed else 20 + 10 * final
        assert tuple(totals) == shown
    if game.is_over:
        assert game.winners == tuple(s for s, t in enumerate(totals) if t == max(totals))


def actions_of(now: Round) -> int:
    """How many actions a finished round took: naming, bids, plays, passes, the Cloud's change."""
    passes = sum(has(trick, "JUGGLER") for trick in now.tricks[:-1])
    turns = now.seats * (1 + now.hand_size + passes)
    return turns + (now.named_by is not None) + (now.change is not None)


def views_agree(game: Game) -> None:
    """A view tells a seat what it may do, and all of them the same of what is public."""
    spectator = view(game, None)
    assert spectator.legal == ()
    assert spectator.decision is None
    for seat in range(game.seats):
        seen = view(game, seat)
        assert seen.legal == legal_actions(game, seat)
        assert (seen.decision is not None) == (seat in awaited_seats(game))
        assert (seen.awaited, seen.phase) == (spectator.awaited, spectator.phase)
        assert (seen.totals, seen.sheet) == (spectator.totals, spectator.sheet)


def check(game: Game) -> None:
    """All that holds of the game itself."""
    someone_can_act(game)
    points_are_right(game)
    if game.now is not None:
        cards_are_conserved(game.now)
        tricks_add_up(game.now)
        leads_follow_wins(game.now)

"""Games for the tests of the pad: any rules and players, played by the engine and written on a pad."""

from random import Random

from hypothesis import strategies as st

from foretell.engine import Game, act, awaited_seats, deal, legal_actions, new_game
from foretell.rules import Rules
from foretell.scorepad import Bid, Cloud, Pad, Tricks, enter, new_pad
from tables import NAMES, every_rules, head_counts, last_round, rich, with_rounds

__all__ = ["NAMES", "padded", "played", "short_games"]


@st.composite
def short_games(draw: st.DrawFn) -> tuple[Rules, int]:
    """Any allowed rules and a number of players; up to four rounds, so that many games can be tried."""
    rules = draw(st.sampled_from(every_rules()))
    players = draw(st.sampled_from(head_counts(rules)))
    numbers = st.integers(1, last_round(rules, players))
    rounds = draw(st.sets(numbers, min_size=1, max_size=4))
    return with_rounds(rules, *sorted(rounds)), players


def played(rules: Rules, players: int, seed: int, first_dealer: int = 0) -> Game:
    """A whole game of random actions, on the engine."""
    random = Random(seed)
    game = new_game(rules, NAMES[:players], first_dealer=first_dealer)
    dealing = rich(seed)
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat = random.choice(awaited_seats(game))
        game, _ = act(game, seat, random.choice(legal_actions(game, seat)))
    return game


def padded(game: Game, random: Random) -> Pad:
    """The same game on a pad, with the entries in a random order that the rules allow."""
    pad = new_pad(game.names, game.rules, first_dealer=game.first_dealer)
    for one in game.rounds:
        while None in (*pad.round(one.number).bids, *pad.round(one.number).won):
            now = pad.round(one.number)
            told: list[Bid | Tricks] = [Bid(seat, one.bids[seat] or 0) for seat in now.bidders]
            told += [Tricks(seat, one.won[seat]) for seat in now.counters]
            pad = enter(pad, random.choice(told))
        if not pad.round(one.number).is_scored:
            pad = enter(pad, Cloud(one.cloud_seat, one.change or 0))
    return pad

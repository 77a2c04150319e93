"""Tables for the tests of the pad: rules of every allowed combination, and games that the engine has played by them."""

from random import Random

from hypothesis import strategies as st

from foretell.cards import SPECIALS
from foretell.deals import seeded
from foretell.engine import Game, act, awaited_seats, deal, legal_actions, new_game
from foretell.rules import Rules
from foretell.rules.presets import preset
from foretell.scorepad import Bid, Cloud, Pad, Tricks, enter, new_pad

NAMES = ("Ana", "Bruno", "Carla", "Dora", "Emil", "Frieda")


@st.composite
def rule_sets(draw: st.DrawFn) -> tuple[Rules, int]:
    """Rules and a number of players that they have a game for; a few rounds, so that many games can be tried."""
    bids = draw(st.sampled_from(["open", "hidden", "secret"]))
    kind = draw(st.sampled_from(["plain", "specials", "specials", "foresight", "unicolor"]))
    specials = [str(one) for one in SPECIALS if one not in ("DRAGON", "FAIRY")]
    chosen: set[str] = draw(st.sets(st.sampled_from(specials))) if kind == "specials" else set()
    if kind == "specials" and draw(st.booleans()):
        chosen |= {"DRAGON", "FAIRY"}
    players = draw(st.integers(3, 4 if kind == "unicolor" else 6))
    last = 12 if kind == "unicolor" else 60 // players
    rounds = draw(st.sets(st.integers(1, last), min_size=1, max_size=4))
    foresight = draw(st.sampled_from(["first_round", "every_round"]))
    rules = preset(
        "pt-BR",
        bids=bids,
        plus_minus_one=bids == "open" and draw(st.booleans()),
        foresight=foresight if kind == "foresight" else "none",
        unicolor=kind == "unicolor",
        specials=tuple(chosen),
        rounds=tuple(sorted(rounds)),
    )
    return rules, players


def played(rules: Rules, players: int, seed: int, first_dealer: int = 0) -> Game:
    """A whole game of random actions, on the engine."""
    random = Random(seed)
    game = new_game(rules, NAMES[:players], first_dealer=first_dealer)
    dealing = seeded(seed)
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat = random.choice(awaited_seats(game))
        game, _ = act(game, seat, random.choice(legal_actions(game, seat)))
    return game


def padded(game: Game, random: Random) -> Pad:
    """The same game as a scribe would write it, in any order that the rules leave free."""
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

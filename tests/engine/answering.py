"""The nets' answers in positions of all kinds of rule sets; run by this Python, and by the engine in Node.

Each line is the position's rules, and numbers made from every bit of the answers: of the large net, of the small one, of
the chances that follow from them, of worlds drawn by the belief net, and of what the value net says of them after one trick.
"""

import itertools
import json
import sys
import zlib
from collections.abc import Iterator
from random import Random
from typing import Any

from foretell.bots.net.beliefs import can_believe
from foretell.bots.net.candidates import Position
from foretell.bots.net.net_search import Worlds
from foretell.bots.net.playing_out import evaluate_state
from foretell.deals import seeded
from foretell.engine import View, act, awaited_seats, deal, new_game, view
from foretell.errors import RulesClash
from foretell.kernel import BACKEND
from foretell.rules import Rules

# X3 and X4 go in together or not at all (C4).
SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
BIDS, FORESIGHT = ("open", "hidden", "secret"), ("none", "first_round", "every_round")
YES_OR_NO = (False, True)


def rule_sets() -> Iterator[Rules]:
    """All that go together, of the choices above and a few sets of special cards."""
    some = ((), SPECIALS[:2], *((one,) for one in SPECIALS[2:]), SPECIALS[:3], SPECIALS)
    for specials, *picked in itertools.product(
        some, BIDS, FORESIGHT, YES_OR_NO, YES_OR_NO, ("free", "barred")
    ):
        keys = ("bids", "foresight", "plus_minus_one", "unicolor", "wizards_on_trump")
        chosen: dict[str, Any] = dict(zip(keys, picked, strict=True))
        try:
            yield Rules("pt-BR" if specials else "pt-PT", specials=specials, rounds=(6,), **chosen)
        except RulesClash:
            continue


def a_position(rules: Rules, players: int, random: Random) -> View | None:
    """A choice somewhere in a round of random play."""
    game = new_game(rules, [f"P{seat}" for seat in range(players)])
    game, _ = deal(game, seeded(random.getrandbits(32))(game))
    found = None
    for _ in range(random.randrange(1, 6 * players)):
        seat = awaited_seats(game)[0]
        seen = view(game, seat)
        found = seen if len(seen.legal) > 1 else found
        game, _ = act(game, seat, random.choice(seen.legal))
        if game.is_over:
            break
    return found


def answers(seen: View) -> list[object]:
    """Numbers that differ as soon as one bit of an answer differs."""
    position, found = Position(seen), []
    for arrays in (position.arrays, position.quick):
        evaluate_state(position.lookup, position.state, *arrays)
        found.append(checked(arrays.desk))
    candidates = position.candidates(seen, 0.0, 99)
    chances = [one.chance.hex() for one in candidates]
    worlds = Worlds(seen, position, 4, 7)
    drawn = []
    for _ in range(3):
        world = worlds.next()
        drawn += [checked(world), checked([position.value(one, world, 1) for one in candidates])]
    return [*found, zlib.crc32(" ".join(chances).encode()), can_believe(worlds.hidden), *drawn]


def checked(words: object) -> int:
    return zlib.crc32(",".join(str(word) for word in words).encode())  # type: ignore[attr-defined]


def main() -> None:
    found, random = [], Random(5)
    for number, rules in enumerate([*rule_sets()] * 4):
        players = 3 + number // 7 % (2 if rules.unicolor else 4)
        seen = a_position(rules, players, random)
        if seen is not None:
            found.append([repr(rules), players, *answers(seen)])
    print(json.dumps([sys.platform, BACKEND, found]))


if __name__ == "__main__":
    main()

"""The levels: each plays every rule set, the same for the same seed, and knows no more than its view."""

import subprocess
import sys
import threading
import time
from dataclasses import replace
from random import Random

import pytest

from foretell.bots import BOTS, LEVELS, bot
from foretell.bots.conformance import Unfit, check
from foretell.bots.levels import CLOCKED, UNUSUAL_BIDDERS, clocked
from foretell.bots.search.situation import situation
from foretell.engine import Action, View, view
from foretell.errors import Unreadable
from foretell.i18n import catalogue
from foretell.rules import Rules
from secrecy.reshuffling import reshuffled, retold
from secrecy.test_secrecy import TABLES
from tables import PROVING, dealt, setup_by_lot, told


def test_there_are_at_least_five_and_each_has_a_description() -> None:
    assert len(LEVELS) >= 5
    for name in BOTS:
        assert catalogue().say(f"bot.{name}.about").endswith(".")


def test_the_kernel_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, foretell.bots, foretell.coach; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "name", [*LEVELS, "net"] if PROVING else ["beginner", "casual", "skilled", "net"]
)
def test_a_level_conforms(name: str) -> None:
    report = check(bot(name), games=10 if PROVING else 1)
    assert report.choices > 1000


def test_the_strongest_conforms_in_few_worlds() -> None:
    """Its closer model of the others works in every rulebook and variant."""
    few = replace(clocked(f"{CLOCKED}1"), seconds=None, worlds=8)
    assert check(few, games=1).choices > 1000


class Peeks:
    """Takes chance from elsewhere."""

    def choose(self, view: View, random: Random) -> Action:
        import random as elsewhere

        return elsewhere.choice(view.legal)


class Stubborn:
    """Plays its first action of the game for ever."""

    def __init__(self) -> None:
        self.first: Action | None = None

    def choose(self, view: View, random: Random) -> Action:
        self.first = self.first or view.legal[0]
        return self.first


@pytest.mark.parametrize("bad", [Peeks, Stubborn])
def test_a_bot_that_does_not_conform_is_refused(bad: type) -> None:
    with pytest.raises(Unfit):
        check(bad())


@pytest.mark.parametrize("name", [*LEVELS, "flat", "net", *UNUSUAL_BIDDERS])
@pytest.mark.parametrize("table", sorted(TABLES))
def test_what_a_seat_cannot_see_changes_no_choice(table: str, name: str) -> None:
    random = Random(f"{table}/{name}")
    tried = 0
    for number in range(60 if PROVING else 12):
        setup = setup_by_lot(number, TABLES[table])
        game, _ = retold(setup.start(), list(setup.happenings()))
        for seat in range(game.seats):
            seen = view(game, seat)
            if len(seen.legal) < 2 or tried > 8:
                continue
            other, _ = retold(setup.start(), reshuffled(setup, seat, random))
            player = bot(name)
            assert player.choose(seen, Random(3)) == player.choose(view(other, seat), Random(3))
            tried += 1
    assert tried


def test_a_clock_ends_the_thought() -> None:
    seen = view(dealt(*_FULL, turned_up="R5"), 0)
    bot("champion@0.05").choose(seen, Random(0))  # compiled
    started = time.perf_counter()
    assert bot("champion@0.05").choose(seen, Random(0)) in seen.legal
    assert time.perf_counter() - started < 2
    with pytest.raises(Unreadable):
        bot("champion@soon")


def test_a_thought_can_be_cancelled_from_another_thread() -> None:
    seen = view(dealt(*_FULL, turned_up="R5"), 0)
    player = bot("champion@30")
    threading.Timer(0.2, player.cancel).start()  # type: ignore[attr-defined]
    started = time.perf_counter()
    assert player.choose(seen, Random(0)) in seen.legal
    assert time.perf_counter() - started < 10


_FULL = (
    "R1 R9 R12 G3 G8 B4 Y13",
    "R2 R3 R4 G1 G2 B1 B2",
    "Y1 Y2 Y3 Y4 Y5 B8 B9",
    "ZB ZR NB NR G4 G5 G6",
)


def test_rules_reach_the_search() -> None:
    """Plus/minus one: the last bidder is not offered the barred bid, and does not choose it."""
    game = dealt("R1", "G1", "ZB", turned_up="B5", plus_minus_one=True)
    game = told(game, "bid 0", "bid 0")
    seen = view(game, 2)
    assert str(bot("skilled").choose(seen, Random(0))) == "bid 0"
    assert isinstance(seen.rules, Rules)


def test_only_cards_that_amount_to_the_same_are_one_candidate() -> None:
    """R8 and R9 are one, since no card lies between them; in unicolor, cards of the others may lie between them."""
    base = told(
        dealt("R8 R9 R12", "G1 G2 G3", "Y1 Y2 Y3", turned_up="B5"), "bid 1", "bid 0", "bid 0"
    )
    assert [len(one.actions) for one in situation(view(base, 0)).candidates] == [2, 1]
    hands = ("B8 B9 B12 B13", "R1 R2 R3 R4", "G1 G2 G3 G4")
    alike = told(dealt(*hands, unicolor=True), "bid 1", "bid 0", "bid 0")
    assert len(situation(view(alike, 0)).candidates) == 4

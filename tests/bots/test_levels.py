"""The levels: each plays every rule set, the same for the same seed, and knows no more than its view."""

import subprocess
import sys
import threading
import time
from random import Random

import pytest

from foretell.bots import BOTS, LEVELS, bot
from foretell.bots.conformance import Unfit, check
from foretell.bots.levels import NETS
from foretell.bots.net.weights import shipped, shipped_belief, shipped_small, shipped_value
from foretell.engine import Action, View, view
from foretell.errors import Unreadable
from foretell.i18n import catalogue
from foretell.kernel.backend.compiled import IS_COMPILED
from secrecy.reshuffling import reshuffled, retold
from secrecy.test_secrecy import TABLES
from tables import PROVING, dealt, setup_by_lot


def test_there_are_at_least_five_and_each_has_a_description() -> None:
    assert len(LEVELS) >= 5
    for name in BOTS:
        assert catalogue().say(f"bot.{name}.about").endswith(".")


def test_the_kernel_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, foretell.bots, foretell.coach; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.prove
@pytest.mark.parametrize(
    "name", list(LEVELS)[:-1] if PROVING else ["beginner", "skilled", "master"]
)
def test_a_level_conforms(name: str) -> None:
    report = check(bot(name), games=10 if PROVING else 1)
    assert report.choices > 1000


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


@pytest.mark.prove
@pytest.mark.parametrize("name", list(LEVELS)[:-1])
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


@pytest.mark.skipif(not IS_COMPILED, reason="in plain Python the strongest level does not search")
@pytest.mark.parametrize("name", LEVELS)
def test_a_level_reads_the_nets_that_it_names_and_no_other(name: str) -> None:
    """A browser loads these files alone for it."""
    files = {
        "weights.bin": shipped,
        "small.bin": shipped_small,
        "belief.bin": shipped_belief,
        "value.bin": shipped_value,
    }
    for read in files.values():
        read.cache_clear()
    player = bot(name)
    player.choose(view(dealt(*_FULL, turned_up="R5"), 0), Random(0))
    assert {file for file, read in files.items() if read.cache_info().currsize} == set(NETS[name])


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

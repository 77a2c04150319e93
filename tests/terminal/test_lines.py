"""`foretell play` with typed input: whole games of every kind, with wrong input in between."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from foretell import preset
from foretell.cards import CARDS
from foretell.cli import main
from foretell.client import random_word
from foretell.engine import Game
from foretell.i18n import catalogue
from foretell.record import Record, loads
from foretell.rules import Rules
from foretell.server.table.seating import BOT_NAMES
from foretell.server.wire.protocol import NewTable, TableOptions
from foretell.terminal.alone import play_alone
from foretell.terminal.lines import Left, Lines
from foretell.terminal.table_questions import asked_table

ALL = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
TABLES = {
    "open bids": (preset("pt-PT", rounds=(1, 5, 20)), 3),
    "plus/minus one": (preset("es", plus_minus_one=True, rounds=(1, 2, 6)), 4),
    "hidden bids, foresight": (
        preset("hu", bids="hidden", foresight="every_round", rounds=(1, 4)),
        5,
    ),
    "secret bids, unicolor": (preset("hu", bids="secret", unicolor=True, rounds=(1, 12)), 3),
    "every special card": (
        preset("pt-BR", bids="secret", specials=ALL, rounds=(3, 9, 10, 11, 12)),
        5,
    ),
    "the French rule": (preset("fr", rounds=(2, 8)), 6),
}
CODES = list(CARDS)  # typed one after the other, until the card in the hand is among them
NONSENSE = [
    "",
    "fair",
    "help",
    "sheet",
    "last",
    "table",
    "X9",
    "bid 99",
    "-1",
    "R",
    "play",
    "ZZ",
    "JUGGLER:Q",
    "wizard!",
    "0.5",
]


class Person:
    """Types nonsense now and then, and otherwise a legal action, in one of the ways in which people write it."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: Lines
        self.asked = 0

    def __call__(self, question: str) -> str:
        self.asked += 1
        if "as what?" in question:
            return question.rpartition("(")[2].partition(",")[0].lower()
        if self.random.random() < 0.3:
            return self.random.choice(NONSENSE)
        assert self.lines.seen is not None
        chosen = self.random.choice(self.lines.seen.legal)
        text = str(chosen) if self.random.random() < 0.2 else str(chosen).partition(" ")[2]
        bare = text.partition(":")[0]
        return self.random.choice([text, text.lower(), bare.lower()])


@pytest.mark.parametrize("name", list(TABLES))
def test_a_whole_game_with_wrong_input_in_between(name: str) -> None:
    rules, seats = TABLES[name]
    person, shown = Person(Random(name)), list[str]()
    person.lines = Lines(catalogue(), person, shown.append)
    (game,) = played(person.lines, rules, seats, seed=2)
    assert game.is_over
    assert shown[-1].count("\n") >= len(game.numbers)
    last = person.lines.seen
    assert last is not None
    assert last.names == game.names == ("Ana", *BOT_NAMES[: seats - 1])


def played(lines: Lines, rules: Rules, seats: int, seed: int | None) -> list[Game]:
    options = TableOptions(
        rules=rules, seats=seats, bots=("counting",) * (seats - 1), bot_pause_ms=0
    )
    kept: list[Record] = []
    play_alone(lines, NewTable(name="Ana", options=options), seed, kept.append)
    assert all((one.fair is None) == (seed is not None) for one in kept)
    return [one.game for one in kept]


def test_without_a_seed_the_deals_are_checked() -> None:
    rules, seats = preset("pt-BR", specials=ALL, rounds=(1, 3)), 3
    person, shown = Person(Random("fair")), list[str]()
    person.lines = Lines(catalogue(), person, shown.append)
    (game,) = played(person.lines, rules, seats, seed=None)
    assert shown[0].startswith("The secret that decides the cards is fixed. Its commitment: ")
    assert len(shown[0].split()[-1]) == 64
    assert shown[1].startswith("Your word for the deals: ")
    assert shown[-1] == (
        "All 2 deals are fair: the server fixed its secret before anyone chose a word, "
        "and every card follows from it."
    )
    assert game.is_over


def test_the_record_of_a_game_in_the_terminal_proves_its_deals(tmp_path: Path) -> None:
    out = tmp_path / "game.jsonl"
    options = ["--players", "3", "--rounds", "1", "--word", "moon\tday", "--out", str(out)]
    typed = "fair\nhelp\nB\n0\n" + "\n".join(CODES)
    done = CliRunner().invoke(main, ["play", *options], input=typed)
    assert "The deal is fair: the server fixed its secret before anyone chose a word" in done.output
    record = loads(out.read_text("utf-8"))
    assert record.fair is not None
    assert record.fair.words[0].startswith("moon day ")
    assert f"The words of this game: {record.fair.words[0]} | – | –" in done.output


def test_a_word_of_ones_own_gets_random_digits() -> None:
    assert len(random_word("x" * 80)) == 64
    assert random_word("a\nb ").startswith("a b ")
    assert len(random_word()) == 32
    assert random_word() != random_word()


def test_the_same_seed_plays_the_same_game() -> None:
    games = []
    for _ in range(2):
        person = Person(Random(5))
        person.lines = Lines(catalogue(), person, lambda _line: None)
        games += played(person.lines, *TABLES["every special card"], seed=7)
    assert games[0] == games[1]


def test_leaving_keeps_what_was_played(tmp_path: Path) -> None:
    out = tmp_path / "game.jsonl"
    typed = "0\n" + "quit\n"
    done = CliRunner().invoke(
        main, ["play", "--players", "3", "--seed", "4", "--out", str(out)], input=typed
    )
    assert done.exit_code == 0
    assert "You have left the table." in done.output
    record = loads(out.read_text("utf-8").splitlines()[-1])
    assert record.bots == (None, "counting", "counting")
    assert not record.game.is_over


@pytest.mark.parametrize(
    "typed", ["", "0\n", "help\n"], ids=["at once", "after a bid", "after help"]
)
def test_the_end_of_the_input_leaves_cleanly(typed: str) -> None:
    done = CliRunner().invoke(main, ["play", "--players", "3", "--rulebook", "fr"], input=typed)
    assert done.exit_code == 0
    assert "You have left the table." in done.output
    assert "Traceback" not in done.output


def test_a_table_that_cannot_be_says_why() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "foretell", "play", "--players", "5", "--unicolor"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 1
    assert "V6" in done.stderr


def _typing(*lines: str) -> Callable[[str], str]:
    left = iter(lines)
    return lambda _question: next(left)


@pytest.mark.parametrize(
    ("lines", "rules", "seats"),
    [
        (["", ""], preset("pt-PT"), 4),
        (["9", "4", "2", "three", "3", "6"], preset("pt-BR", specials=ALL), 3),
        (["fr", "6", "1 7", "1"], preset("fr", bids="hidden"), 6),
        (["3", "5", "5", "3", "4", "2, 5"], preset("hu", bids="secret", unicolor=True), 4),
        (["2", "4", "1"], preset("es", plus_minus_one=True), 4),
    ],
    ids=["Enter", "wrong answers first", "by key", "clash, then again", "one variant"],
)
def test_the_questions_before_the_first_deal(lines: list[str], rules: Rules, seats: int) -> None:
    shown = list[str]()
    assert asked_table(catalogue(), _typing(*lines), shown.append) == (rules, seats)


def test_leaving_is_an_exception_of_its_own() -> None:
    lines = Lines(catalogue(), _typing("quit"), lambda _line: None)
    with pytest.raises(Left):
        played(lines, preset("es"), 3, seed=1)

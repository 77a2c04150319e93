"""`foretell score` as a person uses it: typed lines in, lines out, and the pad in its file."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from foretell.cli import main
from foretell.errors import Unreadable
from foretell.scorepad import Pad
from foretell.scorepad.asking import seat_called
from foretell.scorepad.keep import Keeper
from scorepad.test_keep import full_disk

TABLE = ("Ana", "Bruno", "Carla")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for the pads of this test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "foretell" / "pads"


def score(*options: str, typed: Sequence[str] = ()) -> Result:
    text = "".join(f"{line}\n" for line in typed)
    result = CliRunner().invoke(main, ["score", *options], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def kept(path: Path) -> Pad:
    pad = Keeper(path).read()
    assert pad is not None
    return pad


def only_pad(folder: Path) -> Pad:
    (path,) = folder.iterdir()
    return kept(path)


def test_the_books_own_example(folder: Path) -> None:
    typed = ["1 1 0", "0 1", "", "0", "2", "0", "1", "1", "0", "0 0 0"]
    shown = score(*TABLE, typed=typed)
    assert shown.exit_code == 0
    assert "Ana (+20) and Carla (+30) foretold right. Missed: Bruno by 1 (−10)." in shown.output
    assert "2 bid for 1: 1 over." in shown.output
    assert " 2   10 ✗2     10 ✓0 *   20 ✗0" in shown.output
    assert only_pad(folder).totals == (10, 10, 20)


def test_names_are_asked_for_and_offered_the_next_time(folder: Path) -> None:
    first = score(
        "--rounds", "1", typed=["Ana Bruno", "Ana, Old Tom, Carla", "old", "0 0 0", "0 0", "", ""]
    )
    assert "a game has 3 to 6 players, not 2 (D1)" in first.output
    assert "Old Tom deals" in first.output
    assert "wins with" not in first.output
    assert "Ana and Carla share the victory with 20 points." in first.output
    again = score(typed=["", ""])
    assert "Who plays, clockwise? [Ana, Old Tom, Carla]" in again.output
    assert "Ana deals" in again.output


def test_a_victory_below_zero_is_told_with_a_minus_sign(folder: Path) -> None:
    shown = score(*TABLE, "--rounds", "1", "--specials", "BOMB", typed=["1 1 1", "0 0 0", ""])
    assert "Ana, Bruno and Carla share the victory with −10 points." in shown.output


def test_it_goes_on_where_it_stopped(folder: Path) -> None:
    score(*TABLE, "--plus-minus-one", typed=["1", "0"])
    shown = score(typed=["yes", "0", "1"])
    assert "The pad of Ana, Bruno and Carla is unfinished, in round 1." in shown.output
    assert "Rules: rulebook pt-PT; plus/minus one." in shown.output
    assert "Ana bids (0-1, not 0), 1 of 1 bid so far" in shown.output
    assert "0 is barred (V1)" in shown.output
    assert only_pad(folder).rounds[0].bids == (1, 1, 0)


def test_a_new_pad_leaves_the_unfinished_one(folder: Path) -> None:
    score(*TABLE, typed=["1"])
    score(typed=["no", "", "", "0 0"])
    score("--new", typed=["X Y Z", "", "0 0 0"])
    pads = [kept(path) for path in sorted(folder.iterdir())]
    assert [len(pad.entries) for pad in pads] == [1, 2, 3]
    assert pads[2].names == ("X", "Y", "Z")


def test_nothing_is_kept_before_anything_is_written(folder: Path) -> None:
    assert score(typed=["quit"]).exit_code == 0
    assert score(*TABLE, typed=["quit"]).exit_code == 0
    assert not list(folder.glob("*"))


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("two", "'two' is not a number of tricks"),
        ("-1", "'-1' is not a number of tricks"),
        ("1.5", "'1.5' is not a number of tricks"),
        ("99999999999999999999", "is not a number of tricks"),
        ("2", "2 is not a possible bid (B1): bid from 0 to 1"),
        ("0 0 0 0", "4 numbers are too many: the question asks for 3"),
        ("Dora 1", "'Dora' is not one of the players: Ana, Bruno, Carla"),
        ("Ana 1", "Ana does not bid now (B2): Bruno is next"),
        ("", "Type help"),
        (",", "',' is not a number of tricks"),
        ("fix", "which round should be corrected?"),
        ("fix two", "which round should be corrected?"),
        ("fix 7", "round 7 has not begun"),
        ("undo", "nothing is written yet"),
        ("\x1b[A", "'�[A' is not a number of tricks"),
        ("help", "fix 3"),
        ("HELP", "fix 3"),
    ],
)  # fmt: skip
def test_wrong_input_explains_itself_and_asks_again(folder: Path, typed: str, says: str) -> None:
    shown = score(*TABLE, typed=[typed, "1", "0", "0"])
    assert says in shown.output
    assert only_pad(folder).rounds[0].bids == (0, 1, 0)


def test_a_line_with_one_mistake_writes_nothing_of_it(folder: Path) -> None:
    score(*TABLE, typed=["1 0 5", "0 0 0", "0 0 0", "0 0", "1"])
    assert only_pad(folder).rounds[0].bids == (0, 0, 0)
    assert only_pad(folder).rounds[0].won == (1, 0, 0)


def test_the_last_players_tricks_are_checked_against_the_others(folder: Path) -> None:
    shown = score(*TABLE, typed=["0 0 0", "0 0", "0", "undo", "1", ""])
    assert "Ana won [1]" in shown.output
    assert "with 0 for Ana the tricks add up to 0, and there are 1 (D3)" in shown.output
    assert only_pad(folder).rounds[0].won == (0, 0, 1)


def test_hidden_bids_come_by_name_in_any_order(folder: Path) -> None:
    score(*TABLE, "--bids", "hidden", typed=["car 1", "ana 0"])
    assert only_pad(folder).rounds[0].bids == (0, None, 1)


def test_secret_bids_are_asked_for_with_a_word_of_when(folder: Path) -> None:
    shown = score(*TABLE, "--bids", "secret", typed=["0 1 0"])
    assert "after the last trick" in shown.output
    assert "bid so far" not in shown.output


def test_Bomb_and_Cloud(folder: Path) -> None:
    options = (*TABLE, "--specials", "BOMB,CLOUD", "--rounds", "1,2")
    typed = ["0 0 0", "0 0 0", "1 1 1", "1 1", "0", "Bruno", "carla", "maybe", "-1", ""]
    shown = score(*options, typed=typed)
    assert "One trick was bombed." in shown.output
    assert "Bruno has no trick, so not the one with the Cloud (X8): Ana, Carla" in shown.output
    assert "'maybe' is not a change of a bid" in shown.output
    assert "Carla's bid of 1 counts as 0." in shown.output
    assert only_pad(folder).totals == (50, 10, 10)


def test_a_choice_of_one_is_no_question(folder: Path) -> None:
    shown = score(*TABLE, "--specials", "CLOUD", typed=["1 0 0", "1 0 0", "bruno"])
    assert "changes it by" not in shown.output
    assert "Bruno's bid of 1 counts as 0." in shown.output
    assert only_pad(folder).totals == (20, -10, 20)


def test_a_round_is_corrected(folder: Path) -> None:
    typed = ["1 1 0", "0 1 0", "fix 1", "0 1", "0 1 2", "", "1 1 0", "1 0 0", "quit"]
    shown = score(*TABLE, typed=typed)
    assert "Bids [0 1 1]" in shown.output
    assert "give one number for each of the 3 players" in shown.output
    assert "2 is not a possible bid (B1)" in shown.output
    assert "the tricks add up to 2" in shown.output
    assert "Round 1 is corrected." in shown.output
    assert only_pad(folder).totals == (-10, -10, -10)


def test_a_complete_round_stays_complete(folder: Path) -> None:
    typed = ["1 1 0", "0 1 0", "fix 1", "- - -", "", "- 0 1", "", "undo", "undo", "quit"]
    shown = score(*TABLE, typed=typed)
    assert shown.output.count("round 1 was complete: its correction must be complete too") == 2
    assert "dropped" not in shown.output
    assert only_pad(folder).rounds[0].won == (None, 0, 1)


def test_a_correction_can_be_dropped(folder: Path) -> None:
    shown = score(*TABLE, typed=["1 1 0", "0 1 0", "fix 1", "0 0 0", "undo", "2", "quit"])
    assert "The correction is dropped." in shown.output
    assert only_pad(folder).totals == (20, -10, 30)
    assert only_pad(folder).rounds[1].bids == (None, None, 2)


def test_the_correction_of_a_round_with_the_Cloud_offers_what_was_written(folder: Path) -> None:
    options = (*TABLE, "--specials", "CLOUD", "--rounds", "2")
    typed = [
        "1 1 1",
        "1 1 0",
        "bruno",
        "+1",
        "fix 2",
        "",
        "",
        "",
        "fix 2",
        "",
        "0 0 2",
        "",
        "nobody",
    ]
    shown = score(*options, typed=typed)
    assert "[Bruno +1]" in shown.output
    assert "Bruno has no trick" in shown.output
    assert only_pad(folder).totals == (-10, -10, -10)
    assert shown.output.count("Round 2 is corrected.") == 2


def test_the_winner_is_told_again_after_a_correction(folder: Path) -> None:
    typed = ["0 0 0", "1 0", "", "fix 1", "", "0 0 1", "undo", ""]
    shown = score(*TABLE, "--rounds", "1", typed=typed)
    told = [line for line in shown.output.splitlines() if "share the victory" in line]
    assert [line.split(". ")[1].split(" share")[0] for line in told] == [
        "Ana and Carla",
        "Ana and Bruno",
        "Ana and Carla",
    ]


def test_a_finished_pad_can_be_looked_at_and_corrected(folder: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "friday.json")
    score(*TABLE, "--rounds", "1", "--file", path, typed=["0 0 0", "1 0", "", ""])
    shown = score("--file", path, typed=["what now", "fix 1", "1 0 0", "1 0 0", ""])
    assert shown.output.count("The game is over.") == 2
    assert kept(Path(path)).totals == (30, 20, 20)


def test_another_file_can_be_chosen_at_any_question(folder: Path, tmp_path: Path) -> None:
    taken, free = tmp_path / "taken.json", tmp_path / "free.json"
    taken.write_text("shopping list", encoding="utf-8")
    shown = score(*TABLE, typed=["1", f"save {taken}", f"save {free}", "0", "save"])
    assert f"{taken} already exists: it was not overwritten" in shown.output
    assert taken.read_text(encoding="utf-8") == "shopping list"
    assert kept(free).rounds[0].bids == (None, 1, 0)
    assert only_pad(folder).rounds[0].bids == (None, 1, None)


def test_a_full_disk_is_told_and_nothing_is_lost(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "pad.json"
    score(*TABLE, "--file", str(path), typed=["1"])
    with full_disk():
        shown = score("--file", str(path), typed=["0", "sheet", "1"])
    assert shown.exit_code == 1
    assert shown.output.count("cannot be written") == 3
    assert "Nothing is lost" in shown.output
    assert kept(path).rounds[0].bids == (None, 1, None)
    text = shown.output.partition("continue with --file:\n")[2]
    path.write_text(text, encoding="utf-8")
    assert kept(path).rounds[0].bids == (1, 1, 0)


def test_a_folder_that_cannot_be_made_is_told_and_another_place_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "foretell").write_text("a file in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    shown = score(*TABLE, typed=["1 0"])
    assert shown.exit_code == 0
    assert "cannot be written" in shown.output
    elsewhere = shown.output.split("continue with --file ")[1].strip()
    assert kept(Path(elsewhere)).rounds[0].bids == (None, 1, 0)


def test_an_unreadable_last_pad_is_told_and_left_alone(folder: Path) -> None:
    folder.mkdir(parents=True)
    broken = folder / "pad-2026-01-01-000000.json"
    broken.write_text("{", encoding="utf-8")
    shown = score(typed=["A B C", "", "1"])
    assert "not a score pad" in shown.output
    assert broken.read_text(encoding="utf-8") == "{"
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("A", "B"), "a game has 3 to 6 players, not 2 (D1)"),
        (("A", "B", "a"), "two players are called 'a'"),
        (("A", "B", "C", "--dealer", "D"), "'D' is not one of the players"),
        (("--plus-minus-one", "--bids", "secret"), "V7"),
        (("A", "B", "C", "D", "E", "--unicolor"), "V6"),
        (("--file", "."), "is not a file"),
    ],
)  # fmt: skip
def test_what_cannot_be_begun_says_why(folder: Path, options: Sequence[str], says: str) -> None:
    shown = score(*options)
    assert shown.exit_code == 1
    assert says in shown.output
    assert not list(folder.glob("*"))


def test_a_pad_is_not_gone_on_with_by_other_rules_or_players(folder: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "pad.json")
    score(*TABLE, "--file", path, typed=["1"])
    assert "uses other rules" in score("--file", path, "--bids", "hidden").output
    assert "belongs to Ana, Bruno, Carla" in score("--file", path, "X", "Y", "Z").output
    assert kept(Path(path)).rounds[0].bids == (None, 1, None)


def test_a_terminal_with_few_signs_still_tells_met_from_missed(folder: Path) -> None:
    poor = CliRunner(charset="latin-1")
    shown = poor.invoke(main, ["score", *TABLE], input="1 1 0\n0 1 0\n")
    assert shown.exit_code == 0
    assert " 1   20 =0 *  -10 x1     30 =1" in shown.output
    assert "Missed: Bruno by 1 (-10)." in shown.output
    assert "?" not in shown.output


@pytest.mark.parametrize(
    ("text", "seat"),
    [("ana", 0), ("anab", 1), ("MARIA", 3), ("o", 2), ("tom", 2), ("4", 3), ("ana mar", 3)],
)
def test_a_text_that_names_one_player(text: str, seat: int) -> None:
    assert seat_called(("Ana", "Anabel", "Old Tom", "Ana Maria"), text) == seat


@pytest.mark.parametrize("text", ["an", "5", "0", "", "maria ana", "²"])
def test_a_text_that_names_no_player_or_several(text: str) -> None:
    with pytest.raises(Unreadable, match="not one of the players"):
        seat_called(("Ana", "Anabel", "Old Tom", "Ana Maria"), text)


TYPED = st.one_of(
    st.sampled_from(["0", "1", "2", "0 0 0", "1 0 0", "", "nobody", "ana", "bruno 1", "+1", "-1"]),
    st.sampled_from(["undo", "fix 1", "fix 2", "fix", "sheet", "help", "- - -", "1 - -", "0 1 0"]),
    st.text(max_size=8),
)


@pytest.mark.prove
@given(st.lists(TYPED, max_size=60), st.sampled_from(["open", "hidden", "secret"]))
def test_whatever_is_typed_the_pad_stays_one(typed: list[str], bids: str) -> None:
    """A child at the keyboard: nothing typed ends in an error, and the stored pad can be continued."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pad.json"
        options = ("--bids", bids, "--specials", "BOMB,CLOUD", "--file", str(path))
        lines = [line.replace("\n", " ").replace("\r", " ") for line in typed]
        assert score(*TABLE, *options, typed=[*lines, "quit"]).exit_code == 0
        assert os.listdir(folder) in ([], ["pad.json"])
        if path.exists():
            kept(path)
            assert score("--file", str(path), typed=["quit"]).exit_code == 0


# The terminal becomes the program's controlling terminal, so that Ctrl-C typed there reaches it as a signal.  A shell
# that runs the tests in the background (`make test &`, many CI runners) ignores SIGINT and passes that on to every
# child: a person's terminal does not.
IN_A_TERMINAL = """
import fcntl, signal, termios
signal.signal(signal.SIGINT, signal.default_int_handler)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from foretell.cli import main
main()
"""


class Terminal:
    """The command, running in its own terminal."""

    def __init__(self, *options: str) -> None:
        self._own, other = pty.openpty()
        program = [sys.executable, "-c", IN_A_TERMINAL, "score", *options]
        self.process = subprocess.Popen(
            program, stdin=other, stdout=other, stderr=other, start_new_session=True, text=False
        )
        os.close(other)
        self.shown = ""

    def until(self, text: str) -> None:
        """Waits until this text is on the screen."""
        end = time.monotonic() + 20
        while text not in self.shown:
            assert time.monotonic() < end, self.shown
            if select.select([self._own], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self._own, 4096).decode()
                except OSError:  # the other end is closed
                    assert text in self.shown, self.shown

    def type(self, keys: str) -> None:
        os.write(self._own, keys.encode())

    def press(self, key: str) -> None:
        """Presses a key a moment after the question appears, as a person does: `input` may not be waiting before."""
        time.sleep(0.3)
        self.type(key)

    def ends(self) -> int:
        return self.process.wait(20)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._own)


@pytest.fixture
def terminal(request: pytest.FixtureRequest, folder: Path) -> Iterator[Terminal]:
    opened = Terminal(*request.param)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    "key", [pytest.param("\x04", id="Ctrl-D"), pytest.param("\x03", id="Ctrl-C")]
)
@pytest.mark.parametrize("terminal", [TABLE], indirect=True, ids=["three"])
def test_leaving_by_key_keeps_everything(terminal: Terminal, folder: Path, key: str) -> None:
    terminal.until("Bruno bids")
    terminal.type("1\n")
    terminal.until("Carla bids")
    terminal.press(key)
    terminal.until("Everything is kept in")
    assert terminal.ends() == 0
    assert "Traceback" not in terminal.shown
    assert only_pad(folder).rounds[0].bids == (None, 1, None)


@pytest.mark.parametrize("terminal", [()], indirect=True, ids=["nobody"])
def test_leaving_before_the_first_name_is_clean(terminal: Terminal, folder: Path) -> None:
    terminal.until("Who plays")
    terminal.press("\x03")
    assert terminal.ends() == 0
    assert "Traceback" not in terminal.shown


@pytest.mark.parametrize("terminal", [TABLE], indirect=True, ids=["three"])
def test_a_killed_program_has_lost_nothing(terminal: Terminal, folder: Path) -> None:
    terminal.until("Bruno bids")
    terminal.type("1 0 0\n")
    terminal.until("Bruno won")
    terminal.type("1\n")
    terminal.until("Carla won")
    terminal.process.kill()
    assert terminal.ends() == -signal.SIGKILL
    assert only_pad(folder).rounds[0].won == (None, 1, None)

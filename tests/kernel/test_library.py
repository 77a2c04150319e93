"""The native library is used only if it is whole and was made from these sources; otherwise play goes on without it."""

import ctypes
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import foretell
from foretell.kernel import BACKEND
from foretell.kernel.backend.library import (
    FOLDER,
    LEVELS,
    MANIFEST,
    Library,
    LibraryMissing,
    LibraryRefused,
)

PACKAGE = Path(foretell.__file__).parent
pytestmark = pytest.mark.skipif(
    BACKEND != "native", reason="THE NATIVE LIBRARY IS NOT TESTED: `make test` builds it"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the library that may be broken."""
    return Path(shutil.copytree(FOLDER, tmp_path / "native"))


def manifest(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / MANIFEST).read_bytes())
    return found


def library_file(folder: Path) -> Path:
    return folder / str(manifest(folder)["file"])


def change(folder: Path, **values: object) -> None:
    (folder / MANIFEST).write_text(json.dumps(manifest(folder) | values), "ascii")


def test_a_whole_copy_is_used(folder: Path) -> None:
    assert Library(folder).level in LEVELS


def test_no_library_is_not_a_broken_one(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing):
        Library(tmp_path / "nowhere")


def cut(folder: Path) -> None:
    library_file(folder).write_bytes(library_file(folder).read_bytes()[:30_000])


def flip_a_bit(folder: Path) -> None:
    content = bytearray(library_file(folder).read_bytes())
    content[len(content) // 2] ^= 1
    library_file(folder).write_bytes(content)


BREAKAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "other sources": (lambda folder: change(folder, fingerprint="0" * 32), "from other sources"),
    "cut off": (cut, "damaged"),
    "one bit flipped": (flip_a_bit, "damaged"),
    "empty": (lambda folder: library_file(folder).write_bytes(b""), "damaged"),
    "gone": (lambda folder: library_file(folder).unlink(), "missing"),
    "another machine": (lambda folder: change(folder, machine="plan9-vax"), "for plan9-vax"),
    "manifest cut off": (
        lambda folder: (folder / MANIFEST).write_text('{"file": "ker', "ascii"),
        "cannot be read",
    ),
    "manifest without a hash": (
        lambda folder: (folder / MANIFEST).write_text('{"file": "kernel.so"}', "ascii"),
        "cannot be read",
    ),
}


@pytest.mark.parametrize("name", BREAKAGES)
def test_a_broken_library_is_refused_before_it_is_loaded(folder: Path, name: str) -> None:
    breakage, why = BREAKAGES[name]
    breakage(folder)
    with pytest.raises(LibraryRefused, match=why):
        Library(folder)


def test_a_file_that_is_no_library_is_refused(folder: Path) -> None:
    junk = b"\x7fELF but nothing else" * 1000
    library_file(folder).write_bytes(junk)
    change(folder, sha256=hashlib.sha256(junk).hexdigest())
    with pytest.raises(LibraryRefused, match="cannot be loaded"):
        Library(folder)


def test_a_level_that_the_library_does_not_have_is_refused(folder: Path) -> None:
    with pytest.raises(LibraryRefused, match="no level 'quantum'"):
        Library(folder, "quantum")


# The whole package, with a library that does not fit it.

PLAY = """
from foretell import bot, new_game, play_out, preset, seeded
from foretell.kernel import BACKEND
from random import Random
game = play_out(new_game(preset("es", rounds=(2,)), list("abc")), [bot("skilled")] * 3, seeded(7), Random(7))
print(BACKEND, *game.score)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def heavy(_: str, names: list[str]) -> set[str]:
        return {name for name in names if name in ("__pycache__", "static")}

    to = tmp_path_factory.mktemp("copy") / "foretell"
    return Path(shutil.copytree(PACKAGE, to, ignore=heavy))


def played_in(package: Path, **environment: str) -> tuple[list[str], str]:
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        env=os.environ | {"PYTHONPATH": str(package.parent)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split(), done.stderr


def test_play_goes_on_without_a_library_that_does_not_fit(package: Path) -> None:
    (whole, *score), said = played_in(package)
    assert (whole, said) == ("native", "")

    changed = package / "kernel" / "state" / "codes.py"
    before = changed.read_text("utf-8")
    changed.write_text(before + "\n# another source\n", "utf-8")
    answer, said = played_in(package)
    assert answer == ["python", *score]
    assert said.count("was built from other sources") == 1
    assert "`make` builds it again" in said
    changed.write_text(before, "utf-8")

    native = package / "kernel" / "backend" / "native"
    cut(native)
    answer, said = played_in(package)
    assert answer == ["python", *score]
    assert said.count("is damaged") == 1

    shutil.rmtree(native)
    answer, said = played_in(package)
    assert answer == ["python", *score]
    assert said == ""


def test_a_library_that_was_asked_for_must_be_there(package: Path) -> None:
    shutil.rmtree(package / "kernel" / "backend" / "native", ignore_errors=True)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        played_in(package, FORETELL_KERNEL="native")
    assert "LibraryMissing" in failed.value.stderr


# The pointers of the library are `restrict`: two arrays of one call must not be the same.

WATCH = """
import ctypes

class Watched:
    def __init__(self, function):
        object.__setattr__(self, "function", function)
    def __setattr__(self, name, value):
        setattr(self.function, name, value)
    def __call__(self, *given):
        where = [ctypes.addressof(one) for one in given if isinstance(one, ctypes.Array) and len(one)]
        assert len(set(where)) == len(where), self.function.__name__
        calls.add(self.function.__name__)
        return self.function(*given)

calls = set()
plain = ctypes.CDLL.__getitem__
ctypes.CDLL.__getitem__ = lambda self, name: Watched(plain(self, name))
"""
MORE = """
from foretell.coach import odds
from foretell.engine import awaited_seats, deal, view
from foretell.kernel import compile_rules, play_games
from foretell.kernel.bulk.totals import Tallying, batches
from foretell.rules import Rules
specials = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
for rules in (Rules(rounds=(1, 3)), Rules(rounds=(3,), specials=specials), Rules(rounds=(2,), bids="secret")):
    names = [bot(name) for name in ("casual", "skilled", "master", "champion")]
    play_out(new_game(rules, list("abcd")), names, seeded(1), Random(1))
    game = new_game(rules, list("abcd"))
    game, _ = deal(game, seeded(2)(game))
    odds(view(game, awaited_seats(game)[0]), worlds=20)
    tables = compile_rules(rules, 4)
    counted = Tallying(tables)
    for batch in batches(tables, 4, seed=1, policies=[0] * 4):
        counted.add(batch)
print(len(calls))
"""


def test_no_call_passes_the_same_array_twice() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WATCH + PLAY + MORE], capture_output=True, text=True, check=True
    )
    assert int(done.stdout.split()[-1]) > 20, done.stdout


def test_a_loop_of_ones_own_runs_as_plain_python_and_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from foretell.kernel import Ints, ints, jit, random_games
    from foretell.kernel.backend.compiled import ONE

    @jit
    def filled(words: Ints, count: int) -> int:
        for place in range(count):
            words[place] = ONE << place
        return words[count - 1]

    words = ints(50)
    assert filled(words, 50) == 1 << 49 == words[49]
    assert [one.getMessage() for one in caplog.records] == [
        "filled runs as plain Python; FORETELL_KERNEL=numba compiles it"
    ]
    assert random_games.__doc__
    assert random_games.__name__ == "random_games"


def test_an_array_of_another_kind_is_an_error_and_no_crash() -> None:
    from foretell.kernel import compile_rules, legal
    from foretell.rules import Rules

    with pytest.raises(ctypes.ArgumentError):
        legal(compile_rules(Rules(), 4).words, [0] * 200)
    with pytest.raises(TypeError):
        legal(compile_rules(Rules(), 4).words)  # type: ignore[call-arg]


# Instructions that a CPU of the first generation of x86-64 does not have.
TOO_NEW = re.compile(
    r"^(v[a-z]|pdep|pext|shlx|shrx|sarx|rorx|mulx|andn$|bls[ir]|bextr|bzhi|popcnt|lzcnt|pcmp[ei]str)"
)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="one level is enough elsewhere")
def test_the_level_for_any_cpu_has_only_instructions_that_any_cpu_has() -> None:
    if shutil.which("objdump") is None:
        pytest.skip("THE INSTRUCTIONS ARE NOT CHECKED: there is no objdump")
    path = str(library_file(FOLDER))
    listed = subprocess.run(["objdump", "-T", path], check=True, capture_output=True, text=True)
    ends = {
        level: max(
            int(line.split()[0], 16)
            for line in listed.stdout.splitlines()
            if line.endswith(f"_{level}")
        )
        for level in LEVELS
    }
    code = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True
    )
    words: dict[str, set[str]] = {level: set() for level in LEVELS}
    for found in re.finditer(r"^ +([0-9a-f]+):\t(\w+)", code.stdout, re.M):
        # The code of the first level comes first.
        place, word = int(found[1], 16), found[2]
        words["base" if place <= ends["base"] else "fast"].add(word)
    assert {word for word in words["base"] if TOO_NEW.match(word)} == set()
    assert {"pdep", "popcnt"} <= words["fast"]

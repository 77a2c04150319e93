"""The translation to C: it means what Python means, and the C needs no library, so that it also becomes WebAssembly."""

import ctypes
import importlib
import importlib.util
import shutil
import subprocess
from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

import foretell
from foretell.kernel.backend.c_source import c_source
from foretell.kernel.backend.source_files import Sources

SOURCES = Sources(Path(foretell.__file__).parent)

# A package of its own, with everything that the translator knows.
SMALL = """
FIRST, SECOND, THIRD = range(3)
EVERY = sum(1 << 4 * place for place in range(4))
HALF = 0.5


@jit
def divided(a: int, b: int) -> int:
    return (a // b) * 1000 + a % b


@jit
def by_sixteen(a: int) -> int:
    return (a // 16) * 1000 + a % 16


@inlined
def larger(a: float, b: float) -> float:
    return max(a, b) - min(abs(a), HALF)


@jit
def floats(xs: Floats, count: int) -> float:
    total = 0.0
    for place in range(count):
        x = xs[place]
        total += larger(x, -x) / 3 + sqrt(abs(x))
    return total + int(-2.9) + scaled(1.5, 4) + exponent(6.0)


@jit
def loops(words: Ints, count: int) -> int:
    found = EVERY + THIRD
    for place in range(count - 1, -1, -1):
        if words[place] < 0:
            continue
        if words[place] > 90:
            break
        found = found * 3 + words[place]
        place += 5  # the loop goes on as if nothing had happened
    while True:
        found -= 1
        if found % 7 == 0:
            break
    return found


@jit
def pairs(words: Ints) -> int:
    first, second = words[0], words[1]
    kept = words[0], words[1]
    words[0], words[1] = words[1] + 1, words[0] + 1
    first, second = second, first
    words[2], words[3] = kept
    return first * 100 + second


@jit
def bits(mask: int, k: int) -> int:
    return popcount(mask) * 10000 + lowest(mask) * 100 + kth(mask, k)


@jit
def rows(desk: Ints32, small: Ints8, large: Ints16, count: int) -> int:
    add_rows8(desk, small, 2, 3, 0, 6, count)
    add_rows16(desk, large, 0, 3, 3, 6, count)
    desk[0] = desk[0] * small[0] - large[1]
    return desk[0] * 1000000


@jit
def second_of_two(words: Ints, other: Ints, size: int) -> int:
    words[0] += other[0]
    return words[1] + size


@jit
def parts(words: Ints, size: int) -> int:
    return second_of_two(part(words, size), part(words, 2 * size - 1), size)


@jit
def is_small(a: int) -> bool:
    return a < 3 and not a == 1
"""


def compiler() -> str:
    found = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if found is None:
        pytest.skip("THE TRANSLATION IS NOT TESTED: there is no C compiler")
    return found


def small_package(folder: Path, text: str) -> Sources:
    package = folder / "foretell"
    (package / "kernel").mkdir(parents=True)
    (package / "bots" / "net").mkdir(parents=True)
    (package / "kernel" / "small.py").write_text(text, encoding="utf-8")
    return Sources(package)


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    folder = tmp_path_factory.mktemp("small")
    source, made = folder / "small.c", folder / "small.so"
    source.write_text(c_source(small_package(folder, SMALL)), encoding="ascii")
    flags = ["-O2", "-DWITH_ENTRIES", "-shared", "-fPIC", "-ffp-contract=off", "-fno-math-errno"]
    subprocess.run([compiler(), *flags, "-o", str(made), str(source)], check=True)
    library = ctypes.CDLL(str(made))

    def call(name: str, *given: Any, answer: Any = ctypes.c_int64) -> Any:
        function = library[f"foretell_{name}"]
        function.restype = answer
        numbers = [ctypes.c_int64(one) for one in given if isinstance(one, int)]
        return function(*numbers, *(one for one in given if not isinstance(one, int)))

    return call


@pytest.fixture(scope="module")
def in_python() -> ModuleType:
    module = ModuleType("small")
    given = importlib.import_module("foretell.kernel.backend.python_backend")
    math = importlib.import_module("math")
    names = {name: getattr(given, name) for name in given.__all__}
    arrays = dict.fromkeys(("Floats", "Ints", "Ints8", "Ints16", "Ints32"), list)
    module.__dict__.update(names, sqrt=math.sqrt, **arrays)
    exec(compile(SMALL, "small", "exec"), module.__dict__)
    return module


def words(*values: int) -> Any:
    return (ctypes.c_int64 * len(values))(*values)


@pytest.mark.parametrize("a", [-33, -17, -16, -15, -1, 0, 1, 15, 16, 17, 33])
def test_division_rounds_down_as_in_python(
    in_c: Callable[..., Any], in_python: ModuleType, a: int
) -> None:
    for b in (-7, -2, -1, 1, 2, 7):
        assert in_c("divided", a, b) == in_python.divided(a, b)
    assert in_c("by_sixteen", a) == in_python.by_sixteen(a)
    assert in_c("is_small", a) == in_python.is_small(a)


def test_floats_have_the_same_bits(in_c: Callable[..., Any], in_python: ModuleType) -> None:
    values = [0.1, -2.75, 1e-9, 7.3e5, -0.3333]
    array = (ctypes.c_double * len(values))(*values)
    found = in_c("floats", len(values), array, answer=ctypes.c_double)
    assert found == in_python.floats(values, len(values))


def test_loops_break_and_continue(in_c: Callable[..., Any], in_python: ModuleType) -> None:
    for values in ([1, 2, 3], [5, -1, 7, 8], [5, 95, 7, -3, 8], []):
        assert in_c("loops", len(values), words(*values)) == in_python.loops(values, len(values))


def test_values_are_computed_before_any_is_assigned(
    in_c: Callable[..., Any], in_python: ModuleType
) -> None:
    mine, theirs = [3, 8, 0, 0], words(3, 8, 0, 0)
    assert in_c("pairs", theirs) == in_python.pairs(mine)
    assert list(theirs) == mine == [9, 4, 3, 8]


def test_a_part_is_the_same_memory(in_c: Callable[..., Any], in_python: ModuleType) -> None:
    mine, theirs = array("q", [1, 2, 3, 4, 5, 6]), words(1, 2, 3, 4, 5, 6)
    assert in_c("parts", theirs, 3) == in_python.parts(mine, 3) == 8
    assert list(theirs) == list(mine) == [1, 2, 3, 10, 5, 6]
    with pytest.raises(TypeError):
        in_python.parts([1, 2, 3, 4, 5, 6], 3)


def test_bits(in_c: Callable[..., Any], in_python: ModuleType) -> None:
    for mask, k in ((1, 0), (0b1011000, 2), (1 << 60 | 5, 2), ((1 << 61) - 1, 60)):
        assert in_c("bits", mask, k) == in_python.bits(mask, k)


@pytest.mark.parametrize("count", range(7))
def test_rows_of_narrow_numbers_are_added_up(
    in_c: Callable[..., Any], in_python: ModuleType, count: int
) -> None:
    random = Random(count)
    small = [random.randrange(-128, 128) for _ in range(2 + 3 * 8)]
    large = [random.randrange(-(1 << 15), 1 << 15) for _ in range(3 * 8)]
    pairs = [n for _ in range(count) for n in (random.randrange(8), random.randrange(1 << 12))]
    mine = array("i", [7, -8, 9, 0, 1, 2, *pairs])
    theirs = (ctypes.c_int32 * len(mine))(*mine)
    arrays = (ctypes.c_int8 * len(small))(*small), (ctypes.c_int16 * len(large))(*large)
    found = in_python.rows(mine, array("b", small), array("h", large), count)
    assert in_c("rows", theirs, *arrays, count) == found
    assert list(theirs) == list(mine)
    if count > 1:
        first = sum(pairs[2 * k + 1] * large[3 * pairs[2 * k]] for k in range(count))
        assert mine[3] == first


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("return [a][0]", r"broken, line 3: \[a\]"),
        ("return a ** 2", r"broken, line 3: a \*\* 2"),
        ("return len(words)", r"len\(words\)"),
        ("return 1 < a < 3", "1 < a < 3"),
        ("return other(words, words)", "one array is passed twice"),
    ],
)
def test_what_cannot_be_translated_is_refused_by_name(tmp_path: Path, body: str, why: str) -> None:
    text = f"@jit\ndef broken(words: Ints, a: int) -> int:\n    {body}\n\n\n"
    text += "@jit\ndef other(words: Ints, more: Ints) -> int:\n    return words[0] + more[0]\n"
    with pytest.raises((SyntaxError, KeyError), match=why):
        c_source(small_package(tmp_path, text))


def test_two_functions_cannot_have_the_same_name(tmp_path: Path) -> None:
    twice = "@jit\ndef again(a: int) -> int:\n    return a\n" * 2
    with pytest.raises(SyntaxError, match="two compiled functions are called again"):
        c_source(small_package(tmp_path, twice))


def test_constants_read_from_the_sources_are_those_of_the_running_modules() -> None:
    """The build evaluates constants without importing the package; the result must be the same."""
    checked = 0
    for function in SOURCES.functions():
        running = importlib.import_module(function.module.name)
        code = getattr(running, function.name)
        plain = getattr(code, "__wrapped__", getattr(code, "py_func", code)).__code__
        for name in plain.co_names:
            value = getattr(running, name, None)
            if isinstance(value, int | float):
                assert function.module.constant(name) == value, f"{running.__name__}.{name}"
                checked += 1
    assert checked > 50


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "kernel.c"
    path.write_text(c_source(SOURCES), encoding="ascii")
    return path


def test_the_c_needs_no_library(whole: Path) -> None:
    """With nothing to link against, a call of any function outside would be an error."""
    flags = ["-O1", "-ffreestanding", "-fno-builtin", "-fno-math-errno", "-DWITH_ENTRIES", "-fPIC"]
    if (
        "clang"
        not in subprocess.run(
            [compiler(), "--version"], capture_output=True, text=True, check=True
        ).stdout
    ):
        flags.append("-fno-tree-loop-distribute-patterns")
    link = ["-shared", "-nostdlib", "-Wl,-z,defs"]
    made = whole.with_suffix(".so")
    subprocess.run([compiler(), *flags, *link, "-o", str(made), str(whole)], check=True)
    assert made.stat().st_size > 50_000


def test_the_c_becomes_webassembly(whole: Path) -> None:
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        pytest.skip("WEBASSEMBLY IS NOT TESTED: ziglang is not installed (pip install ziglang)")
    zig, made = Path(found.origin).parent / "zig", whole.with_suffix(".wasm")
    flags = ["-O2", "-target", "wasm32-freestanding", "-nostdlib", "-ffp-contract=off", "-w"]
    flags += ["-DWITH_ENTRIES", "-Wl,--no-entry", "-Wl,--export-dynamic"]
    subprocess.run([str(zig), "cc", *flags, "-o", str(made), str(whole)], check=True)
    module = made.read_bytes()
    assert module[:4] == b"\0asm"
    assert b"foretell_evaluate" in module
    assert b"env" not in module[:2000]  # it imports nothing

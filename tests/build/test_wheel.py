"""A wheel has the native library and names its platform; without a C compiler it is a pure wheel that plays all the same."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PLAY = """
from foretell.kernel import BACKEND, compile_rules, play_games
from foretell.rules import Rules
print(BACKEND, *play_games(compile_rules(Rules(rounds=(2, 3)), 4), 5, seed=1).score(4))
"""
HAS_COMPILER = any(shutil.which(name) for name in ("cc", "gcc", "clang"))


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel is built from, without the page; with a library that was built earlier, and is stale."""

    def heavy(_: str, names: list[str]) -> set[str]:
        return {name for name in names if name in ("__pycache__", "static", "native")}

    to = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "src", to / "src", ignore=heavy)
    for name in (
        "pyproject.toml",
        "hatch_build.py",
        "native_build.py",
        "README.md",
        "LICENSE",
        ".gitignore",
    ):
        shutil.copy(ROOT / name, to)
    native = to / "src" / "foretell" / "kernel" / "backend" / "native"
    native.mkdir()
    (native / "kernel.so").write_bytes(b"of another build")
    return to


def wheel(checkout: Path, folder: Path, **environment: str) -> Path:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "--target",
            "wheel",
            "--directory",
            str(folder),
        ],
        cwd=checkout,
        env=os.environ | {"FORETELL_SKIP_WEB": "1"} | environment,
        check=True,
        capture_output=True,
    )
    (found,) = folder.glob("*.whl")
    return found


def names(found: Path) -> list[str]:
    with ZipFile(found) as opened:
        return [name for name in opened.namelist() if "/native/" in name]


def metadata(found: Path) -> list[str]:
    with ZipFile(found) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith("/WHEEL"))
        return opened.read(name).decode().splitlines()


def played(found: Path, folder: Path) -> list[str]:
    with ZipFile(found) as opened:
        opened.extractall(folder)
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        env=os.environ | {"PYTHONPATH": str(folder)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(not HAS_COMPILER, reason="THE WHEEL'S LIBRARY IS NOT TESTED: no C compiler")
def test_a_wheel_has_the_library_and_names_its_platform(checkout: Path, tmp_path: Path) -> None:
    found = wheel(checkout, tmp_path / "dist")
    assert "-py3-none-" in found.name
    assert not found.name.endswith("-any.whl")
    said = metadata(found)
    assert "Root-Is-Purelib: false" in said
    tags = [line for line in said if line.startswith("Tag: ")]
    assert tags
    assert all(line.startswith("Tag: py3-none-") for line in tags)
    if sys.platform == "linux":
        assert any("manylinux" in line for line in tags)
        assert any("musllinux" in line for line in tags)
    folder = "foretell/kernel/backend/native"
    assert len(names(found)) == 2
    assert f"{folder}/manifest.json" in names(found)
    with ZipFile(found) as opened:
        assert all(opened.read(name) != b"of another build" for name in names(found))
        assert "foretell/commands/gpu_games.c" in opened.namelist()
    assert played(found, tmp_path / "unpacked")[0] == "native"


def test_without_a_compiler_a_wheel_is_pure_and_plays_the_same(
    checkout: Path, tmp_path: Path
) -> None:
    found = wheel(checkout, tmp_path / "dist", FORETELL_CC="none")
    assert found.name.endswith("-py3-none-any.whl")
    assert "Root-Is-Purelib: true" in metadata(found)
    assert names(found) == []
    backend, *score = played(found, tmp_path / "unpacked")
    assert backend == "python"
    here = subprocess.run([sys.executable, "-c", PLAY], check=True, capture_output=True, text=True)
    assert here.stdout.split()[1:] == score


def test_a_compiler_that_fails_is_not_the_end_of_the_build(checkout: Path, tmp_path: Path) -> None:
    found = wheel(checkout, tmp_path / "dist", CC="false")
    is_pure = found.name.endswith("-py3-none-any.whl")
    assert is_pure == (names(found) == [])
    assert is_pure or find_spec("ziglang") is not None


def test_in_a_checkout_without_a_compiler_the_build_says_so_and_goes_on(checkout: Path) -> None:
    done = subprocess.run(
        [sys.executable, "native_build.py"],
        cwd=checkout,
        env=os.environ | {"FORETELL_CC": "none"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert "No native library: There is no C compiler here." in done.stdout
    assert "plain Python" in done.stdout
    native = checkout / "src" / "foretell" / "kernel" / "backend" / "native"
    assert [path.name for path in native.iterdir()] == ["done"]

"""`foretell site`: writes a folder that any web host can serve, and removes nothing that is not its own."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from foretell.cli import main
from foretell.commands import site

VERSION_A = {
    "index.html": "A",
    "assets/app-aaaaaaaa.js": "a",
    "assets/sub/deep-aaaaaaaa.js": "a",
    "icon.svg": "same",
}
VERSION_B = {"index.html": "B", "assets/app-bbbbbbbb.js": "b", "icon.svg": "same"}


@pytest.fixture
def site_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Page":
    return Page(tmp_path, monkeypatch)


class Page:
    """The page as it has been built: a small one, and then a newer one."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.built, self.folder = folder / "built", folder / "site"
        self.is_built = True
        monkeypatch.setattr(site, "page_files", self._files)

    def becomes(self, files: dict[str, str]) -> None:
        shutil.rmtree(self.built, ignore_errors=True)
        for path, text in files.items():
            (self.built / path).parent.mkdir(parents=True, exist_ok=True)
            (self.built / path).write_text(text)

    def _files(self) -> dict[str, Path]:
        found = (path for path in sorted(self.built.rglob("*")) if path.is_file())
        return {path.relative_to(self.built).as_posix(): path for path in found}

    def write(self) -> Result:
        return CliRunner().invoke(main, ["site", str(self.folder)])

    def written(self) -> dict[str, str]:
        """What is in the folder, without the list of it."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_text()
            for path in self.folder.rglob("*")
            if path.is_file() and path.name != "site.json"
        }

    @property
    def listed(self) -> list[str]:
        found: list[str] = json.loads((self.folder / "site.json").read_text())
        return found


def test_it_fills_a_new_folder_and_an_empty_one(site_page: Page) -> None:
    site_page.becomes(VERSION_A)
    done = site_page.write()
    assert done.exit_code == 0
    assert "4 files" in done.output
    assert site_page.written() == VERSION_A
    assert site_page.listed == sorted(VERSION_A)
    shutil.rmtree(site_page.folder)
    site_page.folder.mkdir()
    assert site_page.write().exit_code == 0
    assert site_page.written() == VERSION_A


def test_a_newer_version_replaces_an_older_one_and_leaves_other_files_alone(
    site_page: Page,
) -> None:
    site_page.becomes(VERSION_A)
    site_page.write()
    (site_page.folder / "CNAME").write_text("cards.example")
    (site_page.folder / "assets/own").mkdir()
    (site_page.folder / "assets/own/picture.png").write_text("mine")
    site_page.becomes(VERSION_B)
    assert site_page.write().exit_code == 0
    own = {"CNAME": "cards.example", "assets/own/picture.png": "mine"}
    assert site_page.written() == VERSION_B | own
    assert site_page.listed == sorted(VERSION_B)
    assert not (site_page.folder / "assets/sub").exists()  # it is empty now
    assert site_page.write().exit_code == 0  # the same version over itself
    assert site_page.written() == VERSION_B | own


def test_a_folder_of_someone_else_is_refused(site_page: Page) -> None:
    site_page.becomes(VERSION_A)
    site_page.folder.mkdir()
    (site_page.folder / "thesis.txt").write_text("ten years of work")
    done = site_page.write()
    assert done.exit_code != 0
    assert "is not empty, and was not written by this command" in done.output
    assert site_page.written() == {"thesis.txt": "ten years of work"}


def test_without_a_page_nothing_is_written(site_page: Page) -> None:
    site_page.becomes({"icon.svg": "same"})
    done = site_page.write()
    assert done.exit_code != 0
    assert "has not been built" in done.output
    assert not site_page.folder.exists()


@pytest.mark.parametrize("after", range(12))
def test_interrupted_at_any_moment_the_folder_has_one_version_and_the_next_run_completes_it(
    site_page: Page, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    site_page.becomes(VERSION_A)
    site_page.write()
    site_page.becomes(VERSION_B)
    steps = 0

    def stopping(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any, **named: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps > after:
                raise KeyboardInterrupt
            return real(*args, **named)

        return step

    with monkeypatch.context() as breaking:
        breaking.setattr(shutil, "move", stopping(shutil.move))
        breaking.setattr(Path, "unlink", stopping(Path.unlink))
        breaking.setattr(os, "rmdir", stopping(os.rmdir))
        site_page.write()
    there = site_page.written()
    version = VERSION_B if there["index.html"] == "B" else VERSION_A
    # A page finds all files that it names.
    assert version.items() <= there.items()
    assert site_page.write().exit_code == 0
    assert site_page.written() == VERSION_B
    assert site_page.listed == sorted(VERSION_B)


@pytest.mark.parametrize(
    "listed", ["../outside.txt", "/{folder}/../outside.txt", "link/outside.txt"]
)
def test_a_list_that_leads_out_of_the_folder_removes_nothing_there(
    site_page: Page, listed: str
) -> None:
    site_page.becomes(VERSION_A)
    site_page.write()
    outside = site_page.folder.parent / "outside.txt"
    outside.write_text("not ours")
    (site_page.folder / "link").symlink_to(site_page.folder.parent)
    name = listed.format(folder=str(site_page.folder).lstrip("/"))
    (site_page.folder / "site.json").write_text(json.dumps([*site_page.listed, name]))
    site_page.becomes(VERSION_B)
    assert site_page.write().exit_code == 0
    assert outside.read_text() == "not ours"


@pytest.mark.parametrize("list_text", ["", "{", "null", "5", '{"a": 1}', "[1, null]"])
def test_a_list_that_cannot_be_read_is_written_again(site_page: Page, list_text: str) -> None:
    site_page.becomes(VERSION_A)
    site_page.write()
    (site_page.folder / "site.json").write_text(list_text)
    site_page.becomes(VERSION_B)
    done = site_page.write()
    assert done.exit_code == 0, done.output
    assert site_page.listed == sorted(VERSION_B)
    assert VERSION_B.items() <= site_page.written().items()

"""Pads in files: written completely or not at all, and never over another file."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from foretell.errors import ForetellError
from foretell.scorepad import Bid, Pad, enter, new_pad, to_json
from foretell.scorepad.keep import Keeper, fresh_path, newest_path


@pytest.fixture
def pad() -> Pad:
    return new_pad(("Ana", "Bruno", "Carla"))


@contextmanager
def full_disk() -> Iterator[None]:
    """The system refuses to let any file grow, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_is_kept_is_found_again(tmp_path: Path, pad: Pad) -> None:
    path = tmp_path / "pad.json"
    assert Keeper(path).read() is None
    Keeper(path).write(pad)
    assert Keeper(path).read() == pad
    assert os.listdir(tmp_path) == ["pad.json"]


def test_a_full_disk_leaves_the_pad_as_it_was(tmp_path: Path, pad: Pad) -> None:
    path = tmp_path / "pad.json"
    keeper = Keeper(path)
    keeper.write(pad)
    more = enter(pad, Bid(1, 1))
    with full_disk(), pytest.raises(ForetellError, match="cannot be written") as caught:
        keeper.write(more)
    assert caught.value.values["why"]
    assert path.read_text(encoding="utf-8") == to_json(pad)
    assert os.listdir(tmp_path) == ["pad.json"]
    keeper.write(more)
    assert Keeper(path).read() == more


def test_a_folder_that_is_not_there_is_told(tmp_path: Path, pad: Pad) -> None:
    with pytest.raises(ForetellError, match="cannot be written"):
        Keeper(tmp_path / "nowhere" / "pad.json").write(pad)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("name", [".", "device"])
def test_what_is_not_a_file_is_left_alone(tmp_path: Path, pad: Pad, name: str) -> None:
    os.mkfifo(tmp_path / "device")
    with pytest.raises(ForetellError, match="not a file"):
        Keeper(tmp_path / name).read()


def test_a_pad_that_another_program_has_changed_is_left_alone(tmp_path: Path, pad: Pad) -> None:
    path = tmp_path / "pad.json"
    one, other = Keeper(path), Keeper(path)
    one.write(pad)
    assert other.read() == pad
    other.write(enter(pad, Bid(1, 0)))
    with pytest.raises(ForetellError, match="another program"):
        one.write(enter(pad, Bid(1, 1)))
    assert Keeper(path).read() == enter(pad, Bid(1, 0))


def test_a_pad_is_not_written_over_a_file_that_was_not_read(tmp_path: Path, pad: Pad) -> None:
    path = tmp_path / "pad.json"
    path.write_text("shopping list", encoding="utf-8")
    with pytest.raises(ForetellError, match="another program"):
        Keeper(path).write(pad)
    with pytest.raises(ForetellError, match="not a score pad"):
        Keeper(path).read()
    assert path.read_text(encoding="utf-8") == "shopping list"


def test_a_pad_that_was_deleted_meanwhile_is_written_again(tmp_path: Path, pad: Pad) -> None:
    keeper = Keeper(tmp_path / "pad.json")
    keeper.write(pad)
    keeper.path.unlink()
    keeper.write(enter(pad, Bid(1, 1)))
    assert Keeper(keeper.path).read() == enter(pad, Bid(1, 1))


def test_a_link_stays_a_link(tmp_path: Path, pad: Pad) -> None:
    link, target = tmp_path / "link.json", tmp_path / "pad.json"
    link.symlink_to(target)
    Keeper(link).write(pad)
    assert link.is_symlink()
    assert Keeper(target).read() == pad


def test_a_link_to_itself_is_told(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(link)
    with pytest.raises(ForetellError, match="cannot be read"):
        Keeper(link).read()


def test_the_newest_pad_is_the_one_begun_last(tmp_path: Path, pad: Pad) -> None:
    assert newest_path(tmp_path / "nowhere") is None
    assert newest_path(tmp_path) is None
    for moment in (datetime(2026, 11, 14, 20), datetime(2026, 11, 15, 20), datetime(2025, 1, 1)):
        Keeper(fresh_path(tmp_path, moment)).write(pad)
    (tmp_path / "zebra.json").write_text("", encoding="utf-8")
    assert newest_path(tmp_path) == tmp_path / "pad-2026-11-15-200000.json"


def test_two_pads_begun_in_one_second_are_two(tmp_path: Path, pad: Pad) -> None:
    moment = datetime(2026, 11, 15, 20)
    first = fresh_path(tmp_path, moment)
    Keeper(first).write(pad)
    second = fresh_path(tmp_path, moment)
    assert second != first
    Keeper(second).write(pad)
    assert newest_path(tmp_path) == second

"""The translator's command, on a copy of the catalogues in which a translator has worked: it says what is left to do."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import foretell

PACKAGE = Path(foretell.__file__).parent


@pytest.fixture
def catalogues(tmp_path: Path) -> Path:
    """The folder of the catalogues in a copy of the package that holds nothing else."""
    (tmp_path / "foretell").mkdir()
    shutil.copy(PACKAGE / "__init__.py", tmp_path / "foretell")
    shutil.copytree(PACKAGE / "i18n", tmp_path / "foretell/i18n")
    return tmp_path / "foretell/i18n"


def translate(catalogues: Path, *words: str) -> tuple[int, str]:
    """The exit status of `python -m foretell.i18n.translate`, and what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "foretell.i18n.translate", *words],
        env={**os.environ, "PYTHONPATH": str(catalogues.parents[1]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def changed(file: Path, **texts: str | None) -> None:
    """Writes texts into a catalogue, or takes them out; `web_home` is the key web.home."""
    found = json.loads(file.read_text(encoding="utf-8"))
    for name, text in texts.items():
        key = name.replace("_", ".")
        if text is None:
            del found[key]
        else:
            found[key] = text
    file.write_text(json.dumps(found), encoding="utf-8")


def under(told: str, heading: str) -> list[str]:
    """The lines of the report below a heading."""
    blocks = [block for block in told.split("\n\n") if heading in block]
    assert len(blocks) == 1, told
    return blocks[0].strip().splitlines()[1:]


def test_a_complete_catalogue_is_said_to_be_complete(catalogues: Path) -> None:
    status, told = translate(catalogues, "fr")
    assert told.rstrip().endswith("texts. Complete.")
    assert status == 0


def test_a_missing_text_is_named_with_what_english_says(catalogues: Path) -> None:
    changed(catalogues / "fr.json", web_home=None)
    changed(catalogues / "handbook/fr.json", handbook_trump_2=None)
    status, told = translate(catalogues, "fr")
    assert status == 1
    assert told.rstrip().endswith("Not complete yet.")
    assert under(told, "Missing: write these (2)") == [
        "  web.home",
        "    en  'Home'",
        "  handbook.trump.2",
        "    en  'If it is a Jester, there is no trump.'",
    ]


def test_an_unknown_text_is_named_with_what_it_says(catalogues: Path) -> None:
    changed(catalogues / "fr.json", web_hoem="Accueil")
    status, told = translate(catalogues, "fr")
    assert status == 1
    assert under(told, "Unknown: not in the English catalogue") == [
        "  web.hoem",
        "    en  (no such key)",
        "    fr  'Accueil'",
    ]


def test_other_placeholders_are_named_with_both_texts(catalogues: Path) -> None:
    changed(catalogues / "fr.json", web_log_took="Pli\u00a0: {nom}")
    status, told = translate(catalogues, "fr")
    assert status == 1
    assert under(told, "Placeholders differ") == [
        "  web.log.took",
        "    en  'Trick: {name}'",
        "    fr  'Pli\\xa0: {nom}'",
    ]


def test_a_text_left_in_english_and_a_long_one_are_hints_only(catalogues: Path) -> None:
    changed(catalogues / "fr.json", web_copied="Copied", web_home="La page d’accueil du jeu")
    status, told = translate(catalogues, "fr")
    assert "  web.copied" in under(told, "The same as in English")
    assert "  web.home" in under(told, "Much longer than in English")
    assert status == 0


def test_a_new_language_is_told_how_to_begin_and_then_what_is_missing(catalogues: Path) -> None:
    status, told = translate(catalogues, "it")
    assert status == 1
    assert "Begin with a copy of en.json" in told
    shutil.copy(catalogues / "en.json", catalogues / "it.json")
    status, told = translate(catalogues, "it")
    assert status == 1
    assert "  handbook.trump.2" in under(told, "Missing: write these")


def test_a_file_that_is_not_json_is_an_error_with_its_place(catalogues: Path) -> None:
    (catalogues / "fr.json").write_text('{"web.home": "Accueil",}', encoding="utf-8")
    status, told = translate(catalogues, "fr")
    assert status == 1
    assert "fr is not JSON" in told
    assert "line 1" in told


def test_pictures_need_a_checkout(catalogues: Path) -> None:
    status, told = translate(catalogues, "fr", "--pictures")
    assert "Pictures are made in a checkout" in told
    assert status == 1

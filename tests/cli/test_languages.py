"""The command line speaks the language of `--lang`, or of the terminal: help, Click's own words, errors, games."""

import ast
import importlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from foretell.cli import COMMANDS, main
from foretell.commands import click_texts
from foretell.i18n import catalogue, catalogues, languages
from foretell.i18n.pseudo import LANGUAGE

TEXTS = catalogue("en").texts
# Plain words that are no text: names of commands and options, what a person types, codes.
ACCENTED = re.compile(r"[ÅÉÎÕÛÝåéîõûýçñšž]")


@pytest.fixture(autouse=True)
def with_pseudo_language(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The developers' pseudo-language, which `main` offers as if FORETELL_PSEUDO were set."""
    lang = next(one for one in main.params if one.name == "lang")
    monkeypatch.setattr(lang, "type", click.Choice([*languages(), LANGUAGE]))
    monkeypatch.setenv("FORETELL_PSEUDO", "1")
    catalogues.languages.cache_clear()
    yield
    monkeypatch.undo()
    catalogues.languages.cache_clear()


def said(*words: str, lang: str | None = LANGUAGE, **env: str) -> str:
    chosen = [] if lang is None else ["--lang", lang]
    return CliRunner().invoke(main, [*chosen, *words], env=env, terminal_width=200).output


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_is_in_the_language_asked_for(name: str) -> None:
    for line in said(name, "--help").splitlines():
        words = re.sub(r"\[[^\]]*\||--[\w-]+|[A-Z]{2,}|<[^>]*>", " ", line)
        if re.search(r"[a-z]{4}", words) and not re.search(r"foretell|\|", line):
            assert ACCENTED.search(line), line


def test_so_are_the_list_of_commands_and_errors_of_every_kind() -> None:
    told = said("--help").splitlines()[2:]
    # the list of languages is the same in each of them
    assert all(ACCENTED.search(line) for line in told if len(line) > 9 and "|" not in line)
    assert "Nõõ šûûçh çõõmmååñd 'chek'" in said("chek")
    assert "Mîîššîîñg åårgûûmééñt" in said("check")
    assert "'many' îîš ñõõt åå våålîîd îîñtéégéér" in said("play", "--players", "many")
    assert "åå gååméé hååš 3 tõõ 6 plååýéérš, ñõõt 9 (D1)" in said("play", "--players", "9")
    assert "çååññõõt béé rééååd" in said("check", "/nowhere")


def test_the_terminal_decides_where_nothing_is_asked_for() -> None:
    assert "Rûûléébõõõõkš" in said("rules", lang=None, LC_ALL="en_XA.UTF-8")
    assert "Rulebooks" in said("rules", lang=None, LC_ALL="C.UTF-8")
    assert "Rulebooks" in said("rules", lang=None, LC_ALL="tlh_KX.UTF-8")
    # one call does not decide for the next
    assert "Rulebooks" in said("rules", lang="en", LC_ALL="en_XA.UTF-8")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_a_value_as_the_line_above_it_does(name: str, language: str) -> None:
    """Where the English help of a command says NAME, the others say what their own first line says for NAME."""
    values = {
        key.removeprefix("cli.value."): text.upper()
        for key, text in catalogue(language).texts.items()
        if key.startswith("cli.value.")
    }
    command = importlib.import_module(f"foretell.commands.{name.replace('-', '_')}").command
    told = " ".join(said(name, "--help", lang=language).split())
    for argument in (one for one in command.params if isinstance(one, click.Argument)):
        if isinstance(argument.type, click.Choice):
            continue
        value = re.sub(r"[^A-Z]", "", argument.metavar or argument.human_readable_name.upper())
        times = len(re.findall(rf"(?<!exec:)\b{value}", said(name, "--help", lang="en")))
        assert told.count(values[value]) >= times, told


def test_an_unknown_language_is_refused_with_those_that_exist() -> None:
    assert "'tlh' is not one of 'en'" in said("rules", lang="tlh", LC_ALL="C")


def test_the_help_of_every_command_and_option_is_a_key_of_the_catalogue() -> None:
    for name in COMMANDS:
        command = importlib.import_module(f"foretell.commands.{name.replace('-', '_')}").command
        options = [one for one in command.params if isinstance(one, click.Option)]
        for text in [command.help, *(one.help for one in options)]:
            assert text in TEXTS, f"{name}: {text}"


def _asked_by_click() -> set[str]:
    """Every text that Click passes to gettext."""
    found = set()
    spec = importlib.util.find_spec("click")
    assert spec is not None
    assert spec.origin is not None
    for path in Path(spec.origin).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext"):
                found |= {one.value for one in node.args if isinstance(one, ast.Constant)}
    return {text for text in found if isinstance(text, str)} | {"required"}


def test_clicks_texts_are_the_ones_that_it_asks_for() -> None:
    """A new version of Click may say something else: then the catalogue must follow."""
    own = {key: text for key, text in TEXTS.items() if key.startswith("click.")}
    assert set(own) == {f"click.{name}" for name in click_texts.__dict__["_NAMES"]}
    assert set(own.values()) <= _asked_by_click()


def test_a_game_in_the_terminal_speaks_the_language_too() -> None:
    done = CliRunner().invoke(
        main,
        ["--lang", LANGUAGE, "play", "--players", "3", "--seed", "1"],
        input="help\n99\nquit\n",
    )
    lines = [line for line in done.output.splitlines() if sum(map(str.islower, line)) > 12]
    assert len(lines) > 5
    for line in lines:
        assert ACCENTED.search(line), line


@pytest.mark.parametrize("typed", ["súgó", "sugo", "SÚGÓ"])
def test_the_pad_obeys_commands_with_and_without_accents(typed: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        main,
        ["--lang", "hu", "score", "Anna", "Béla", "Cili", "--file", str(tmp_path / "pad.json")],
        input=f"{typed}\nkilép\n",
    )
    assert done.exit_code == 0
    assert catalogue("hu").say("score.help").splitlines()[0] in done.output

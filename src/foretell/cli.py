"""The command `foretell`.

Each command is a module of `foretell.commands` that is imported only when it is called, so that `foretell --help`
answers at once, whatever the commands themselves need.

Everything is said in the language of the terminal, or in that of `--lang`.  The help of a command and of its options is
a key of the catalogue; it becomes text when it is shown.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from importlib import import_module
from typing import Any

import click

from foretell.commands.click_texts import (
    in_words,
    in_words_for_values,
    translate_click,
    values_named,
)
from foretell.errors import ForetellError
from foretell.i18n import languages, say, speak, terminal_language, texts

__all__ = ["main"]

# Each is a module of foretell.commands with a Click command named `command`.
COMMANDS = (
    "play",
    "join",
    "serve",
    "site",
    "migrate-data",
    "score",
    "rules",
    "check",
    "replay",
    "review",
    "simulate",
    "odds",
    "arena",
    "bot",
    "bench",
)


class _Commands(click.Group):
    """Imports a command when it is called; lists the commands with texts from the catalogue, without importing any."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        speak(terminal_language())
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError):  # closed, or not a text stream
                # an old terminal may not have every character of a language
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        return super().make_context(info_name, args, parent, **extra)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found = copy(import_module(f"foretell.commands.{name.replace('-', '_')}").command)
        assert isinstance(found, click.Command)
        found.help = in_words(found.help)
        found.params = _in_words(found.params, ctx)
        found.options_metavar = in_words_for_values("[OPTIONS]")
        return found

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [in_words_for_values(piece) for piece in super().collect_usage_pieces(ctx)]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return _in_words(super().get_params(ctx), ctx)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = copy(super().get_help_option(ctx))
        if option is not None:
            option.help = "click.show_help"  # Click's own text was chosen before `--lang` was read
        return option

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(say("cli.about"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(say("cli.commands")):
            formatter.write_dl([(name, say(f"cli.{name}.about")) for name in COMMANDS])

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ForetellError as error:
            from foretell.scorepad.width import shown

            # The message may quote a file that anyone wrote: it must not control the terminal.
            message = error.sentence(texts().language)
            raise click.ClickException(shown(message)) from error


def _in_words(params: Sequence[click.Parameter], ctx: click.Context) -> list[click.Parameter]:
    """The same options and arguments, with their help and their values in the language that is spoken."""
    said = []
    for param in params:
        one = copy(param)
        if isinstance(one, click.Option):
            one.help = in_words(one.help)
        one.type = values_named(one.type)
        # a list of choices is typed as it is; all the rest stands for something
        if not isinstance(one.type, click.Choice):
            one.metavar = in_words_for_values(one.make_metavar(ctx))
        said.append(one)
    return said


def _speak(_ctx: click.Context, _param: click.Parameter, language: str | None) -> None:
    if language is not None:
        speak(language)


translate_click()


@click.group(cls=_Commands)
@click.option(
    "--lang",
    type=click.Choice(languages(), case_sensitive=False),
    callback=_speak,
    expose_value=False,
    is_eager=True,
    help="cli.lang",
)
@click.version_option(package_name="foretell", help="cli.version")
def main() -> None:
    pass

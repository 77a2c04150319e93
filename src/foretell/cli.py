"""The command `foretell`.

Each command is a module of `foretell.commands` that is imported only when it is called, so that `foretell --help`
answers at once, whatever the commands themselves need.
"""

from importlib import import_module

import click

from foretell.errors import ForetellError
from foretell.i18n import catalogue

__all__ = ["main"]

# Each is a module of foretell.commands with a Click command named `command`.
COMMANDS = (
    "play",
    "join",
    "serve",
    "score",
    "rules",
    "check",
    "replay",
    "review",
    "simulate",
    "arena",
    "bot",
    "bench",
)


class _Commands(click.Group):
    """Imports a command when it is called; lists the commands with texts from the catalogue, without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found = import_module(f"foretell.commands.{name}").command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        say = catalogue().say
        with formatter.section(say("cli.commands")):
            formatter.write_dl([(name, say(f"cli.{name}.about")) for name in COMMANDS])

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ForetellError as error:
            from foretell.scorepad.width import shown

            # The message may quote a file that anyone wrote: it must not control the terminal.
            raise click.ClickException(shown(str(error))) from error


@click.group(cls=_Commands, help=catalogue().say("cli.about"))
@click.version_option(package_name="foretell")
def main() -> None:
    pass

"""`foretell bot NAME`: a bot on standard input and output, for other programs that run games."""

import sys
from random import Random

import click
import msgspec

from foretell.bots import BOTS, bot
from foretell.commands.plain_python import load_bots
from foretell.engine import from_json
from foretell.errors import ForetellError, NotAGame
from foretell.i18n import say as _say


class _WithNames(click.Command):
    """Lists the bots below the help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl([(name, _say(f"bot.{name}.about")) for name in BOTS])


@click.command("bot", help="cli.bot.help", cls=_WithNames)
@click.argument("name")
@click.option("--seed", type=int, default=0, show_default=True, help="cli.seed")
def command(name: str, seed: int) -> None:
    """Each answer depends only on the seed, the question and its number."""
    player = bot(name)
    load_bots([name])
    for number, line in enumerate(sys.stdin.buffer):
        if not line.strip():
            continue
        try:
            seen = from_json(line)
            if not seen.legal:
                raise NotAGame("nothing_asked")
            chosen = player.choose(seen, Random(f"{seed}/{number}"))
            answer = {"action": str(chosen)}
        except (ForetellError, msgspec.MsgspecError, ValueError, RecursionError) as error:
            answer = {"error": str(error)}
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()

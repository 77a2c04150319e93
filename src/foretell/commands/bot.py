"""`foretell bot NAME`: a bot behind two pipes, for foreign arenas and tables."""

import sys
from random import Random

import click
import msgspec

from foretell.bots import BOTS, bot
from foretell.commands.warm_up import ready_to_think
from foretell.engine import from_json
from foretell.errors import ForetellError, NotAGame
from foretell.i18n import catalogue

_say = catalogue().say

# \b keeps click from running the lines together.
_NAMES = "\n".join(["\b", *(f"{name:<14} {_say(f'bot.{name}.about')}" for name in BOTS)])


@click.command("bot", help=_say("cli.bot.help"), epilog=_NAMES)
@click.argument("name")
@click.option("--seed", type=int, default=0, show_default=True, help=_say("cli.seed"))
def command(name: str, seed: int) -> None:
    """Each answer follows from the seed and the number of the question."""
    player = bot(name)
    ready_to_think([name])
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

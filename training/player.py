"""Plays a trained net on standard input and output, for `foretell arena` and other programs that run games.

foretell arena "exec:python -m training.player training/runs/second/weights.npz" champion champion champion
"""

import sys
from pathlib import Path
from random import Random

import msgspec

from foretell.bots.net.net_player import NetPlayer
from foretell.engine import from_json


def main() -> None:
    player = NetPlayer(Path(sys.argv[1]))
    for line in sys.stdin.buffer:
        chosen = player.choose(from_json(line), Random(0))
        sys.stdout.buffer.write(msgspec.json.encode({"action": str(chosen)}) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

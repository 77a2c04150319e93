"""Plays the net of a run on standard input and output, for `foretell arena` and other programs that run games.

foretell arena "exec:python -m training.player training/runs/first" net net net
"""

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec

from foretell.bots.net.net_player import NetPlayer
from foretell.bots.net.weights import Weights
from foretell.engine import from_json
from training.export import export


def main() -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "weights.bin"
        export(Path(sys.argv[1]), file)
        weights = Weights.read(file)
        player = NetPlayer(lambda: weights)
        for line in sys.stdin.buffer:
            chosen = player.choose(from_json(line), Random(0))
            sys.stdout.buffer.write(msgspec.json.encode({"action": str(chosen)}) + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

"""How long bots think in a browser, beside native: `python bench/browser.py`.

The same choices are made by this Python with the native library and by the engine of the page, Python and kernel
compiled to WebAssembly, in Node, which has Chromium's compiler for WebAssembly.  They take turns, so that a busy
machine slows both.  It stops if a choice differs.  The engine must have been built: `make site`.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "src" / "foretell" / "server" / "static" / "engine"
LEVELS = ("skilled", "master", "champion")

THINK = """
import json
import time
from random import Random
from foretell import bot, new_game, play_out, preset, seeded
from foretell.kernel import BACKEND

class Timed:
    def __init__(self, thinker):
        self.thinker, self.seconds, self.choices = thinker, 0.0, []
    def choose(self, view, random):
        start = time.perf_counter()
        chosen = self.thinker.choose(view, random)
        self.seconds += time.perf_counter() - start
        self.choices.append(str(chosen))
        return chosen

found = {}
for level in LEVELS:
    for rounds in ((2,), ROUNDS):  # the first game fills caches, and compiles the code for good
        timed = Timed(bot(level))
        others = [bot("counting")] * 3
        game = new_game(preset("es", rounds=rounds), list("abcd"))
        play_out(game, [timed, *others], seeded(5), Random(3))
    found[level] = [timed.seconds, timed.choices]
print(json.dumps([BACKEND, found]))
"""


def thought(command: list[str]) -> dict[str, tuple[float, list[str]]]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    backend, found = json.loads(done.stdout.splitlines()[-1])
    if backend != "native":
        sys.exit(f"{command[0]} has no compiled kernel")
    return {level: (seconds, choices) for level, (seconds, choices) in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    turns = parser.parse_args().turns
    node = shutil.which("node")
    if node is None or not (ENGINE / "engine.json").exists():
        print("bench/browser.py needs Node and the engine: make site")
        return
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "think.py")
        script.write_text(f"LEVELS, ROUNDS = {LEVELS!r}, (3, 8, 12)\n{THINK}", encoding="utf-8")
        run = str(ROOT / "web" / "engine" / "run.mjs")
        web = [node, run, str(ENGINE), str(ROOT / "src"), str(script)]
        native = [sys.executable, str(script)]
        pairs = [(thought(native), thought(web)) for _ in range(turns)]
    print(
        f"{'level':10} {'choices':>7} {'native':>10} {'browser':>10} {'factor':>7}   (seconds; best of {turns})"
    )
    for level in LEVELS:
        if any(one[level][1] != other[level][1] for one, other in pairs):
            sys.exit(f"{level}: the choices differ")
        here, there = (min(pair[side][level][0] for pair in pairs) for side in (0, 1))
        count = len(pairs[0][0][level][1])
        print(f"{level:10} {count:7} {here:10.3f} {there:10.3f} {there / here:7.2f}")


if __name__ == "__main__":
    main()

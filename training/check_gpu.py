"""Checks the simulator on a GPU against the same source on the CPU, word by word, and measures its speed.

python -m training.check_gpu BUNDLE
"""

import sys
import time
from pathlib import Path

import numpy as np
import torch

from training.learner.memory import TorchMemory
from training.simulator.batch import GAME_OVER, Batch, Bundle, Game, NumpyMemory

COMPARED = ("room", "words", "seat", "phase", "player", "ended", "points")


def answers(words: np.ndarray, legal_at: int, random: np.random.Generator) -> np.ndarray:
    """A random legal answer for each table."""
    legal = words[:, legal_at, None] >> np.arange(63) & 1
    return np.argmax(legal * random.random(legal.shape), axis=1).astype(np.uint8)


def compare(cpu: Batch, gpu: Batch, step: int) -> None:
    torch.cuda.synchronize()
    for name in COMPARED:
        there = gpu.arrays[name].cpu().numpy()
        if not (cpu.arrays[name] == there).all():
            raise SystemExit(f"{name} differs at step {step}")


def play_both(cpu: Batch, gpu: Batch, most: int) -> int:
    """Random answers at the same tables on both machines; returns the number of decisions compared."""
    random, decisions = np.random.default_rng(1), 0
    legal_at = cpu.bundle.layout["view"]["LEGAL"]
    for step in range(most):
        compare(cpu, gpu, step)
        waiting = cpu.arrays["player"] != GAME_OVER
        if not waiting.any():
            break
        decisions += int(waiting.sum())
        cpu.arrays["action"][:] = answers(cpu.arrays["words"], legal_at, random)
        gpu.arrays["action"].copy_(torch.from_numpy(cpu.arrays["action"]))
        cpu.step()
        gpu.step()
    return decisions


def speed(bundle: Bundle, tables: int, steps: int) -> tuple[float, float]:
    """Decisions a second of the simulator alone, random answers; and the share of the time for the bits."""
    batch = Batch(bundle, tables)
    view = bundle.layout["view"]
    shares = {"base": 0.5, "variants": 0.2, "specials": 0.2, "foresight": 0.05, "unicolor": 0.05}
    batch.begin_training(
        3, bundle.draws(shares), scripted_share=0.33, league=np.zeros(tables, dtype=np.int64)
    )
    places = torch.arange(61, device="cuda")
    inputs = bundle.memory.zeros((tables, view["WORDS"] * 64), "bfloat16")
    playing = expanding = 0.0
    for step in range(steps + 10):
        legal = batch.arrays["words"][:, view["LEGAL"], None] >> places & 1
        chosen = (legal * torch.rand(tables, 61, device="cuda")).argmax(1)
        batch.arrays["action"].copy_(chosen)
        torch.cuda.synchronize()
        began = time.perf_counter()
        batch.step()
        torch.cuda.synchronize()
        between = time.perf_counter()
        bundle.expand(batch.arrays["words"], None, tables, view["WORDS"], inputs)
        torch.cuda.synchronize()
        if step >= 10:
            playing += between - began
            expanding += time.perf_counter() - between
    return tables * steps / playing / 1e6, tables * steps / expanding / 1e6


def main() -> None:
    folder = Path(sys.argv[1])
    on_cpu = Bundle(folder, NumpyMemory())
    on_gpu = Bundle(folder, TorchMemory(torch.device("cuda")))
    count = len(on_cpu.rule_sets)
    cpu, gpu = Batch(on_cpu, count), Batch(on_gpu, count)
    games = [Game(place, place, (0,) * 6) for place in range(count)]
    for batch in (cpu, gpu):
        batch.begin_games(11, games)
    print(f"whole games of {count} rule sets: {play_both(cpu, gpu, 2000)} decisions equal")
    cpu, gpu = Batch(on_cpu, 2048), Batch(on_gpu, 2048)
    draws = on_cpu.draws(
        {"base": 0.3, "variants": 0.2, "specials": 0.3, "foresight": 0.1, "unicolor": 0.1}
    )
    league = (np.arange(2048) >= 1500).astype(np.int64)
    for batch in (cpu, gpu):
        batch.begin_training(
            13, draws, scripted_share=0.4, league=league, exchange_share=0.3, shifted_share=0.5
        )
    print(f"training: {play_both(cpu, gpu, 200)} decisions equal")
    for tables in (32768, 65536):
        playing, expanding = speed(on_gpu, tables, 60)
        print(f"{tables} tables: simulator {playing:.0f} M/s, inputs {expanding:.0f} M/s")
    print("error code", on_gpu.library.tables_error())


if __name__ == "__main__":
    main()

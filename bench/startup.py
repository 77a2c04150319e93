"""How much longer `foretell --help` takes than Python itself: the best of many runs of each, which alternate."""

import subprocess
import sys
import time

RUNS = 20


def _seconds(*words: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    bare, with_help = [], []
    for _ in range(RUNS):
        bare.append(_seconds("-c", "pass"))
        with_help.append(_seconds("-m", "foretell", "--help"))
    print(f"python: {min(bare):.3f} s, foretell --help: {min(with_help):.3f} s")
    print(f"foretell --help takes {min(with_help) - min(bare):.3f} s more than bare Python")


if __name__ == "__main__":
    main()

"""The engine, the kernel and OpenSpiel side by side: `foretell bench`, for `make bench`.

python bench/kernel.py [--seconds S] [--json]
"""

from foretell.commands.bench import command

if __name__ == "__main__":
    command()

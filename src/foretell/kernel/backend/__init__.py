"""How the kernel runs: compiled by Numba, as plain Python, or translated to C."""

__all__: list[str] = []

"""How the kernel runs: in a native library that the build makes, as plain Python, or compiled by Numba."""

__all__: list[str] = []

"""Bots that need the kernel: the search, which plays every choice out in many worlds, and its heuristic."""

__all__: list[str] = []

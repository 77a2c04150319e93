"""Bots that need the kernel: the search, which plays out every choice in many worlds, and its heuristic."""

__all__: list[str] = []

"""Bots without a search: they choose by simple rules, in plain Python."""

__all__: list[str] = []

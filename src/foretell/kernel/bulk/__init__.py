"""Policies, whole rounds and games inside the compiled loop, and sums over many games."""

__all__: list[str] = []

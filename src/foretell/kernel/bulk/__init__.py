"""Whole rounds and games inside the compiled loop."""

__all__: list[str] = []

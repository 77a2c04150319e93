"""A table: its people and seats, whose turn it is, and what everyone is told."""

__all__: list[str] = []

"""A table: its people and seats, whose turn it is, and the messages to everyone."""

__all__: list[str] = []

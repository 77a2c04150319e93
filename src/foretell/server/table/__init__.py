"""A table and the people at it: who sits where, whose turn it is, who is told what."""

__all__: list[str] = []

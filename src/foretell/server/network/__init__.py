"""HTTP and WebSockets, and the limits that protect them.  Nothing here knows the rules of the game."""

__all__: list[str] = []

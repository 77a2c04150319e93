"""HTTP, sockets, and the guards around them."""

__all__: list[str] = []

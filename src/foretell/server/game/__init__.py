"""One game as the fold of its log.  It knows no people, no clock and no socket."""

__all__: list[str] = []

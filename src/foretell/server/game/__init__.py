"""One game, worked out from its setup and the actions in its log.  It knows no people, no clock and no socket."""

__all__: list[str] = []

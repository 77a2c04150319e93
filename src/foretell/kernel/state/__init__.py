"""The state of a game as integers, the lookup tables of a rule set, and the turn loop."""

__all__: list[str] = []

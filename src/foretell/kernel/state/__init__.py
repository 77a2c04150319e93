"""The state of a game as integers, the tables of a rule set, and one step of the turn loop."""

__all__: list[str] = []

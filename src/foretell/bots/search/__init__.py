"""Players that play every choice out in many possible worlds."""

__all__: list[str] = []

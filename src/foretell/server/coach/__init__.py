"""The coach at a server: advice during a game, reviews of finished games."""

__all__: list[str] = []

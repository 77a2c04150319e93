"""The store: tables, games and the logs of their actions, on disk."""

__all__: list[str] = []

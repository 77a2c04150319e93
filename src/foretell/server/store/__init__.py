"""What is kept on disk: tables, games and their logs of actions."""

__all__: list[str] = []

"""Players that look at their cards and choose, without any search."""

__all__: list[str] = []

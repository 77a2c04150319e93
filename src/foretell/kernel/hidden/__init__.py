"""The hands that a seat cannot see: which ones are possible, and how to deal them again."""

__all__: list[str] = []

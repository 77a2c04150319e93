"""What a seat cannot see: which hands are possible, and how to deal them again."""

__all__: list[str] = []

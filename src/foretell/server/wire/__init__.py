"""The wire format: every message, how it is encoded, and the files generated from it."""

__all__: list[str] = []

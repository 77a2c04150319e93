"""The Block of Truth: the score pad for a table with real cards."""

from foretell.scorepad.sheet import sheet

__all__ = ["sheet"]

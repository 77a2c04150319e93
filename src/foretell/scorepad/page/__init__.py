"""The pad of the page: the TypeScript that is translated from the pad and from the rules that it asks.

The page keeps score without a network, so it cannot ask the server.  Its pad is not a second implementation: these
modules translate the Python one, and `python -m foretell.server.wire.generate` writes the result.

    sources.py       what is translated
    expressions.py   one expression
    functions.py     statements, functions, classes
    constants.py     values such as the list of clashes, and the shapes of what is read from a file
"""

from foretell.scorepad.page.module import pad_typescript

__all__ = ["pad_typescript"]

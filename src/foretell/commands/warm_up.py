"""Players that think in the kernel, compiled before anyone waits for their first choice."""

from collections.abc import Iterable

from foretell.bots import LEVELS
from foretell.bots.levels import CLOCKED
from foretell.commands.compiling import compiling

__all__ = ["ready_to_think"]

_USE = "bots"


def ready_to_think(names: Iterable[str]) -> None:
    """Says so and compiles what these players need, if some of them need it and it was not done before."""
    if not any(name in LEVELS or name == "flat" or name.startswith(CLOCKED) for name in names):
        return
    from foretell.bots.search.search import Search  # noqa: PLC0415 - Numba is slow to import
    from foretell.deals import seeded  # noqa: PLC0415
    from foretell.engine import awaited_seats, deal, new_game, view  # noqa: PLC0415
    from foretell.kernel.backend.compiled import is_warm  # noqa: PLC0415
    from foretell.rules import Rules  # noqa: PLC0415

    with compiling(_USE):
        if not is_warm(_USE):
            game = new_game(Rules(rounds=(2,)), ("", "", ""))
            game, _ = deal(game, seeded(0)(game))
            Search(worlds=2).think(view(game, awaited_seats(game)[0]), 0, keep_all=True)

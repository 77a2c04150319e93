"""The same game played on integers, a hundred times faster; the readable rules fill its lookup tables (docs/kernel.md).

    tables = compile_rules(rules, players)       once for each rule set
    played = play_games(tables, 10_000, seed=1)  whole games, on all cores
    hidden = hidden_hands(view)                  the hands that a seat does not see, ready to be redealt

The functions of `turn_loop`, `policies`, `playouts` and `redealing` can be called from your own `jit` loops.
"""

from foretell.kernel.backend.compiled import (
    BACKEND,
    IS_COMPILED,
    ONE,
    Floats,
    Ints,
    floats,
    inlined,
    ints,
    jit,
    kth,
    lowest,
    popcount,
)
from foretell.kernel.bulk.playouts import (
    PlayedGames,
    play_games,
    play_round,
    random_games,
    random_round,
)
from foretell.kernel.bulk.policies import (
    PLAIN,
    RANDOM,
    chosen,
    guess_bids,
    plain_action,
    random_action,
)
from foretell.kernel.hidden.hidden_hands import Hidden, hidden_hands
from foretell.kernel.hidden.redealing import redeal
from foretell.kernel.hidden.scratch_layout import SCRATCH_WORDS
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.card_numbers import face_number, kind_of
from foretell.kernel.state.from_engine import (
    new_state,
    state_of_game,
    state_of_round,
    state_of_view,
)
from foretell.kernel.state.random_numbers import RNG_WORDS, below, seed_rng, shuffle
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.kernel.state.turn_loop import (
    copy_state,
    deal,
    is_over,
    is_round_over,
    legal,
    new_game,
    points,
    score,
    step,
    take_turn,
)

__all__ = [
    "BACKEND",
    "IS_COMPILED",
    "ONE",
    "PLAIN",
    "RANDOM",
    "RNG_WORDS",
    "SCRATCH_WORDS",
    "Floats",
    "Hidden",
    "Ints",
    "PlayedGames",
    "Tables",
    "below",
    "chosen",
    "compile_rules",
    "copy_state",
    "deal",
    "face_number",
    "floats",
    "guess_bids",
    "hidden_hands",
    "inlined",
    "ints",
    "is_over",
    "is_round_over",
    "jit",
    "kernel_actions",
    "kind_of",
    "kth",
    "legal",
    "lowest",
    "new_game",
    "new_state",
    "plain_action",
    "play_games",
    "play_round",
    "points",
    "popcount",
    "random_action",
    "random_games",
    "random_round",
    "redeal",
    "score",
    "seed_rng",
    "shuffle",
    "state_of_game",
    "state_of_round",
    "state_of_view",
    "step",
    "take_turn",
]

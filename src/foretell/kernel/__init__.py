"""The same game on integers, a hundred times faster, from tables made out of the readable rules (docs/kernel.md).

    tables = compile_rules(rules, players)       once for each rule set
    played = play_games(tables, 10_000, seed=1)  whole games over all cores
    hidden = hidden_hands(view)                  what a seat does not see, to be dealt again and again

The functions of `core`, `policies`, `playouts` and `redealing` are for compiled loops of one's own, made with `jit`.
"""

from foretell.kernel.backend.compiled import (
    IS_COMPILED,
    ONE,
    Floats,
    Ints,
    floats,
    inlined,
    ints,
    is_warm,
    jit,
    kth,
    lowest,
    popcount,
)
from foretell.kernel.bulk.playouts import (
    Played,
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
from foretell.kernel.hidden.redealing import SCRATCH, redeal
from foretell.kernel.state.chance import CHANCE, below, seed_chance, shuffle
from foretell.kernel.state.convert import (
    action_of,
    kernel_actions,
    new_state,
    round_of,
    state_of_game,
    state_of_round,
    state_of_view,
)
from foretell.kernel.state.tables import Tables, compile_rules, face_number, kind_of
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
    "CHANCE",
    "IS_COMPILED",
    "ONE",
    "PLAIN",
    "RANDOM",
    "SCRATCH",
    "Floats",
    "Hidden",
    "Ints",
    "Played",
    "Tables",
    "action_of",
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
    "is_warm",
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
    "round_of",
    "score",
    "seed_chance",
    "shuffle",
    "state_of_game",
    "state_of_round",
    "state_of_view",
    "step",
    "take_turn",
]

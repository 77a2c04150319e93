"""The engine and the kernel side by side: same deals, same actions, everything compared after each."""

from random import Random

from foretell.deals import seeded
from foretell.engine import Action, Game, act, awaited_seats, deal, legal_actions, new_game
from foretell.engine.round import Phase
from foretell.kernel.backend.compiled import Ints
from foretell.kernel.state import codes, turn_loop
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.card_numbers import COLOURS
from foretell.kernel.state.from_engine import new_state, state_of_game
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.rules import Rules
from kernel.to_engine import deck_of


def named(rules: Rules) -> str:
    """A rule set in a few words, for the names of tests."""
    parts: list[str] = [rules.bids]
    parts += ["plus-minus-one"] if rules.plus_minus_one else []
    parts += [f"foresight-{rules.foresight}"] if rules.foresight != "none" else []
    parts += ["unicolor"] if rules.unicolor else []
    parts += ["barred"] if rules.wizards_on_trump == "barred" else []
    parts += ["+".join(special[:2] for special in rules.specials)] if rules.specials else []
    return " ".join(parts)


def comparable(state: Ints) -> list[int]:
    """A state without what is left over from earlier: words that mean nothing now."""
    words = [int(word) for word in state[: in_state.HISTORY + state[in_state.FACES_PLAYED]]]
    if words[in_state.BEST_STRENGTH] == 0:
        words[in_state.BEST_SEAT] = 0
    if not words[in_state.EFFECTS] & codes.UPSETS:
        words[in_state.UPSETTER] = 0
    if words[in_state.PHASE] != codes.DECLARING:
        words[in_state.DECLARING_KIND] = 0
    if words[in_state.PHASE] >= codes.DEALING:
        words[in_state.TURN] = 0
        words[in_state.LEADER] = 0
    return words + [int(word) for word in state[in_state.SCORED : in_state.SIZE]]


def expected_mask(offered: tuple[Action, ...]) -> int:
    """The engine's legal actions as the kernel's mask."""
    mask = 0
    for action in offered:
        mask |= 1 << kernel_actions(action)[0]
    return mask


def play_in_step(
    rules: Rules, players: int, seed: int, *, thorough: float = 1.0
) -> tuple[Game, Ints]:
    """One random game on both; `thorough` is the share of actions after which every word is compared."""
    random = Random(f"{seed}/{players}")
    tables = compile_rules(rules, players)
    game = new_game(
        rules, [f"seat {seat}" for seat in range(players)], first_dealer=random.randrange(players)
    )
    state = new_state()
    turn_loop.new_game(tables.words, state, game.first_dealer)
    dealing = seeded(f"{seed}")
    while not game.is_over:
        if game.awaits_deal:
            assert state[in_state.PHASE] == codes.DEALING
            cards = dealing(game)
            dealer = game.next_dealer
            game, _ = deal(game, cards)
            turn_loop.deal(tables.words, state, deck_of(tables, cards, dealer))
        else:
            game = _act_in_step(tables, game, state, random)
        compare(tables, game, state, every_word=random.random() < thorough)
    assert turn_loop.is_over(state)
    return game, state


def _act_in_step(tables: Tables, game: Game, state: Ints, random: Random) -> Game:
    seat = random.choice(awaited_seats(game))
    turn_loop.take_turn(tables.words, state, seat)
    assert state[in_state.TURN] == seat
    action = random.choice(legal_actions(game, seat))
    return act_in_step(tables, game, state, seat, action)


def act_in_step(tables: Tables, game: Game, state: Ints, seat: int, action: Action) -> Game:
    """One whole action on both; the kernel's legal sets are compared on the way."""
    mask = turn_loop.legal(tables.words, state)
    assert mask == expected_mask(legal_actions(game, seat)), str(action)
    for number, part in enumerate(kernel_actions(action)):
        if number == 1:
            assert state[in_state.PHASE] == codes.DECLARING
            assert turn_loop.legal(tables.words, state) == (1 << len(action.card.faces)) - 1  # type: ignore[attr-defined]
        turn_loop.step(tables.words, state, part)
    return act(game, seat, action)[0]


def compare(tables: Tables, game: Game, state: Ints, *, every_word: bool) -> None:
    now = game.now
    assert now is not None
    if now.phase is Phase.SCORED:
        assert state[in_state.PHASE] == (codes.GAME_OVER if game.is_over else codes.DEALING)
    else:
        assert state[in_state.TURN] in awaited_seats(game)
    assert (
        COLOURS[state[in_state.TRUMP]] is now.trump or state[in_state.PHASE] == codes.NAMING_TRUMP
    )
    assert tuple(state[in_state.TRICKS_WON : in_state.TRICKS_WON + tables.players]) == now.won
    assert tuple(state[in_state.SCORE : in_state.SCORE + tables.players]) == game.score
    if every_word:
        expected = comparable(state_of_game(tables, game))
        found = comparable(state)
        if state[in_state.PHASE] in (codes.BIDDING, codes.PASSING):
            expected[in_state.TURN] = found[in_state.TURN]  # any of those awaited
        assert found == expected

"""The engine and the kernel side by side: same deals, same actions, everything compared after each."""

from random import Random

from foretell.deals import seeded
from foretell.engine import Action, Game, act, awaited_seats, deal, legal_actions, new_game
from foretell.engine.round import Phase
from foretell.kernel.backend.compiled import Ints
from foretell.kernel.state import layout as at
from foretell.kernel.state import turn_loop
from foretell.kernel.state.convert import deck_of, kernel_actions, new_state, state_of_game
from foretell.kernel.state.tables import COLOURS, Tables, compile_rules
from foretell.rules import Rules


def named(rules: Rules) -> str:
    """A rule set in a few words, for the names of tests."""
    parts: list[str] = [rules.bids]
    parts += ["plus-minus-one"] if rules.plus_minus_one else []
    parts += [f"foresight-{rules.foresight}"] if rules.foresight != "none" else []
    parts += ["unicolor"] if rules.unicolor else []
    parts += ["barred"] if rules.wizards_on_trump == "barred" else []
    parts += ["+".join(special[:2] for special in rules.specials)] if rules.specials else []
    return " ".join(parts)


def comparable(s: Ints) -> list[int]:
    """A state without what is left over from earlier: words that mean nothing now."""
    words = [int(word) for word in s[: at.HISTORY + s[at.PLAYED]]]
    if words[at.BEST] == 0:
        words[at.WINNER] = 0
    if not words[at.EFFECTS] & at.UPSETS:
        words[at.UPSETTER] = 0
    if words[at.PHASE] != at.DECLARING:
        words[at.DECLARED] = 0
    if words[at.PHASE] >= at.DEALING:
        words[at.TURN] = 0
        words[at.LEADER] = 0
    return words


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
    s = new_state()
    turn_loop.new_game(tables.words, s, game.first_dealer)
    dealing = seeded(f"{seed}")
    while not game.is_over:
        if game.awaits_deal:
            assert s[at.PHASE] == at.DEALING
            cards = dealing(game)
            dealer = game.next_dealer
            game, _ = deal(game, cards)
            turn_loop.deal(tables.words, s, deck_of(tables, cards, dealer))
        else:
            game = _act_in_step(tables, game, s, random)
        compare(tables, game, s, every_word=random.random() < thorough)
    assert turn_loop.is_over(s)
    return game, s


def _act_in_step(tables: Tables, game: Game, s: Ints, random: Random) -> Game:
    seat = random.choice(awaited_seats(game))
    turn_loop.take_turn(tables.words, s, seat)
    assert s[at.TURN] == seat
    action = random.choice(legal_actions(game, seat))
    return act_in_step(tables, game, s, seat, action)


def act_in_step(tables: Tables, game: Game, s: Ints, seat: int, action: Action) -> Game:
    """One whole action on both; the kernel's legal sets are compared on the way."""
    mask = turn_loop.legal(tables.words, s)
    assert mask == expected_mask(legal_actions(game, seat)), str(action)
    for number, part in enumerate(kernel_actions(action)):
        if number == 1:
            assert s[at.PHASE] == at.DECLARING
            assert turn_loop.legal(tables.words, s) == (1 << len(action.card.faces)) - 1  # type: ignore[attr-defined]
        turn_loop.step(tables.words, s, part)
    return act(game, seat, action)[0]


def compare(tables: Tables, game: Game, s: Ints, *, every_word: bool) -> None:
    now = game.now
    assert now is not None
    if now.phase is Phase.SCORED:
        assert s[at.PHASE] == (at.OVER if game.is_over else at.DEALING)
    else:
        assert s[at.TURN] in awaited_seats(game)
    assert COLOURS[s[at.TRUMP]] is now.trump or s[at.PHASE] == at.TRUMP_NAMED
    assert tuple(s[at.WON : at.WON + tables.players]) == now.won
    assert tuple(s[at.SCORE : at.SCORE + tables.players]) == game.score
    if every_word:
        expected = comparable(state_of_game(tables, game))
        found = comparable(s)
        if s[at.PHASE] in (at.BIDDING, at.PASSING):
            expected[at.TURN] = found[at.TURN]  # any of those awaited
        assert found == expected

"""The simulator's C plays the kernel's games, word by word, in every rule set."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from training.simulator import table_layout as in_table
from training.simulator.batch import GAME_OVER, Batch, Bundle, Game, NumpyMemory
from training.simulator.bundle import write_bundle
from training.simulator.rule_sets import RuleSet, every_rule_set
from training.simulator.rule_sets import every_rules as rules_to_train

from foretell.bots.net import layout as in_view
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from net.reference import ReferenceTable
from tables import PROVING, every_rules

# Every rule set once when proving; otherwise every rule set at some number of players.
RULE_SETS = [
    one for place, one in enumerate(every_rule_set()) if PROVING or place % 29 == 0 or place < 4
]
SHARES = {"base": 0.4, "variants": 0.2, "unicolor": 0.1, "foresight": 0.1, "specials": 0.2}


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here: the simulator is not tested")
    folder: Path = tmp_path_factory.mktemp("bundle")
    write_bundle(folder, RULE_SETS)
    return Bundle(folder, NumpyMemory())


def answers(words: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A random legal answer for each table, read off the word LEGAL."""
    legal = words[:, in_view.LEGAL, None] >> np.arange(63) & 1
    chosen: np.ndarray = np.argmax(legal * random.random(legal.shape), axis=1).astype(np.uint8)
    return chosen


def references(batch: Batch, rule_sets: list[RuleSet]) -> list[ReferenceTable]:
    return [
        ReferenceTable(
            rule_sets,
            batch.arrays["room"][place, : in_table.TABLE_WORDS],
            batch.arrays["settings"],
            batch.arrays["draws"],
        )
        for place in range(batch.count)
    ]


def compare(batch: Batch, tables: list[ReferenceTable]) -> None:
    found = batch.arrays
    for place, table in enumerate(tables):
        assert int(found["player"][place]) == table.player
        assert found["room"][place].tolist() == table.room
        happened = table.outcome[in_table.ENDED] * in_table.ROUND_ENDED
        happened += table.outcome[in_table.HAS_EXCHANGED] * in_table.CARDS_EXCHANGED
        assert int(found["ended"][place]) == happened
        points = table.outcome[in_table.POINTS : in_table.HAS_EXCHANGED]
        assert found["points"][place].tolist() == list(points)
        if table.waits:
            assert found["words"][place].tolist() == list(table.words)


def test_all_rules_are_trained() -> None:
    assert set(rules_to_train()) == set(every_rules())


@pytest.mark.prove
def test_whole_games_are_the_kernels(bundle: Bundle) -> None:
    """Random answers in every seat, every rule set, until all games are over."""
    batch = Batch(bundle, len(RULE_SETS))
    games = [Game(place, place, (in_table.LEARNER,) * 6) for place in range(len(RULE_SETS))]
    tables: list[ReferenceTable] = []
    batch.load_games(5, games)  # the tables as they are before the first deal
    tables = references(batch, RULE_SETS)
    batch.begin_games(5, games)
    for table in tables:
        table.begin()
    random = np.random.default_rng(1)
    while (batch.arrays["player"] != GAME_OVER).any():
        compare(batch, tables)
        batch.arrays["action"][:] = answers(batch.arrays["words"], random)
        batch.step()
        for place, table in enumerate(tables):
            table.step(int(batch.arrays["action"][place]))
    compare(batch, tables)


def assert_cards_are_the_deck(table: ReferenceTable) -> None:
    """Whatever changed hands: the cards held and played, and the rest of the deck, are all cards."""
    lookup, state = table.lookup, table.state
    size, players = int(lookup[in_lookup.DECK_SIZE]), int(lookup[in_lookup.PLAYERS])
    deck = [int(lookup[in_lookup.DECK + table.deck[place]]) for place in range(size)]
    assert sorted(deck) == sorted(int(lookup[in_lookup.DECK + place]) for place in range(size))
    if lookup[in_lookup.OWN_CARDS] or state[in_state.WEREWOLF_SEAT] != codes.NOBODY:
        return
    held = [
        int(lookup[in_lookup.KIND_OF_FACE + state[in_state.HISTORY + place]])
        for place in range(int(state[in_state.FACES_PLAYED]))
    ]
    for seat in range(players):
        copies = int(state[in_state.COPIES + seat])
        held += [codes.WIZARD] * (copies & codes.WIZARD_COUNT_MASK)
        held += [codes.JESTER] * (copies // codes.ONE_JESTER)
        hand = int(state[in_state.HAND + seat])
        held += [
            kind
            for kind in range(codes.KINDS)
            if hand >> kind & 1 and kind not in (codes.WIZARD, codes.JESTER)
        ]
    if state[in_state.PHASE] not in (codes.PASSING, codes.DECLARING):
        assert sorted(held) == sorted(deck[: players * int(state[in_state.HAND_SIZE])])


@pytest.mark.prove
def test_training_is_the_same_as_in_the_kernel(bundle: Bundle) -> None:
    """Games without end, with scripted players, seats of past nets, and cards that change hands."""
    batch = Batch(bundle, 40)
    league = (np.arange(40) >= 30).astype(np.int64)
    draws = bundle.draws(SHARES, 256)
    batch.load_training(
        7, draws, scripted_share=0.5, league=league, exchange_share=0.4, shifted_share=0.5
    )
    tables = references(batch, RULE_SETS)
    batch.begin_training(
        7, draws, scripted_share=0.5, league=league, exchange_share=0.4, shifted_share=0.5
    )
    for table in tables:
        table.draw()
        table.begin()
    random = np.random.default_rng(2)
    ends, exchanges, players = 0, 0, set()
    for _ in range(2000 if PROVING else 150):
        compare(batch, tables)
        ends += int((batch.arrays["ended"] & in_table.ROUND_ENDED).sum())
        exchanges += int((batch.arrays["ended"] & in_table.CARDS_EXCHANGED > 0).sum())
        for table in tables:
            assert_cards_are_the_deck(table)
        players |= set(batch.arrays["player"].tolist())
        batch.arrays["action"][:] = answers(batch.arrays["words"], random)
        batch.step()
        for place, table in enumerate(tables):
            table.step(int(batch.arrays["action"][place]))
    assert ends > 40
    assert exchanges > 20
    assert players == {in_table.LEARNER, in_table.FROZEN}


@pytest.mark.prove
def test_a_share_of_a_number_of_players_is_of_its_family(bundle: Bundle) -> None:
    drawn = bundle.draws({"base": 1.0, "base/3": 1.0}, 80)
    players = [bundle.rule_sets[one]["players"] for one in drawn]
    assert {bundle.rule_sets[one]["family"] for one in drawn} == {"base"}
    assert [players.count(number) for number in range(3, 7)] == [50, 10, 10, 10]


@pytest.mark.prove
def test_bits_become_inputs(bundle: Bundle) -> None:
    """Input 64 x word + bit is that bit, as a bf16 number."""
    words = np.random.default_rng(3).integers(0, 1 << 63, (5, in_view.CRITIC_WORDS))
    which = np.array([4, 0, 2], dtype=np.int64)
    out = np.zeros((3, in_view.WORDS * 64), dtype=np.uint16)
    bundle.expand(words, which, 3, in_view.WORDS, out)
    bits = words[which][:, : in_view.WORDS, None] >> np.arange(64) & 1
    assert ((out == 0x3F80) == bits.reshape(3, -1)).all()
    assert ((out == 0) == (bits.reshape(3, -1) == 0)).all()

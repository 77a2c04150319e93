"""Fair deals (docs/record.md): the same secret and words deal the same cards, and any other is found out."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from foretell import bot, fair, new_game, play_out, preset
from foretell.deals import Fair, commitment, word_hash
from foretell.errors import NotAGame, Refused
from foretell.record import Proof, Record, dumps, from_object, loads
from foretell.rules import Rules
from foretell.server.game.live_game import first_dealer

SECRET = bytes(range(32))
WORDS = ("brûlé", "", "stone 7")


def _played(rules: Rules) -> Record:
    proof = Fair(SECRET, WORDS)
    game = new_game(rules, ["Ana", "Rui", "Eva"], first_dealer=1)
    game = play_out(game, [bot("random")] * 3, fair(proof), Random(1))
    return Record(game, ("random",) * 3, Proof(proof.commit, WORDS, SECRET.hex()))


@pytest.mark.parametrize(
    "rules",
    [
        preset("es"),
        preset("es", rounds=(2, 5, 20)),
        preset("hu", unicolor=True),
        preset("pt-BR", specials=("SHAPESHIFTER", "DRAGON", "FAIRY")),
    ],
    ids=["all rounds", "a short game", "unicolor", "special cards"],
)
def test_a_fair_game_is_verified(rules: Rules) -> None:
    record = _played(rules)
    assert loads(dumps(record)) == record


def test_another_word_would_have_dealt_other_cards() -> None:
    line = json.loads(dumps(_played(preset("es"))))
    line["fair"]["words"][1] = "x"
    with pytest.raises(Refused, match="FAIR") as refusal:
        from_object(line)
    assert refusal.value.round == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("commit", "0" * 64),
        ("secret", "0" * 64),
        ("secret", "00"),
        ("secret", SECRET.hex().upper()),
        ("words", ["", ""]),
        ("words", ["a\nb", "", ""]),
        ("words", ["a" * 65, "", ""]),
    ],
)
def test_a_proof_that_proves_nothing_is_refused(key: str, value: object) -> None:
    line = json.loads(dumps(_played(preset("es", rounds=(1,)))))
    line["fair"][key] = value
    with pytest.raises(Refused) as refusal:
        from_object(line)
    assert refusal.value.rule == "FAIR"


def test_the_secret_of_a_game_going_on_is_refused() -> None:
    line = json.loads(dumps(_played(preset("es", rounds=(1, 2)))))
    line |= {"rounds": line["rounds"][:1], "finished": False, "winners": []}
    with pytest.raises(Refused, match="FAIR"):
        from_object(line)
    del line["fair"]["secret"]
    assert from_object(line).fair is not None


def test_a_word_for_each_seat() -> None:
    with pytest.raises(NotAGame, match="FAIR"):
        fair(Fair(SECRET, ("one",)))(new_game(preset("es"), ["Ana", "Rui", "Eva"]))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_secret_has_32_bytes(length: int) -> None:
    with pytest.raises(NotAGame, match="FAIR"):
        Fair(bytes(length), WORDS)


@pytest.mark.parametrize("word", ["x" * 65, "é" * 65, "a\nb", "\n"])
def test_a_word_is_short_and_of_one_line(word: str) -> None:
    with pytest.raises(NotAGame, match=r"the word of seat 1 .*FAIR"):
        Fair(SECRET, ("", word, ""))


@pytest.mark.parametrize("word", ["", "x" * 64, "é" * 64, "\U0001f600" * 64, "a\rb", "\u2028", " "])
def test_any_word_of_64_characters_without_a_line_feed_deals(word: str) -> None:
    words = (word, *WORDS[1:])
    game = new_game(preset("es", rounds=(1, 20)), ["Ana", "Rui", "Eva"])
    game = play_out(game, [bot("random")] * 3, fair(Fair(SECRET, words)), Random(1))
    record = Record(game, (None,) * 3, Proof(Fair(SECRET, words).commit, words, SECRET.hex()))
    assert loads(dumps(record)) == record


def test_the_example_in_the_documentation_can_be_computed_again() -> None:
    text = (Path(__file__).parents[2] / "docs" / "fair.md").read_text("utf-8")
    _, example = text.split("## An example")
    blocks = re.findall(r"```\w*\n(.*?)```", example, re.DOTALL)
    fair_ = json.loads("{" + next(one for one in blocks if '"fair"' in one) + "}")["fair"]
    words, secret = tuple(fair_["words"]), bytes.fromhex(fair_["secret"])
    assert commitment(secret) == fair_["commit"]
    shown = dict(re.findall(r"^ *(Ada|Bo) +(.*\S)$", blocks[1], re.MULTILINE))
    assert [word_hash(fair_["commit"], shown[name]) for name in ("Ada", "Bo")] == fair_["hashes"][
        :2
    ]
    assert words == (shown["Ada"], fair_["hashes"][1], "")
    dealer = first_dealer(fair_["secret"], words)
    game = new_game(preset("es"), ["Ada", "Bo", "Merlin"], first_dealer=dealer)
    deal = fair(Fair(secret, words))(game)
    assert f"seat {dealer} ({game.names[dealer]}) deals first" in example
    hands = ", ".join(f"{n} {h[0].code}" for n, h in zip(game.names, deal.hands, strict=True))
    assert deal.turned_up is not None
    assert f"{hands}, turned up {deal.turned_up.code}" in example


@pytest.mark.parametrize(
    ("hashes", "code"),
    [
        ([None, None, word_hash(Fair(SECRET, WORDS).commit, WORDS[2])], None),
        ([None, None, None], None),
        ([None, None], "fair_hashes"),
        ([word_hash(Fair(SECRET, WORDS).commit, "another"), None, None], "fair_word_hash"),
        ([word_hash("0" * 64, WORDS[0]), None, None], "fair_word_hash"),
    ],
    ids=["one hash", "none", "too few", "of another word", "of another commitment"],
)
def test_a_word_fits_its_hash(hashes: list[str | None], code: str | None) -> None:
    line = json.loads(dumps(_played(preset("es", rounds=(1,)))))
    line["fair"]["hashes"] = hashes
    if code is None:
        found = from_object(line)
        assert found.fair is not None
        assert json.loads(dumps(found))["fair"]["hashes"] == hashes
        return
    with pytest.raises(Refused, match="FAIR") as refusal:
        from_object(line)
    assert refusal.value.code == code


def test_a_hash_may_take_the_place_of_its_word() -> None:
    hashed = word_hash(Fair(SECRET, WORDS).commit, "never shown")
    proof = Fair(SECRET, (hashed, *WORDS[1:]))
    game = new_game(preset("es", rounds=(1,)), ["Ana", "Rui", "Eva"], first_dealer=1)
    game = play_out(game, [bot("random")] * 3, fair(proof), Random(1))
    kept = Proof(proof.commit, proof.words, SECRET.hex(), (hashed, None, None))
    record = Record(game, (None,) * 3, kept)
    assert loads(dumps(record)) == record

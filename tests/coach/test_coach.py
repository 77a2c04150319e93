"""The coach: the odds before a choice, and the review after the game."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from foretell.bots import Bot, Counting, Randomly, play_out
from foretell.cli import main
from foretell.coach import odds, trials
from foretell.coach.review import choices_of, review
from foretell.deals import seeded
from foretell.engine import new_game, view
from foretell.errors import NotAGame
from foretell.record import Record, dumps
from foretell.rules import Rules, points
from tables import dealt, told


def test_a_bid_has_a_distribution_of_tricks_and_its_points_follow_from_it() -> None:
    seen = view(dealt("ZB R13 G2", "R1 G9 Y3", "B4 Y5 G4", turned_up="R5"), 0)
    found = odds(seen)
    assert {one.action for one in found.options} == {"bid 0", "bid 1", "bid 2", "bid 3"}
    for one in found.options:
        assert sum(one.tricks) == pytest.approx(1)
        bid = int(one.action.split()[1])
        expected = sum(chance * points(bid, won) for won, chance in enumerate(one.tricks))
        if one.worlds == found.worlds:
            assert one.points == pytest.approx(expected)
        else:  # given up early: its points are told by how far it was behind in the same worlds
            assert one.points == pytest.approx(found.best.points - one.behind)
            assert one.behind > 2 * one.behind_error
        assert one.chance == pytest.approx(one.tricks[bid])
        assert one.error >= 0
    assert found.best.action == "bid 2"
    assert found.best.behind == 0


def test_plays_are_valued_and_a_lost_bid_is_seen() -> None:
    """Both tricks are wanted: without the Wizard the first one is lost, and with it the bid."""
    game = dealt("ZB G2", "G9 R1", "G4 Y5", turned_up="R5", dealer=0)
    game = told(game, "bid 0", "bid 0", "bid 2", "play G9", "play G4")
    found = odds(view(game, 0))
    assert found.best.action == "play ZB"
    assert found.of("play G2").chance == 0
    assert found.of("play G2").points < -8
    assert 0 < found.of("play ZB").chance < 1
    behind = found.of("play ZB").points - found.of("play G2").points
    assert found.of("play G2").behind == pytest.approx(behind)


def test_in_plain_python_counting_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """There the net is too slow for playouts; the best bid is found all the same, also where bids are secret (V3)."""
    monkeypatch.setattr(trials, "IS_COMPILED", False)
    for bids in ("open", "secret"):
        game = dealt("ZB ZR G2", "R1 G9 Y3", "B4 Y5 G4", turned_up="R5", bids=bids)
        assert odds(view(game, 0)).best.action == "bid 2"
    game = told(game, "0 bid 2", "1 bid 0", "2 bid 0")
    assert odds(view(game, 0)).of("play ZB").chance > 0.5


def test_the_same_view_gets_the_same_odds() -> None:
    seen = view(dealt("ZB R13 G2", "R1 G9 Y3", "B4 Y5 G4", turned_up="R5"), 0)
    assert odds(seen, worlds=50) == odds(seen, worlds=50)
    assert odds(seen, worlds=50) != odds(seen, worlds=50, random=Random(9))


def test_a_view_that_asks_nothing_has_no_odds() -> None:
    seen = view(dealt("ZB R13 G2", "R1 G9 Y3", "B4 Y5 G4", turned_up="R5"), 1)
    with pytest.raises(NotAGame):
        odds(seen)


def finished(seed: int = 3) -> Record:
    game = new_game(Rules(rounds=(2, 4, 6)), ["Ada", "Bo", "Cy"])
    bots: list[Bot] = [Counting(), Randomly(), Counting()]
    return Record(play_out(game, bots, seeded(seed), Random(seed)))


def test_a_game_is_gone_through_choice_by_choice() -> None:
    game = finished().game
    again = game
    for before, seat, chosen in choices_of(game):
        assert chosen in view(before, seat).legal
        again = before
    assert len(again.rounds) == len(game.rounds)


def test_points_are_cards_less_mistakes_plus_fortune() -> None:
    game = finished().game
    told_of = review(game, worlds=40)
    for one in told_of.seats:
        assert one.points == game.score[one.seat]
        assert one.points == pytest.approx(one.cards - one.mistakes + one.fortune)
        assert all(bad.cost > 0 for bad in one.worst)
    assert (
        told_of.seats[1].mistakes > told_of.seats[0].mistakes
    )  # the player at random makes most mistakes


def test_an_unfinished_game_has_no_review() -> None:
    with pytest.raises(NotAGame):
        review(new_game(Rules(), ["Ada", "Bo", "Cy"]))


def test_the_command_reviews_a_record(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(dumps(finished()) + "\n", encoding="utf-8")
    said = CliRunner().invoke(main, ["review", str(file), "--worlds", "20"])
    assert said.exit_code == 0, said.output
    assert "Bo" in said.stdout
    assert "better" in said.stdout
    as_json = CliRunner().invoke(main, ["review", str(file), "--worlds", "20", "--json"])
    assert len(json.loads(as_json.stdout)["seats"]) == 3


def test_play_with_the_coach_shows_the_odds() -> None:
    said = CliRunner().invoke(
        main,
        ["play", "--players", "3", "--rounds", "2", "--seed", "1", "--coach", "--bot", "random"],
        input="0\nquit\n",
    )
    assert "coach" in said.output
    assert "bid 0" in said.output

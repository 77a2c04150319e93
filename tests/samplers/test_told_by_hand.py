"""What a seat may conclude, told at tables dealt by hand; and views that contradict themselves."""

import msgspec
import pytest

from foretell.cards import Card, cards
from foretell.engine import Game, View, view
from foretell.errors import NotAGame
from foretell.kernel.hidden.hidden_hands import hidden_hands
from tables import bid, dealt, play, told


def ever_held(seen: View, seat: int, times: int = 400) -> set[Card]:
    """Every card that this seat is ever dealt anew."""
    hidden = hidden_hands(seen)
    return {card for number in range(times) for card in hidden.deal(1, number)[seat]}


def table() -> Game:
    game = dealt("R5 G4 B1", "R9 B3 Y4", "Y2 G7 B8", turned_up="B13")
    return bid(game, 1, 1, 1)


def test_a_void_shown_holds_for_the_rest_of_the_round() -> None:
    game = told(table(), "play R5", "play R9", "play Y2")
    seen = view(game, 0)
    assert not any(card.colour == "R" for card in ever_held(seen, 2))
    assert any(card.colour == "R" for card in ever_held(seen, 1))


def test_F1_a_Wizard_on_trump_shows_a_hand_of_Wizards() -> None:
    game = dealt("B5 G4", "ZB ZR", "B2 G7", turned_up="B13", wizards_on_trump="barred")
    game = told(bid(game, 1, 1, 1), "play B5", "play ZB")
    assert ever_held(view(game, 0), 1) <= set(cards("ZR ZG ZY"))


def test_F1_a_Wizard_may_be_kept_by_who_discards_on_trump() -> None:
    game = dealt("B5 G4", "R1 ZR", "B2 G7", turned_up="B13", wizards_on_trump="barred")
    game = told(bid(game, 1, 1, 1), "play B5", "play R1")
    held = ever_held(view(game, 0), 1, times=600)
    assert set(cards("ZR ZG ZY")) <= held
    assert not any(card.colour == "B" for card in held)


def test_X6_the_card_for_the_Werewolf_is_with_its_holder_until_played() -> None:
    game = dealt("WEREWOLF G4", "R1 ZR", "B2 G7", turned_up="Y13")
    game = told(game, "trump B", "bid 0", "bid 1", "bid 1")
    hidden = hidden_hands(view(game, 1))
    assert all(cards("Y13")[0] in hidden.deal(2, number)[0] for number in range(200))


def passed() -> Game:
    """Seat 2 shows a void in red, then all pass; it gets R2 from seat 1."""
    game = dealt("R5 G4 B1", "JUGGLER R2 Y4", "Y2 G7 B8", turned_up="B13")
    game = told(bid(game, 1, 1, 1), "play R5", "play JUGGLER:R", "play Y2")
    return told(game, "0 pass G4", "1 pass R2", "2 pass G7")


def test_X7_a_void_is_broken_by_the_one_card_received_at_most() -> None:
    hidden = hidden_hands(view(passed(), 0))
    reds = {sum(card.colour == "R" for card in hidden.deal(3, number)[2]) for number in range(3000)}
    assert reds == {0, 1}


def test_X7_a_card_given_is_with_the_neighbour_and_one_received_is_known() -> None:
    hidden = hidden_hands(view(passed(), 0))
    assert all(cards("G4")[0] in hidden.deal(4, number)[1] for number in range(200))
    hidden = hidden_hands(view(passed(), 1))
    assert all(cards("R2")[0] in hidden.deal(4, number)[2] for number in range(200))
    # Having given the red one itself, seat 1 knows that seat 2 has no other.
    assert all(
        sum(card.colour == "R" for card in hidden.deal(5, number)[2]) == 1 for number in range(500)
    )


def test_V5_hands_seen_in_foresight_are_remembered() -> None:
    game = dealt("R5 G4", "R9 B3", "Y2 G7", turned_up="B13", foresight="every_round")
    seen = view(game, 0)
    for number in range(100):
        hands = hidden_hands(seen).deal(6, number)
        assert hands[1:] == (cards("B3 R9"), cards("G7 Y2"))
        assert len(hands[0]) == 2
    game = told(bid(game, 0, 0, 0), "play R5")
    assert hidden_hands(view(game, 1)).deal(7)[0] == cards("G4")


def test_V6_each_holds_its_own_people() -> None:
    game = dealt("B1 B2 B3 ZB", "R1 R2 R3 NR", "G1 G2 G3 G4", unicolor=True, peoples="B R G")
    held = ever_held(view(game, 0), 1)
    assert {card.people for card in held} == {"R"}
    assert len(held) == 15


def test_a_spectator_sees_no_hand_and_any_may_be_dealt() -> None:
    seen = view(told(table(), "play R5", "play R9", "play Y2"), None)
    hands = hidden_hands(seen).deal(8)
    assert [len(hand) for hand in hands] == [2, 2, 2]


def changed(seen: View, **changes: object) -> View:
    assert seen.now is not None
    return msgspec.structs.replace(seen, now=msgspec.structs.replace(seen.now, **changes))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"hand": cards("R9 G4")}, "seen in two places"),
        ({"hand": cards("G4 B1 G5")}, "wrong number of cards"),
        ({"hand_sizes": (2, 40, 40)}, "no deal"),
    ],
)
def test_a_view_that_contradicts_itself_is_refused(changes: dict[str, object], says: str) -> None:
    seen = view(told(table(), "play R5", "play R9", "play Y2"), 0)
    with pytest.raises(NotAGame, match=says):
        hidden_hands(changed(seen, **changes))


def test_a_seat_that_plays_what_it_cannot_hold_is_refused() -> None:
    game = play(table(), "R5 R9 Y2")
    seen = view(told(game, "play B3", "play B8", "play B1"), 0)
    assert seen.now is not None
    faces = seen.now.tricks[1].faces
    red = cards("R12")[0].faces[0]
    forged = msgspec.structs.replace(seen.now.tricks[1], faces=(faces[0], red, faces[2]))
    with pytest.raises(NotAGame, match="shown not to hold"):
        hidden_hands(changed(seen, tricks=(seen.now.tricks[0], forged)))


def test_too_few_cards_for_the_voids_shown_is_refused() -> None:
    """Nobody can hold a full hand without any colour when all Wizards and Jesters are out."""
    seen = view(told(table(), "play R5", "play R9", "play Y2"), 0)
    assert seen.now is not None
    barred = [[0.0] * 61 if seat == 2 else [1.0] * 61 for seat in range(3)]
    with pytest.raises(NotAGame, match="no deal"):
        hidden_hands(seen, odds=barred)

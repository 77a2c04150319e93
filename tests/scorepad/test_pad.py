"""The Block of Truth by the rulebook: which entries are allowed, the points, and the errors."""

from collections.abc import Sequence

import pytest

from foretell.errors import ForetellError, NotAllowed, RulesClash
from foretell.rules import Rules
from foretell.rules.presets import preset
from foretell.scorepad import (
    Awaits,
    Bid,
    Cloud,
    Correction,
    Pad,
    Tricks,
    correct,
    enter,
    missing,
    new_pad,
    undo,
)

THREE = ("Ana", "Bruno", "Carla")
FOUR = (*THREE, "Dora")


def bids(pad: Pad, row: Sequence[int]) -> Pad:
    """Enters a whole row of bids, by seat."""
    for seat in pad.rounds[-1].order:
        pad = enter(pad, Bid(seat, row[seat]))
    return pad


def tricks(pad: Pad, row: Sequence[int]) -> Pad:
    for seat in pad.rounds[-1].order:
        pad = enter(pad, Tricks(seat, row[seat]))
    return pad


def rounds(pad: Pad, *rows: tuple[Sequence[int], Sequence[int]]) -> Pad:
    for bid, won in rows:
        pad = tricks(bids(pad, bid), won)
    return pad


def refused(pad: Pad, entry: Bid | Tricks | Cloud | Correction) -> ForetellError:
    """The error with which the pad refuses an entry; making its sentence needs a text and all its values."""
    with pytest.raises(NotAllowed) as caught:
        enter(pad, entry)
    assert str(caught.value)
    return caught.value


EXAMPLE = (((0, 1, 1), (0, 0, 1)), ((2, 0, 0), (1, 0, 1)), ((2, 2, 0), (2, 1, 0)))


class TestPoints:
    @pytest.mark.parametrize(
        ("played", "totals"),
        [
            pytest.param(1, (20, -10, 30), id="S1 S2 the books' first round"),
            pytest.param(2, (10, 10, 20), id="S3 the books' second round, with running totals"),
            pytest.param(3, (50, 0, 40), id="S3 ES, round 3"),
        ],
    )
    def test_the_books_own_example(self, played: int, totals: tuple[int, ...]) -> None:
        pad = rounds(new_pad(THREE), *EXAMPLE[:played])
        assert pad.totals == totals
        assert pad.lines[-1].totals == totals

    def test_S4_players_level_on_top_share_the_victory(self) -> None:
        pad = rounds(new_pad(THREE, Rules(rounds=(1,))), ((0, 0, 0), (0, 0, 1)))
        assert pad.is_over
        assert pad.winners == (0, 1)

    def test_S4_nobody_has_won_before_the_last_round(self) -> None:
        pad = rounds(new_pad(THREE), *EXAMPLE)
        assert pad.winners == ()
        assert pad.leaders == (0,)

    def test_points_wait_for_the_whole_round(self) -> None:
        pad = bids(new_pad(THREE), (0, 1, 1))
        pad = enter(pad, Tricks(1, 0))
        assert pad.totals == (0, 0, 0)
        assert pad.lines[-1].totals == (None, None, None)
        assert pad.lines[-1].bids == (0, 1, 1)


class TestOrder:
    def test_D2_the_deal_moves_to_the_left(self) -> None:
        pad = rounds(new_pad(THREE, first_dealer=2), *EXAMPLE)
        assert [one.dealer for one in pad.rounds] == [2, 0, 1, 2]

    def test_D2_the_rounds_to_come_have_their_dealers(self) -> None:
        pad = new_pad(THREE, Rules(rounds=(3, 5, 6)), first_dealer=1)
        assert [(one.number, one.dealer) for one in pad.coming] == [(5, 2), (6, 0)]
        assert all(one.is_blank for one in pad.coming)

    def test_D6_chosen_rounds_keep_their_numbers_and_the_deal_moves_by_one(self) -> None:
        pad = rounds(new_pad(THREE, Rules(rounds=(2, 7))), ((0, 0, 0), (0, 1, 1)))
        assert pad.now is not None
        assert (pad.now.number, pad.now.hand_size, pad.now.dealer) == (7, 7, 1)

    def test_V6_unicolor_has_three_tricks_more(self) -> None:
        pad = new_pad(FOUR, Rules(unicolor=True))
        assert pad.now is not None
        assert pad.now.hand_size == 4
        assert len(pad.numbers) == 12

    def test_B2_open_bids_come_from_the_dealers_left(self) -> None:
        pad = new_pad(THREE)
        assert pad.now is not None
        assert pad.now.bidders == (1,)
        error = refused(pad, Bid(0, 0))
        assert (error.code, error.rule) == ("pad_not_their_bid", "B2")
        assert str(error) == "Ana does not bid now (B2): Bruno is next"

    @pytest.mark.parametrize("kind", ["hidden", "secret"])
    def test_V2_V3_unseen_bids_come_in_any_order(self, kind: str) -> None:
        pad = new_pad(THREE, preset("hu", bids=kind))
        for seat in (2, 0, 1):
            pad = enter(pad, Bid(seat, 0))
        assert pad.rounds[-1].awaits is Awaits.TRICKS

    def test_V3_secret_bids_may_be_known_after_the_tricks(self) -> None:
        pad = new_pad(THREE, preset("hu", bids="secret"))
        for seat, won in ((0, 0), (1, 1), (2, 0)):
            pad = enter(pad, Tricks(seat, won))
        assert pad.totals == (0, 0, 0)
        for seat, bid in ((0, 0), (1, 1), (2, 1)):
            pad = enter(pad, Bid(seat, bid))
        assert pad.totals == (20, 30, -10)

    @pytest.mark.parametrize("kind", ["open", "hidden"])
    def test_B3_V2_other_bids_come_before_the_tricks(self, kind: str) -> None:
        pad = enter(new_pad(THREE, preset("hu", bids=kind)), Bid(1, 0))
        error = refused(pad, Tricks(1, 0))
        assert error.code == "pad_bids_first"
        assert error.values["awaited"] in ("Carla", "Carla, Ana")

    def test_what_is_written_is_not_written_over(self) -> None:
        pad = enter(new_pad(THREE), Bid(1, 0))
        assert refused(pad, Bid(1, 1)).code == "pad_told"

    def test_D1_only_those_at_the_table_bid(self) -> None:
        for seat in (-1, 3):
            assert refused(new_pad(THREE), Bid(seat, 0)).code == "no_such_seat"


class TestBids:
    @pytest.mark.parametrize("bid", [-1, 2, 1000])
    def test_B1_from_none_to_all(self, bid: int) -> None:
        assert refused(new_pad(THREE), Bid(1, bid)).rule == "B1"

    def test_V1_the_last_bidder_may_not_make_them_add_up(self) -> None:
        pad = new_pad(THREE, preset("es", plus_minus_one=True))
        pad = enter(enter(pad, Bid(1, 1)), Bid(2, 0))
        assert pad.rounds[-1].open_bids() == (1,)
        assert refused(pad, Bid(0, 0)).rule == "V1"
        assert enter(pad, Bid(0, 1)).rounds[-1].over == 1

    def test_V1_is_for_the_last_bidder_alone(self) -> None:
        pad = new_pad(THREE, preset("es", plus_minus_one=True))
        pad = enter(pad, Bid(1, 1))
        assert pad.rounds[-1].open_bids() == (0, 1)

    @pytest.mark.parametrize(("row", "over"), [((0, 0, 0), -2), ((1, 1, 0), 0), ((2, 2, 1), 3)])
    def test_the_bids_stand_against_the_tricks(self, row: Sequence[int], over: int) -> None:
        pad = bids(new_pad(THREE, Rules(rounds=(2,))), row)
        assert pad.rounds[-1].over == over


class TestTricks:
    def test_D3_the_tricks_add_up_to_the_cards_dealt(self) -> None:
        pad = bids(new_pad(THREE, Rules(rounds=(3,))), (0, 0, 0))
        pad = enter(enter(pad, Tricks(1, 1)), Tricks(2, 1))
        assert pad.rounds[-1].open_tricks(0) == (1,)
        for wrong in (0, 2):
            error = refused(pad, Tricks(0, wrong))
            assert (error.code, error.rule) == ("pad_tricks_add_up", "D3")
            assert error.values["total"] == wrong + 2

    def test_D3_nobody_wins_more_than_there_are(self) -> None:
        pad = bids(new_pad(THREE), (0, 0, 0))
        assert refused(pad, Tricks(1, 2)).code == "pad_tricks_range"

    def test_X5_with_the_Bomb_they_may_be_one_fewer(self) -> None:
        pad = bids(new_pad(THREE, preset("pt-BR", specials=("BOMB",))), (0, 0, 1))
        pad = enter(enter(pad, Tricks(1, 0)), Tricks(2, 0))
        assert pad.rounds[-1].open_tricks(0) == (0, 1)
        bombed = enter(pad, Tricks(0, 0))
        assert bombed.rounds[0].was_bombed
        assert bombed.totals == (20, 20, -10)
        assert not enter(pad, Tricks(0, 1)).rounds[0].was_bombed

    def test_X5_but_not_two_fewer(self) -> None:
        pad = new_pad(THREE, preset("pt-BR", specials=("BOMB",), rounds=(3,)))
        pad = bids(pad, (0, 0, 1))
        pad = enter(enter(pad, Tricks(1, 0)), Tricks(2, 1))
        assert refused(pad, Tricks(0, 0)).rule == "X5"

    def test_V1_the_Bomb_does_not_lessen_the_sum_that_is_barred(self) -> None:
        rules = preset("pt-BR", specials=("BOMB",), plus_minus_one=True, rounds=(2,))
        pad = enter(enter(new_pad(THREE, rules), Bid(1, 0)), Bid(2, 0))
        assert pad.rounds[-1].open_bids() == (0, 1)


class TestCloud:
    def clouded(self, bid: Sequence[int], won: Sequence[int], number: int = 5) -> Pad:
        rules = preset("pt-BR", specials=("CLOUD",), rounds=(number,))
        return tricks(bids(new_pad(THREE, rules), bid), won)

    @pytest.mark.parametrize(
        ("bid", "won", "change", "points"),
        [
            pytest.param(3, 3, +1, -10, id="X8 BR: 3 bid, 3 won, the bid becomes 4"),
            pytest.param(3, 3, -1, -10, id="X8 BR: 3 bid, 3 won, the bid becomes 2"),
            pytest.param(5, 4, -1, 60, id="X8 BR: 5 bid, 4 won, the bid becomes 4"),
        ],
    )
    def test_the_change_counts(self, bid: int, won: int, change: int, points: int) -> None:
        pad = self.clouded((bid, 0, 0), (won, 5 - won, 0))
        assert pad.rounds[-1].awaits is Awaits.CLOUD
        assert not pad.is_over
        pad = enter(pad, Cloud(0, change))
        assert pad.totals[0] == points
        assert pad.rounds[0].bids[0] == bid
        assert pad.lines[0].bids[0] == bid + change

    def test_X8_a_bid_of_none_goes_up_and_one_of_all_goes_down(self) -> None:
        pad = self.clouded((0, 5, 0), (1, 4, 0))
        assert refused(pad, Cloud(0, -1)).code == "change_range"
        assert refused(pad, Cloud(1, +1)).code == "change_range"
        assert pad.rounds[0].open_changes(0) == (+1,)
        assert pad.rounds[0].open_changes(1) == (-1,)

    @pytest.mark.parametrize("change", [0, 2, -3])
    def test_X8_the_bid_changes_by_one(self, change: int) -> None:
        assert refused(self.clouded((2, 2, 0), (1, 4, 0)), Cloud(0, change)).rule == "X8"

    def test_X8_nobody_may_have_won_it(self) -> None:
        pad = self.clouded((1, 4, 0), (1, 4, 0))
        assert enter(pad, Cloud()).totals == (30, 60, 20)
        assert refused(pad, Cloud(None, 1)).code == "pad_change_of_nobody"

    def test_X8_who_has_no_trick_has_not_the_Cloud(self) -> None:
        pad = self.clouded((1, 4, 0), (1, 4, 0))
        assert pad.rounds[0].cloud_takers == (0, 1)
        assert refused(pad, Cloud(2, 1)).code == "pad_cloud_without_trick"

    def test_X5_X8_a_round_without_tricks_needs_no_word_of_the_Cloud(self) -> None:
        pad = new_pad(THREE, preset("pt-BR", specials=("CLOUD", "BOMB"), rounds=(1,)))
        assert rounds(pad, ((0, 0, 0), (0, 0, 0))).is_over

    def test_X8_without_the_Cloud_in_play_there_is_none(self) -> None:
        pad = bids(new_pad(THREE), (0, 0, 0))
        assert refused(pad, Cloud()).code == "pad_no_cloud"
        assert refused(tricks(pad, (1, 0, 0)), Cloud(0, 1)).code == "pad_no_cloud"


class TestCorrections:
    def test_everything_after_is_counted_anew(self) -> None:
        pad = correct(rounds(new_pad(THREE), *EXAMPLE), 1, won=(1, 0, 0))
        assert [line.totals for line in pad.lines] == [(-10, -10, -10), (-20, 10, -20), (20, 0, 0)]

    def test_a_correction_must_keep_the_rules(self) -> None:
        pad = rounds(new_pad(THREE, preset("es", plus_minus_one=True)), EXAMPLE[0])
        for wrong in (
            Correction(1, (0, 1, 0), (0, 0, 1)),  # V1
            Correction(1, (0, 1, 1), (1, 0, 1)),  # D3
            Correction(1, (0, 2, 1), (0, 0, 1)),  # B1
            Correction(1, (0, 1), (0, 0, 1)),
            Correction(1, (0, 1, 1), (0, 0, None)),
            Correction(3, (0, 1, 1), (0, 0, 1)),
        ):
            refused(pad, wrong)

    def test_the_round_being_played_can_be_corrected_too(self) -> None:
        pad = enter(enter(new_pad(THREE), Bid(1, 1)), Bid(2, 1))
        pad = correct(pad, 1, bids=(None, 0, 1))
        assert pad.rounds[-1].bids == (None, 0, 1)
        assert pad.rounds[-1].bidders == (0,)

    def test_B2_but_it_leaves_no_hole_among_open_bids(self) -> None:
        pad = enter(enter(new_pad(THREE), Bid(1, 1)), Bid(2, 1))
        with pytest.raises(NotAllowed, match="Bruno is next"):
            correct(pad, 1, bids=(None, None, 1))

    def test_a_correction_can_complete_the_round(self) -> None:
        pad = bids(new_pad(THREE), (0, 1, 1))
        pad = correct(pad, 1, won=(0, 0, 1))
        assert pad.totals == (20, -10, 30)
        assert pad.now is not None
        assert pad.now.number == 2

    def test_X8_the_Cloud_stays_as_it_was_if_it_can(self) -> None:
        pad = new_pad(THREE, preset("pt-BR", specials=("CLOUD",)))
        pad = enter(rounds(pad, ((0, 1, 0), (0, 1, 0))), Cloud(1, -1))
        assert correct(pad, 1, bids=(1, 1, 0)).rounds[0].cloud == Cloud(1, -1)
        with pytest.raises(NotAllowed, match="X8"):
            correct(pad, 1, won=(1, 0, 0))
        assert correct(pad, 1, won=(1, 0, 0), cloud=Cloud()).totals == (-10, -10, 20)

    def test_undo_takes_back_a_correction(self) -> None:
        pad = rounds(new_pad(THREE), *EXAMPLE)
        assert undo(correct(pad, 2, bids=(0, 0, 0))) == pad

    def test_the_last_round_can_be_corrected_when_the_game_is_over(self) -> None:
        pad = rounds(new_pad(THREE, Rules(rounds=(1,))), EXAMPLE[0])
        assert refused(pad, Bid(0, 0)).code == "game_over"
        assert correct(pad, 1, bids=(0, 0, 0)).winners == (0, 1)

    def test_there_is_nothing_to_undo_on_a_blank_pad(self) -> None:
        with pytest.raises(NotAllowed, match="nothing to undo"):
            undo(new_pad(THREE))


class TestTable:
    @pytest.mark.parametrize(
        ("names", "rules", "code"),
        [
            (("Ana", "Bruno"), Rules(), "head_count"),
            (FOUR[:2] * 4, Rules(), "head_count"),
            ((*FOUR, "Emil"), Rules(unicolor=True), "unicolor_head_count"),
            (("Ana", "Bruno", "ANA"), Rules(), "pad_name_twice"),
            (("Ana", "Bruno", " \t "), Rules(), "pad_name_empty"),
            (("Ana", "Bruno", "\u200b"), Rules(), "pad_name_empty"),
            (("Ana", "Bruno", "x" * 41), Rules(), "pad_name_long"),
            (("Ana", "Bruno", "\x1b[2J"), Rules(), "pad_name_unprintable"),
            (("Ana", "Bruno", "\u202eanA"), Rules(), "pad_name_unprintable"),
            (("Ana", "Bruno", "Jo\u0308rg", "J\u00f6rg"), Rules(), "pad_name_twice"),
            (THREE, Rules(rounds=(21,)), "round_beyond_last"),
        ],
    )
    def test_a_table_that_cannot_be(self, names: Sequence[str], rules: Rules, code: str) -> None:
        with pytest.raises(RulesClash) as caught:
            new_pad(names, rules)
        assert caught.value.code == code
        assert str(caught.value)

    def test_D2_the_dealer_sits_at_the_table(self) -> None:
        with pytest.raises(RulesClash):
            new_pad(THREE, first_dealer=3)

    def test_blanks_around_and_within_a_name_are_tidied(self) -> None:
        assert new_pad(("  Ana  Maria ", "B", "C")).names[0] == "Ana Maria"


class TestMissing:
    def test_what_is_missing_is_told_at_each_step(self) -> None:
        pad = new_pad(THREE, preset("pt-BR", specials=("CLOUD",), rounds=(1,)))
        told = [str(missing(pad))]
        pad = enter(pad, Bid(1, 0))
        told.append(str(missing(pad)))
        pad = enter(enter(pad, Bid(2, 0)), Bid(0, 0))
        pad = enter(pad, Tricks(1, 1))
        told.append(str(missing(pad)))
        pad = enter(enter(pad, Tricks(2, 0)), Tricks(0, 0))
        told.append(str(missing(pad)))
        assert told == [
            "round 1: the bids of Bruno, Carla, Ana are missing",
            "round 1: the bids of Carla, Ana are missing",
            "round 1: the tricks of Carla, Ana are missing",
            "round 1: the winner of the trick with the Cloud is missing",
        ]
        assert missing(enter(pad, Cloud())) is None

"""One recorded round, played through the engine and compared with what comes out."""

from typing import NoReturn

from msgspec import UNSET

from foretell.cards import Colour, Face, card, face
from foretell.engine import (
    Bid,
    ChangeBid,
    Game,
    NameTrump,
    PassCard,
    Phase,
    Play,
    Round,
    Trick,
    act,
)
from foretell.engine.round import awaited, round_points
from foretell.errors import ForetellError, Refused
from foretell.i18n import Term
from foretell.record.shape import CloudLine, RoundLine, TrickLine
from foretell.rules import Naming

__all__ = ["replay_round"]


def replay_round(game: Game, line: RoundLine, place: int, *, is_last: bool) -> Game:
    """The game after this round.  The last round of an unfinished game (`is_last`) may stop anywhere."""
    return _Replay(game, line, place, is_last=is_last).played()


class _Replay:
    """The round being followed; `trick` counts from 1 while one is played."""

    def __init__(self, game: Game, line: RoundLine, place: int, *, is_last: bool) -> None:
        self.game = game
        self.line = line
        self.place = place
        self.is_last = is_last
        self.trick: int | None = None

    @property
    def now(self) -> Round:
        now = self.game.now
        assert now is not None
        return now

    def played(self) -> Game:
        if self._settles_trump():
            self._bids()
            for number, trick in enumerate(self.line.tricks, start=1):
                self.trick = number
                self._trick(trick, is_end=number == len(self.line.tricks))
            self.trick = None
        self._scores()
        return self.game

    def _refuse(self, code: str, rule: str, **values: object) -> NoReturn:
        raise Refused(code, rule=rule, round=self.place, trick=self.trick, **values)

    def _act(self, seat: int, action: Bid | NameTrump | Play | PassCard | ChangeBid) -> None:
        try:
            self.game, _ = act(self.game, seat, action)
        except ForetellError as error:
            self._refuse(error.code, error.rule or "FORMAT", **error.values)

    # Trump

    def _settles_trump(self) -> bool:
        """Whether the trump is settled; if not, the record must stop here."""
        line, naming = self.line, self.now.naming
        trump = None if line.trump is None else Colour(line.trump)
        if not isinstance(naming, Naming):
            self._check_werewolf(None)
            if line.named_by is not None:
                self._refuse("needless_namer", naming.rule, got=line.named_by)
            if trump is not naming.colour:
                right, got = _colour_term(naming.colour), _colour_term(trump)
                self._refuse("wrong_trump", naming.rule, colour=right, got=got)
            return True
        if line.named_by is None and trump is None and line.werewolf is None:
            goes_on = line.tricks or any(bid is not None for bid in line.bids)
            if goes_on or not self.is_last:
                self._refuse("trump_not_named", naming.rule)
            return False
        self._check_werewolf(self.now.werewolf)
        if line.named_by is None:
            self._refuse("trump_not_named", naming.rule)
        if line.named_by != naming.seat:
            self._refuse("wrong_namer", naming.rule, seat=naming.seat, got=line.named_by)
        self._act(naming.seat, NameTrump(trump))
        return True

    def _check_werewolf(self, seat: int | None) -> None:
        got = self.line.werewolf
        if got == seat:
            return
        if seat is None:
            self._refuse("needless_werewolf", "X6", got=got)
        if got is None:
            self._refuse("werewolf_kept", "X6", seat=seat)
        self._refuse("wrong_werewolf", "X6", seat=seat, got=got)

    # Bids

    def _bids(self) -> None:
        """Makes the bids in an order that the rules allow.  Hidden and secret bids may come from any seats."""
        bids = self.line.bids
        if len(bids) != self.now.seats:
            self._refuse("bids_of_seats", "FORMAT", count=len(bids), seats=self.now.seats)
        left = {seat: bid for seat, bid in enumerate(bids) if bid is not None}
        for seat, bid in left.items():
            if not 0 <= bid <= self.now.hand_size:
                self._refuse("bid_range", "B1", seat=seat, bid=bid, most=self.now.hand_size)
        while left:
            may_bid = awaited(self.now)
            bidder = next((seat for seat in may_bid if seat in left), None)
            if bidder is None:
                self._refuse("bids_out_of_turn", "B2", seat=may_bid[0])
            self._act(bidder, Bid(left.pop(bidder)))
        if not self.now.all_bid and (self.line.tricks or not self.is_last):
            self._refuse("bids_missing", "B1")

    # Tricks

    def _trick(self, line: TrickLine, *, is_end: bool) -> None:
        now = self.now
        if len(now.tricks) == now.hand_size:
            self._refuse("too_many_tricks", "D3", count=now.hand_size)
        if now.phase is Phase.PASS:
            self._refuse("no_pass", "X7")
        leader = now.trick.leader if now.trick else now.first
        if line.leader != leader:
            self._refuse("wrong_leader", "P1", seat=leader, got=line.leader)
        if len(line.plays) > now.seats:
            self._refuse("too_many_plays", "P1", got=len(line.plays), seats=now.seats)
        for place, code in enumerate(line.plays):
            self._act((leader + place) % now.seats, Play(self._face(code)))
        if len(line.plays) < now.seats:
            self._check_incomplete(line, is_end=is_end)
            return
        self._check_taken(line, self.now.tricks[-1])
        self._pass(line, is_end=is_end)

    def _face(self, code: str) -> Face:
        try:
            return face(code)
        except ForetellError as error:
            self._refuse(error.code, error.rule or "FORMAT", **error.values)

    def _check_incomplete(self, line: TrickLine, *, is_end: bool) -> None:
        if not (is_end and self.is_last):
            self._refuse("trick_incomplete", "P1")
        for key in ("winner", "next_leader", "passed"):
            if getattr(line, key) is not UNSET:
                self._refuse("winner_too_early", "FORMAT", key=key)

    def _check_taken(self, line: TrickLine, due: Trick) -> None:
        """K1-K4: who takes it.  X5: a trick that is nobody's names the next leader."""
        got = None if line.winner is UNSET else line.winner
        if due.winner is None:
            if got is not None:
                self._refuse("bomb_taken", "X5", got=got)
            if not isinstance(line.next_leader, int):
                self._refuse("no_next_leader", "X5", seat=due.next_leader)
            if line.next_leader != due.next_leader:
                self._refuse("wrong_next_leader", "X5", seat=due.next_leader, got=line.next_leader)
            return
        if got != due.winner:
            code = "no_winner" if got is None else "wrong_winner"
            self._refuse(code, _taking_rule(self.now, due), seat=due.winner, got=got)
        if line.next_leader is not UNSET:
            self._refuse("needless_next_leader", "X5")

    def _pass(self, line: TrickLine, *, is_end: bool) -> None:
        if self.now.phase is not Phase.PASS:
            if line.passed is not UNSET:
                self._refuse("needless_pass", "X7")
            return
        if not isinstance(line.passed, list):
            if is_end and self.is_last and line.passed is UNSET:
                return
            self._refuse("no_pass", "X7")
        if len(line.passed) != self.now.seats:
            self._refuse("passed_of_seats", "X7", count=len(line.passed), seats=self.now.seats)
        for seat, code in enumerate(line.passed):
            try:
                given = card(code)
            except ForetellError as error:
                self._refuse(error.code, "FORMAT", **error.values)
            self._act(seat, PassCard(given))

    # Points

    def _scores(self) -> None:
        line, now = self.line, self.now
        given = [
            key for key in ("cloud", "won", "points", "totals") if getattr(line, key) is not UNSET
        ]
        if not given:
            if not self.is_last:
                self._refuse("not_scored", "S3")
            return
        if len(now.tricks) < now.hand_size:
            self._refuse("too_few_tricks", "D3", got=len(now.tricks), count=now.hand_size)
        self._change()
        if len(given) < 4:
            self._refuse("partly_scored", "FORMAT")
        self._compare()

    def _change(self) -> None:
        due, cloud = self.now.cloud_seat, self.line.cloud
        if not isinstance(cloud, CloudLine):
            if due is not None:
                self._refuse("cloud_forgotten", "X8", seat=due)
            return
        if due is None:
            self._refuse("cloud_needless", "X8")
        if cloud.seat != due:
            self._refuse("cloud_wrong_seat", "X8", seat=due, got=cloud.seat)
        self._act(due, ChangeBid(cloud.change))

    def _compare(self) -> None:
        now, points = self.now, round_points(self.now)
        for key, rule, right in (
            ("won", "K5", now.won),
            ("points", None, points),
            ("totals", "S3", self.game.score),
        ):
            got = getattr(self.line, key)
            if got != list(right):
                self._refuse(
                    f"wrong_{key}",
                    rule or _points_rule(now, got, points),
                    right=list(right),
                    got=got,
                )


def _colour_term(colour: Colour | None) -> Term:
    return Term(f"colour.{colour or 'none'}")


def _points_rule(now: Round, got: list[int], points: tuple[int, ...]) -> str:
    """S1 if the first wrong number belongs to a bid that was met, S2 if to one that was missed."""
    wrong = next((seat for seat in range(min(len(got), now.seats)) if got[seat] != points[seat]), 0)
    return "S1" if now.final_bids[wrong] == now.won[wrong] else "S2"


def _taking_rule(now: Round, trick: Trick) -> str:
    """The rule by which the trick was won: K1 Wizards and what beats them, K4 Jesters, K2 trump, K3 the rest."""
    best = trick.faces[((trick.winner or 0) - trick.leader) % now.seats]
    upsets = best.special is not None and best.special.upsets
    if upsets or best.counts_as_wizard:
        return "K1"
    if best.counts_as_jester:
        return "K4"
    return "K2" if best.colour is now.trump and now.trump else "K3"

"""One game at a table, worked out from its setup and the actions in its log.  It knows no people and no clock."""

import hmac
from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from foretell.deals import Dealing, Fair, commitment, fair
from foretell.engine import Event, Game, act, action, deal, new_game
from foretell.engine.view_fields import Moment
from foretell.errors import NotAllowed
from foretell.record import Proof, Record, dumps
from foretell.rules.version import RULES_VERSION, refuse_unknown_version
from foretell.server.store import interface as store
from foretell.server.wire.protocol import FairProof

__all__ = [
    "DealingOf",
    "LiveGame",
    "Stage",
    "at",
    "begun",
    "fair_dealing",
    "first_dealer",
    "new_setup",
    "resumed",
    "stored_game",
]

DealingOf = Callable[[store.Setup], Dealing]
"""Where a game's cards come from: fair deals, unless a test brings others."""


def fair_dealing(setup: store.Setup) -> Dealing:
    """Deals that follow from the committed secret and the words of all players."""
    return fair(Fair(bytes.fromhex(setup.secret), setup.words))


def first_dealer(secret: str, words: Sequence[str]) -> int:
    """Nobody chooses who deals first: that follows from the secret and the words, as the deals do."""
    message = "\n".join(["first dealer", *words]).encode()
    drawn = hmac.digest(bytes.fromhex(secret), message, "sha256")
    return int.from_bytes(drawn, "big") % len(words)


def new_setup(state: store.TableState) -> store.Setup:
    """What the next game at this table starts from.  Its words are those of the draw."""
    draw = state.draw
    assert draw is not None
    words = draw.final_words
    return store.Setup(
        rules=state.options.rules,
        names=tuple(place.name or "" for place in state.places),
        bots=tuple(place.level if place.kind == "bot" else None for place in state.places),
        first_dealer=first_dealer(state.next_secret, words),
        peoples=state.options.rules.seats(len(state.places)),
        secret=state.next_secret,
        words=words,
        rules_version=RULES_VERSION,
        hashes=draw.hashes if any(draw.hashes) else (),
    )


class LiveGame(Struct, frozen=True):
    """A game with its setup, where its deals come from, and the number of actions in its log."""

    id: str
    setup: store.Setup
    dealing: Dealing
    game: Game
    number: int
    moment: Moment  # of the game, for its snapshots
    awaited: tuple[int, ...]  # the seats that may act now
    decision: str | None  # what all of them are asked

    def asked(self, seat: int) -> str | None:
        """The name of what this seat is asked; None where it is not asked."""
        return self.decision if seat in self.awaited else None

    def after(self, seat: int, decision: str, text: str) -> "tuple[Stage, ...]":
        """What follows from an answer to `decision`: one stage, or two where it ends a round that is not the last.

        Then the first stage is the scored round, and the second the next deal.  An answer to another decision is stale
        whatever it says, so nothing is done twice.
        """
        if self.asked(seat) != decision:
            raise NotAllowed("stale", decision=decision)
        game, events = act(self.game, seat, action(text))
        number = self.number + 1
        after = Stage(at(self.id, self.setup, self.dealing, game, number), events)
        if not game.awaits_deal:
            return (after,)
        dealt, events = deal(game, self.dealing(game))
        return after, Stage(at(self.id, self.setup, self.dealing, dealt, number), events)

    def renamed(self, seat: int, name: str, level: str | None) -> "LiveGame":
        """The same game with another person or bot in one seat."""
        names = (*self.setup.names[:seat], name, *self.setup.names[seat + 1 :])
        bots = (*self.setup.bots[:seat], level, *self.setup.bots[seat + 1 :])
        setup = replace(self.setup, names=names, bots=bots)
        game = replace(self.game, names=names)
        return at(self.id, setup, self.dealing, game, self.number)

    @property
    def commit(self) -> str:
        return commitment(bytes.fromhex(self.setup.secret))

    @property
    def proof(self) -> FairProof:
        """What everyone may know now of how the deals come about: the secret only once the game is over."""
        secret = self.setup.secret if self.game.is_over else None
        setup = self.setup
        return FairProof(commit=self.commit, words=setup.words, hashes=setup.hashes, secret=secret)

    @property
    def recorded(self) -> Record:
        """The game, with the proof of its deals.  It has all hidden cards."""
        setup = self.setup
        proof = Proof(self.commit, setup.words, self.proof.secret, setup.hashes)
        return Record(self.game, setup.bots, proof)

    def record(self) -> str:
        """The game as a line of JSON, for keeping."""
        return dumps(self.recorded)


class Stage(Struct, frozen=True):
    """A game that has come so far, and the events since the stage before: what one snapshot tells."""

    live: LiveGame
    events: tuple[Event, ...]


def at(game_id: str, setup: store.Setup, dealing: Dealing, game: Game, number: int) -> LiveGame:
    """A game that has come this far."""
    moment = Moment(game)
    return LiveGame(game_id, setup, dealing, game, number, moment, moment.awaited, moment.asked)


def begun(game: str, setup: store.Setup, dealing: DealingOf) -> Stage:
    """A game with its first round dealt; refuses a game that was begun with rulings that we do not have."""
    refuse_unknown_version(setup.rules_version)
    new = new_game(setup.rules, setup.names, first_dealer=setup.first_dealer, peoples=setup.peoples)
    deals = dealing(setup)
    dealt, events = deal(new, deals(new))
    return Stage(at(game, setup, deals, dealt, 0), events)


def resumed(row: store.GameRow, log: Sequence[store.LoggedAction], dealing: DealingOf) -> LiveGame:
    """The game as its log left it."""
    live = begun(row.id, row.setup, dealing).live
    game = live.game
    for one in log:
        game, _ = act(game, one.seat, action(one.action))
        if game.awaits_deal:
            game, _ = deal(game, live.dealing(game))
    return at(row.id, row.setup, live.dealing, game, len(log))


async def stored_game(
    kept: store.Store,
    state: store.TableState,
    dealing: DealingOf,
    in_thread: Callable[[Callable[[], LiveGame]], Awaitable[LiveGame]],
) -> LiveGame | None:
    """The table's current or last game, replayed from its log.  `in_thread` runs a function in a thread."""
    row = None if state.game is None else await kept.game(state.game)
    if row is None:
        return None
    log = await kept.log(row.id)
    return await in_thread(lambda: resumed(row, log, dealing))

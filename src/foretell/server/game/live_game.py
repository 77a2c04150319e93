"""One game at a table: the fold of its log.  It knows no people, no clock and no store."""

import asyncio
import hmac
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from foretell.deals import Dealing, Fair, commitment, fair
from foretell.engine import Action, Event, Game, act, action, awaited_seats, deal, new_game
from foretell.engine.view import asked
from foretell.errors import NotAllowed
from foretell.record import Proof, Record, dumps
from foretell.server.store import interface as store
from foretell.server.wire.protocol import FairProof

__all__ = [
    "DealingOf",
    "LiveGame",
    "at",
    "begun",
    "fair_dealing",
    "first_dealer",
    "new_setup",
    "resumed",
    "stored_game",
]

DealingOf = Callable[[store.Setup], Dealing]
"""Where a game's cards come from; fair deals, unless a test brings its own."""


def fair_dealing(setup: store.Setup) -> Dealing:
    """Deals that follow from the committed secret and everyone's words."""
    return fair(Fair(bytes.fromhex(setup.secret), setup.words))


def first_dealer(secret: str, words: Sequence[str]) -> int:
    """Who deals first is nobody's choice either: it follows from the secret and the words."""
    message = "\n".join(["first dealer", *words]).encode()
    drawn = hmac.digest(bytes.fromhex(secret), message, "sha256")
    return int.from_bytes(drawn, "big") % len(words)


def new_setup(state: store.TableState) -> store.Setup:
    """What the next game at this table starts from."""
    words = tuple(place.word for place in state.places)
    return store.Setup(
        rules=state.options.rules,
        names=tuple(place.name or "" for place in state.places),
        bots=tuple(place.level if place.kind == "bot" else None for place in state.places),
        first_dealer=first_dealer(state.next_secret, words),
        peoples=state.options.rules.seats(len(state.places)),
        secret=state.next_secret,
        words=words,
    )


class LiveGame(Struct, frozen=True):
    """A game with its setup, how many actions its log has, and the dealing that its rounds come from."""

    id: str
    setup: store.Setup
    dealing: Dealing
    game: Game
    number: int
    awaited: tuple[int, ...]  # the seats that may act now
    decision: str | None  # what all of them are asked

    def asked(self, seat: int) -> str | None:
        """The name of the decision that is awaited of this seat."""
        return self.decision if seat in self.awaited else None

    def after(self, seat: int, decision: str, text: str) -> "tuple[LiveGame, tuple[Event, ...]]":
        """The game after an answer to `decision`; what ends a round deals the next one as well.

        An answer to another decision is stale whatever it says, so that nothing is done twice.
        """
        if self.asked(seat) != decision:
            raise NotAllowed("stale", decision=decision)
        game, events = _acted(self.game, self.dealing, seat, action(text))
        return at(self.id, self.setup, self.dealing, game, self.number + 1), events

    def renamed(self, seat: int, name: str, level: str | None) -> "LiveGame":
        """The same game with another person or bot in one seat."""
        names = (*self.setup.names[:seat], name, *self.setup.names[seat + 1 :])
        bots = (*self.setup.bots[:seat], level, *self.setup.bots[seat + 1 :])
        setup = store.Setup(
            rules=self.setup.rules,
            names=names,
            bots=bots,
            first_dealer=self.setup.first_dealer,
            peoples=self.setup.peoples,
            secret=self.setup.secret,
            words=self.setup.words,
        )
        game = replace(self.game, names=names)
        return at(self.id, setup, self.dealing, game, self.number)

    @property
    def commit(self) -> str:
        return commitment(bytes.fromhex(self.setup.secret))

    @property
    def proof(self) -> FairProof:
        """What may be known of it now: the secret only when no card is left to be dealt."""
        secret = self.setup.secret if self.game.is_over else None
        return FairProof(commit=self.commit, words=self.setup.words, secret=secret)

    def record(self) -> str:
        """The game as a line of JSON, for keeping."""
        proof = Proof(self.commit, self.setup.words, self.proof.secret)
        return dumps(Record(self.game, self.setup.bots, proof))


def _acted(
    game: Game, dealing: Dealing, seat: int, chosen: Action
) -> tuple[Game, tuple[Event, ...]]:
    game, events = act(game, seat, chosen)
    if game.awaits_deal:
        game, more = deal(game, dealing(game))
        events += more
    return game, events


def at(game_id: str, setup: store.Setup, dealing: Dealing, game: Game, number: int) -> LiveGame:
    """A game that has come this far."""
    return LiveGame(game_id, setup, dealing, game, number, awaited_seats(game), asked(game))


def begun(game: str, setup: store.Setup, dealing: DealingOf) -> tuple[LiveGame, tuple[Event, ...]]:
    """A game with its first round dealt."""
    new = new_game(setup.rules, setup.names, first_dealer=setup.first_dealer, peoples=setup.peoples)
    deals = dealing(setup)
    dealt, events = deal(new, deals(new))
    return at(game, setup, deals, dealt, 0), events


def resumed(row: store.GameRow, log: Sequence[store.LoggedAction], dealing: DealingOf) -> LiveGame:
    """The game as its log left it."""
    playing, _ = begun(row.id, row.setup, dealing)
    game = playing.game
    for one in log:
        game, _ = _acted(game, playing.dealing, one.seat, action(one.action))
    return at(row.id, row.setup, playing.dealing, game, len(log))


async def stored_game(
    kept: store.Store, state: store.TableState, dealing: DealingOf
) -> LiveGame | None:
    """The table's current or last game, replayed; in a thread, since many tables may wake at once."""
    row = None if state.game is None else await kept.game(state.game)
    if row is None:
        return None
    return await asyncio.to_thread(resumed, row, await kept.log(row.id), dealing)

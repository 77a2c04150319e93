"""The engine's game beside a game of the kernel: for pictures of the table, for Foretell's bots, and for comparing.

A state of the kernel does not say which of the four Wizards or Jesters lies where, so here they are dealt in order.
"""

from collections.abc import Iterable

from foretell.cards import Card
from foretell.engine import Action, Event, Game, act, deal, legal_actions, new_game
from foretell.kernel.backend.compiled import Ints
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.tables import Tables
from foretell.rules import Deal

__all__ = ["EngineSide", "deal_of"]


class EngineSide:
    """Follows a game of the kernel.  What has happened is kept, and told to the engine when somebody asks for it."""

    def __init__(self, tables: Tables, names: Iterable[str]) -> None:
        self._tables = tables
        self._names = tuple(names)
        self._waiting: list[Deal | tuple[int, int]] = []
        self._chosen: list[int] = []  # a card that waits for its declaration
        self._game: Game | None = None
        self._events: list[Event] = []

    def begin(self, state: Ints) -> None:
        """A game begins; its first round is dealt already."""
        peoples, dealer = self._tables.peoples, int(state[in_state.DEALER])
        self._game = new_game(self._tables.rules, self._names, first_dealer=dealer, peoples=peoples)
        self._waiting, self._chosen, self._events = [], [], []
        self.dealt(state)

    def dealt(self, state: Ints) -> None:
        """A round has been dealt, and nobody has acted yet."""
        self._waiting.append(deal_of(self._tables, state))

    def acted(self, seat: int, action: int) -> None:
        """A seat has taken this action of the kernel."""
        self._waiting.append((seat, action))

    @property
    def game(self) -> Game:
        """The game as it is now; between a card and its declaration, as it was before the card."""
        assert self._game is not None, "no game has begun"
        for one in self._waiting:
            if isinstance(one, Deal):
                self._game, events = deal(self._game, one)
                self._events += events
            else:
                self._act(*one)
        self._waiting.clear()
        return self._game

    def news(self) -> list[Event]:
        """What has happened since this was last asked."""
        assert self.game is not None
        told, self._events = self._events, []
        return told

    def _act(self, seat: int, number: int) -> None:
        assert self._game is not None
        wanted = (*self._chosen, number)
        found = _named(legal_actions(self._game, seat), wanted)
        self._chosen = list(wanted) if found is None else []
        if found is not None:
            self._game, events = act(self._game, seat, found)
            self._events += events


def _named(offered: Iterable[Action], wanted: tuple[int, ...]) -> Action | None:
    """The action with these numbers; None if only the first of its numbers is known."""
    return next((one for one in offered if kernel_actions(one) == wanted), None)


def deal_of(tables: Tables, state: Ints) -> Deal:
    """The deal of a round in which nobody has acted yet, with the exchange of the Werewolf taken back (X6)."""
    own = int(tables.words[in_lookup.OWN_CARDS])
    free = list(tables.deck)

    def taken(kind: int, seat: int) -> Card:
        """The first card of this kind that is left; in unicolor (V6), among those of the seat."""
        among = tables.deck[seat * own : (seat + 1) * own] if own else tables.deck
        card = next(card for card in among if kind_of(card) == kind and card in free)
        free.remove(card)
        return card

    turned_up = int(state[in_state.TURNED_UP])
    werewolf = int(state[in_state.WEREWOLF_SEAT])
    hands = []
    for seat in range(tables.players):
        kinds = _kinds_held(state, seat)
        if seat == werewolf:
            exchanged = int(tables.words[in_lookup.MUST_BE_EXCHANGED])
            kinds[kinds.index(turned_up)] = exchanged.bit_length() - 1
        hands.append(tuple(taken(kind, seat) for kind in kinds))
    return Deal(tuple(hands), None if turned_up == codes.NO_CARD else taken(turned_up, 0))


def _kinds_held(state: Ints, seat: int) -> list[int]:
    """The kinds of a hand, a Wizard or a Jester as often as the seat holds one."""
    hand, copies = int(state[in_state.HAND + seat]), int(state[in_state.COPIES + seat])
    times = {
        codes.WIZARD: copies & codes.WIZARD_COUNT_MASK,
        codes.JESTER: copies // codes.ONE_JESTER,
    }
    return [
        kind for kind in range(codes.KINDS) if hand >> kind & 1 for _ in range(times.get(kind, 1))
    ]

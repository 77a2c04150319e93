"""How a game begins: players reveal their words, and then the first round is dealt (docs/fair.md).

The list of all hashes is stored and sent to everyone before the first word is revealed.  So nobody can choose a word
that fits the words of the others, not even a player who knows the server's secret.
"""

import unicodedata
from collections.abc import Container

import msgspec

from foretell.deals import commitment, word_hash
from foretell.errors import NotAllowed
from foretell.server.game.live_game import begun, new_setup
from foretell.server.store import interface as store
from foretell.server.table.internal_messages import RevealTimeout
from foretell.server.table.participants import Participant, required_seat
from foretell.server.table.table import Table
from foretell.server.table.takeovers import taken_over
from foretell.server.wire import protocol as p

__all__ = ["draw_words", "reveal", "reveal_timeout", "wait_for_words"]

_TIMER = "reveal"
_NOT_IN_A_LINE = ("Cc", "Cs", "Zl", "Zp")  # Unicode categories: control characters and line ends


async def draw_words(table: Table, state: store.TableState) -> None:
    """Fixes the words of a game whose seats are all taken, and begins it once they are revealed."""
    state = msgspec.structs.replace(state, draw=_closed_list(state, table.presence.seats))
    if state.draw is None or not state.draw.missing:
        await _begin(table, state)
        return
    await table.save(state)
    table.tell_table()
    wait_for_words(table)


def _closed_list(state: store.TableState, connected: Container[int]) -> store.WordList:
    """The hashes of connected players, and the words that were sent openly.  A start does not wait for the others."""
    hashes = tuple(
        place.word_hash if seat in connected else None for seat, place in enumerate(state.places)
    )
    pairs = zip(state.places, hashes, strict=True)
    words = tuple(place.word if one is None else None for place, one in pairs)
    return store.WordList(hashes=hashes, words=words)


def wait_for_words(table: Table) -> None:
    """Starts the timer of a draw, unless it is running.  After a restart, the first player who is back starts it."""
    if table.state.draw is not None and not table.inbox.has_timer(_TIMER):
        timeout = (Participant(), RevealTimeout())
        table.inbox.start_timer(_TIMER, table.services.timeouts.reveal, timeout)


async def reveal(table: Table, participant: Participant, ask: p.RevealWord) -> None:
    """Stores a word that fits its hash.  The last one begins the game."""
    seat, draw = required_seat(participant), table.state.draw
    if draw is None:
        raise NotAllowed("word_too_late")
    commit = commitment(bytes.fromhex(table.state.next_secret))
    if any(unicodedata.category(one) in _NOT_IN_A_LINE for one in ask.word):
        raise NotAllowed("word_not_a_line")
    if draw.hashes[seat] != word_hash(commit, ask.word):
        raise NotAllowed("word_differs")
    words = (*draw.words[:seat], ask.word, *draw.words[seat + 1 :])
    draw = msgspec.structs.replace(draw, words=words)
    state = msgspec.structs.replace(table.state, draw=draw)
    if draw.missing:
        await table.save(state)
        table.tell_table()
    else:
        await _begin(table, state)
    participant.answer(p.Done(id=ask.id))


async def reveal_timeout(table: Table, _participant: Participant, _message: RevealTimeout) -> None:
    """Begins the game; hashes replace the missing words.  If nobody is connected, the draw waits for a player."""
    if table.state.draw is None or not (table.presence.seats or table.presence.next_seats):
        return
    wait_for_words(table)  # tries again if the store fails
    await _begin(table, table.state)


async def _begin(table: Table, state: store.TableState) -> None:
    """Deals the first round, and forgets the words: they count for one game only."""
    now, keys = table.services.now(), table.services.keys
    state = taken_over(state, is_over=False)  # by people who came during the draw
    setup = new_setup(state)
    row = store.GameRow(id=keys.id(), table=state.id, setup=setup, started=now)
    first = begun(row.id, setup, table.services.dealing)
    places = tuple(
        msgspec.structs.replace(place, word="", word_hash=None) for place in state.places
    )
    state = msgspec.structs.replace(
        state,
        places=places,
        game=row.id,
        next_secret=keys.secret(),
        changed=now,
        rematch=(),
        draw=None,
    )
    await table.services.store.save(state, lease=table.lease, begun=row)
    table.inbox.stop_timer(_TIMER)
    table.state, table.playing = state, first.live
    table.settle_waiting()
    table.services.metrics.begun.inc()
    table.tell_table()
    table.tell_game([first])
    table.schedule_turns()

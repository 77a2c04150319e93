"""The messages that describe a table and its people.  They contain no cards: those are in `snapshots`."""

from collections.abc import Callable, Mapping
from typing import Literal

from foretell.deals import commitment
from foretell.errors import NotAllowed
from foretell.server.game.live_game import LiveGame
from foretell.server.store import interface as store
from foretell.server.table import seating
from foretell.server.table.participants import Participant
from foretell.server.table.presence import Presence
from foretell.server.wire import protocol as p

__all__ = ["lobby_entry", "seated", "speaker", "table_info"]


def table_info(
    state: store.TableState,
    playing: LiveGame | None,
    presence: Presence,
    requests: tuple[p.SeatRequest, ...],
    *,
    is_played_by_bot: Callable[[int], bool],
    grace_ms: Callable[[int], int | None],
    patience_ms: Mapping[int, int],
) -> p.Table:
    """The table as everyone at it may see it."""
    connected = presence.seats
    free = seating.free_seats(state)
    is_playing = state.phase == "playing" and state.draw is None
    commit = None if is_playing else commitment(bytes.fromhex(state.next_secret))
    phase = _shown_phase(state)
    return p.Table(
        id=state.id,
        code=state.code,
        phase=phase,
        options=state.options,
        host=state.host,
        seats=tuple(
            p.Seat(
                seat=seat,
                kind=place.kind,
                name=place.name,
                level=place.level,
                is_connected=seat in connected,
                is_away=place.is_away,
                is_ready=place.is_ready,
                is_muted=place.is_muted,
                is_played_by_bot=place.kind == "person" and is_played_by_bot(seat),
                grace_ms=grace_ms(seat),
                patience_ms=patience_ms.get(seat),
                may_be_taken=seat in free,
                has_word=place.word_hash is not None or bool(place.word),
                next_name=None if place.successor is None else place.successor.name,
            )
            for seat, place in enumerate(state.places)
        ),
        spectators=presence.spectators,
        are_spectators_muted=state.are_spectators_muted,
        game=state.game,
        fair=None if playing is None else playing.proof,
        next_commit=commit,
        replay=f"/#/replay/{state.game}" if phase == "over" else None,
        games_played=state.games_played,
        rematch=state.rematch,
        draw=None if commit is None else _draw(state, commit),
        requests=requests,
        removed=tuple(dict.fromkeys(one.name for one in state.removed)),
    )


def _shown_phase(state: store.TableState) -> Literal["gathering", "playing", "over"]:
    """The phase for clients.  Until the words of a new game are revealed, there is only the game before it, if any."""
    if state.draw is None:
        return state.phase
    return "gathering" if state.game is None else "over"


def _draw(state: store.TableState, commit: str) -> p.Draw | None:
    """The draw without the words that are revealed already: they become public together, when the game begins."""
    draw = state.draw
    if draw is None:
        return None
    pairs = zip(draw.hashes, draw.words, strict=True)
    return p.Draw(
        commit=commit,
        hashes=draw.hashes,
        words=tuple((word or "") if one is None else "" for one, word in pairs),
        missing=draw.missing,
    )


def lobby_entry(state: store.TableState, presence: Presence) -> p.LobbyTable:
    """The table in the list of public tables."""
    return p.LobbyTable(
        id=state.id,
        code=state.code,
        phase=state.phase,
        host=None if state.host is None else state.places[state.host].name,
        rules=state.options.rules,
        seats=len(state.places),
        people=tuple(state.places[seat].name or "" for seat in seating.people(state)),
        bots=sum(place.kind == "bot" for place in state.places),
        open_seats=len(seating.free_seats(state)),
        spectators=presence.spectators,
        clock_s=state.options.clock_s,
    )


def seated(
    state: store.TableState,
    seat: int,
    token: str,
    id_: int | None = None,
    *,
    from_next_deal: bool = False,
) -> p.Seated:
    """For the player who takes the seat, and nobody else: it contains the seat's token."""
    return p.Seated(
        table=state.id,
        code=state.code,
        seat=seat,
        token=token,
        link=f"/#/t/{state.code}",
        id=id_,
        from_next_deal=from_next_deal,
    )


def speaker(state: store.TableState, participant: Participant) -> str:
    """The name to show with a participant's chat message; refuses a participant who is muted or has no name."""
    if participant.seat is None:
        if participant.name is None:
            raise NotAllowed("nameless")
        if state.are_spectators_muted:
            raise NotAllowed("muted")
        return participant.name
    place = state.places[participant.seat]
    if place.is_muted:
        raise NotAllowed("muted")
    return place.name or ""

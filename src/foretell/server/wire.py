"""How the game's own values travel: cards, faces and actions as their texts, events as tagged objects."""

import dataclasses
import re
from typing import TYPE_CHECKING, Any, Union, get_args, get_type_hints

import msgspec

from foretell.cards import Card, Face, card, face
from foretell.engine.actions import Action, action
from foretell.engine.events import Event
from foretell.errors import ForetellError

__all__ = ["EVENTS", "WireEvent", "decoded", "encoded", "schema_of", "wire_event"]


def _tag(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _wire_type(kind: type) -> type[msgspec.Struct]:
    """The struct with the same fields and the event's name as its tag: made from it, so it cannot drift."""
    hints = get_type_hints(kind)
    return msgspec.defstruct(
        kind.__name__,
        [(field.name, hints[field.name]) for field in dataclasses.fields(kind)],
        tag_field="event",
        tag=_tag(kind.__name__),
        frozen=True,
        module=__name__,
        namespace={"__doc__": kind.__doc__ if not _is_made_up(kind) else None},
    )


def _is_made_up(kind: type) -> bool:
    """Whether the docstring is the signature that `dataclass` writes where nobody wrote one."""
    return (kind.__doc__ or "").startswith(f"{kind.__name__}(")


EVENTS: dict[type, type[msgspec.Struct]] = {kind: _wire_type(kind) for kind in get_args(Event)}
"""Each event of the engine, and the struct that stands for it on the wire."""

if TYPE_CHECKING:
    WireEvent = msgspec.Struct
else:
    WireEvent = Union[tuple(EVENTS.values())]  # noqa: UP007


_FIELDS = {kind: [field.name for field in dataclasses.fields(kind)] for kind in EVENTS}


def wire_event(event: Event) -> WireEvent:
    """The event as it travels."""
    kind = type(event)
    return EVENTS[kind](*[getattr(event, name) for name in _FIELDS[kind]])


def encoded(value: Any) -> Any:
    """For an encoder: the texts of cards, faces and actions.  Called for each of them in each message."""
    kind = type(value)
    if kind is Card or kind is Face:
        return value.code
    if isinstance(value, Action):
        return value.text
    raise NotImplementedError(kind)


def decoded(kind: type, value: Any) -> Any:
    """For a decoder: a text that is no card, face or action is a message that does not fit its schema."""
    readers: dict[type, Any] = {Card: card, Face: face, Action: action}
    if not isinstance(value, str) or kind not in readers:
        raise ValueError(f"a text was expected for {kind.__name__}")
    try:
        return readers[kind](value)
    except ForetellError as error:
        raise ValueError(str(error)) from None


def schema_of(kind: type) -> dict[str, Any]:
    """For a JSON schema: what `encoded` makes of it."""
    texts = {
        Card: "A card's code: R5, ZB, NG, DRAGON",
        Face: "A card as played: R5, JUGGLER:R, SHAPESHIFTER:Z",
        Action: "An action: bid 2, play R5, trump none, pass G3, change +1",
    }
    if kind in texts:
        return {"type": "string", "title": kind.__name__, "description": texts[kind]}
    raise NotImplementedError(kind)

"""How the game's own values travel: cards, faces and actions as their texts."""

from typing import Any

from foretell.cards import Card, Face, card, face
from foretell.engine.actions import Action, action
from foretell.errors import ForetellError

__all__ = ["decoded", "encoded", "schema_of"]


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

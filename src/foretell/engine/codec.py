"""How cards, faces and actions are written in JSON: as their texts.  The only such codec: Views, messages and the
store all use it.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from foretell.cards import Card, Face, card, face
from foretell.engine.actions import Action, Bid, ChangeBid, NameTrump, PassCard, Play, action
from foretell.errors import ForetellError

__all__ = ["decoded", "encoded", "schema_of", "with_texts"]


_TEXT: dict[type, Callable[[Any], str]] = {
    **dict.fromkeys((Card, Face), attrgetter("code")),
    **dict.fromkeys((Bid, NameTrump, Play, PassCard, ChangeBid), attrgetter("text")),
}


def encoded(value: Any) -> Any:
    """For an encoder: the text of a card, a face or an action.  Called for each of them in each message."""
    kind = type(value)
    if kind is Card or kind is Face:
        return value.code
    if isinstance(value, Action):
        return value.text
    raise NotImplementedError(kind)


def with_texts(value: Any) -> Any:
    """A row of cards, faces or actions as a list of their texts; anything else as it is.

    An encoder writes both in the same way, and the texts faster, since it need not ask for each of them.
    """
    if type(value) is tuple and value:
        text = _TEXT.get(type(value[0]))
        if text is not None:
            return list(map(text, value))
    return value


def decoded(kind: type, value: Any) -> Any:
    """For a decoder: the card, face or action with this text.

    Any other text raises ValueError, which the decoder reports as a message that does not fit its schema.
    """
    readers: dict[type, Any] = {Card: card, Face: face, Action: action}
    if not isinstance(value, str) or kind not in readers:
        raise ValueError(f"a text was expected for {kind.__name__}")
    try:
        return readers[kind](value)
    except ForetellError as error:
        raise ValueError(str(error)) from None


def schema_of(kind: type) -> dict[str, Any]:
    """For a JSON schema: what `encoded` makes of a card, a face or an action."""
    texts = {
        Card: "A card's code: R5, ZB, NG, DRAGON",
        Face: "A card as played: R5, JUGGLER:R, SHAPESHIFTER:Z",
        Action: "An action: bid 2, play R5, trump none, pass G3, change +1",
    }
    if kind in texts:
        return {"type": "string", "title": kind.__name__, "description": texts[kind]}
    raise NotImplementedError(kind)

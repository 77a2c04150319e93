"""How cards, faces and actions are written in JSON: as their texts.  The only such codec: Views, messages and the
store all use it.
"""

from collections.abc import Callable
from typing import Any

from foretell.cards import CARDS, FACES, Card, Face, card, face
from foretell.engine.actions import Action, action
from foretell.errors import ForetellError

__all__ = ["decoded", "encoded", "schema_of", "with_texts"]


class _Texts(dict[Any, str]):
    """The text of each card and each face; the text of an action is asked for."""

    def __missing__(self, value: object) -> str:
        if isinstance(value, Action):
            return value.text
        raise NotImplementedError(type(value))


encoded: Callable[[Any], str] = _Texts(
    {one: code for known in (CARDS, FACES) for code, one in known.items()}
).__getitem__
"""For an encoder: the text of a card, a face or an action.

It is needed for each card in each message, and an encoder finds it in a dict faster than by a function.
"""


def with_texts(value: Any) -> Any:
    """A row of cards or actions as a list of their texts; anything else as it is.

    An encoder writes both in the same way, and the texts faster, since it need not ask for each of them.
    """
    if type(value) is tuple and value:
        if type(value[0]) is Card:
            return [one.code for one in value]
        if isinstance(value[0], Action):
            return [one.text for one in value]
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

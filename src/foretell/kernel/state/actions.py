"""Translates actions of the engine into actions of the kernel."""

from foretell.engine.actions import Action, Bid, ChangeBid, NameTrump, PassCard, Play
from foretell.kernel.state.card_numbers import COLOURS, kind_of
from foretell.kernel.state.refusals import CHANGES

__all__ = ["kernel_actions"]


def kernel_actions(action: Action) -> tuple[int, ...]:
    """The numbers that `turn_loop.step` takes for this action: one, or two for a card with a declaration."""
    match action:
        case Bid():
            return (action.tricks,)
        case NameTrump():
            return (COLOURS.index(action.colour),)
        case PassCard():
            return (kind_of(action.card),)
        case ChangeBid():
            return (CHANGES.index(action.change),)
        case Play():
            kind = kind_of(action.card)
            faces = action.card.faces
            return (kind,) if len(faces) == 1 else (kind, faces.index(action.face))
    raise TypeError(action)

"""The index of each word in the scratch array in which `redealing` works, used as `scratch[in_scratch.OWNER]`."""

from foretell.kernel.hidden.plan_layout import MOST_CLASSES

__all__ = ["SCRATCH_WORDS"]

ROOM = 72  # more than the cards of any deck

ORDER = 0  # the cards to be dealt, in an order that changes as they are drawn
PILE = ROOM  # by class: room for its cards
PILE_SIZE = PILE + ROOM * (MOST_CLASSES + 1)  # by class: how many cards it has
LACKS = PILE_SIZE + MOST_CLASSES + 1  # by counted class: how many cards it still lacks
OWNER = LACKS + MOST_CLASSES + 1  # by unseen card: the seat that it was dealt to, or the stock
DEALT_CASE = OWNER + ROOM  # which case was dealt

SCRATCH_WORDS = DEALT_CASE + 1
"""How many words a scratch array has."""

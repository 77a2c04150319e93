"""The round of one card, solved: the best bids, what each seat is worth, and how far a bot is from a best response.

Needs NumPy (`pip install 'foretell[openspiel]'`).  docs/one-card.md says which game is solved, and how.
"""

from foretell.one_card.chances import Chances
from foretell.one_card.equilibrium import Solved, solve
from foretell.one_card.situations import Situation, situations

__all__ = ["Chances", "Situation", "Solved", "situations", "solve"]

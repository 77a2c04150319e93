"""The game as values: what may be done, what follows from it, and what each seat may know of it."""

from foretell.engine.actions import Action, Bid, ChangeBid, NameTrump, PassCard, Play, action
from foretell.engine.events import Event
from foretell.engine.game import Game, act, awaited_seats, deal, legal_actions, new_game
from foretell.engine.round import Phase, Round, Trick
from foretell.engine.view import View, from_json, to_json, view

__all__ = [
    "Action",
    "Bid",
    "ChangeBid",
    "Event",
    "Game",
    "NameTrump",
    "PassCard",
    "Phase",
    "Play",
    "Round",
    "Trick",
    "View",
    "act",
    "action",
    "awaited_seats",
    "deal",
    "from_json",
    "legal_actions",
    "new_game",
    "to_json",
    "view",
]

"""The game and its states, as OpenSpiel asks for them.

Chance deals one card after another.  Where several seats are asked at once (hidden and secret bids, the Juggler's
pass), they answer one after another, and no one's text tells what an earlier one has answered.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pyspiel

from foretell.cards import Card
from foretell.engine import Game, act, awaited_seats, deal, legal_actions, new_game
from foretell.openspiel.numbered_actions import ACTIONS, DEALT, dealt_number, number_of
from foretell.openspiel.stock import made_deal, open_cards
from foretell.openspiel.what_a_seat_knows import seen_round
from foretell.rules import Rules, points
from foretell.rules.presets import preset

__all__ = ["WizardGame", "WizardState"]

_GAME_TYPE = pyspiel.GameType(
    short_name="foretell_wizard",
    long_name="Wizard (Foretell)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=3,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={
        "players": 3,
        "first_round": 1,
        "last_round": 1,  # 0: the last round that there is
        "rulebook": "pt-PT",
        "bids": "open",
        "plus_minus_one": False,
        "foresight": "none",
        "unicolor": False,
        "specials": "none",
        "wizards_on_trump": "",
    },
)


def _listed(text: str) -> list[str]:
    """OpenSpiel's own lists of parameters use commas, so a list inside one uses `+`."""
    return [one.strip() for one in text.split("+") if one.strip()]


def _rules_of(parameters: Mapping[str, Any]) -> Rules:
    """The rules that the parameters ask for; what is not said is as in the rulebook."""
    specials = str(parameters["specials"])
    changes: dict[str, Any] = {
        key: parameters[key] for key in ("bids", "plus_minus_one", "foresight", "unicolor")
    }
    if specials != "none":
        changes["specials"] = tuple(_listed(specials))
    if parameters["wizards_on_trump"]:
        changes["wizards_on_trump"] = parameters["wizards_on_trump"]
    every = preset(parameters["rulebook"], **changes)
    last = int(parameters["last_round"]) or every.deck.last_round(int(parameters["players"]))
    rounds = tuple(range(int(parameters["first_round"]), last + 1))
    return preset(parameters["rulebook"], **changes, rounds=rounds)


class WizardGame(pyspiel.Game):
    """A whole game under one set of rules, or some of its rounds."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**_GAME_TYPE.parameter_specification, **(params or {})}
        self.rules = _rules_of(chosen)
        players = int(chosen["players"])
        names = [f"P{seat}" for seat in range(players)]
        # The dealer of the first round is the last seat, so seat 0 is the first to bid and to play.
        self.beginning = new_game(self.rules, names, first_dealer=players - 1)
        sizes = [self.rules.deck.hand_size(number) for number in self.beginning.numbers]
        info = pyspiel.GameInfo(
            num_distinct_actions=len(ACTIONS),
            max_chance_outcomes=len(DEALT),
            num_players=players,
            min_utility=float(sum(points(0, size) for size in sizes)),
            max_utility=float(sum(points(size, size) for size in sizes)),
            # A trump, bids, cards, one pass and one change of a bid.
            max_game_length=sum(2 + players * (2 + size) for size in sizes),
        )
        super().__init__(_GAME_TYPE, info, dict(params or {}))

    def new_initial_state(self) -> "WizardState":
        """A game before its first deal."""
        return WizardState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> "WizardObserver":
        """Shows a state as the seats see it."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return WizardObserver(kind, params)


class _Position(NamedTuple):
    """Everything that a state knows.  Nothing of it ever changes, so a copy of a state may share it."""

    game: Game
    drawn: tuple[Card, ...]  # of the deal that chance is making
    past: tuple[tuple[str, ...], ...]  # of each round that is over: what each seat knew at its end

    def __deepcopy__(self, _memo: object) -> "_Position":
        return self


class WizardState(pyspiel.State):
    """A game at one moment."""

    def __init__(self, game: WizardGame) -> None:
        super().__init__(game)
        self.position = _Position(game.beginning, (), ())

    def current_player(self) -> int:
        """The seat that is asked; where several are asked at once, the first of them."""
        game = self.position.game
        if game.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if game.awaits_deal else awaited_seats(game)[0]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(map(number_of, legal_actions(self.position.game, player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be dealt next, all equally likely."""
        cards = open_cards(self.position.game, self.position.drawn)
        return [(number, 1 / len(cards)) for number in sorted(map(dealt_number, cards))]

    def _apply_action(self, number: int) -> None:
        game, drawn, past = self.position
        if game.awaits_deal:
            drawn = (*drawn, DEALT[number])
            if not open_cards(game, drawn):
                game, _ = deal(game, made_deal(game, drawn))
                drawn = ()
        else:
            rounds = len(game.sheet)
            game, _ = act(game, awaited_seats(game)[0], ACTIONS[number])
            if len(game.sheet) > rounds:
                past = (*past, tuple(seen_round(game, seat) for seat in range(game.seats)))
        self.position = _Position(game, drawn, past)

    def _action_to_string(self, player: int, number: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {DEALT[number].code}"
        return str(ACTIONS[number])

    def is_terminal(self) -> bool:
        """Whether the last round is scored."""
        return self.position.game.is_over

    def returns(self) -> list[float]:
        """The points of each seat, once the game is over."""
        game = self.position.game
        return [float(points) if game.is_over else 0.0 for points in game.score]

    def seen(self, seat: int | None, *, recalls: bool) -> str:
        """What a seat knows; with `recalls`, of the rounds before as well."""
        game, _, past = self.position
        who = "spectator" if seat is None else f"seat {seat}"
        if game.awaits_deal or game.is_over:
            now = past[-1][seat] if past and seat is not None else seen_round(game, None)
        else:
            now = seen_round(game, seat)
        before = past if not (game.awaits_deal or game.is_over) else past[:-1]
        if not recalls or seat is None:
            return f"{who} | {' '.join(map(str, game.score))} | {now}"
        return " | ".join([who, *(one[seat] for one in before), now])

    def __str__(self) -> str:
        """Everything, also what is hidden: for people who look for a fault."""
        game, drawn, past = self.position
        held = game.now.hands if game.now else ()
        hands = " / ".join(" ".join(card.code for card in hand) for hand in held)
        dealt = " ".join(card.code for card in drawn)
        return (
            f"{len(past)} rounds scored | dealt {dealt} | hands {hands} | {seen_round(game, None)}"
        )


class WizardObserver:
    """Texts of what a seat, or a spectator, knows.  There is no tensor."""

    def __init__(self, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError(f"an observer takes no parameters: {params}")
        self.tensor = None
        self.dict: dict[str, Any] = {}
        self._recalls = bool(kind.perfect_recall)
        self._is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER

    def set_from(self, state: WizardState, player: int) -> None:
        """Nothing to do: there is no tensor."""

    def string_from(self, state: WizardState, player: int) -> str:
        """What this seat knows, or, without private information, what everyone knows."""
        return state.seen(player if self._is_private else None, recalls=self._recalls)


pyspiel.register_game(_GAME_TYPE, WizardGame)

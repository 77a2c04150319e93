"""Plays many tables for some steps, and keeps every decision for the learner."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from training.learner.nets import Answering, Choices
from training.simulator.batch import Batch, Bundle

_CERTAIN = 1000  # answers times this are as good as certain


def graphed(work: Callable[[], None], is_gpu: bool, warm_ups: int = 2) -> Callable[[], None]:
    """The same work as a CUDA graph, which costs one launch; on the CPU the work as it is.

    The work is done a few times on the way.
    """
    if not is_gpu:
        return work
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(warm_ups):
            work()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


@dataclass(frozen=True, slots=True)
class RolloutPlan:
    """How many tables and steps, how many of the tables belong to the league, and how many past nets play there.

    At the first `greedy_tables` the net takes its favourite; at the others it draws by its chances.
    For a best response all tables belong to the league, one seat at each is the learner's, and the nets in the others
    always do what they like best, as they do when they are measured.
    `keeps_chances`: the net's chances of all actions are kept, for a net that learns from it.  They are its own even
    where another net decides.
    `stray_share`: where the net draws, so many of its decisions are drawn; the others are its favourites.
    `flatness`: they are drawn by the chances to the power of this.
    `exchange_share`: in so many rounds cards change hands (`training.simulator.exchanges`).
    `shifted_share`: so many past nets bid more or fewer tricks than they would.
    """

    tables: int
    steps: int
    league_tables: int
    league_slots: int
    scripted_share: float
    greedy_tables: int = 0
    is_best_response: bool = False
    keeps_chances: bool = False
    stray_share: float = 1.0
    flatness: float = 1.0
    exchange_share: float = 0.0
    shifted_share: float = 0.0


class Rollout:
    """The tables, and the decisions of the last `steps` steps as arrays with a row for each step."""

    def __init__(
        self, bundle: Bundle, plan: RolloutPlan, net: Answering, past: Sequence[Answering]
    ) -> None:
        self.bundle, self.plan, self.net, self.past = bundle, plan, net, past
        self.batch = Batch(bundle, plan.tables)
        self.view = bundle.layout["view"]
        make = bundle.memory.zeros
        steps, tables = plan.steps, plan.tables
        self.words = make((steps + 1, tables, self.view["CRITIC_WORDS"]), "int64")
        self.seat = make((steps + 1, tables), "uint8")
        self.phase = make((steps + 1, tables), "uint8")
        self.player = make((steps + 1, tables), "uint8")
        self.action = make((steps, tables), "uint8")
        self.is_favourite = make((steps, tables), "uint8")  # whether the answer is the likeliest
        self.ended = make((steps, tables), "uint8")
        self.points = make((steps, tables, bundle.layout["codes"]["SEATS"]), "int16")
        self.log_chance = make((steps, tables), "float32")
        self.inputs = make((tables, self.view["WORDS"] * 64), "bfloat16")
        self.choices = Choices(bundle.layout, self.words.device)
        self.log_chances = (
            make((steps, tables, self.choices.kinds), "float16") if plan.keeps_chances else None
        )
        self._replay: Callable[[], None] | None = None

    def begin(self, seed: int, draws: np.ndarray) -> None:
        """Begins all games anew."""
        at = self.bundle.layout["table"]
        kind = at["ONE_LEARNER"] if self.plan.is_best_response else at["PAST_NETS"]
        is_league = np.arange(self.plan.tables) >= self.plan.tables - self.plan.league_tables
        self.batch.begin_training(
            seed,
            draws,
            scripted_share=self.plan.scripted_share,
            league=np.where(is_league, kind, at["NO_LEAGUE"]),
            exchange_share=self.plan.exchange_share,
            shifted_share=self.plan.shifted_share,
        )
        for name in ("words", "seat", "phase", "player"):
            getattr(self, name)[self.plan.steps].copy_(self.batch.arrays[name])

    def play(self) -> None:
        """The next steps; the decisions waiting at the end are the first ones of the next call."""
        if self._replay is None:
            # Making the graph plays some steps, too.
            self._replay = graphed(self._steps, self.bundle.memory.is_gpu)
        self._replay()

    @torch.no_grad()
    def _steps(self) -> None:
        for rows in (self.words, self.seat, self.phase, self.player):
            rows[0].copy_(rows[self.plan.steps])
        for step in range(self.plan.steps):
            self._step(step)

    def _step(self, step: int) -> None:
        self.bundle.expand(
            self.words[step], None, self.plan.tables, self.view["WORDS"], self.inputs
        )
        answers = self.net(self.inputs)
        if self.log_chances is not None:
            self.log_chances[step].copy_(
                self.choices.log_chances(answers, self.inputs, self.phase[step])
            )
        self._let_past_nets_answer(step, answers)
        logs = self.choices.log_chances(answers, self.inputs, self.phase[step])
        # The Gumbel trick: the highest of these sums is a draw by the chances.
        lot = -torch.log(-torch.log(torch.rand_like(logs).clamp_(1e-20, 1 - 1e-7)))
        lot[: self.plan.greedy_tables] = 0.0
        if self.plan.stray_share < 1.0:
            lot *= torch.rand_like(logs[:, :1]) < self.plan.stray_share
        chosen = (logs * self.plan.flatness + lot).argmax(1)
        self.is_favourite[step].copy_(chosen == logs.argmax(1))
        self.action[step].copy_(chosen)
        self.log_chance[step].copy_(logs.gather(1, chosen[:, None])[:, 0])
        self.batch.step(
            {
                "action": self.action[step],
                "words": self.words[step + 1],
                "seat": self.seat[step + 1],
                "phase": self.phase[step + 1],
                "player": self.player[step + 1],
                "ended": self.ended[step],
                "points": self.points[step],
            }
        )

    def _let_past_nets_answer(self, step: int, answers: torch.Tensor) -> None:
        """The tables of the league are the last ones; they are shared evenly among the past nets."""
        frozen = self.bundle.layout["table"]["FROZEN"]
        size = self.plan.league_tables // max(1, len(self.past))
        first = self.plan.tables - self.plan.league_tables
        for slot, net in enumerate(self.past):
            rows = slice(first + slot * size, first + (slot + 1) * size)
            is_frozen = (self.player[step, rows] == frozen)[:, None]
            theirs = net(self.inputs[rows])
            if self.plan.is_best_response:
                theirs = theirs * _CERTAIN
            answers[rows] = torch.where(is_frozen, theirs, answers[rows])

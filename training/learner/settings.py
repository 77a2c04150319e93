"""The settings of a run, read from its configuration file."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """All numbers of a run.  Values that change over the run are given as (first, last)."""

    seed: int = 1
    seconds: float = 1080.0  # of training in all; the schedules below stretch over it
    tables: int = 65536
    steps: int = 64
    width: int = 1024
    depth: int = 3
    critic_width: int = 512
    learning_rate: tuple[float, float] = (1e-3, 2e-5)
    hold: float = 0.3  # the share of the run before the learning rate begins to fall
    batch: int = 32768  # decisions in a step of the actor
    last_batch: int = 131072  # the same in the last part of the run
    batch_grows_at: float = 0.6
    epochs: int = 2
    kept: float = 0.25  # the share of decisions that the actor learns from
    least_kept: float = 0.03  # no decision is kept with a lower chance
    critic_share: float = 0.6  # the share of decisions that the critic learns from
    clip: float = 0.2
    discount: float = 0.95  # lambda
    bid_entropy: tuple[float, float] = (0.05, 0.005)
    play_entropy: tuple[float, float] = (0.03, 0.003)
    start_flatness: float = (
        1.0  # the answers of the net of `--start` times this: below 1, it tries more again
    )
    average: float = 0.99  # how slowly the averaged net follows, for each update
    scripted_share: float = 0.33  # of the games at tables without past nets
    league_share: float = 0.25  # of the tables
    shifted_share: float = 0.0  # of past nets: they bid one or two tricks more, or one fewer
    careless_share: float = 0.0  # of past nets: their chances are flatter
    league_slots: int = 4
    is_best_response: bool = False  # learns against the net of `--start`, which never changes
    snapshot_seconds: float = 45.0
    measure_seconds: float = 120.0
    measured_games: int = 256
    shares: dict[str, float] = field(
        default_factory=lambda: {
            "base": 0.5,
            "variants": 0.14,
            "foresight": 0.08,
            "unicolor": 0.04,
            "specials": 0.16,
            "all specials": 0.08,
        }
    )

    @classmethod
    def read(cls, file: Path) -> "Settings":
        """The settings in a JSON file; what it does not name keeps its default."""
        given = json.loads(file.read_text(encoding="utf-8"))
        for name in ("learning_rate", "bid_entropy", "play_entropy"):
            if name in given:
                given[name] = tuple(given[name])
        return cls(**given)

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

"""How the referee says no."""


class Refused(Exception):
    """A record breaks a rule.

    `rule` is an id of the rules, `FAIR` for a deal that was not fair, or `FORMAT` for something
    that is not a `wizard-record/1` at all.

    `round` is the round's place in the record, from 1. In a shorter game (D6) this is not its
    number of cards: the third round of 1, 3, 5, 7, 10 is round 3. `trick` is the trick's place in
    the round, from 1. Either is None where the fault belongs to no single round or trick.
    """

    def __init__(
        self, rule: str, message: str, round: int | None = None, trick: int | None = None
    ) -> None:
        super().__init__(rule, message, round, trick)
        self.rule = rule
        self.message = message
        self.round = round
        self.trick = trick

    def __str__(self) -> str:
        place = "".join(
            f"{word} {number}, "
            for word, number in (("round", self.round), ("trick", self.trick))
            if number is not None
        )
        return f"{place}{self.rule}: {self.message}"

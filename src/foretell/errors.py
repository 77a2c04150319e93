"""What can go wrong, told so that a person and a program both understand it.

    ForetellError
    ├── Unreadable      this text is no card, no action, no record at all
    ├── NotAllowed      readable, but not now, not by this seat, not with this hand
    └── NotAGame        a set of rules, a deal or a record that no game can have
        ├── RulesClash  the table's choices do not go together
        ├── BadDeal     cards that this round cannot be dealt
        └── Refused     a record that breaks a rule, with its round and trick

Each carries a `code`, the `values` that its sentence is made of (plain numbers and texts, so that every client can say
it in its own language) and, where a rule stands in the way, the `rule`'s id.  An error about an action is made only of
what the acting seat may know.
"""

from foretell.i18n import catalogue

__all__ = [
    "BadDeal",
    "ForetellError",
    "NotAGame",
    "NotAllowed",
    "Refused",
    "RulesClash",
    "Unreadable",
]


class ForetellError(Exception):
    """The root of the tree above."""

    def __init__(self, code: str, /, *, rule: str | None = None, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.values = values

    def __str__(self) -> str:
        return self.sentence("en")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.code, self.rule, self.values)

    def sentence(self, language: str) -> str:
        """What happened, in the given language."""
        return catalogue(language).say(f"error.{self.code}", rule=self.rule, **self.values)


def _rebuilt(
    kind: type[ForetellError], code: str, rule: str | None, values: dict[str, object]
) -> ForetellError:
    return kind(code, rule=rule, **values)


class Unreadable(ForetellError):
    """A text that means nothing here."""


class NotAllowed(ForetellError):
    """An action that cannot be taken now."""


class NotAGame(ForetellError):
    """Something that no game of Wizard can be."""


class RulesClash(NotAGame):
    """Choices that do not go together (C4, D1, D6, V6, V7, F2)."""


class BadDeal(NotAGame):
    """Hands or a turned-up card that this round cannot have."""


class Refused(NotAGame):
    """A record that breaks a rule: `values` holds `round` and `trick` where they are known.

    Its sentence always names the rule, also where the fault is one of reading, of which a player's error needs none.
    """

    def sentence(self, language: str) -> str:
        what = super().sentence(language)
        if self.rule is not None and self.rule not in what:
            what = catalogue(language).say("error.by_rule", what=what, rule=self.rule)
        if self.round is None:
            return what
        place = "error.at_round" if self.trick is None else "error.at_trick"
        return catalogue(language).say(place, round=self.round, trick=self.trick, what=what)

    @property
    def round(self) -> int | None:
        number = self.values.get("round")
        return number if isinstance(number, int) else None

    @property
    def trick(self) -> int | None:
        number = self.values.get("trick")
        return number if isinstance(number, int) else None

"""Errors, in a form that both people and programs understand.  All are kinds of one::

    ForetellError
    ├── Unreadable      a text that is not a card, an action, a record ...
    ├── NotAllowed      readable, but not allowed now, for this seat or with this hand
    └── NotAGame        rules, a deal or a record that no game can have
        ├── RulesClash  the table's choices do not go together
        ├── BadDeal     cards that this round cannot be dealt
        └── Refused     a record that breaks a rule, with the round and the trick

Each error has a `code`, the `values` that fill in its sentence (plain numbers and texts, so that every client can say
it in its own language) and, where a rule forbids something, the id of that `rule`.  An error about an action contains
only what the acting seat may know.
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
    """The base class of all errors above."""

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
        """The message in the given language."""
        return catalogue(language).say(f"error.{self.code}", rule=self.rule, **self.values)


def _rebuilt(
    kind: type[ForetellError], code: str, rule: str | None, values: dict[str, object]
) -> ForetellError:
    return kind(code, rule=rule, **values)


class Unreadable(ForetellError):
    """A text that cannot be read as what it should be."""


class NotAllowed(ForetellError):
    """An action that cannot be taken now."""


class NotAGame(ForetellError):
    """Something that cannot occur in any game of Wizard."""


class RulesClash(NotAGame):
    """Choices that do not go together (C4, D1, D6, V6, V7, F2)."""


class BadDeal(NotAGame):
    """Hands or a turned-up card that this round cannot have."""


class Refused(NotAGame):
    """A record that breaks a rule; `values` holds `round` and `trick` where they are known.

    Its sentence always names the rule, even where the same error shown to a player would not.
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

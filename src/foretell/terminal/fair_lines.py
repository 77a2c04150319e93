"""What the terminal says about fair deals: before the game, on request, and at the end (docs/fair.md)."""

from collections.abc import Iterator, Sequence

from foretell.client import Verdict
from foretell.i18n import Catalogue, listed
from foretell.scorepad.width import shown
from foretell.server.wire.protocol import Table

__all__ = ["details", "told_before", "told_verdict"]


def told_before(table: Table, word: str, texts: Catalogue) -> Iterator[str]:
    """Before the game: the commitment, which a person may write down, and their word."""
    yield texts.say("fair.commit", commit=table.next_commit)
    yield texts.say("fair.word", word=shown(word))


def details(table: Table, texts: Catalogue) -> Iterator[str]:
    """What everyone may know now of how the deals come about.  Words may come from anyone."""
    fair = table.fair
    if fair is None:
        return
    yield texts.say("fair.commit", commit=fair.commit)
    yield texts.say("fair.words", words=" | ".join(shown(word) or "–" for word in fair.words or ()))
    if fair.secret is not None:
        yield texts.say("fair.secret", secret=fair.secret)


def told_verdict(verdict: Verdict, names: Sequence[str], texts: Catalogue) -> Iterator[str]:
    """The result of the check, in one line, and whose words were missing."""
    if verdict.problem is not None:
        values = verdict.problem.values
        why = texts.say(f"fair.problem.{verdict.problem.code}", **values)
        yield texts.say("fair.broken", why=shown(why))
    elif verdict.is_proven:
        yield texts.say("fair.proven", count=verdict.deals)
    else:
        yield texts.say("fair.unproven", count=verdict.deals)
    if verdict.missing:
        missing = [names[seat] for seat in verdict.missing]
        yield texts.say("fair.missing", names=listed(missing, texts.say), count=len(missing))

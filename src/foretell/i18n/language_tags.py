"""Chooses a language from what a person prefers: a browser's header, a terminal's environment, a name such as `pt_BR`.

`pt` is the Portuguese of Portugal and `pt-BR` that of Brazil.  A language that has no catalogue falls back to English.
"""

import os
from collections.abc import Iterable, Mapping

from foretell.i18n.catalogues import languages

__all__ = ["accepted_language", "best_language", "terminal_language"]


def best_language(wanted: Iterable[str]) -> str:
    """The first wanted language (`fr`, `fr-CA`, `pt_BR.UTF-8`) that has a catalogue; English if none has."""
    offered = {language.lower(): language for language in languages()}
    for tag in wanted:
        name = tag.partition(".")[0].partition("@")[0].replace("_", "-").lower()
        for candidate in (name, name.partition("-")[0]):
            if candidate in offered:
                return offered[candidate]
    return "en"


def accepted_language(header: str) -> str:
    """The best language for a request, from its Accept-Language header: `fr-CA, fr;q=0.8, en;q=0.5`."""
    ranked = []
    for place, part in enumerate(header.split(",")[:20]):
        tag, _, rank = part.strip().partition(";q=")
        try:
            ranked.append((-float(rank or 1), place, tag.strip()))
        except ValueError:
            continue
    return best_language(tag for rank, _, tag in sorted(ranked) if rank < 0)


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the terminal: the first of LC_ALL, LC_MESSAGES and LANG that is set; `C` means English."""
    chosen = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return best_language([next(filter(None, chosen), "en")])

"""Every screen in every language, on the narrowest phone and on a laptop: no text is missing, cut or broken.

The walk is made once for each size, in the pseudo-language, whose texts are longer than any translation should be.  At
each screen the page switches through all other languages and back, which must not change anything but the texts.
"""

import os
from collections.abc import Callable, Iterator

import pytest

from foretell.i18n import Catalogue, languages
from foretell.i18n.catalogues import own_texts
from foretell.i18n.pseudo import pseudo_texts
from web.playing import Player
from web.reading import problems_on, put_in_place_of_english
from web.serving import Served
from web.walking import NAMES, SPECIAL, Walk, started

OTHERS = [language for language in languages() if language != "en"]
PSEUDO = pseudo_texts(own_texts("en"))


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Served]]:
    """One with a coach, and one that deals special cards."""
    data = tmp_path_factory.mktemp("servers")
    plain = started(data / "plain", None, has_coach=True)
    special = started(data / "special", SPECIAL)
    yield plain, special
    plain.stop()
    special.stop()


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1440, 900)])
def test_every_screen_can_be_read_in_every_language(
    servers: tuple[Served, Served], browse: Callable[..., Player], width: int, height: int
) -> None:
    ada = browse(width, height, locale="en")
    put_in_place_of_english(ada.page, PSEUDO)
    found: dict[str, list[str]] = {}
    seen = set[str]()

    def look(screen: str) -> None:
        seen.add(screen)
        if "FORETELL_SHOTS" in os.environ:
            ada.shot(f"{screen}-pseudo".replace(": ", "-").replace(" ", "-"))
        for language, problems in problems_on(ada.page, NAMES, OTHERS).items():
            found[f"{screen}, {'pseudo-language' if language == 'en' else language}"] = problems

    Walk(ada, Catalogue("en", PSEUDO), look).everything(*servers)
    report = "\n".join(f"{where}:\n  " + "\n  ".join(problems) for where, problems in found.items())
    assert not found, report
    assert len(seen) > 30

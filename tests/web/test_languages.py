"""Every screen in every language, on the narrowest phone and on a laptop: no text is missing, cut or broken.

The walk is made once for each size, in the pseudo-language, whose texts are longer than any translation should be.  At
each screen the page switches through all other languages and back, which must not change anything but the texts.  A text
of the page that no screen of the walk has must be named below, with the reason: a new screen is easily forgotten.
"""

import os
import re
from collections.abc import Callable, Iterator

import pytest

from foretell.i18n import Catalogue, languages
from foretell.i18n.catalogues import own_texts
from foretell.i18n.pseudo import pseudo_texts
from web.playing import Player
from web.reading import keys_on, numbered, problems_on, put_in_place_of_english
from web.serving import Served
from web.walking import NAMES, SPECIAL, Walk, started
from web.walking_device import HAS_ENGINE

OTHERS = [language for language in languages() if language != "en"]
PSEUDO = pseudo_texts(own_texts("en"))
SPOKEN = numbered(PSEUDO)


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Served]]:
    """One with a coach, and one that deals special cards."""
    data = tmp_path_factory.mktemp("servers")
    plain = started(data / "plain", None, has_coach=True)
    special = started(data / "special", SPECIAL)
    yield plain, special
    plain.stop()
    special.stop()


PROVING = bool(os.environ.get("FORETELL_PROVE"))
# Long and alike: in `make test` they are read in the pseudo-language, and the first of them in every language.
_LONG = ("the rules: ", "a game: the rule ")

ELSEWHERE = {
    r"card\.": "names of cards are part of other texts; which of them are said depends on the deal",
    r"review\.": "what is said about a mistake depends on the game, and waiting is short (test_review)",
    r"(event|log|status|round|end|last|trump|change|hand|bid|bar|balance)\.": "depends on the deal (test_announced, test_reading, test_ending)",
    r"guide\.(follow|jester|lifted|naming|no_trump|wizard|trump|took|lead)": "depends on the deal (test_tips)",
    r"error\.(not_your_turn|wizard_barred|bid_adds_up)": "one refusal stands for all (test_variants)",
    r"seat\.(leads|dealer_mark)": "in words only where a seat is wide",
    r"chat\.unread": "only where the chat is not beside the table",
    r"declare\.shape": "depends on the deal (test_declaring)",
    r"coach\.none|set\.plain_http": "not on this server: it has a coach, and is on this machine",
    r"copied|invite\.(qr|send|text)|end\.share_text|table\.taken": "needs another device or program",
    r"fair\.drawing|net\.(connecting|lost|not_sent)|home\.looking|gather\.start": "gone at once",
    r"gather\.full_plain|home\.(alone|your_turn)|mine\.|menu\.leave_open": "another word in the place of one that is seen",
    r"new\.(clash|seats_clash|set_seats|together|with)": "one clash stands for all (test_new_table)",
    r"pad\.(ask_change|back|dealer|error\.not_a_pad|so_far)": "test_pad",
    r"phase\.|legend\.one_tap|table\.not_yet|seats\.(after_game|yours|become_host)": "short, in the place of a text that is seen",
    r"replay\.(mistake|no_game|nobody|pause|too_large)": "test_replay",
}
"""The texts that the walk need not see, as patterns behind `web.`, and why."""


def _stem(key: str) -> str:
    """One text in the singular and the plural is one text."""
    return re.sub("_(one|other)$", "", key)


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height"), [(360, 640), (1440, 900)])
def test_every_screen_can_be_read_in_every_language(
    servers: tuple[Served, Served], browse: Callable[..., Player], width: int, height: int
) -> None:
    ada = browse(width, height, locale="en")
    put_in_place_of_english(ada.page, SPOKEN)
    found: dict[str, list[str]] = {}
    seen = set[str]()

    def look(screen: str) -> None:
        seen.update(map(_stem, keys_on(ada.page, PSEUDO)))
        if "FORETELL_SHOTS" in os.environ:
            ada.shot(f"{screen}-pseudo".replace(": ", "-").replace(" ", "-"))
        others = OTHERS if PROVING or not screen.startswith(_LONG) else []
        for language, problems in problems_on(ada.page, NAMES, others).items():
            found[f"{screen}, {'pseudo-language' if language == 'en' else language}"] = problems
        ada.settle()  # what still fades in has too little contrast
        ada.axe(screen)

    Walk(ada, Catalogue("en", SPOKEN), look).everything(*servers)
    report = "\n".join(f"{where}:\n  " + "\n  ".join(problems) for where, problems in found.items())
    assert not found, report
    elsewhere = re.compile(rf"web\.({'|'.join(ELSEWHERE)})")
    if not HAS_ENGINE:
        elsewhere = re.compile(rf"{elsewhere.pattern}|web\.(device|curtain|place|net\.alone)")
    keys = {_stem(key) for key in PSEUDO if key.startswith("web.")}
    assert {key for key in keys - seen if not elsewhere.match(key)} == set()


def test_what_the_walk_need_not_see_exists() -> None:
    for pattern in ELSEWHERE:
        for one in pattern.split("|"):
            if "(" not in pattern:
                assert any(re.match(f"web\\.{one}", key) for key in PSEUDO), one
        assert any(re.match(f"web\\.({pattern})", key) for key in PSEUDO), pattern

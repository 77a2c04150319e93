"""A level of bots has one name, on the command line as on the page, and nobody else has it."""

from foretell.bots import LEVELS
from foretell.i18n import catalogue
from foretell.server.table.seating import BOT_NAMES

TEXTS = catalogue().texts


def test_the_page_calls_levels_as_the_command_line_does() -> None:
    named = {key: text for key, text in TEXTS.items() if key.startswith("web.level.")}
    assert named == {f"web.level.{level}": level.capitalize() for level in LEVELS}


def test_no_player_is_called_like_a_level() -> None:
    names = {TEXTS["web.name.default"], *BOT_NAMES}
    assert not names & {level.capitalize() for level in LEVELS}

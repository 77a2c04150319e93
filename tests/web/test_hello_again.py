"""A hello that the server cannot answer now: the page says why, says hello again by itself, and loses nothing."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

FAILED: dict[str, object] = {
    "code": "server_failed",
    "sentence": "the server has a problem at the moment; nothing is lost",
}
TOO_MANY: dict[str, object] = {
    "code": "too_many_hellos",
    "sentence": "too many connections from your network: try again in 1 s",
    "values": {"seconds": 1},
}


class Failing:
    """Stands between page and server, and refuses hellos while it has errors left."""

    def __init__(self) -> None:
        self.errors: list[dict[str, object]] = []
        self.hellos = 0

    def route(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def from_page(text: str | bytes) -> None:
            message = json.loads(text)
            is_hello = message["type"] == "hello"
            self.hellos += is_hello
            if is_hello and self.errors:
                error = {"rule": None, "values": {}, "terms": [], **self.errors.pop(0)}
                page.send(json.dumps({"type": "refused", "id": message["id"], "error": error}))
            else:
                server.send(text)

        page.on_message(from_page)
        server.on_message(page.send)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1440, 900)])
def test_the_page_says_hello_again(serve: Serve, browse: Browse, width: int, height: int) -> None:
    served, ada, failing = serve(), browse(width, height), Failing()
    failing.errors = [FAILED, FAILED, TOO_MANY]
    options = {"seats": 3, "bots": ["counting"] * 2, "bot_pause_ms": 0, "rules": {"rounds": [1]}}
    ada.page.route_web_socket(re.compile("/ws(/|$)"), failing.route)
    ada.sit(served.address, served.table(options))
    notice = ada.page.get_by_text("Trying again")
    expect(notice).to_contain_text(
        "The server has a problem at the moment; nothing is lost. Trying again"
    )
    ada.look("hello-again")
    start = ada.page.get_by_role("button", name="Start")
    expect(start).to_be_visible()
    expect(notice).to_have_count(0)
    assert failing.hellos == 4
    ada.look("gathering-code")

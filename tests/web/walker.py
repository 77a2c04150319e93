"""Somebody who walks through the page and looks at each screen, in any language: what every part of the walk needs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from foretell.i18n import Catalogue
from web.playing import Player

__all__ = ["Walker"]

_TITLES = {
    "last": "web.menu.last",
    "log": "web.menu.log",
    "sheet": "web.sheet.title",
    "chart": "web.menu.chart",
    "people": "web.menu.people",
    "rules": "web.menu.rules",
    "invite": "web.menu.invite",
    "settings": "web.menu.settings",
    "options": "web.menu.options",
}


@dataclass
class Walker:
    """One person's way through the page.  `texts` is what the page speaks while this person clicks."""

    player: Player
    texts: Catalogue
    look: Callable[[str], None]
    _seen: set[str] = field(default_factory=set)

    def options(self, *, seats: int, bots: int, **more: Any) -> dict[str, Any]:
        return {"seats": seats, "bots": ["counting"] * bots, "bot_pause_ms": 0, **more}

    def turns(self, where: str, meanwhile: Callable[[], object] = lambda: None) -> Iterator[str]:
        """What the game asks, each with a look at the first of its kind.  `meanwhile` lets others act."""
        seen: set[str] = set()
        for asked in self.player.turns(lambda: meanwhile() is True):
            if asked not in seen:
                seen.add(asked)
                self.look(f"{where}: {asked}")
            yield asked

    def panel(self, name: str, where: str) -> None:
        self.open_panel(name)
        self.look(f"{where}: {name}")
        self.close_panel()

    def open_panel(self, name: str) -> None:
        self.button("web.menu.title").first.click()
        dialog = self.player.page.get_by_role("dialog")
        dialog.wait_for()
        if name != "menu":
            dialog.get_by_role("button", name=self.texts.say(_TITLES[name]), exact=True).click()
            self.player.page.wait_for_timeout(60)

    def close_panel(self) -> None:
        dialog = self.player.page.get_by_role("dialog")
        dialog.get_by_role("button", name=self.texts.say("web.close")).click()
        dialog.wait_for(state="detached")

    def chat(self, screen: str) -> None:
        """Beside the table, or in a dialog where there is no room."""
        self.player.page.locator(".bar .chat").click()
        self.player.page.locator(".emotes .button").first.wait_for()
        self.look(screen)
        if self.player.page.get_by_role("dialog").count():
            self.close_panel()

    def button(self, key: str) -> Any:
        return self.player.page.get_by_role("button", name=self.texts.say(key))

    def gone(self, screen: str, heading: str) -> None:
        """A page that says under its heading what is not there."""
        title = self.player.page.get_by_role("heading", name=self.texts.say(heading), exact=True)
        title.wait_for()
        self.player.page.get_by_role("alert").wait_for()
        self.look(screen)

    def _is_new(self, what: str) -> bool:
        """Whether this comes for the first time."""
        if what in self._seen:
            return False
        self._seen.add(what)
        return True

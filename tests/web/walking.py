"""A walk through every screen of the page, in any language: whoever walks is called at each one, to look at it.

A new screen or panel belongs here too: then its texts are checked in every language, and translators get its picture.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foretell.i18n import Catalogue
from web.playing import Player
from web.serving import Served, Stack

__all__ = ["NAMES", "SPECIAL", "Walk", "started"]

NAMES = (
    "Ada", "Bo", "Merlin", "Morgana", "Ambrosius", "Nimue", "Taliesin", "Viviane", "Foretell", "counting",
)  # fmt: skip
"""Names are the same in every language."""

SPECIAL_CARDS = ["DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER"]
# The first seat gets all that must be declared.  In a round of one card it takes the Cloud, since the others have Jesters.
SPECIAL = Stack(
    own="CLOUD WEREWOLF SHAPESHIFTER JUGGLER", others="NB NR NG BOMB DRAGON", turned_up="ZB"
)

Look = Callable[[str], None]
PANELS = ("last", "log", "sheet", "chart", "people", "rules", "invite", "settings")
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
class Walk:
    """One person's way through the page.  `texts` is what the page speaks while this person clicks."""

    player: Player
    texts: Catalogue
    look: Look

    def everything(self, plain: Served, special: Served) -> None:
        """All screens; `plain` is a server with a coach, `special` one that deals the cards of SPECIAL."""
        self.before_a_table(plain)
        self.a_table_that_gathers(plain)
        self.a_whole_game(plain)
        self.variants(plain)
        self.special_cards(special)
        self.what_is_not_there(plain)

    # The parts of the walk

    def before_a_table(self, served: Served) -> None:
        page = self.player.page
        page.goto("about:blank")
        page.goto(served.address)
        self._button("web.home.play").wait_for()
        page.locator(".which:not(:empty)").wait_for()
        self.look("home")
        self._button("web.home.change").click()
        self.look("home: another game")
        page.goto(f"{served.address}#/settings")
        page.locator(".settings").wait_for()
        self.look("settings")
        page.goto(f"{served.address}#/new")
        page.locator("button.primary").last.wait_for()
        self.look("a new table")
        for more in page.locator("main button[aria-expanded=false]").all():
            more.click()
        self.look("a new table: everything")

    def a_table_that_gathers(self, served: Served) -> None:
        page = self.player.page
        options = self._options(seats=4, bots=2, rules={"rulebook": "hu"})
        self.player.sit(served.address, served.table(options))
        page.locator("main .start, main button.primary").first.wait_for()
        self.look("a table: before the game")
        for panel in ("options", "rules", "invite"):
            self._panel(panel, "before the game")
        # as a visitor, who has no seat
        page.goto("about:blank")
        code = served.table(options, name="Bo")["code"]
        page.goto(f"{served.address}#/t/{code}")
        page.locator("main button").first.wait_for()
        self.look("a table: a visitor")

    def a_whole_game(self, served: Served) -> None:
        page = self.player.page
        rules = {"rulebook": "es", "plus_minus_one": True, "rounds": [3, 4]}
        options = self._options(seats=4, bots=3, rules=rules, coach=True)
        self.player.sit(served.address, served.table(options), "?start&guide")
        has_refused = False
        for asked in self._turns("a game"):
            if asked == "bid" and not has_refused:
                page.locator(".guide").first.wait_for()
                self.look("a game: a tip")
                page.locator(".guide button").last.click()
            barred = page.locator(".piece.barred")
            if asked == "play" and not has_refused and barred.count():
                barred.first.click(position={"x": 15, "y": 28})
                page.get_by_role("alert").first.wait_for()
                self.look("a game: a card that is not allowed")
                for panel in (*PANELS, "menu"):
                    self._panel(panel, "a game")
                has_refused = True
            self.player.act(asked)
        self.look("the end of a game")
        game = page.locator(".end").get_attribute("data-game")
        self._button("web.review.start").click()
        page.locator(".review .who").wait_for(timeout=120_000)
        self.look("the end of a game: the review")
        page.goto(f"{served.address}#/replay/{game}")
        page.locator(".podium").wait_for()
        self.look("a finished game")
        page.goto(served.address)
        self._button("web.home.play").wait_for()
        self.look("home: my games")

    def variants(self, served: Served) -> None:
        for name, rules in (
            ("foresight", {"foresight": "every_round", "rounds": [3]}),
            ("unicolor", {"unicolor": True, "rounds": [1]}),
            ("secret bids", {"bids": "secret", "rounds": [2]}),
        ):
            options = self._options(seats=3, bots=2, rules={"rulebook": "hu", **rules})
            self.player.sit(served.address, served.table(options), "?start")
            for asked in self._turns(name):
                self.player.act(asked)

    def special_cards(self, served: Served) -> None:
        rules = {"rulebook": "pt-BR", "specials": SPECIAL_CARDS, "rounds": [1, 4]}
        options = self._options(seats=4, bots=3, rules=rules)
        self.player.sit(served.address, served.table(options), "?start")
        page = self.player.page
        for asked in self._turns("special cards"):
            declared = page.locator(".piece.hand.bright[data-card=JUGGLER]")
            if asked == "play" and declared.count():
                declared.click(position={"x": 15, "y": 28})
                declared.click(position={"x": 15, "y": 28})
                page.locator(".prompt [data-action]").first.wait_for()
                self.look("special cards: in which colour")
                page.locator(".prompt [data-action]").first.click()
                continue
            self.player.act(asked)

    def what_is_not_there(self, served: Served) -> None:
        page = self.player.page
        for name, where in (("table", "#/t/NOWHERE"), ("game", "#/replay/nowhere")):
            page.goto("about:blank")
            page.goto(f"{served.address}{where}")
            page.locator("main :is(h1, p, [role=alert])").first.wait_for()
            page.wait_for_timeout(300)
            self.look(f"no such {name}")
        # the browser reports a game that the server does not have
        self.player.problems = [one for one in self.player.problems if "404" not in one]

    # What they share

    def _options(self, *, seats: int, bots: int, **more: Any) -> dict[str, Any]:
        return {"seats": seats, "bots": ["counting"] * bots, "bot_pause_ms": 0, **more}

    def _turns(self, where: str) -> Iterator[str]:
        """What the game asks, each with a look at the first of its kind."""
        seen: set[str] = set()
        for asked in self.player.turns(lambda: False):
            if asked not in seen:
                seen.add(asked)
                self.look(f"{where}: {asked}")
            yield asked

    def _panel(self, name: str, where: str) -> None:
        page = self.player.page
        self._button("web.menu.title").first.click()
        dialog = page.get_by_role("dialog")
        dialog.wait_for()
        if name != "menu":
            dialog.get_by_role("button", name=self.texts.say(_TITLES[name]), exact=True).click()
            page.wait_for_timeout(60)
        self.look(f"{where}: {name}")
        dialog.get_by_role("button", name=self.texts.say("web.close")).click()
        dialog.wait_for(state="detached")

    def _button(self, key: str) -> Any:
        return self.player.page.get_by_role("button", name=self.texts.say(key))


def started(data: Path, stack: Stack | None, *, has_coach: bool = False) -> Served:
    """A server of its own; the caller stops it."""
    data.mkdir()
    served = Served(data=data, stack=stack, has_coach=has_coach, worlds=2 if has_coach else 0)
    served.start()
    return served

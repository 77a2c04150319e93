"""A walk through every screen of the page, in any language: whoever walks is called at each one, to look at it.

A new screen or panel belongs here too: then its texts are checked in every language, and translators get its picture.
"""

import json
from pathlib import Path

from foretell.rules import Rules
from foretell.scorepad import Bid, Cloud, Pad, Tricks, enter, new_pad, to_json
from web.playing import NO_API, SOCKETS
from web.serving import Served, Stack
from web.walking_device import OnThisDevice
from web.walking_friends import AmongFriends

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

# A click on "Next step" in every example.
_NEXT_STEPS = """() => {
    for (const one of document.querySelectorAll('figure .steps button:last-of-type')) one.click()
}"""

PANELS = ("last", "log", "sheet", "chart", "people", "rules", "invite", "settings")


class Walk(AmongFriends, OnThisDevice):
    """Every screen of the page."""

    def everything(self, plain: Served, special: Served) -> None:
        """All screens; `plain` is a server with a coach, `special` one that deals the cards of SPECIAL."""
        self.before_a_table(plain)
        self.a_table_that_gathers(plain)
        self.a_whole_game(plain)
        self.variants(plain)
        self.special_cards(special)
        self.among_friends(plain)
        self.on_this_device(plain)
        self.the_score_pad(plain)
        self.what_is_not_there(plain)

    # The parts of the walk

    def before_a_table(self, served: Served) -> None:
        page = self.player.page
        page.goto("about:blank")
        page.goto(served.address)
        self.button("web.home.play").wait_for()
        page.locator(".which:not(:empty)").wait_for()
        self.look("home")
        self.button("web.home.change").click()
        self.look("home: another game")
        page.goto(f"{served.address}#/settings")
        page.locator(".settings").wait_for()
        self.look("settings")
        self.rules(served)
        self.a_new_table(served)

    def a_new_table(self, served: Served) -> None:
        page = self.player.page
        page.goto(f"{served.address}#/new")
        page.locator("button.primary").last.wait_for()
        self.look("a new table")
        page.locator("label:has([value=anniversary])").click()
        page.locator(".special input").nth(4).click()
        self.look("a new table: special cards")
        page.locator(".game:has([value=all])").click()
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        page.locator("label:has([value=own])").click()
        self.look("a new table: everything")
        page.locator(".special input").first.click()
        page.locator(".why").wait_for()
        self.look("a new table: a clash")
        for number in page.locator(".rounds button").all():
            if number.get_attribute("aria-pressed") == "true":
                number.click()
        self.look("a new table: no round")

    def rules(self, served: Served) -> None:
        """The players' rules, with their contents and their examples."""
        page = self.player.page
        page.goto(f"{served.address}#/rules")
        page.locator(".handbook").wait_for()
        self.look("the rules")
        if page.locator(".contents").is_visible():
            page.locator(".contents").click()
            self.look("the rules: contents")
            page.locator(".contents").click()
        # all examples at once: in the middle, where most of them have a sentence of their own, and at the end
        for step in range(1, 10):
            page.evaluate(_NEXT_STEPS)
            if step in (4, 9):
                self.look(f"the rules: step {step} of the examples")

    def a_table_that_gathers(self, served: Served) -> None:
        page = self.player.page
        options = self.options(seats=4, bots=2, rules={"rulebook": "hu"})
        self.player.sit(served.address, served.table(options))
        page.locator("main .start, main button.primary").first.wait_for()
        self.look("a table: before the game")
        for panel in ("options", "rules", "invite"):
            self.panel(panel, "before the game")
        # as a visitor, who has no seat
        page.goto("about:blank")
        code = served.table(options, name="Bo")["code"]
        page.goto(f"{served.address}#/t/{code}")
        page.locator("main button").first.wait_for()
        self.look("a table: a visitor")

    def a_whole_game(self, served: Served) -> None:
        page = self.player.page
        rules = {"rulebook": "es", "plus_minus_one": True, "rounds": [3, 4]}
        options = self.options(seats=4, bots=3, rules=rules, coach=True)
        self.player.sit(served.address, served.table(options), "?start&guide")
        has_refused = False
        for asked in self.turns("a game"):
            self.tips()
            barred = page.locator(".piece.barred")
            if asked == "play" and not has_refused and barred.count():
                has_refused = True
                self.a_refusal()
                for panel in (*PANELS, "menu"):
                    self.panel(panel, "a game")
                self.chat("a game: chat")
            elif asked == "play" and page.locator(".last").count():
                self.panel("last", "a trick was taken")
            self.advice(asked)
            self.player.act(asked)
        self.look("the end of a game")
        game = page.locator(".end").get_attribute("data-game")
        self.button("web.review.start").click()
        page.locator(".review .who").wait_for(timeout=120_000)
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        self.look("the end of a game: the review")
        page.goto(f"{served.address}#/replay/{game}")
        page.locator(".podium").wait_for()
        self.look("a finished game")
        self.a_replay(served, game or "")
        page.goto(served.address)
        self.button("web.home.play").wait_for()
        page.locator("section li button").first.click()
        self.look("home: my games")

    def tips(self) -> None:
        """Each tip that is shown."""
        tip = self.player.page.locator(".guide[data-tip]")
        while tip.count():
            name = tip.get_attribute("data-tip")
            if self._is_new(f"tip {name}"):
                self.look(f"a game: the tip '{name}'")
            tip.locator("button").last.click()
            self.player.page.locator(f".guide[data-tip='{name}']").wait_for(state="detached")

    def a_refusal(self) -> None:
        page = self.player.page
        page.locator(".piece.barred").first.click(position={"x": 15, "y": 28})
        page.get_by_role("alert").first.wait_for()
        self.look("a game: a card that is not allowed")
        page.get_by_role("alert").get_by_role("button").click()
        page.locator("dialog .handbook").wait_for()
        self.look("a game: the rule that does not allow it")
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")

    def advice(self, asked: str) -> None:
        coach = self.button("web.coach.ask")
        if asked in ("bid", "play") and coach.count() and self._is_new(f"advice {asked}"):
            coach.click()
            self.player.page.locator(".own .says[role=status]").wait_for()
            self.look(f"a game: what the coach would {asked}")

    def a_replay(self, served: Served, game: str) -> None:
        page = self.player.page
        page.goto(f"{served.address}#/replay/{game}/4/0")
        page.locator(".stage .own").wait_for()
        self.look("a replay: the deal")
        self.button("web.replay.next_trick").click()
        page.keyboard.press("ArrowRight")
        self.look("a replay: a card")
        page.locator("button.mistake").click()
        page.locator("button.mistake:not([data-seeking])").wait_for(timeout=60_000)
        self.look("a replay: a mistake")
        for tab in ("tricks", "review", "score"):
            if self.button("web.replay.more").count():
                self.button("web.replay.more").click()
            page.locator(".tabs").get_by_text(self.texts.say(f"web.replay.{tab}")).click()
            page.wait_for_timeout(60)
            self.look(f"a replay: {tab}")
            page.keyboard.press("Escape")
        page.keyboard.press("End")
        page.locator(".over .end").wait_for()
        self.look("a replay: the end")
        page.goto(f"{served.address}#/replay")
        file = page.locator("input[type=file]")
        for name, text in (("no game", b"{}"), ("several games", _two_games())):
            file.set_input_files({"name": "g.jsonl", "mimeType": "text/plain", "buffer": text})
            page.locator("[role=alert], .games").last.wait_for()
            self.look(f"a record file: {name}")

    def variants(self, served: Served) -> None:
        for name, rules in (
            ("foresight", {"foresight": "every_round", "rounds": [3]}),
            ("unicolor", {"unicolor": True, "rounds": [1]}),
            ("secret bids", {"bids": "secret", "rounds": [2]}),
        ):
            options = self.options(seats=3, bots=2, rules={"rulebook": "hu", **rules})
            self.player.sit(served.address, served.table(options), "?start")
            for asked in self.turns(name):
                self.player.act(asked)

    def special_cards(self, served: Served) -> None:
        rules = {"rulebook": "pt-BR", "specials": SPECIAL_CARDS, "rounds": [1, 4]}
        options = self.options(seats=4, bots=3, rules=rules)
        self.player.sit(served.address, served.table(options), "?start")
        page = self.player.page
        announced = page.locator(".own .lines")
        for asked in self.turns("special cards"):
            if announced.count() and self._is_new(announced.inner_text()):
                self.look(f"special cards: announced before {asked}")
            declared = page.locator(".piece.hand.bright[data-card=JUGGLER]")
            if asked == "play" and declared.count():
                declared.click(position={"x": 15, "y": 28})
                declared.click(position={"x": 15, "y": 28})
                page.locator(".prompt [data-action]").first.wait_for()
                self.look("special cards: in which colour")
                page.locator(".prompt [data-action]").first.click()
                continue
            self.player.act(asked)
        page.locator(".fair.bad").wait_for()
        self.look("the end of a game: deals that are not fair")

    def the_score_pad(self, served: Served) -> None:
        page = self.player.page
        page.goto("about:blank")
        page.goto(f"{served.address}#/pad")
        page.locator("a.begin").wait_for()
        self.look("the score pad: nothing yet")
        page.locator("a.begin").click()
        page.locator("summary").click()
        page.get_by_label(self.texts.say("web.pad.length")).select_option("own")
        self.look("the score pad: a new one")
        page.goto(f"{served.address}#/pad/nowhere")
        page.locator("main .button.primary").wait_for()
        self.look("the score pad: not here")
        for day, (name, pad) in enumerate(_pads().items(), start=1):
            begun = f"2026-01-0{day}-120000"
            keep = "([id, text]) => localStorage.setItem(`foretell.pad.${id}`, text)"
            page.evaluate(keep, [begun, to_json(pad)])
            page.goto("about:blank")
            page.goto(f"{served.address}#/pad/{begun}")
            page.locator("section.asked").wait_for()
            if name == "a barred bid":
                page.locator(".numbers .barred").click(force=True)
                page.get_by_role("alert").wait_for()
            self.look(f"the score pad: {name}")
        page.locator("tr.done").first.click()
        page.locator("dialog tbody button").last.click()
        self.look("the score pad: a correction")
        page.keyboard.press("Escape")
        self.button("web.pad.share").first.click()
        self.look("the score pad: sharing")
        page.goto("about:blank")
        page.goto(f"{served.address}#/pad/2026-01-01-120000")
        page.locator("section.asked").wait_for()
        page.evaluate("void (Storage.prototype.setItem = () => { throw new Error('full') })")
        page.locator(".numbers button").first.click()
        page.locator(".not-kept").wait_for()
        self.look("the score pad: nothing is stored")
        page.goto("about:blank")
        page.goto(f"{served.address}#/pad")
        page.locator("li.panel").first.wait_for()
        page.locator("li.panel button").last.click()
        self.look("the score pad: the pads of this browser")

    def what_is_not_there(self, served: Served) -> None:
        page = self.player.page
        self.player.may_report = NO_API
        for name, where, heading in (
            ("table", "#/t/NOWHERE", "web.table.gone"),
            ("game", "#/replay/nowhere", "web.gone.game"),
            ("path", "#/nowhere", "web.gone.path"),
        ):
            page.goto("about:blank")
            page.goto(f"{served.address}{where}")
            self.gone(f"no such {name}", heading)
        for code, heading in (
            ("other_version", "web.gone.version"),
            ("bad_token", "web.table.without_you"),
            ("rules_version", "web.gone.refused"),
            ("removed_by_host", "web.table.without_you"),
        ):
            self.player.refuse_hellos(code)
            page.goto("about:blank")
            page.goto(f"{served.address}#/t/NOWHERE")
            self.gone(f"refused: {code}", heading)
        self.player.refuse_hellos("server_failed")
        page.goto("about:blank")
        page.goto(f"{served.address}#/t/NOWHERE")
        # First the page may say that the server cannot be reached, if the socket opens late.
        _, trying_again = self.texts.say("web.net.refused", why="|").split("|")
        page.get_by_role("alert").filter(has_text=trying_again.strip()).wait_for()
        self.gone("refused for now", "web.gone.server")
        page.route_web_socket(SOCKETS, lambda socket: socket.close())
        page.goto("about:blank")
        page.goto(f"{served.address}#/t/NOWHERE")
        self.gone("no connection", "web.gone.server")


def _pads() -> dict[str, Pad]:
    """A pad for each thing that it asks for; the last one is complete."""
    rules = Rules(plus_minus_one=True, specials=("BOMB", "CLOUD"), rounds=(2,))
    pad = new_pad(("Ada", "Bo", "Merlin"), rules)
    found = {"a bid": pad}
    for seat, bid in ((1, 1), (2, 0)):
        pad = enter(pad, Bid(seat, bid))
    found["a barred bid"] = pad
    pad = enter(pad, Bid(0, 0))
    found["tricks"] = pad
    for seat, tricks in ((1, 0), (2, 0), (0, 1)):
        pad = enter(pad, Tricks(seat, tricks))
    found["the Cloud"] = pad
    found["the end"] = enter(pad, Cloud(0, 1))
    return found


def _two_games() -> bytes:
    """A file with two games, as far as the page looks at them before one is chosen."""
    game = {"players": [{"name": "Ada"}, {"name": "Bo"}], "rounds": [{"totals": [20, 30]}]}
    return b"\n".join([json.dumps(game).encode()] * 2)


def started(data: Path, stack: Stack | None, *, has_coach: bool = False) -> Served:
    """A server of its own; the caller stops it."""
    data.mkdir()
    worlds = 2 if has_coach else 0
    served = Served(data=data, stack=stack, has_coach=has_coach, worlds=worlds, patience=1)
    served.start()
    return served

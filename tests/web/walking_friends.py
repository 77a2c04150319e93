"""The part of the walk with other people: who may sit down, who is waited for, what the host can do."""

from typing import Any

from web.friends import Friend
from web.serving import Served
from web.walker import Walker

__all__ = ["AmongFriends"]


class AmongFriends(Walker):
    """What there is to see at a table with other people."""

    def among_friends(self, served: Served) -> None:
        self.a_host(served)
        self.a_guest(served)
        self.who_comes_late(served)

    # As the host

    def a_host(self, served: Served) -> None:
        page = self.player.page
        options = self.options(seats=4, bots=1, rules={"rulebook": "es", "rounds": [1]})
        made = served.table(options | {"approval": True})
        code = made["code"]
        self.player.sit(served.address, made)
        page.locator(".start").wait_for()
        with Friend(served, code, "Bo") as bo, Friend(served, code, "Cy") as cy:
            bo.ask("take_seat", name="Bo", word="w")
            cy.ask("take_seat", name="Cy", word="w")
            page.locator(".strip .muted").wait_for()
            self.look("friends: two ask for a seat")
            self.player.page.locator(".strip .primary").click()
            bo.until("seated")
            page.locator(".strip .choices .button").last.click()
            cy.until("declined")
            self.what_the_host_can_do(bo)
            self.a_game_with_others(served, bo, cy)

    def what_the_host_can_do(self, bo: Friend) -> None:
        page = self.player.page
        row = page.locator("li[data-seat='1']")
        page.locator(".watching .button").click()
        row.locator("[aria-expanded]").click()
        powers = row.locator(".powers .button")
        self.look("friends: what the host can do")
        powers.first.click()
        row.locator(".tag").wait_for()
        powers.last.click()
        self.look("friends: muted, and nearly removed")
        powers.last.click()
        bo.until("removed")
        removed = page.locator(".watching", has_text="Bo").locator(".button")
        removed.wait_for()
        self.look("friends: removed")
        removed.click()
        removed.wait_for(state="detached")
        bo.ask("hello", **(bo.greeting | {"token": None}))
        bo.ask("take_seat", name="Bo", word="w")
        page.locator(".strip .primary").click()
        bo.until("seated")

    def a_game_with_others(self, served: Served, bo: Friend, cy: Friend) -> None:
        page = self.player.page
        page.locator(".start.waiting").wait_for()
        self.look("friends: not ready")
        bo.ask("ready")
        bo.seal_a_word()
        page.locator(".start:not(.waiting)").click()
        page.locator("p.wait").wait_for()
        self.look("friends: a word is awaited")
        page.locator("[data-asked], .stage").first.wait_for()
        # Nobody plays until Bo does.
        cy.ask("take_seat", name="Cy", word="w")
        page.locator(".strip .choices .primary").click()
        cy.until("seated")
        self.open_panel("people")
        page.locator("dialog li[data-seat='1'] [aria-expanded]").click()
        page.locator("dialog .powers .button").last.click()
        self.look("friends: who gets a seat with the next deal")
        self.close_panel()
        bo.ask("emote", emote="thinking")
        bo.ask("chat", text="Bo")
        page.locator(".bubble").first.wait_for()
        self.look("friends: a quick word")
        self.chat("friends: chat")
        self.has_waited(served, bo)
        for asked in self.turns("friends", bo.play):
            self.player.act(asked)
        self.look("friends: the end of a game")
        page.locator(".actions .primary").click()
        page.locator(".again b").wait_for()
        self.look("friends: who wants to play again")

    def has_waited(self, served: Served, bo: Friend) -> None:
        """Somebody does not play, and then loses the connection."""
        page = self.player.page
        for asked in self.player.turns(bo.is_asked):
            self.player.act(asked)
        page.locator(".strip > .button").wait_for()
        self.player.settle()  # the hand makes room
        self.look("friends: a player who does not play")
        bo.leave()
        page.locator(".own .status").get_by_text("Bo").wait_for()
        self.look("friends: a player who is offline")
        bo.come_back()

    # As a guest

    def a_guest(self, served: Served) -> None:
        page = self.player.page
        rules: dict[str, Any] = {"rulebook": "es", "rounds": [1]}
        options = self.options(seats=3, bots=1, rules=rules, approval=True)
        made = served.table(options, name="Bo")
        with Friend(served, made["code"], "Bo", made["token"]) as bo:
            self._visit(served, made["code"])
            page.locator(".pad .name ~ .button").click()
            page.locator(".pad [role=status]").wait_for()
            self.look("a guest: has asked for a seat")
            bo.answer("Ada", is_admitted=False)
            self._told("web.seats.declined")
            self.look("a guest: may not sit down")
            page.locator(".pad .name ~ .button").click()
            bo.answer("Ada", is_admitted=True)
            page.locator(".start").wait_for()
            self.look("a guest: sits")
            page.locator(".start").click()
            page.locator(".start[aria-pressed=true]").wait_for()
            self.look("a guest: is ready")
            bo.ask("options", options=options | {"rules": rules | {"plus_minus_one": True}})
            self._told("web.table.rules_changed")
            self.look("a guest: other rules")
            if page.locator(".start[aria-pressed=false]").count():
                page.locator(".start").click()
                page.locator(".start[aria-pressed=true]").wait_for()
            bo.ask("start")
            page.locator(".stage").wait_for()
            self.open_panel("menu")
            page.locator(".menu .button").nth(-3).click()
            page.locator(".toast").wait_for()
            self.look("a guest: is away")
            self.panel("menu", "a guest is away")
            bo.ask("remove", seat=1)
            self.gone("a guest: removed", "web.table.without_you")

    def who_comes_late(self, served: Served) -> None:
        page = self.player.page
        rules = {"rulebook": "es", "rounds": [1, 2]}
        options = self.options(seats=3, bots=2, rules=rules, is_public=True)
        made = served.table(options, name="Bo")
        with Friend(served, made["code"], "Bo", made["token"]) as bo:
            bo.ask("start")
            self._visit(served, made["code"])
            page.locator(".toast .primary").wait_for()
            self.look("a visitor: watches")
            self.open_panel("menu")
            self.look("a visitor: menu")
            page.locator(".menu .primary").click()
            page.locator("dialog .row .button").first.wait_for()
            self.look("a visitor: which seat")
            page.locator("dialog .row .button").first.click()
            page.locator(".toast .button:not(.primary)").wait_for()
            self.look("a visitor: has asked for a seat")
            bo.answer("Ada", is_admitted=True)
            page.locator(".seat .name").get_by_text("Ada").or_(
                page.locator(".toast")
            ).first.wait_for()
            self.look("a visitor: waits for the deal")
            page.goto("about:blank")
            page.goto(f"{served.address}#/replay/{bo.table['game']}")
            page.get_by_text(self.texts.say("web.end.not_over")).wait_for()
            self.look("a game that is not over")
            # the start page lists this table and one that gathers
            served.table(options | {"bots": ["counting"]}, name="Merlin")
            page.goto("about:blank")
            page.goto(served.address)
            page.locator("li.open .button").first.wait_for()
            self.look("home: public tables")
        full = served.table(options | {"bots": []}, name="Bo")
        for name in ("Merlin", "Morgana"):
            served.post(f"/api/tables/{full['code']}/seats", {"name": name, "word": "w"})
        self._visit(served, full["code"])
        page.locator(".pad [role=status]").wait_for()
        self.look("a visitor: every seat is taken")

    def _visit(self, served: Served, code: str) -> None:
        self.player.page.goto("about:blank")
        self.player.page.goto(f"{served.address}#/t/{code}")

    def _told(self, key: str) -> None:
        """Waits for what is said in a notice."""
        said = self.texts.say(key)
        self.player.page.get_by_role("alert").filter(has_text=said).wait_for()

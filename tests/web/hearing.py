"""A player with a screen reader: hears what is announced, finds things by role and name, and presses keys."""

import re
from dataclasses import dataclass, field

from playwright.sync_api import Locator

from web.playing import Player

__all__ = ["Listener"]

# What a screen reader announces by itself: new text in a live region, and every new alert.
EARS = """
window.spoken = []
const LIVE = '[aria-live=polite], [aria-live=assertive], [role=log], [role=status], [role=alert]'
const speak = (text) => text?.trim() && window.spoken.push(text.trim().replace(/\\s+/g, ' '))
new MutationObserver((records) => {
    for (const { target, type, addedNodes } of records) {
        const element = target instanceof Element ? target : target.parentElement
        const isLive = element?.closest(LIVE) && !element.closest('[aria-hidden=true], [hidden], dialog:not([open])')
        if (type === 'characterData') isLive && speak(target.data)
        else for (const node of addedNodes) {
            if (isLive) for (const part of node.children?.length ? node.children : [node]) speak(part.textContent)
            else if (node instanceof Element)
                for (const alert of [node, ...node.querySelectorAll('*')]) alert.matches('[role=alert]') && speak(alert.textContent)
        }
    }
}).observe(document, { subtree: true, childList: true, characterData: true })
"""
# Questions, and the region where each is answered; all others are answered with a card of the hand.
QUESTIONS = {
    "Your bid": "How many tricks will you take?",
    "Name the trump": "Which colour is trump?",
    "The Cloud: change your bid": "The Cloud changes your bid",
}
CARD_ASKED = re.compile(r"Your lead|Your turn: .*|Pass a card to the left")
OVER = re.compile(r"The game is over\. Won by: ")


@dataclass
class Listener:
    """At a page that was opened for `player`.  `transcript` is everything that was announced."""

    player: Player
    transcript: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.player.page.add_init_script(EARS)

    def listen(self) -> list[str]:
        """What has been announced since the last call."""
        said: list[str] = self.player.page.evaluate("window.spoken.splice(0)")
        self.transcript += said
        return said

    def play_to_the_end(self, seconds: float = 120) -> None:
        silence = 0.0
        while silence < seconds:
            said = self.listen()
            if any(OVER.match(line) for line in said):
                return
            for line in said:
                self._answer(line)
            self.player.page.wait_for_timeout(20)
            silence = 0.0 if said else silence + 0.02
        raise TimeoutError(f"nothing more was said after {self.transcript[-3:]}")

    def _answer(self, line: str) -> None:
        if line in QUESTIONS:
            self._press(self._in("region", QUESTIONS[line]).get_by_role("button", disabled=False))
        elif CARD_ASKED.fullmatch(line):
            self._put_down()
        elif line.startswith("Points: "):
            self._press(self.player.page.get_by_role("button", name="Continue"))

    def _put_down(self) -> None:
        hand = self._in("group", "Your hand").get_by_role("button", disabled=False)
        free = [at for at, name in enumerate(self._names(hand)) if not name.endswith("not now")]
        hand.nth(free[0]).press("Enter")
        self._press(hand.and_(self._in("button", "choose it again to play it")))
        declared = self.player.page.get_by_role(
            "region", name=re.compile("In which colour|Play it as which card")
        )
        if declared.count():
            self._press(declared.get_by_role("button", disabled=False))

    def _in(self, role: str, name: str) -> Locator:
        return self.player.page.get_by_role(role, name=name)  # type: ignore[arg-type]

    def _press(self, offered: Locator) -> None:
        offered.first.press("Enter")

    def _names(self, buttons: Locator) -> list[str]:
        """As a screen reader would read them."""
        return re.findall(
            r'button "([^"]+)"', "\n".join(one.aria_snapshot() for one in buttons.all())
        )

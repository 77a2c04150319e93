"""Playing in plain lines of text, over the same protocol as the page.

It shows a View and offers `view.legal`.  It knows no rules: the table explains what is not allowed.  People type an
action without its verb (`R5`, `2`, `JUGGLER:R`), the beginning of one, or a command such as `help`.  Anything else gets
an explanation, and the question again.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

import click

from foretell.cards import Card, Colour, Face
from foretell.client import Player, RefusedByTable
from foretell.engine import Action, PassCard, Phase, Play, View, action
from foretell.engine.events import RoundDealt
from foretell.errors import ForetellError
from foretell.i18n import Catalogue, plainly_typed, typed_words
from foretell.narration import bids_told, colour_term, over_or_under, tell
from foretell.scorepad.sheet import sheet
from foretell.server.wire.error_messages import error_from
from foretell.server.wire.protocol import FromServer, Snapshot, Table, TableChanged, Welcome
from foretell.terminal.fair_lines import details
from foretell.terminal.replaying import sorted_hand
from foretell.terminal.wrapping import wrapped

__all__ = ["Left", "Lines"]

_STYLES = {
    Colour.BLUE: "bright_blue",
    Colour.RED: "bright_red",
    Colour.GREEN: "green",
    Colour.YELLOW: "yellow",
}
_COMMANDS = ("help", "sheet", "fair", "last", "table", "quit")
_VERBS = {
    Phase.BID: "bid",
    Phase.TRUMP: "trump",
    Phase.PLAY: "play",
    Phase.PASS: "pass",
    Phase.CHANGE: "change",
}


class Left(Exception):
    """The person has left the table."""


class Lines:
    """One person's seat in a terminal.  `hear` receives every message from the table."""

    def __init__(
        self,
        texts: Catalogue,
        ask: Callable[[str], str],
        say: Callable[[str], None],
        coach: Callable[[View], Iterable[str]] | None = None,
    ) -> None:
        self.texts = texts
        self.coach = coach  # gives lines of advice before a decision
        self.ask = ask
        self.show = say
        self.seen: View | None = None  # with the decision that is being asked
        self._news: deque[Snapshot] = deque()
        self._table: Table | None = None

    def hear(self, message: FromServer) -> None:
        if isinstance(message, Snapshot):
            self._news.append(message)
        elif isinstance(message, Welcome | TableChanged):
            self._table = message.table

    async def play(self, player: Player) -> View:
        """Plays the game to its end and returns the last View; raises Left if the person quits."""
        while (seen := await player.turn()) is not None:
            self._tell_news()
            await self._decide(player, seen)
        self._tell_news()
        last = player.view
        assert last is not None
        self.show("")
        self.show(sheet(last.names, last.sheet, language=self.texts.language))
        return last

    def _tell_news(self) -> None:
        """Shows what has happened since the last question."""
        while self._news:
            heard = self._news.popleft()
            for event in heard.events:
                if isinstance(event, RoundDealt):
                    self.show("")
                for sentence in tell(event, heard.view.names, self.texts):
                    self.show(sentence)

    async def _decide(self, player: Player, seen: View) -> None:
        """Asks until the table accepts an action."""
        self.seen = seen
        self._show_table(seen)
        for line in self.coach(seen) if self.coach is not None else ():
            self.show(f"  {line}")
        while True:
            typed = self.ask(self._question(seen)).strip()
            try:
                chosen = self._understood(typed, seen)
                if chosen is not None:
                    await player.act(chosen, seen.decision)
                    return
            except ForetellError as error:
                self.show(f"  {error.sentence(self.texts.language)}")
            except RefusedByTable as refused:
                if refused.code == "stale":
                    return  # the time ran out, and a bot has answered
                self.show(f"  {error_from(refused.error).sentence(self.texts.language)}")

    def _understood(self, typed: str, seen: View) -> Action | None:
        """The action that was typed; None if it was a command, which is carried out here."""
        match self._command(typed):
            case "quit":
                raise Left
            case "help":
                self.show(wrapped(self.texts.say("play.help")))
                return None
            case "sheet":
                self.show(sheet(seen.names, seen.sheet, language=self.texts.language))
                return None
            case "fair":
                for line in details(self._table, self.texts) if self._table else ():
                    self.show(f"  {line}")
                return None
            case "last":
                self._show_last(seen)
                return None
            case "table":
                self._show_table(seen)
                return None
        if plainly_typed(typed) == plainly_typed(self.texts.say("play.word.none")):
            typed = "none"
        verb = _VERBS[Phase(seen.phase)]
        wanted = _written(typed, verb)
        if verb in ("play", "pass"):
            wanted = self._declared(_completed(wanted, seen), seen)
        return action(f"{verb} {wanted}")

    def _command(self, typed: str) -> str | None:
        """The command that was typed, in English or in the player's language."""
        word = plainly_typed(typed)
        if word in ("", "?"):
            return "help"
        if word in ("exit", "q"):
            return "quit"
        words = typed_words(lambda one: self.texts.say(f"play.word.{one}"), _COMMANDS)
        return words.get(word, word if word in _COMMANDS else None)

    def _declared(self, wanted: str, seen: View) -> str:
        """The card with its declaration (X2, X7, X8); asks for the declaration if it is missing."""
        ways = [p.face for p in seen.legal if isinstance(p, Play) and p.face.card.code == wanted]
        if len(ways) < 2:
            return wanted
        said = ", ".join(face.declared or "" for face in ways)
        return f"{wanted}:{self.ask(self.texts.say('play.declare', card=wanted, ways=said)).strip().upper()}"

    def _question(self, seen: View) -> str:
        options = [self._option(one) for one in sorted(seen.legal, key=_place)]
        return self.texts.say(f"play.ask_{seen.phase}", options=" ".join(options))

    def _option(self, one: Action) -> str:
        if isinstance(one, Play):
            return painted(one.face)
        if isinstance(one, PassCard):
            return painted(one.card)
        written = str(one).partition(" ")[2]
        return self.texts.say("play.word.none") if written == "none" else written

    def _show_table(self, seen: View) -> None:
        now, say = seen.now, self.texts.say
        if now is None:
            return
        self.show("")
        if all(now.has_bid) and seen.phase != Phase.CHANGE:
            told = [
                f"{name} {won}/{'?' if bid is None else bid}"
                for name, won, bid in zip(seen.names, now.won, now.bids, strict=True)
            ]
            self.show("  " + say("play.made", tricks=", ".join(told)))
        elif any(bid is not None for bid in now.bids):
            balance = (
                over_or_under(now.bids, now.hand_size, self.texts) if now.bids_are_shown else ""
            )
            self.show(
                f"  {say('play.bids', bids=bids_told(now.bids, seen.names))} {balance}".rstrip()
            )
        if seen.phase != Phase.TRUMP:
            key = "play.trump" if now.trump else "event.trump_settled_none"
            self.show("  " + say(key, colour=colour_term(now.trump)))
        for name, hand in zip(seen.names, now.foreseen or (), strict=False):
            if hand is not None and now.hand is None:
                self.show(f"  {say('play.foreseen', name=name, cards=_row(hand))}")
        if now.trick is not None and now.trick.faces:
            self.show("  " + say("play.trick", cards=self._trick(seen)))
        if now.hand is not None:
            self.show("  " + say("play.hand", cards=_row(now.hand)))

    def _trick(self, seen: View) -> str:
        assert seen.now is not None
        assert seen.now.trick is not None
        trick = seen.now.trick
        seats = [(trick.leader + place) % seen.seats for place in range(len(trick.faces))]
        return ", ".join(
            f"{seen.names[seat]} {painted(face)}{'*' if seat == seen.now.winning else ''}"
            for seat, face in zip(seats, trick.faces, strict=True)
        )

    def _show_last(self, seen: View) -> None:
        tricks = seen.now.tricks if seen.now else ()
        if not tricks:
            self.show("  " + self.texts.say("play.no_last"))
            return
        trick = tricks[-1]
        seats = [(trick.leader + place) % seen.seats for place in range(len(trick.faces))]
        cards = [f"{seen.names[s]} {painted(f)}" for s, f in zip(seats, trick.faces, strict=True)]
        self.show(f"  {', '.join(cards)}")


def painted(one: Card | Face) -> str:
    """A card's code in its colour; the letter says the colour too, for terminals and eyes without colour."""
    return (
        click.style(one.code, fg=_STYLES[one.colour])
        if one.colour
        else click.style(one.code, bold=True)
    )


def _row(hand: Sequence[Card]) -> str:
    return " ".join(painted(card) for card in sorted_hand(hand))


def _place(one: Action) -> int:
    return one.card.index if isinstance(one, Play | PassCard) else 0


def _completed(wanted: str, seen: View) -> str:
    """The whole code of a card: `Z` for a Wizard, `JUG` for the Juggler, where only one kind of card can be meant."""
    cards = [one.card for one in seen.legal if isinstance(one, Play | PassCard)]
    meant = [card for card in dict.fromkeys(cards) if card.code.startswith(wanted)]
    is_one = any(card.code == wanted for card in meant)
    is_alike = len({card.kind for card in meant}) == 1 and not any(card.colour for card in meant)
    return meant[0].code if not is_one and (is_alike or len(meant) == 1) else wanted


def _written(typed: str, verb: str) -> str:
    """What was typed, in the form that actions have: capitals for cards, a sign for changes, without the verb."""
    text = typed.lower().removeprefix(verb).strip().upper()
    if verb == "trump" and text in ("NONE", "NO"):
        return "none"
    return "+1" if verb == "change" and text == "1" else text

"""The dialogue of `foretell score`, in plain lines.

Every entry is stored as soon as it is made.  This module knows no rules: the pad says what is open, barred or missing,
and its errors say what is wrong.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from foretell.errors import ForetellError, NotAllowed, Unreadable
from foretell.i18n import catalogue, plainly_typed, typed_words
from foretell.scorepad.asking import COMMANDS, Again, Quit, echo, entries, row, seat_called
from foretell.scorepad.entries import Bid, Cloud, Correction, Tricks
from foretell.scorepad.keep import Keeper
from foretell.scorepad.pad import Pad, enter, missing, rewritten, undo
from foretell.scorepad.pad_round import Awaits, PadRound
from foretell.scorepad.sheet import SIGNS, Signs, sheet
from foretell.scorepad.text import to_json
from foretell.scorepad.words import (
    bids_stand,
    cloud_told,
    cloud_written,
    game_ended,
    now_asked,
    prompt,
    round_begins,
    round_ended,
)

__all__ = ["Scribe"]

_CHANGES = {"+1": 1, "+": 1, "-1": -1, "-": -1, "−1": -1, "−": -1}
_Row = tuple[int | None, ...]


class Scribe:
    """Fills in one pad with one person at the keyboard."""

    def __init__(
        self,
        pad: Pad,
        keeper: Keeper,
        read: Callable[[str], str],
        write: Callable[[str], object],
        *,
        signs: Signs = SIGNS,
        language: str = "en",
    ) -> None:
        self.pad = pad
        self.keeper = keeper
        self.is_kept = True  # the pad comes from its file, or is blank
        self._read, self._write = read, write
        self._signs, self._language = signs, language
        self._say = catalogue(language).say
        self._words = typed_words(lambda word: self._say(f"score.word.{word}"), COMMANDS)
        self._is_correcting = False
        self._told: tuple[bool, int] | None = None  # where the game was at the last announcement

    def run(self) -> bool:
        """Asks until the person leaves; returns whether everything is stored."""
        if self.pad.lines:
            self._show()
        try:
            while True:
                try:
                    self._step()
                except Again:
                    pass
                except ForetellError as error:
                    self._tell(error)
                self._is_correcting = False
        except Quit:
            pass
        except (EOFError, KeyboardInterrupt):
            self._write("")
        try:
            return self._leave()
        except KeyboardInterrupt:  # a second Ctrl-C: every entry was stored when it was made
            return self.is_kept

    # Questions

    def _step(self) -> None:
        now = self.pad.now
        if self._told != (self.pad.is_over, len(self.pad.rounds)):
            self._told = (self.pad.is_over, len(self.pad.rounds))
            self._write("\n" + self._announced(now))
        if now is None:
            self._ask_end()
        elif now.awaits is Awaits.BIDS:
            self._ask_bids(now)
        elif now.awaits is Awaits.TRICKS:
            self._ask_tricks(now)
        else:
            self._accept(enter(self.pad, self._asked_cloud(now)))

    def _announced(self, now: PadRound | None) -> str:
        if now is None:
            return game_ended(self._say, self.pad, self._signs)
        secret = "" if now.are_bids_first else " " + self._say("score.secret")
        return round_begins(self._say, self.pad, now) + secret

    def _ask_bids(self, now: PadRound) -> None:
        answer = self._ask("  " + now_asked(self._say, now, now.bidders[0]))
        pad = self.pad
        for seat, tricks in entries(pad.names, now.silent, answer):
            pad = enter(pad, Bid(seat, tricks))
        self._accept(pad)
        if not pad.rounds[-1].silent:
            self._write("  " + bids_stand(self._say, pad.rounds[-1]))

    def _ask_tricks(self, now: PadRound) -> None:
        """Asks even for the last player's tricks, which follow from the others: a different answer shows a mistake."""
        seat = now.counters[0]
        open_tricks = now.open_tricks(seat)
        is_known = len(now.counters) == 1 and len(open_tricks) == 1
        key = "score.ask_last_tricks" if is_known else "score.ask_tricks"
        left = open_tricks[-1]
        question = "  " + self._say(key, name=now.names[seat], left=left)
        answer = self._ask(question, otherwise=str(left) if is_known else None)
        pad = self.pad
        for one, tricks in entries(pad.names, now.counters, answer):
            pad = enter(pad, Tricks(one, tricks))
        self._accept(pad)

    def _asked_cloud(self, now: PadRound, offered: Cloud | None = None) -> Cloud:
        """Asks who won the Cloud, and how their bid changes if there is a choice."""
        takers = ", ".join(now.names[seat] for seat in now.cloud_takers)
        question = "  " + self._say("score.ask_cloud", names=takers)
        if offered is None:
            answer = self._ask(question)
        else:
            question += f" [{cloud_written(self._say, now, offered, self._signs)}]"
            answer = self._ask(question, otherwise="")
            if not answer:
                now.with_cloud(offered)  # raises, with the reason, if it no longer fits
                return offered
        if plainly_typed(answer) == plainly_typed(self._say("score.word.nobody")):
            return Cloud()
        seat = seat_called(now.names, answer)
        if seat not in now.cloud_takers:
            now.with_cloud(Cloud(seat))  # raises, with the reason
        open_changes = now.open_changes(seat)
        change = open_changes[0]
        if len(open_changes) > 1:
            change = self._asked_change(now.names[seat], now.bids[seat])
        self._write("  " + cloud_told(self._say, now.with_cloud(Cloud(seat, change)), seat))
        return Cloud(seat, change)

    def _asked_change(self, name: str, bid: int | None) -> int:
        while True:
            answer = self._ask("  " + self._say("score.ask_change", name=name, bid=bid))
            if answer in _CHANGES:
                return _CHANGES[answer]
            self._tell(Unreadable("not_a_change", text=echo(answer)))

    def _ask_end(self) -> None:
        """The game is over, but people may still find a mistake and correct it."""
        if not self._ask(self._say("score.ask_over"), otherwise=""):
            raise Quit
        self._write(self._say("score.hint"))

    # Storing

    def _accept(self, pad: Pad) -> None:
        """Takes over the new pad and stores it; shows the result if it completes a round."""
        scored = len([one for one in self.pad.rounds if one.is_scored])
        self.pad = pad
        self._keep()
        done = [one for one in pad.rounds if one.is_scored]
        if len(done) > scored:
            self._write("  " + round_ended(self._say, done[-1], self._signs))
            self._show()

    def _keep(self) -> None:
        self._try_to_keep()
        if not self.is_kept:
            self._write(self._say("score.not_kept"))

    def _try_to_keep(self) -> None:
        try:
            self.keeper.write(self.pad)
        except ForetellError as error:
            self.is_kept = False
            self._tell(error)
        else:
            self.is_kept = True

    def _leave(self) -> bool:
        """Loses nothing: if the file cannot be written, it tries another folder, and at last prints the pad."""
        if self.pad.entries:
            self._try_to_keep()
        if not self.is_kept:
            try:
                elsewhere = Keeper(
                    Path(tempfile.mkdtemp(prefix="foretell-")) / self.keeper.path.name
                )
                elsewhere.write(self.pad)
            except (ForetellError, OSError):
                self._write(self._say("score.screen"))
                self._write(to_json(self.pad))
                return False
            self._write(self._say("score.kept_elsewhere", path=elsewhere.path))
        elif self.pad.entries:
            self._write(self._say("score.kept", path=self.keeper.path))
        return True

    # Commands

    def _ask(self, question: str, otherwise: str | None = None) -> str:
        """The answer to a question; Enter means `otherwise`, where given.  Commands are carried out here."""
        while True:
            answer = " ".join(self._read(prompt(question)).split())
            word, _, rest = answer.partition(" ")
            command = self._words.get(plainly_typed(word))
            if command is not None:
                self._command(command, rest)
            elif answer or otherwise is not None:
                return answer or otherwise or ""
            else:
                self._write(self._say("score.hint"))

    def _command(self, command: str, rest: str) -> None:
        try:
            match command:
                case "help":
                    self._write(self._say("score.help"))
                case "sheet":
                    self._show()
                case "save":
                    self._save(rest)
                case "quit":
                    raise Quit
                case "undo":
                    self._undo()
                case _:
                    self._fix(rest)
        except ForetellError as error:
            self._tell(error)

    def _show(self) -> None:
        self._write(
            "\n" + sheet(self.pad.names, self.pad.lines, signs=self._signs, language=self._language)
        )

    def _save(self, rest: str) -> None:
        """Stores the pad in its file, or, if another file is named, there from now on."""
        if rest:
            other = Keeper(Path(rest))
            if other.path.exists() and other.path != self.keeper.path:
                raise ForetellError("pad_exists", path=str(other.path))
            other.write(self.pad)
            self.keeper, self.is_kept = other, True
        else:
            self._keep()
        if self.is_kept:
            self._write(self._say("score.saved", path=self.keeper.path))

    def _undo(self) -> None:
        if self._is_correcting:
            self._write(self._say("score.fix_dropped"))
            raise Again
        self.pad = undo(self.pad)
        self._keep()
        if self.pad.is_over:
            self._told = None  # the winners may have changed
        self._write(self._say("score.undone"))
        left = missing(self.pad)
        if left is not None:
            self._write("  " + left.sentence(self._language))
        raise Again

    def _fix(self, rest: str) -> None:
        """Asks for a round again, row by row; Enter keeps a row as it is."""
        if not rest.isdecimal():
            written = [str(one.number) for one in self.pad.rounds if not one.is_blank]
            raise Unreadable("pad_fix_what", numbers=", ".join(written))
        old = self.pad.round(int(rest[:9]))
        nothing = (None,) * len(old.names)
        self._is_correcting = True
        self._write(self._say("score.fix", number=old.number, names=", ".join(old.names)))
        bids = self._row("score.ask_fix_bids", old, old.bids, lambda row: (row, nothing))
        won = old.won
        if won != nothing:
            won = self._row("score.ask_fix_tricks", old, old.won, lambda row: (bids, row))
        new = rewritten(self.pad, Correction(old.number, bids, won))
        cloud = self._fixed_cloud(new, old.cloud)
        self.pad = enter(self.pad, Correction(old.number, bids, won, cloud))
        self._keep()
        self._told = None
        self._write(self._say("score.fixed", number=old.number))
        self._show()
        raise Again

    def _row(
        self,
        key: str,
        old: PadRound,
        offered: Sequence[int | None],
        rows: Callable[[_Row], tuple[_Row, _Row]],
    ) -> _Row:
        """Asks for one row of a correction until the rules allow it."""
        shown = " ".join("-" if told is None else str(told) for told in offered)
        while True:
            answer = self._ask("  " + self._say(key, offered=shown), otherwise=shown)
            try:
                told = row(answer, len(old.names))
                if old.is_scored and None in told:
                    raise NotAllowed("pad_correction_incomplete", number=old.number)
                rewritten(self.pad, Correction(old.number, *rows(told)))
            except ForetellError as error:
                self._tell(error)
            else:
                return told

    def _fixed_cloud(self, new: PadRound, old: Cloud | None) -> Cloud | None:
        while new.awaits is Awaits.CLOUD:
            try:
                return self._asked_cloud(new, old)
            except ForetellError as error:
                self._tell(error)
                old = None
        return None

    def _tell(self, error: ForetellError) -> None:
        self._write("  " + error.sentence(self._language))

"""The dialogue before the first round: continue the last pad, or who plays and who deals first."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from foretell.errors import ForetellError
from foretell.i18n import catalogue, listed, plainly_typed, typed_words
from foretell.rules import Rules
from foretell.scorepad.asking import COMMANDS, Quit, seat_called
from foretell.scorepad.keep import Keeper, fresh_path, newest_path
from foretell.scorepad.pad import Pad, new_pad
from foretell.scorepad.words import prompt, rules_told

__all__ = ["PadSetup"]


class PadSetup:
    """Opens or begins a pad with as few questions as possible: it offers the names and the order of the last game."""

    def __init__(
        self, read: Callable[[str], str], write: Callable[[str], object], *, language: str = "en"
    ) -> None:
        self._read, self._write, self._language = read, write, language
        self._say = catalogue(language).say

    def from_file(
        self, path: Path, rules: Rules | None, names: Sequence[str], dealer: str | None
    ) -> tuple[Pad, Keeper]:
        """The pad in the given file, or a new one to be stored there."""
        keeper = Keeper(path)
        pad = keeper.read()
        if pad is None:
            return self._new(rules or Rules(), names, dealer, None), keeper
        if names and tuple(names) != pad.names:
            raise ForetellError("pad_other_names", path=str(path), names=", ".join(pad.names))
        if rules is not None and rules != pad.rules:
            told = rules_told(self._say, pad.rules)
            raise ForetellError("pad_other_rules", path=str(path), rules=told)
        self._tell_rules(pad)
        return pad, keeper

    def from_folder(
        self,
        folder: Path,
        rules: Rules | None,
        names: Sequence[str],
        dealer: str | None,
        *,
        is_new: bool,
        now: datetime,
    ) -> tuple[Pad, Keeper]:
        """The last pad, if it is unfinished and the person wants to continue it; otherwise a new one."""
        last, keeper = self._last(folder)
        wants_new = is_new or bool(names) or rules is not None
        if last is not None and keeper is not None and not last.is_over:
            if wants_new:
                self._write(self._say("score.unfinished", path=keeper.path))
            elif self._goes_on(last):
                self._tell_rules(last)
                return last, keeper
        pad = self._new(rules or Rules(), names, dealer, last)
        with suppress(OSError):  # storing the pad will report it
            folder.mkdir(parents=True, exist_ok=True)
        return pad, Keeper(fresh_path(folder, now))

    def _last(self, folder: Path) -> tuple[Pad | None, Keeper | None]:
        path = newest_path(folder)
        if path is None:
            return None, None
        keeper = Keeper(path)
        try:
            return keeper.read(), keeper
        except ForetellError as error:
            # The broken pad stays where it is, and a new one is begun.
            self._tell(error)
            return None, None

    def _goes_on(self, last: Pad) -> bool:
        number = last.rounds[-1].number
        question = self._say(
            "score.ask_continue", names=listed(last.names, self._say), number=number
        )
        yes, no = self._say("score.word.yes"), self._say("score.word.no")
        while True:
            answer = plainly_typed(self._answer(question))
            for word, goes_on in ((plainly_typed(yes), True), (plainly_typed(no), False)):
                if answer in (word, word[:1]):
                    return goes_on
            if not answer:
                return True
            self._write(self._say("score.yes_or_no", yes=yes, no=no))

    def _new(self, rules: Rules, names: Sequence[str], dealer: str | None, last: Pad | None) -> Pad:
        pad = new_pad(names, rules) if names else self._asked_names(rules, last)
        pad = new_pad(pad.names, rules, first_dealer=self._dealer(pad, dealer, is_asked=not names))
        self._tell_rules(pad)
        return pad

    def _asked_names(self, rules: Rules, last: Pad | None) -> Pad:
        question = self._say("score.ask_names")
        if last is not None:
            question += f" [{', '.join(last.names)}]"
        while True:
            answer = self._answer(question)
            try:
                if not answer and last is not None:
                    return new_pad(last.names, rules)
                return new_pad(answer.split(",") if "," in answer else answer.split(), rules)
            except ForetellError as error:
                self._tell(error)

    def _dealer(self, pad: Pad, named: str | None, *, is_asked: bool) -> int:
        """D2: the scribe deals first, unless the table chooses someone else."""
        if named is not None:
            return seat_called(pad.names, named)
        while is_asked:
            answer = self._answer(self._say("score.ask_dealer", name=pad.names[0]))
            try:
                return seat_called(pad.names, answer) if answer else 0
            except ForetellError as error:
                self._tell(error)
        return 0

    def _answer(self, question: str) -> str:
        """The answer to a question.  Only help and quit work here, and a list of names is not a command."""
        words = typed_words(lambda word: self._say(f"score.word.{word}"), COMMANDS)
        while True:
            answer = " ".join(self._read(prompt(question)).split())
            first, *more = plainly_typed(answer).split() or [""]
            command = words.get(first) if len(more) < 2 and "," not in answer else None
            if command is None:
                return answer
            if command == "quit":
                raise Quit
            self._write(self._say("score.help_setup" if command == "help" else "score.too_early"))

    def _tell_rules(self, pad: Pad) -> None:
        self._write(self._say("score.rules", rules=rules_told(self._say, pad.rules)))

    def _tell(self, error: ForetellError) -> None:
        self._write("  " + error.sentence(self._language))

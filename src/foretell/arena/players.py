"""The players of an arena: bots of this package by name, and any other program as `exec:COMMAND`.

A program is given a View as one line of JSON and answers with one line: `{"action": "play R5"}`.  It is started once
and asked for every choice.  If anything goes wrong (a `Fault`), a legal action is chosen at random instead, and the
fault is reported with the result.
"""

import json
import shlex
import subprocess
import tempfile
import threading
from collections import Counter
from contextlib import suppress
from queue import Empty, Queue
from random import Random
from typing import IO, Protocol

from foretell.bots import Bot, bot
from foretell.engine import Action, View, action, to_json
from foretell.errors import ForetellError

__all__ = ["EXEC", "Fault", "Guarded", "Outside", "player"]

EXEC = "exec:"


class Fault(Exception):
    """A player gave no answer, or not a legal one; `kind` is crash, silence, nonsense or illegal."""

    def __init__(self, kind: str, message: str = "") -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message


class _Chooses(Protocol):
    def choose(self, view: View, random: Random) -> Action: ...


class Outside:
    """A program that is asked over standard input and output, and has `limit` seconds for each answer."""

    def __init__(self, command: str, limit: float = 5.0) -> None:
        self.command = command
        self.limit = limit
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: Queue[bytes | None] = Queue()
        self._stderr: IO[bytes] | None = None

    def choose(self, view: View, random: Random) -> Action:
        line = self._answer_to(to_json(view))
        try:
            answer = json.loads(line)
            text = answer["action"] if isinstance(answer, dict) else None
            if not isinstance(text, str):
                raise Fault("nonsense", _short(line))
            return action(text)
        except (ValueError, KeyError, ForetellError) as error:
            raise Fault("nonsense", _short(line)) from error

    def _answer_to(self, question: bytes) -> bytes:
        process = self._running()
        assert process.stdin is not None
        try:
            process.stdin.write(question + b"\n")
            process.stdin.flush()
        except OSError:
            raise self._crashed() from None
        try:
            answer = self._answers.get(timeout=self.limit)
        except Empty:
            self.close()  # a late answer would be taken for the answer to the next question
            raise Fault("silence", f"{self.limit:g} s") from None
        if answer is None:
            raise self._crashed()
        return answer

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the program
            try:
                self._process = subprocess.Popen(
                    shlex.split(self.command),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._stderr,
                )
            except (OSError, ValueError) as error:
                self._stderr.close()
                self._stderr = None
                raise Fault("crash", str(error)) from error
            self._answers = Queue()
            reader = threading.Thread(
                target=_read_all, args=(self._process.stdout, self._answers), daemon=True
            )
            reader.start()
        return self._process

    def _crashed(self) -> Fault:
        message = ""
        if self._stderr is not None:
            self._stderr.seek(0)
            lines = self._stderr.read().decode(errors="replace").strip().splitlines()
            message = lines[-1] if lines else ""
        self.close()
        return Fault("crash", message)

    def close(self) -> None:
        """Ends the program; the next question starts it again."""
        process, self._process = self._process, None
        if process is not None:
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()
            try:
                process.wait(timeout=0.2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        if self._stderr is not None:
            self._stderr.close()
            self._stderr = None


def _read_all(pipe: IO[bytes], answers: "Queue[bytes | None]") -> None:
    try:
        for line in pipe:
            answers.put(line)
    except (OSError, ValueError):
        pass
    answers.put(None)


def _short(line: bytes) -> str:
    return line.decode(errors="replace").strip()[:80]


class Guarded:
    """A player whose faults are counted; for each of them, a random legal action is taken instead."""

    def __init__(self, inner: _Chooses) -> None:
        self.inner = inner
        self.faults: Counter[str] = Counter()
        self.first_messages: dict[str, str] = {}

    def choose(self, view: View, random: Random) -> Action:
        instead = random.choice(view.legal)
        try:
            chosen = self.inner.choose(view, random)
            if chosen not in view.legal:
                raise Fault("illegal", str(chosen))
        except Fault as fault:
            return self._counted(fault.kind, fault.message, instead)
        except Exception as error:  # a bot may fail in any way, and the match goes on
            return self._counted("crash", f"{type(error).__name__}: {error}", instead)
        return chosen

    def _counted(self, kind: str, message: str, instead: Action) -> Action:
        self.faults[kind] += 1
        self.first_messages.setdefault(kind, message)
        return instead

    def close(self) -> None:
        if isinstance(self.inner, Outside):
            self.inner.close()


def player(name: str, limit: float = 5.0) -> Bot:
    """The player with this name, or the program that `exec:` names."""
    return Outside(name.removeprefix(EXEC), limit) if name.startswith(EXEC) else bot(name)

"""A process that answers requests, one at a time: both of its sides.

Requests go to its standard input and answers come from its standard output, pickled. Both sides may be different
versions of Python, and of the libraries that they have.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import IO, Any

from .files import anonymous_file, read_all
from .limits import memory_kills
from .outcome import Outcome, died, late

_PROTOCOL = 4
# A tool that is a fork of its test's runner starts its workers by fork, too.
start_process: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen
_of_the_forked: list[Any] = []
"""Processes of the process that this is a fork of. They are kept: their files' numbers may be other files' here."""


@dataclass
class Worker:
    """The side that asks.

    Attributes:
        command: The command that starts the process.
        env: The variables of the process.
        has_session: Whether Ctrl-C is for this process alone.
        waiting: Makes a context that lasts as long as a request.
    """

    command: Sequence[str]
    env: Mapping[str, str]
    has_session: bool = False
    waiting: Callable[[], AbstractContextManager[None]] = nullcontext
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _owner: int = field(default=0, init=False)
    _printed: int = field(default=-1, init=False)
    _kills: int = field(default=0, init=False)

    def start(self) -> bool:
        """Start the process if there is none. Return whether there was none.

        Raises:
            OSError: The command cannot be run.
        """
        if self._owner != os.getpid():
            _of_the_forked.append(self._process)
            self._process, self._printed = None, -1
        if self._process is not None and self._process.poll() is None:
            return False
        self.close()
        self._printed, self._kills, self._owner = anonymous_file("printed"), memory_kills(), os.getpid()
        try:
            self._process = start_process(
                list(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._printed,
                env=dict(self.env),
                start_new_session=self.has_session,
            )
        except OSError:
            self.close()
            raise
        return True

    def ask(self, request: Any, seconds: float | None) -> Outcome:
        """Return the answer of the process that was started, or how it died.

        Args:
            request: What `answer` in `serve` takes.
            seconds: The time after which the process is killed; None for any.
        """
        process, expired = self._process, threading.Event()
        if process is None or process.stdin is None or process.stdout is None:
            raise ValueError("the process has not been started")

        def end() -> None:
            expired.set()
            process.kill()

        limit = threading.TIMEOUT_MAX if seconds is None else min(seconds, threading.TIMEOUT_MAX)
        alarm = threading.Timer(limit, end)
        alarm.daemon = True
        alarm.start()
        try:
            with self.waiting():
                send(process.stdin, request)
                return Outcome(value=receive(process.stdout))
        except (EOFError, OSError, pickle.UnpicklingError):
            code = process.wait()
            outcome = late(limit) if expired.is_set() else died(code, read_all(self._printed), self._kills)
            self.close()
            return outcome
        except BaseException:  # the next answer would be that of this request
            self.close()
            raise
        finally:
            alarm.cancel()
            alarm.join()  # a process with a thread cannot be forked safely

    def close(self) -> None:
        """End the process."""
        if self._owner != os.getpid():
            return
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
        if self._printed >= 0:
            os.close(self._printed)
            self._printed = -1


def send(stream: IO[bytes], message: Any) -> None:
    """Write one message."""
    pickle.dump(message, stream, protocol=_PROTOCOL)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read the next message.

    Raises:
        EOFError: The other side is gone.
    """
    return pickle.load(stream)


def serve(answer: Callable[[Any], Any]) -> None:
    """Answer requests until the process that sends them ends. The output of libraries goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            request = receive(sys.stdin.buffer)
        except EOFError:
            return
        send(answers, answer(request))

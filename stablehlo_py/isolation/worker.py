"""A process that answers requests, one at a time: both of its sides.

Requests go to its standard input and answers come from its standard output, pickled. Both sides may be different
versions of Python, and of the libraries that they have.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import IO, Any

from .files import anonymous_file, read_all
from .limits import memory_kills
from .outcome import Outcome, died, late

fcntl: Any = importlib.import_module("fcntl") if importlib.util.find_spec("fcntl") is not None else None
# A tool that is a fork of its test's runner starts its workers by fork, too.
start_process: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen
_of_the_forked: list[Any] = []
"""Processes of the parent of this fork. Their finalizers would close descriptors that are other files' here."""


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
    _process: Any = field(default=None, init=False)
    _printed: Any = field(default=None, init=False)
    _owner: int = field(default=0, init=False)
    _kills: int = field(default=0, init=False)

    def start(self) -> bool:
        """Start the process if there is none. Return whether there was none. Raises OSError."""
        if self._owner != os.getpid():
            _of_the_forked.append((self._process, self._printed))
            self._process = self._printed = None
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
        process, began = self._process, time.monotonic()
        limit = threading.TIMEOUT_MAX if seconds is None else min(seconds, threading.TIMEOUT_MAX)
        alarm = threading.Timer(limit, process.kill)
        alarm.daemon = True
        alarm.start()
        try:
            with self.waiting():
                _send(process.stdin, request)
                return Outcome(value=pickle.load(process.stdout))
        except (EOFError, OSError, pickle.UnpicklingError):
            is_late, code = time.monotonic() - began >= limit, process.wait()
            outcome = late(limit) if is_late else died(code, read_all(self._printed), self._kills)
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
        if self._owner == os.getpid():
            if self._process is not None:
                self._process.kill()
                self._process.communicate()
            if self._printed is not None:
                self._printed.close()
            self._process = self._printed = None


def _send(stream: IO[bytes], message: Any) -> None:
    pickle.dump(message, stream, protocol=5)  # all versions of Python that we run in have it
    stream.flush()


def serve(answer: Callable[[Any], Any]) -> None:
    """Answer requests until the process that sends them ends. The output of libraries goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        with _ended_by_sender(answers.fileno()):
            reply = answer(request)
        _send(answers, reply)


@contextmanager
def _ended_by_sender(answers: int) -> Generator[None]:
    """Let the system end this process if the sender of requests ends meanwhile, however it ends.

    The pipe for answers raises SIGIO once nobody can read it, which ends a process by default. The one for requests
    would, too, but also when the system is late to tell that the last one was written.
    """
    if fcntl is None:
        yield
        return
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(answers, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(answers, fcntl.F_GETFL)
    fcntl.fcntl(answers, fcntl.F_SETFL, flags | os.O_ASYNC)
    if select.select([0], [], [], 0)[0]:  # the sender has ended before
        os._exit(1)
    try:
        yield
    finally:
        fcntl.fcntl(answers, fcntl.F_SETFL, flags)

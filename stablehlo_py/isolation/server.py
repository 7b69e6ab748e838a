"""A process that waits for calls of a process that cannot fork safely, and makes each in a child of its own.

It is started when it is first needed, and ends with the process that started it.
"""

from __future__ import annotations

import atexit
import os
import pickle
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .children import run_in_child
from .limits import Limits
from .outcome import Outcome, late, report_of
from .policy import CAN_FORK
from .worker import Worker, serve

_COMMAND = f"from {__name__} import answer_calls; answer_calls()"
# Beyond the time that a call may take, the server may take this long to start and to answer.
_SECONDS_TO_ANSWER = 30.0


@dataclass(frozen=True)
class _Request:
    """A call and its limits, the folder where its relative paths begin, and what the server does itself before it."""

    function: Callable[[], Any]
    prepare: Callable[[], object]
    folder: str
    limits: Limits


def _nothing() -> None:
    pass


def _answer(request: _Request) -> bytes:
    request.prepare()

    def work() -> Any:
        os.chdir(request.folder)
        return request.function()

    if not CAN_FORK:
        return report_of(work)
    return pickle.dumps(run_in_child(work, request.limits))


def answer_calls() -> None:
    """Make the calls that a process requests until that process ends."""
    serve(_answer)


class _Server:
    """The side that asks: its worker, and the threads that take turns."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.worker: Worker | None = None

    def call(self, request: _Request) -> Outcome:
        with self.lock:
            if self.worker is None:
                path = os.pathsep.join(entry for entry in sys.path if entry)
                environment = {**os.environ, "PYTHONPATH": path}
                self.worker = Worker([sys.executable, "-c", _COMMAND], environment, has_session=True)
                atexit.register(self.worker.close)
            if self.worker.start():
                first = _Request(_nothing, request.prepare, os.getcwd(), Limits())
                ready = self.worker.ask(first, _SECONDS_TO_ANSWER)
                if ready.cause:
                    return ready
            seconds = request.limits.seconds
            outcome = self.worker.ask(request, seconds + _SECONDS_TO_ANSWER if seconds and CAN_FORK else seconds)
        if outcome.cause == "timeout":
            return late(seconds or 0.0)
        return outcome if outcome.cause else pickle.loads(outcome.value)


_server = _Server()


def call_elsewhere(function: Callable[[], Any], limits: Limits, prepare: Callable[[], object]) -> Outcome:
    """Return the outcome of `function()` from the server. It and `prepare` pickle."""
    return _server.call(_Request(function, prepare, os.getcwd(), limits))

"""Calls that may crash, made in a fork of this process if that is safe.

If not, they are made by a server, each in a child of its own. That process is started when it is first needed, and ends
with the process that started it.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from . import policy
from .limits import Limits
from .outcome import Outcome, late
from .process import run_in_child

if TYPE_CHECKING:
    from .worker import Worker

_COMMAND = f"from {__name__} import answer_calls; answer_calls()"
# Beyond the time that a call may take, the server may take this long to start and to answer.
_SECONDS_TO_ANSWER = 30.0


def _in_folder(folder: str, function: Callable[[], Any]) -> Any:
    os.chdir(folder)
    return function()


def answer_calls() -> None:
    """Make the calls that a process requests until that process ends."""
    from .worker import serve

    serve(lambda request: run_in_child(*request))


_turns = threading.Lock()


@cache
def _server() -> Worker:
    from .commands import python_command
    from .worker import Worker

    path = os.pathsep.join(entry for entry in sys.path if entry)
    worker = Worker(python_command("-c", _COMMAND), {**os.environ, "PYTHONPATH": path}, has_session=True)
    atexit.register(worker.close)
    return worker


def call(function: Callable[[], Any], limits: Limits) -> Outcome:
    """Return the outcome of a call that may crash.

    Args:
        function: What to call. It pickles where this process cannot be forked, and its result everywhere.
        limits: The limits of the call.
    """
    if policy.fork_is_safe():
        return run_in_child(function, limits)
    request = partial(_in_folder, os.getcwd(), function), limits
    with _turns:
        more = _SECONDS_TO_ANSWER if _server().start() or policy.CAN_FORK else 0.0
        outcome = _server().ask(request, limits.seconds and limits.seconds + more)
    if outcome.cause == "timeout":
        return late(limits.seconds or 0.0)
    return outcome if outcome.cause else outcome.value

"""A process that waits for jobs of a process that cannot fork safely, and does each in a child of its own.

It is started when it is first needed, has the bindings loaded and contexts made, and ends with the process that
started it. Jobs come on its standard input and reports leave on its standard output, each with its length in front.
"""

from __future__ import annotations

import atexit
import io
import os
import pickle
import select
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass
from functools import cache
from typing import IO, Any, cast

from ..processes import Limits, anonymous_file, read_all
from .context import has_dialect, make_context
from .guarded import CAN_FORK, Job, Outcome, died, perform, report_of, run_in_child
from .provider import ir

_LENGTH = struct.Struct("<Q")
_COMMAND = "from stablehlo_py.bindings.guard_server import serve; serve()"
# Beyond the time that a job may take, the server may take this long to start and to answer.
_SECONDS_TO_ANSWER = 30.0


@dataclass(frozen=True)
class _Request:
    """A job, the folder where its relative paths begin, the kind of context that it needs, the file for its module,
    and its limits."""

    job: Job
    folder: str
    allow_unregistered_dialects: bool
    with_sdy: bool
    module_path: str
    limits: Limits


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    head = stream.read(_LENGTH.size)
    return stream.read(_LENGTH.unpack(head)[0]) if len(head) == _LENGTH.size else None


# The server ---------------------------------------------------------------------------------------------------------


@cache
def _context(with_sdy: bool) -> ir.Context:
    return make_context(with_sdy=with_sdy)


def _answer(request: _Request) -> bytes:
    context = _context(request.with_sdy)
    context.allow_unregistered_dialects = request.allow_unregistered_dialects

    def work() -> Any:
        os.chdir(request.folder)
        descriptor = os.open(request.module_path, os.O_RDWR)
        try:
            return perform(request.job, context, descriptor)
        finally:
            os.close(descriptor)

    if not CAN_FORK:
        return report_of(work)
    return pickle.dumps(run_in_child(work, timeout=request.limits.seconds, memory=request.limits.memory))


def serve() -> None:
    """Does jobs until the process that sends them is gone."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what C++ prints is no answer
    _context(True)
    _send(answers, b"")
    while True:
        message = _receive(requests)
        if message is None:
            return
        _send(answers, _answer(pickle.loads(message)))


# The client ---------------------------------------------------------------------------------------------------------


class _Server:
    """The process that does the jobs; started when the first one comes, and again when it died."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.owner = 0
        self.printed = -1

    def running(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.owner != os.getpid() or self.process.poll() is not None:
            path = os.pathsep.join(entry for entry in sys.path if entry)
            if not CAN_FORK and self.printed < 0:  # jobs crash the server itself, and C++ says why
                self.printed = anonymous_file("printed")
            self.process = subprocess.Popen(
                [sys.executable, "-c", _COMMAND],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if CAN_FORK else self.printed,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C is for this process
            )
            self.owner = os.getpid()
            atexit.register(self.stop)
            _arrives(self.process, _SECONDS_TO_ANSWER)  # it says when it is ready
            _receive(cast("IO[bytes]", self.process.stdout))
        return self.process

    def stop(self) -> None:
        process, self.process = self.process, None
        if process is not None and self.owner == os.getpid():
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                cast("IO[bytes]", stream).close()

    def ask(self, request: bytes, seconds: float | None) -> Outcome:
        """The outcome of a job that has to be done within `seconds`."""
        with self.lock:
            process = self.running()
            stdin, stdout = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
            answer: bytes | None = None
            is_late = False
            try:
                _send(stdin, request)
                if seconds is not None:
                    is_late = not _arrives(process, seconds + _SECONDS_TO_ANSWER if CAN_FORK else seconds)
                if not is_late:
                    answer = _receive(stdout)
            except BrokenPipeError:
                pass
            finally:
                if answer is None:
                    self.stop()
        if answer is not None:
            return pickle.loads(answer)
        if is_late:
            return Outcome(crash=f"it did not end within {seconds:g} s")
        return died(process.returncode, b"" if CAN_FORK else read_all(self.printed))


def _arrives(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the process answers, or ends, within `seconds`."""
    stream = cast("IO[bytes]", process.stdout)
    if os.name != "nt":
        return bool(select.select([stream], [], [], seconds)[0])
    waiting = threading.Thread(target=cast("io.BufferedReader", stream).peek, daemon=True)  # for a pipe, otherwise
    waiting.start()
    waiting.join(seconds)
    return not waiting.is_alive()


_server = _Server()


def perform_elsewhere(job: Job, context: ir.Context, descriptor: int, limits: Limits) -> Outcome:
    """Return the outcome of `guarded.perform(job, …)` from the server; the module goes to the file `descriptor`."""
    import shutil
    import tempfile

    handle, path = tempfile.mkstemp(prefix="stablehlo_py.", suffix=".bc")
    try:
        allows = context.allow_unregistered_dialects
        request = _Request(job, os.getcwd(), allows, has_dialect(context, "sdy"), path, limits)
        outcome = _server.ask(pickle.dumps(request), limits.seconds)
        if not outcome.crash and outcome.error is None:
            with open(handle, "rb", closefd=False) as source, open(descriptor, "wb", closefd=False) as target:
                shutil.copyfileobj(source, target)
        return outcome
    finally:
        os.close(handle)
        os.unlink(path)

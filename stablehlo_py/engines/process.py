"""The parent's side of an engine: a child process that is started when needed, and again after it has died."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from ..errors import UsageError
from ..processes import describe_signal
from .framing import pack, receive, send, unpack
from .outcome import Limits, Outcome

_PACKAGE_PARENT = Path(__file__).resolve().parents[2]
_START_SECONDS = 120.0
_SHOWN_CHARACTERS = 2000


@dataclass
class Engine:
    """An engine that runs modules.

    Attributes:
        name: How the user named it, such as `reference:f64`.
        backend: `module:function`, called in the child with `options`; it returns a `worker.Backend`.
        options: What stands behind the name's colon.
        limits: Limits of each run.
        python: The interpreter that runs the child; another one brings another jaxlib.
        tied: Whether Linux ends the child with the thread that started it, even while it runs a program.
        waiting: Makes a context that lasts as long as an exchange with the child.
    """

    name: str
    backend: str
    options: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    python: str = sys.executable
    tied: bool = field(default=False, kw_only=True)
    waiting: Callable[[], AbstractContextManager[None]] = field(default=nullcontext, kw_only=True)
    _child: subprocess.Popen[bytes] | None = None
    _hello: dict[str, Any] = field(default_factory=dict[str, Any])
    _known: set[str] = field(default_factory=set[str])
    _log: Path | None = None  # what the child prints

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        """Run a module's `main` function.

        Args:
            module: MLIR text, bytecode, or a portable artifact (which an engine of another version needs).
            arguments: An array of each parameter's shape and data type.

        Returns:
            The outcome, whatever the engine did.

        Raises:
            UsageError: There is no such option, or no such interpreter.
        """
        missing = self._start()
        if missing is not None:
            return missing
        digest = hashlib.sha256(module).hexdigest()
        request = {
            "digest": digest,
            "module": None if digest in self._known else module,
            "arguments": [pack(np.asarray(argument)) for argument in arguments],
        }
        answer = self._exchange(request)
        if answer.get("status") == "unknown program":  # it was forgotten for later ones
            answer = self._exchange({**request, "module": module})
        if answer["status"] == "ok":
            self._known.add(digest)
            answer["results"] = tuple(map(unpack, answer["results"]))
        return Outcome(**answer)

    def runs(self, module: bytes, sets: Sequence[Sequence[np.ndarray]]) -> Iterator[Outcome]:
        """Return the outcome for each set of arguments, see `run`."""
        return (self.run(module, arguments) for arguments in sets)

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the engine's `provider`, `stablehlo` and `python`; empty where it does not start."""
        self._start()
        return {key: self._hello[key] for key in ("provider", "stablehlo", "python") if key in self._hello}

    def close(self) -> None:
        """End the child process."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None
            self._known.clear()
        if self._log is not None:
            self._log.unlink(missing_ok=True)
            self._log = None

    def _start(self) -> Outcome | None:
        """Start the child where there is none; the outcome of every run where it does not start. Raises UsageError."""
        if self._child is not None and self._child.poll() is None:
            return None
        self.close()
        descriptor, name = tempfile.mkstemp(prefix="stablehlo-engine-")
        self._log = Path(name)
        path = os.pathsep.join(filter(None, [str(_PACKAGE_PARENT), os.environ.get("PYTHONPATH", "")]))
        try:
            self._child = subprocess.Popen(
                [self.python, "-m", "stablehlo_py.engines.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=descriptor,
                env={**os.environ, "PYTHONPATH": path},
            )
        except OSError as error:
            self.close()
            raise UsageError(f"engine {self.name}: cannot start {self.python}: {error.strerror}") from None
        finally:
            os.close(descriptor)
        hello = {
            "backend": self.backend,
            "options": self.options,
            "memory_bytes": self.limits.memory_bytes,
            "parent": os.getpid() if self.tied else None,
        }
        answer = self._exchange(hello, _START_SECONDS)
        if answer["status"] == "ready":
            self._hello = answer
            return None
        self.close()
        if answer["status"] == "misused":
            raise UsageError(f"engine {self.name} does not start: {answer['message']}")
        return Outcome(answer["status"], message=f"does not start: {answer['message']}")

    def _exchange(self, message: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """The child's answer, or the outcome of a run that brought none."""
        child = cast("subprocess.Popen[bytes]", self._child)
        requests, answers = cast(BinaryIO, child.stdin), cast(BinaryIO, child.stdout)
        limit = self.limits.seconds if seconds is None else seconds
        expired = threading.Event()

        def end() -> None:
            expired.set()
            child.kill()

        alarm = threading.Timer(min(limit, threading.TIMEOUT_MAX), end)
        alarm.start()
        try:
            with self.waiting():
                send(requests, message)
                return receive(answers)
        except (EOFError, OSError):
            if not expired.is_set():
                return self._death(child)
            self.close()
            return {"status": "timeout", "message": f"did not end within {limit:g} s"}
        finally:
            alarm.cancel()

    def _death(self, child: subprocess.Popen[bytes]) -> dict[str, Any]:
        """The reason why the child ended, with the last lines that it printed."""
        code = child.wait()
        printed = cast(Path, self._log).read_text("utf-8", "replace").strip()[-_SHOWN_CHARACTERS:]
        self.close()
        how = describe_signal(-code) if code < 0 else f"exit code {code}"
        status = "memory" if any(text in printed for text in ("MemoryError", "bad_alloc", "out of memory")) else "crash"
        return {"status": status, "message": f"ended with {how}" + (f": {printed}" if printed else "")}

"""The policy: who guards what, and in what kind of process.

- The API reads, verifies and changes programs by C++ in `calls.call`: in a fork of this process where that is safe,
  else in the server.
- A tool does all of its work in a child, by `tool.run_guarded`: a fork, or a new process where the system has none.
- An engine is a process that is started for it, in any environment: `worker.Worker`.
- A tool in a RUN line of lit is a fork of lit's process, `warm.WarmProcess`, and has a child as every tool.
- A task of a cluster is done by Dask's workers. They start engines.

The forks of the first two and a tool's new process are a `process.Process`, with a limit of its time and an `Outcome`.
If another process reports the crash of this one, or if the input is trusted, nothing needs another child here.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

CAN_FORK = hasattr(os, "fork")
# Modules that start threads in C++, which a forked child would be without.
_START_THREADS = frozenset(("jax", "jaxlib._jax", "jaxlib.xla_extension", "jaxlib.xla_client", "torch", "tensorflow"))
# numpy's linear algebra uses Apple's libraries, which start threads and do not survive a fork.
_START_THREADS_ON_MACOS = frozenset(("numpy",))


def fork_is_safe() -> bool:
    """Whether a forked child can do all that this process could: no other thread holds a lock in it."""
    with_threads = _START_THREADS | _START_THREADS_ON_MACOS if sys.platform == "darwin" else _START_THREADS
    return CAN_FORK and threading.active_count() == 1 and not with_threads & sys.modules.keys()


_expendable = False


def enter_guard() -> None:
    """Note that another process waits for this one and reports its crash: nothing needs another child here."""
    global _expendable
    _expendable = True


def is_expendable() -> bool:
    """Whether a crash of this process is reported by another one, or its input is trusted."""
    return _expendable


@contextmanager
def guarding(needed: bool) -> Generator[None]:
    """Isolate calls within the block if `needed`, even if nobody needs this process."""
    global _expendable
    before, _expendable = _expendable, not needed
    try:
        yield
    finally:
        _expendable = before

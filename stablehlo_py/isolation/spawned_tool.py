"""A tool's child on systems that cannot fork: a new interpreter that runs the same command.

Parent and child talk through files in a folder of their own, which is deleted when the tool ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager

from .commands import python_command
from .shared import Shared, shared_in

# The child looks for modules where the parent does.
_COMMAND = "import sys; sys.path[:] = {path!a}; from {room}.tool import join; join({folder!a}, {parent}); {entry}"


class _Process(subprocess.Popen[bytes]):
    """A process that is waited for as a `Child`."""

    def ended_within(self, seconds: float) -> int | None:
        try:
            return self.wait(seconds)
        except subprocess.TimeoutExpired:
            return None


@contextmanager
def started(entry: str) -> Generator[tuple[_Process, Shared]]:
    """Start the command of this process in a new interpreter, where `entry` is the code that runs the tool."""
    with tempfile.TemporaryDirectory(prefix="stablehlo_py.", ignore_cleanup_errors=True) as folder:
        path = [each if each else os.getcwd() for each in sys.path]
        code = _COMMAND.format(path=path, room=__package__, folder=folder, parent=os.getpid(), entry=entry)
        with closing(shared_in(folder)) as shared:
            yield _Process(python_command("-c", code, *sys.argv[1:])), shared

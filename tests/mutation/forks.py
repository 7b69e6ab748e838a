"""Runs pytest in forks of one process that has imported the libraries of the tests, but nothing of the package.

A run saves the second and more that Python, pytest and hypothesis take to start, and reads the package afresh.
`rooms.py` starts `python forks.py` and writes a line for each run, with its arguments and a file for its output. It
reads two lines: the process, and its exit code at its end.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from select import select

_LIBRARIES = (
    *("asyncio", "anyio", "click", "pygments.lexers.diff", "_pytest.assertion.rewrite", "_pytest.unittest", "numpy"),
    *("hypothesis.strategies", "mpmath", "jaxlib.mlir.ir", "jaxlib.mlir.dialects.stablehlo"),
)


class Forks:
    """Starts pytest in a folder, with variables of the environment.

    Args:
        folder: The tree whose tests run, which is the working directory.
        variables: The environment of the runs.
        limit: Sets limits of the process, which the runs inherit.
    """

    def __init__(self, folder: Path, variables: Mapping[str, str], limit: Callable[[], None]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            cwd=folder,
            env=dict(variables),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,  # what a buffer held already, `select` would wait for
            preexec_fn=limit,
        )
        self.process = self._process.pid

    def start(self, arguments: Sequence[str], output: Path) -> Fork:
        """Start one run of pytest."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([*arguments, str(output)]).encode() + b"\n")
        return Fork(int(self._process.stdout.readline()), self._process)

    def close(self) -> None:
        """End the process, when its last run has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


class Fork:
    """A run of pytest, to be waited for as for a `subprocess.Popen`."""

    def __init__(self, process: int, server: subprocess.Popen[bytes]) -> None:
        self.process, self._server = process, server
        self._code: int | None = None

    def wait(self, seconds: float | None = None) -> int:
        """Return the exit code.

        Raises:
            subprocess.TimeoutExpired: The run takes longer.
        """
        output = self._server.stdout
        assert output is not None
        if self._code is None:
            if not select([output], [], [], seconds)[0]:
                raise subprocess.TimeoutExpired("pytest", seconds or 0)
            self._code = int(output.readline())
        return self._code


def main() -> None:
    """Fork for each line of standard input, and tell how the run ends."""
    for name in _LIBRARIES:
        importlib.import_module(name)
    assert "stablehlo_py" not in sys.modules
    sys.path[0] = ""  # as of `python -m pytest`
    for line in sys.stdin:
        *arguments, output = json.loads(line)
        child = os.fork()
        if not child:
            _run(arguments, output)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(arguments: list[str], output: str) -> None:
    """Run pytest in a session of its own, and end the process."""
    os.setsid()
    with open(os.devnull, "rb") as nothing, open(output, "wb") as written:
        os.dup2(nothing.fileno(), 0)
        for stream in (1, 2):
            os.dup2(written.fileno(), stream)
    code = 1
    try:
        import pytest

        code = int(pytest.main(["-W", "ignore::pytest.PytestAssertRewriteWarning", *arguments]))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()

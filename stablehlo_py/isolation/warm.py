"""Runs a tool written in Python in a fork of this process, which has loaded what the tool needs.

`WarmProcess` stands for `subprocess.Popen`. The child begins where a program begins: with its own arguments, variables,
folder and standard streams and no other open file. Its changes end with it, so nothing gets from tool to tool.
"""

from __future__ import annotations

import fcntl
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from typing import IO, Any

from .process import Fork

# Where descriptors are put that are not to be in the way of the standard ones.
_BEYOND_STREAMS = 3

Main = Callable[[], object]


class WarmProcess(Fork):
    """As much of `subprocess.Popen` as lit and the engines use, for a function instead of a program.

    `main` has `args` in `sys.argv`, and exits by returning, by SystemExit or with a traceback. Pipes are of text, or of
    bytes if `errors` is None. Other options of Popen make no difference.

    Raises:
        OSError: There is no folder `cwd`, or no process to be had.
    """

    def __init__(
        self,
        main: Main,
        args: Sequence[str],
        *,
        cwd: str = os.curdir,
        env: Mapping[str, str] | None = None,
        stdin: Any = None,
        stdout: Any = None,
        stderr: Any = None,
        errors: str | None = "strict",
        **_others: Any,
    ) -> None:
        self.args = args
        self._errors = errors
        os.stat(cwd)  # it raises here, not in the child
        with ExitStack() as of_child:
            self.stdin, in_end = self._connect(stdin, of_child, "w", 0)
            self.stdout, out_end = self._connect(stdout, of_child, "r", 1)
            if stdout == stderr == subprocess.PIPE:  # two pipes would have to be read at the same time
                self.stderr: IO[Any] | None = tempfile.TemporaryFile("w+", errors=errors)  # noqa: SIM115
                error_end = self.stderr.fileno()
            else:
                given = out_end if stderr == subprocess.STDOUT else stderr
                self.stderr, error_end = self._connect(given, of_child, "r", 2)
            for stream in (sys.stdout, sys.stderr):  # or the child would write what is in the buffers again
                stream.flush()
            super().__init__(partial(_run, main, args, (in_end, out_end, error_end), cwd, env))

    def _connect(self, given: Any, of_child: ExitStack, mode: str, otherwise: int) -> tuple[IO[Any] | None, int]:
        """Return this process's end of a pipe, if there is one, and the child's standard stream."""
        if given != subprocess.PIPE:
            number = otherwise if given is None else given
            return None, number if isinstance(number, int) else number.fileno()
        ends = os.pipe()
        own, other = ends if mode == "r" else reversed(ends)
        of_child.callback(os.close, other)
        binary = self._errors is None
        return open(own, f"{mode}b" if binary else mode, errors=self._errors), other

    def communicate(self) -> tuple[Any, Any]:
        """Close the child's standard input, and read what it writes to the other streams until it ends."""
        if self.stdin is not None:
            with suppress(BrokenPipeError):
                self.stdin.close()
        return self._content(self.stdout), self._content(self.stderr)

    def _content(self, stream: IO[Any] | None) -> Any:
        if stream is None:
            self.wait()
            return None
        with stream:
            if stream.seekable():
                self.wait()
                stream.seek(0)
            return stream.read()


def _run(
    main: Main, args: Sequence[str], streams: Sequence[int], cwd: str, env: Mapping[str, str] | None, _pipe: int
) -> int:
    """The exit code of the program; its standard streams are `streams`, and all other files are closed."""
    # A finalizer of the parent's garbage would close a descriptor that is another file's here.
    gc.freeze()
    kept = [fcntl.fcntl(stream, fcntl.F_DUPFD, _BEYOND_STREAMS) for stream in streams]
    for number, descriptor in enumerate(kept):
        os.dup2(descriptor, number)
    os.closerange(_BEYOND_STREAMS, os.sysconf("SC_OPEN_MAX"))
    text: dict[str, Any] = {"encoding": "utf-8", "closefd": False}
    sys.stdin = sys.__stdin__ = open(0, errors="surrogateescape", **text)  # noqa: SIM115 (to the end)
    sys.stdout = sys.__stdout__ = open(1, "w", errors="surrogateescape", **text)  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", buffering=1, errors="backslashreplace", **text)  # noqa: SIM115
    os.chdir(cwd)
    if env is not None:
        os.environ.clear()
        os.environ.update(env)
    tempfile.tempdir = None  # it depends on the variables
    sys.argv = list(args)
    code = exit_code(main)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # nobody takes the output any more
        return 120  # as Python does
    return code


def exit_code(main: Main) -> int:
    """The exit code of a program that calls `main`."""
    try:
        main()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        sys.stderr.write(f"{end.code}\n")
        return 1
    except BaseException:
        sys.excepthook(*sys.exc_info())  # pyright: ignore[reportArgumentType]
        return 1
    return 0

"""Runs a tool written in Python in a fork of this process, which has loaded what the tool needs.

`WarmProcess` stands for `subprocess.Popen`. The child begins where a program begins: with its own arguments, variables,
folder and standard streams and no other open file. What it changes ends with it, so nothing gets from tool to tool.
"""

from __future__ import annotations

import fcntl
import gc
import io
import os
import select
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO, Any, NoReturn

from .children import fork

# Where descriptors are put that are not to be in the way of the standard ones.
_BEYOND_STREAMS = 3
_CHUNK = 1 << 16
_CANNOT_FLUSH = 120

Main = Callable[[], object]


class WarmProcess:
    """As much of `subprocess.Popen` as lit and the engines use, for a function instead of a program.

    Args:
        main: What the child calls, with `args` in `sys.argv`; it exits by returning, by SystemExit or with a traceback.
        args: The command line.
        cwd: The folder to run in.
        env: All variables of the child.
        stdin: A file, None for this process's, or PIPE.
        stdout: As `stdin`.
        stderr: As `stdin`, or STDOUT.
        errors: What becomes of bytes from a pipe that are not text; None for pipes of bytes.

    Raises:
        OSError: There is no folder `cwd`, or no process to be had.
    """

    def __init__(
        self,
        main: Main,
        args: Sequence[str],
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        stdin: Any = None,
        stdout: Any = None,
        stderr: Any = None,
        errors: str | None = "strict",
    ) -> None:
        self.args = args
        self.returncode: int | None = None
        self.stdin: IO[Any] | None = None
        self.stdout: IO[Any] | None = None
        self.stderr: IO[Any] | None = None
        self._errors = errors
        self._of_child: list[int] = []
        os.stat(os.curdir if cwd is None else cwd)  # it raises here, not in the child
        try:
            streams = self._connect(stdin, stdout, stderr)
            for stream in (sys.stdout, sys.stderr):  # or the child would write what is in the buffers again
                stream.flush()
            self.pid = fork()
            if self.pid == 0:
                _be_child(main, args, streams, cwd, env)
        finally:
            for descriptor in self._of_child:
                os.close(descriptor)

    def _connect(self, stdin: Any, stdout: Any, stderr: Any) -> tuple[int, int, int]:
        """The child's standard streams; the other ends of pipes become files of this object."""
        if stdin == subprocess.PIPE:
            read_end, write_end = os.pipe()
            self._of_child.append(read_end)
            self.stdin = self._file(write_end, "w")
            stdin = read_end
        if stdout == subprocess.PIPE:
            stdout, self.stdout = self._readable()
        if stderr == subprocess.PIPE:
            stderr, self.stderr = self._readable()
        elif stderr == subprocess.STDOUT:
            stderr = 1 if stdout is None else stdout
        return _number(stdin, 0), _number(stdout, 1), _number(stderr, 2)

    def _readable(self) -> tuple[int, IO[Any]]:
        read_end, write_end = os.pipe()
        self._of_child.append(write_end)
        return write_end, self._file(read_end, "r")

    def _file(self, descriptor: int, mode: str) -> IO[Any]:
        return open(descriptor, f"{mode}b") if self._errors is None else open(descriptor, mode, errors=self._errors)

    def poll(self) -> int | None:
        """The exit code, or None while the child runs."""
        return self._wait(os.WNOHANG)

    def wait(self) -> int:
        """The exit code once there is one; minus the signal's number where one ended the child."""
        return self._wait(0) or 0

    def kill(self) -> None:
        """End the child where it still runs."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _wait(self, options: int) -> int | None:
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, options)
            if ended:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def communicate(self) -> tuple[Any, Any]:
        """Close the child's standard input, and read what it writes to the other streams until it ends."""
        if self.stdin is not None:
            with suppress(BrokenPipeError):
                self.stdin.close()
        pipes = [pipe for pipe in (self.stdout, self.stderr) if pipe is not None]
        received = {pipe: bytearray() for pipe in pipes}
        while pipes:
            for pipe in select.select(pipes, [], [])[0]:
                chunk = os.read(pipe.fileno(), _CHUNK)
                received[pipe] += chunk
                if not chunk:
                    pipes.remove(pipe)
                    pipe.close()
        self.wait()
        return self._content(self.stdout, received), self._content(self.stderr, received)

    def _content(self, pipe: IO[Any] | None, received: dict[IO[Any], bytearray]) -> Any:
        if pipe is None or self._errors is None:
            return None if pipe is None else bytes(received[pipe])
        return io.TextIOWrapper(io.BytesIO(received[pipe]), errors=self._errors).read()


def _number(stream: Any, otherwise: int) -> int:
    if stream is None:
        return otherwise
    return stream if isinstance(stream, int) else stream.fileno()


# The child ----------------------------------------------------------------------------------------------------------


def _be_child(
    main: Main,
    args: Sequence[str],
    streams: tuple[int, int, int],
    cwd: str | None,
    env: Mapping[str, str] | None,
) -> NoReturn:
    code = 1
    try:
        # Garbage of the parent that is a file would be closed late, by a number that is another file's here by then.
        gc.freeze()
        _take_streams(streams)
        if cwd is not None:
            os.chdir(cwd)
        if env is not None:
            os.environ.clear()
            os.environ.update(env)
        tempfile.tempdir = None  # it depends on the variables
        sys.argv = list(args)
        code = _flush(exit_code(main))
    finally:
        os._exit(code)


def _take_streams(streams: tuple[int, int, int]) -> None:
    """Makes `streams` the standard ones and closes all other files, as a new program has them."""
    kept = [fcntl.fcntl(stream, fcntl.F_DUPFD, _BEYOND_STREAMS) for stream in streams]
    for number, descriptor in enumerate(kept):
        os.dup2(descriptor, number)
    os.closerange(_BEYOND_STREAMS, os.sysconf("SC_OPEN_MAX"))
    open_standard_streams()


def open_standard_streams() -> None:
    """Makes `sys.stdin`, `sys.stdout` and `sys.stderr` those of a program that has just begun."""
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(  # noqa: SIM115
        2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
    )


def exit_code(main: Main) -> int:
    """The exit code of a program that calls `main`."""
    try:
        main()
    except SystemExit as end:
        if end.code is None:
            return 0
        if isinstance(end.code, int):
            return end.code & 0xFF
        sys.stderr.write(f"{end.code}\n")
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _flush(code: int) -> int:
    """`code`, or what Python exits with where nobody takes the output any more."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return _CANNOT_FLUSH
    return code

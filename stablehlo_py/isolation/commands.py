"""Commands that are run to their end, and one that answers line by line."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, TimeoutExpired

from ..errors import UsageError

__all__ = [
    "DEVNULL", "LIT", "Conversation", "TimeoutExpired", "filled", "kill_group", "python_command", "run_command",
    "show_command", "tied_command", "words_of",
]  # fmt: skip


def words_of(command: str) -> list[str]:
    """Return the words of a command line. Raises UsageError for a quotation without end."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"cannot read the command '{command}': {str(error).lower()}") from None


def filled(text: str, **values: object) -> str:
    """Return a part of a command with values in place of their names in braces; other braces are the command's own."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), text)


def python_command(*words: str, python: str = sys.executable) -> list[str]:
    """Return the command of a Python that imports nothing from the current folder, whose files may be anybody's.

    Args:
        words: Its options and arguments, such as `-m` and a module.
        python: The interpreter.
    """
    return [python, "-P", *words]


LIT = tuple(python_command("-c", "import sys; from lit.main import main; sys.exit(main())"))
"""The words that start lit: `python -m lit.main` does nothing."""
_LAUNCHER = python_command("-I", "-S", str(Path(__file__).with_name("launcher.py")))


def tied_command(words: Sequence[str]) -> list[str]:
    """Return the command as one that ends with this process, where the system can do that. Raises FileNotFoundError."""
    if os.name != "posix":
        return list(words)
    if shutil.which(words[0]) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), words[0])
    return [*_LAUNCHER, str(os.getpid()), *words]


def run_command(
    words: Sequence[str],
    *,
    text: str | None = None,
    seconds: float | None = None,
    folder: str | None = None,
    tied: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a command; return its exit code and its output.

    Args:
        words: The program and its arguments.
        text: Its input, by default that of this process.
        seconds: The time after which it is killed.
        folder: The folder to run it in.
        tied: Whether the system ends it with this process, if it can. It has a group of processes of its own: signals
            that it sends to its group do not reach this process.

    Raises:
        OSError: There is no such program.
        TimeoutExpired: It took too long.
    """
    return subprocess.run(
        tied_command(words) if tied else list(words),
        input=text,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=seconds,
        cwd=folder,
        start_new_session=tied,
    )


class Conversation:
    """A command that answers each line of its input by a line; the system ends it with this process, if it can."""

    def __init__(self, words: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            tied_command(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace",
            start_new_session=True,
        )  # fmt: skip

    def ask(self, line: str) -> str:
        """Return the answer to a line, empty if the command ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except OSError:
            return ""
        return self._process.stdout.readline()

    def end(self) -> int:
        """Close the command's input, and return its exit code."""
        self._process.communicate()
        return self._process.returncode


def kill_group(leader: int) -> None:
    """Kill a process that leads a group, and the group."""
    with suppress(ProcessLookupError):
        if os.name == "posix":
            os.killpg(leader, signal.SIGKILL)
        else:
            os.kill(leader, signal.SIGTERM)  # which ends it at once there


def show_command(words: Sequence[str]) -> int:
    """Run a command on the standard streams of this process, and return its exit code."""
    return subprocess.call(list(words))

"""The message about a child process that died: its step, its op and its pass."""

from __future__ import annotations

import os
import struct
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import NO_MEMORY_TO_LOAD
from ..isolation.limits import memory_notes
from .messages import announce, finish
from .output import write_whole

if TYPE_CHECKING:
    from ..isolation.outcome import Outcome
    from ..isolation.tool import Step

_KILLED = -9  # by SIGKILL
# C++'s messages about a lack of memory.
_NO_MEMORY = ("bad_alloc", "out of memory", "Allocation failed")


def report_death(failed: int, outcome: Outcome, step: Step) -> int:
    """Say how the child of a tool died, and return the tool's exit code; `failed` after a crash, or too long work."""
    code = _told(failed, outcome, step)
    finish()
    _end_other_ranks(code)
    return code


def _told(failed: int, outcome: Outcome, step: Step) -> int:
    during = f" while {step.activity}" if step.activity else ""
    if outcome.cause == "timeout":
        activity = step.activity if step.activity else "the work"
        announce("error", f"{activity} took too long", f"{step.options[0]}=SECONDS sets the limit")
        _keep_reproducer(step)
        return failed
    if outcome.cause == "memory":
        announce("error", f"the system's memory killer ended the tool{during}", "the machine ran out of memory")
        return 128 - outcome.code
    if outcome.code == _KILLED:
        announce("error", f"the tool was killed (SIGKILL){during}")
        return 128 - outcome.code
    notes = outcome.notes
    if memory_notes() and (outcome.code > 0 or not step.is_loaded):
        announce("error", f"out of memory{during}" if step.is_loaded else NO_MEMORY_TO_LOAD, *memory_notes(), *notes)
        return failed
    if memory_notes() or any(text in note for note in notes for text in _NO_MEMORY):
        notes = (*notes, f"{step.options[1]}=BYTES sets the limit of memory")
    announce("error", f"the compiler crashed ({outcome.crash.split()[0]}){during}", *notes)
    _keep_reproducer(step)
    _show_place(step)
    return failed


def _keep_reproducer(step: Step) -> None:
    """Write the file that the child left for the case of its crash."""
    if not step.path:
        return
    try:
        write_whole(step.path, step.contents.encode("utf-8", "surrogateescape"))
    except OSError as error:
        announce("note", f"cannot write the reproducer '{step.path}': {error.strerror}")
        return
    announce("note", f"a reproducer was written to '{step.path}'; --run-reproducer runs it")


def _show_place(step: Step) -> None:
    """Name the op and the pass that crash the compiler, if they can be found."""
    text = step.text.decode("utf-8", "replace")
    if not text:
        return
    if not step.passes:
        from ..syntax.crash_site import locate

        line = locate(text)
        if line is not None:
            announce("note", "it crashes on this", location=f"{step.source}:{line}")
        return
    from ..errors import StablehloError
    from ..passes.guarded_pipeline import locate_in_pipeline
    from ..syntax import Source

    with suppress(StablehloError):  # a pass that only the child knew
        found = locate_in_pipeline(Source(step.source, text.encode()), step.passes)
        if found.op:
            announce("note", f"it crashes on this '{found.op}' op", location=found.location)
        announce("note", f"it crashes in the pass {found.pass_name}")


def _end_other_ranks(code: int) -> None:
    """Ask mpich's `mpiexec`, if that started this process, to end all ranks.

    It does so by itself where one is lost that had joined the others. Before that they would wait for it forever.
    """
    descriptor = os.environ.get("PMI_FD", "")
    if descriptor.isdigit():
        _wait_for_readers()
        with suppress(OSError):
            os.write(int(descriptor), f"cmd=abort exitcode={code}\n".encode())


def _wait_for_readers() -> None:
    """Wait until what was said has been read from the pipe that it went to, or a second."""
    import fcntl
    import termios

    pending, over = bytearray(struct.calcsize("i")), time.monotonic() + 1
    with suppress(OSError):
        while fcntl.ioctl(2, termios.FIONREAD, pending) == 0 and any(pending) and time.monotonic() < over:
            time.sleep(0.005)

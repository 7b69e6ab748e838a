"""Errors that passes and patterns of users raise, as diagnostics at the line that raised them."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

from ..errors import Diagnostic
from .base import Pass
from .users_patterns import users_patterns

_PACKAGE = Path(__file__).resolve().parents[1]


def users_error(error: BaseException, pass_name: str, python_pass: Pass) -> Diagnostic | None:
    """Return a diagnostic at the line of a user's file that raised `error`, with the traceback's last frame as a note.

    Args:
        error: The exception, with its traceback.
        pass_name: The name of the pass that ran.
        python_pass: The pass, which is a user's, or applies patterns that users may have added.

    Returns:
        None if no code of a user's raised it.
    """
    if not isinstance(error, Exception) or isinstance(error, MemoryError):
        return None
    patterns = users_patterns(pass_name)
    files = {_file(type(python_pass).run), *(_file(pattern.rewrite) for pattern in patterns)}
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename in files and not _is_ours(frame.filename)]
    if not own:
        return None
    what = f"pass '{pass_name}'"
    if own[0].name in {pattern.name for pattern in patterns}:
        what = f"pattern '{own[0].name}' of {what}"
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    note = Diagnostic("note", _location(frames[-1]), f"in {frames[-1].name}: {frames[-1].line}")
    return Diagnostic("error", _location(own[-1]), f"{what} raised {message}", (note,))


def _file(function: object) -> str:
    """Return the file of a function, or nothing for another callable."""
    code = getattr(function, "__code__", None)
    return code.co_filename if code is not None else ""


def _is_ours(file: str) -> bool:
    return _PACKAGE in Path(file).resolve().parents


def _location(frame: traceback.FrameSummary) -> str:
    """Return the frame's line and column, in a file that is named as from the working directory if it lies there."""
    file = frame.filename
    if file.startswith(os.getcwd() + os.sep):
        file = os.path.relpath(file)
    return f"{file}:{frame.lineno}:{(0 if frame.colno is None else frame.colno) + 1}"

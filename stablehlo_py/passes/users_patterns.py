"""Patterns that users add, to a pass of this package that applies patterns or to one that they make up.

Errors that passes and patterns of users raise are diagnostics at the line that raised them.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from ..bindings import ir
from ..bindings.context import PROGRAM_DIALECTS
from ..bindings.op_signatures import is_known, op_names
from ..errors import Diagnostic
from ..syntax.spelling import nearest
from .base import Pass
from .catalog import is_pass, register_pass
from .report import current_report
from .rewriting import Pattern, RewriteFunction, RewriteOptions, apply_patterns
from .snapshot.parts import Op, Value

PatternOp = Op
PatternValue = Value
_PATTERNS: dict[str, dict[str, Pattern]] = {}
_PACKAGE = Path(__file__).resolve().parents[1]
EXTENSIBLE = (
    "stablehlo-aggressive-folder",
    "stablehlo-aggressive-simplification",
    "stablehlo-target-independent-optimization",
)


def pattern(*roots: str, of: str, benefit: int = 1) -> Callable[[RewriteFunction], RewriteFunction]:
    """Make a function a rewrite of the ops called `roots`.

    The function takes such an op and a `Rewriter`, and returns whether it changed anything; where it returns False or
    raises it must have changed nothing.

    Args:
        roots: Full names of ops, such as `stablehlo.negate`.
        of: The pass that applies it: one of the three optimization passes, or a name of your own, which makes a pass on
            functions that applies all patterns with this name until none matches.
        benefit: Of several patterns of an op those with more are tried first.

    Raises:
        ValueError: A pass of the package has this name, and it takes no patterns, or no op has the name of a root.
    """
    for root in roots:
        _check_op(root)

    def register(rewrite: RewriteFunction) -> RewriteFunction:
        if of not in EXTENSIBLE and of not in _PATTERNS:
            if is_pass(of):
                raise ValueError(f"the pass '{of}' takes no patterns; {', '.join(EXTENSIBLE)} do")
            _make_pass(of)
        added = Pattern(rewrite.__name__, roots, rewrite, benefit, keeps_effects=True)
        _PATTERNS.setdefault(of, {})[rewrite.__name__] = added
        return rewrite

    return register


def _check_op(name: str) -> None:
    """Refuse an op that no dialect has. The ops of a dialect that the bindings do not have are taken to be there."""
    dialect = name.partition(".")[0]
    if "." in name and is_known(name) and (dialect in PROGRAM_DIALECTS or nearest(dialect, PROGRAM_DIALECTS) is None):
        return
    known = [op for each in {**dict.fromkeys(PROGRAM_DIALECTS), dialect: None} for op in op_names(each)]
    guess = f"stablehlo.{name}" if f"stablehlo.{name}" in known else nearest(name, known)
    hint = f"; did you mean '{guess}'?" if guess else ""
    raise ValueError(f"there is no op '{name}'{hint}")


def users_patterns(pass_name: str) -> tuple[Pattern, ...]:
    """Return the patterns that users added to a pass."""
    return tuple(_PATTERNS.get(pass_name, {}).values())


def _make_pass(pass_name: str) -> None:
    class UsersPatterns(Pass):
        name: ClassVar[str] = pass_name
        summary: ClassVar[str] = "Apply the patterns that were loaded for this pass"
        anchor: ClassVar[str] = "func.func"

        def run(self, op: ir.Operation) -> None:
            apply_patterns(op, users_patterns(pass_name), RewriteOptions(), current_report(pass_name))

    register_pass(UsersPatterns)


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
    own = [
        frame for frame in frames if frame.filename in files and _PACKAGE not in Path(frame.filename).resolve().parents
    ]
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
    return getattr(getattr(function, "__code__", None), "co_filename", "")


def _location(frame: traceback.FrameSummary) -> str:
    """Return the frame's line and column, in a file that is named as from the working directory if it lies there."""
    file = frame.filename
    if file.startswith(os.getcwd() + os.sep):
        file = os.path.relpath(file)
    return f"{file}:{frame.lineno}:{(0 if frame.colno is None else frame.colno) + 1}"

"""The findings of a search: the reduced program, its cause, and the text of a bug report."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ...bindings import ir
from ...bindings.bytecode import bytecode_of
from ...bindings.types import dtype_name
from ...bindings.walk import operations
from ...debug.reduction.predicates import Disagreement, Failure, Predicate
from ...debug.reduction.reduce import reduce
from ...debug.reduction.reproducer import issue_text
from ...debug.reduction.search import Search
from ...engines import Engine
from ...errors import StablehloError
from ...interpreter.storage import save_arrays

_QUIET = ("builtin.module", "func.func", "func.return", "stablehlo.return", "stablehlo.constant")
_NUMBER = re.compile(r"\d+")
_SMALLEST = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}
_SHOWN_CHARACTERS = 1000


@dataclass(frozen=True)
class Finding:
    """A program on which engines disagree or fail, in the form of files and of messages between processes.

    Attributes:
        seed: What the program was drawn from.
        cause: What findings with the same cause have in common.
        program: The reduced program, or the whole one where it could not be reduced.
        arguments: Its arguments, an .npz.
        issue: The text of a bug report.
    """

    seed: int
    cause: str
    program: str
    arguments: bytes
    issue: str

    @property
    def group(self) -> str:
        """The cause as a name of a folder."""
        words = re.sub(r"[^A-Za-z0-9]+", "-", self.cause).strip("-")[:60].lower()
        return f"{words}-{hashlib.sha256(self.cause.encode()).hexdigest()[:6]}"


def _finding(seed: int, cause: str, program: ir.Module, arguments: Sequence[np.ndarray], issue: str) -> Finding:
    return Finding(seed, cause, str(program.operation), save_arrays("program.npz", list(arguments)), issue)


def _tiny(arrays: Sequence[np.ndarray]) -> bool:
    """Whether there is a denormal number among the elements."""
    for array in map(np.atleast_1d, arrays):
        parts = array.view(f"f{array.itemsize // 2}") if array.dtype.kind == "c" and array.size else array
        smallest = _SMALLEST.get(dtype_name(parts.dtype))
        if smallest is not None:
            sizes = np.abs(parts.astype(np.float64))
            if ((sizes > 0) & (sizes < smallest)).any():
                return True
    return False


def cause_of(signature: str, message: str, program: ir.Module, values: Sequence[np.ndarray]) -> str:
    """The cause of a finding: the error, the ops, the element types, and whether denormal numbers take part."""
    ops = sorted({op.name.removeprefix("stablehlo.") for op in operations(program.operation) if op.name not in _QUIET})
    text = str(program.operation)
    types = sorted(set(re.findall(r"tensor<(?:[\d?]+x)*([^,<>]+(?:<\w+>)?)[,>]", text)))
    said = _NUMBER.sub("N", message.partition("\n")[0])[:80]
    tiny = "denormal numbers: " if _tiny(values) and not message else ""
    return f"{tiny}{_NUMBER.sub('N', signature)}: {', '.join(ops)} on {', '.join(types)}{f': {said}' if said else ''}"


def predicate_of(reference: Engine, engine: Engine, status: str) -> Predicate:
    """The predicate for smaller programs: the engine fails in the same way, or its results are wrong."""
    return Disagreement(reference, engine) if status == "ok" else Failure(engine, status)


@contextmanager
def _limits_kept(*engines: Engine) -> Generator[None]:
    """Give engines their limits back: a reduction shortens them for the small programs that it tries."""
    limits = [engine.limits for engine in engines]
    try:
        yield
    finally:
        for engine, before in zip(engines, limits, strict=True):
            engine.limits = before


def investigate(
    seed: int,
    program: ir.Module,
    arguments: tuple[np.ndarray, ...],
    reference: Engine,
    engine: Engine,
    command: str,
    end: float = math.inf,
) -> Finding | None:
    """Reduce a program that is wrong in an engine, and describe what is left; None where only some runs show the error.

    `command` finds the program again; reducing stops at `end`, as `time.monotonic` tells it.
    """
    outcome = engine.run(bytecode_of(program), arguments)
    search = Search([predicate_of(reference, engine, outcome.status)], end=end)
    try:
        with _limits_kept(reference, engine), np.errstate(all="ignore"):
            found = reduce(program, arguments, reference, search)
    except StablehloError as error:
        if not search.signature:
            return None
        cause = cause_of(search.signature, str(error), program, arguments)
        return _finding(seed, cause, program, arguments, f"{cause}\n\n```\n{error}\n```\n")
    shown, versions = list[tuple[str, str]](), dict[str, dict[str, str]]()
    values = list(found.arguments)
    message = ""
    for each in (reference, engine):
        ended = each.run(bytecode_of(found.program), found.arguments)
        values += ended.results
        versions[each.name] = each.versions
        results = "\n".join(str(result.tolist()) for result in ended.results)
        shown.append((each.name, results if ended.ok else str(ended)[:_SHOWN_CHARACTERS]))
        message = "" if ended.ok else ended.message
    cause = cause_of(found.signature, message, found.program, values)
    text = issue_text(found, command, versions, shown)
    return _finding(seed, cause, found.program, found.arguments, text)

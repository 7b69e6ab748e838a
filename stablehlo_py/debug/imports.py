"""Whether an imported program computes what its own framework computes, and the first node that differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..artifacts.formats.original import Node, Original
from ..bindings import ir, make_context
from ..bindings.types import dtype_name
from ..bindings.walk import functions
from ..errors import InputError, InterpreterError, ResourceError
from ..interpreter.arguments import as_array
from ..interpreter.program import Program
from ..interpreter.settings import Settings
from ..passes.inlining import MAIN
from .allowed.measures import difference, half_the_digits
from .allowed.spread import first_beyond
from .programs.inputs import draw_arguments

# Limits of a small program: the bytes of its text and its arguments, the seconds of a run.
_SMALL_BYTES, _SMALL_SECONDS = 4 << 20, 5.0
_DRAWN_SETS = 2


@dataclass(frozen=True)
class ImportCheck:
    """Compares imported programs with their originals, on the arguments that came with them and on drawn ones.

    Attributes:
        everything: Whether to compare large programs, and to refuse those that cannot be compared.
    """

    everything: bool = False

    def __call__(self, imported: bytes, original: Original) -> str:
        """Return why the MLIR text could not be compared with the original, or nothing.

        Raises InputError if the two differ, or cannot be compared though that is asked for.
        """
        with make_context(), np.errstate(all="ignore"):  # what a framework computes by numpy warns otherwise
            reason = self._compared(imported, original)
        doubt = f"it is not compared with {original.framework}: {reason}" if reason else ""
        if doubt and self.everything:
            raise InputError(f"the import cannot be checked: {doubt}")
        return doubt

    def _compared(self, imported: bytes, original: Original) -> str:
        module = ir.Module.parse(imported)
        samples = _samples(module, original)
        if not self.everything and len(imported) + sum(map(_size, samples)) > _SMALL_BYTES:
            return ""
        program = Program(module, Settings(timeout=None if self.everything else _SMALL_SECONDS))
        doubts = [self._compared_on(arguments, imported, program, original) for arguments in samples]
        return doubts[0] if doubts and all(doubts) else "" if doubts else "arguments cannot be drawn for dynamic shapes"

    def _compared_on(
        self, arguments: Sequence[np.ndarray], imported: bytes, program: Program, original: Original
    ) -> str:
        try:
            expected, again = ([as_array(value) for value in original.run(arguments, seed)] for seed in range(2))
        except Exception as error:  # whatever a framework raises where drawn arguments are none of the program's
            return f"that refuses the arguments: {' '.join(str(error).split())[:200]}"
        if _are_random(expected, again):
            return "its results are random"
        try:
            results = program.run(arguments)
        except ResourceError as error:  # it takes longer than a small program does
            return error.message if self.everything else ""
        except InterpreterError as error:
            return f"the interpreter does not run it: {error.message}"
        found = _difference(imported, arguments, results, expected)
        if found is not None:
            raise _error(arguments, original, found)
        return ""


def _are_random(results: Sequence[np.ndarray], again: Sequence[np.ndarray]) -> bool:
    """Whether two runs give different results."""
    shapes = [[array.shape for array in each] for each in (results, again)]
    pairs = zip(again, results, strict=True)
    return shapes[0] != shapes[1] or not all(difference(a, b, half_the_digits(b.dtype)).same for a, b in pairs)


def _samples(module: ir.Module, original: Original) -> list[list[np.ndarray]]:
    given = [[as_array(value) for value in arguments] for arguments in original.examples]
    try:
        function = functions(module.operation)[MAIN]
        return [*given, *(draw_arguments(function, seed) for seed in range(_DRAWN_SETS))]
    except InputError:  # a dynamic shape
        return given


def _size(arguments: Sequence[np.ndarray]) -> int:
    return sum(array.nbytes for array in arguments)


def _difference(
    imported: bytes, arguments: Sequence[np.ndarray], given: Sequence[Any], expected: Sequence[np.ndarray]
) -> tuple[int, str] | None:
    """Return the number of the first value that differs, and how; or None."""
    if len(given) != len(expected):
        return min(len(given), len(expected)), f"is one of {len(given)} results in place of {len(expected)}"
    for number, (a, b) in enumerate(zip(given, expected, strict=True)):
        if a.dtype != b.dtype or a.shape != b.shape:
            return number, f"is {_type_of(a)} in place of {_type_of(b)}"
    found = first_beyond(imported, arguments, expected, given)  # the interpreter's results are those of the program
    if found is None:
        return None
    number, difference = found
    index, theirs, ours = difference.worst[0] if difference is not None else ((), "", "")
    return number, f"is {ours} in place of {theirs} at {list(index)}"


def _type_of(array: np.ndarray) -> str:
    return "x".join([*map(str, array.shape), dtype_name(array.dtype)])


def _error(arguments: Sequence[np.ndarray], original: Original, found: tuple[int, str]) -> InputError:
    """Return the error about a result that differs, at the first node that does."""
    number, difference = found
    node = Node("")
    try:
        imported, expanded, nodes = original.expanded()
        results = Program(ir.Module.parse(imported), Settings()).run(arguments)
        at = _difference(imported, arguments, results, [as_array(value) for value in expanded.run(arguments, 0)])
        node, difference = (nodes[at[0]], at[1]) if at is not None else (node, difference)
    except (InputError, InterpreterError):  # with all its nodes as results the program cannot be imported or run
        pass
    where = f"node '{node.name}'" if node.name else f"result {number}"
    return InputError(
        f"the import is not the program that {original.framework} runs: {where} {difference}",
        location=node.location,
        notes=["check_import=False and --check-import=none import the program as it is"],
    )

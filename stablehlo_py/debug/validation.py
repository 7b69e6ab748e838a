"""Watches a program on its way through passes: whether each leaves the results as they were.

The program is interpreted on drawn inputs before the first pass and after each. A pass may change the rounding of
results, within the limits of `spread`, but not the function of `equivalent`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.bytecode import copy_of
from ..bindings.walk import functions
from ..engines import Limits
from ..errors import StablehloError, UsageError
from ..interpreter.program import Program
from ..interpreter.settings import Settings
from .allowed.spread import first_beyond
from .equivalence import DIFFERENT, Equivalence, equivalent
from .programs.inputs import Distribution, draw_arguments

SECONDS = 60.0


@dataclass(frozen=True)
class PassChange:
    """A pass that changes what a program computes.

    Attributes:
        message: Which result changes and by how much, or why the program does not run any more.
        before: The program in front of the pass.
        after: The program behind it.
        arguments: The inputs that show it.
    """

    message: str
    before: str
    after: str
    arguments: tuple[np.ndarray, ...]


@dataclass
class Validator:
    """Compares a program with itself.

    Attributes:
        samples: How many sets of inputs are drawn; every second one has special values among them.
        seed: What they are drawn from.
        function: What the last pass left of the function, or None if it changed nothing.
    """

    samples: int = 3
    seed: int = 0
    _arguments: list[list[np.ndarray]] = field(default_factory=list[list[np.ndarray]])
    _expected: list[list[np.ndarray]] = field(default_factory=list[list[np.ndarray]])
    function: Equivalence | None = field(default=None, init=False)
    _before: str = ""
    _module: Any = None

    def start(self, module: ir.Module) -> None:
        """Draw inputs and interpret the program before any pass. Raises UsageError if that cannot be done."""
        try:
            program = Program(module, Settings(timeout=SECONDS))
            function = functions(module.operation)[program.entry_function()]
            hows = [Distribution(special=bool(sample % 2)) for sample in range(self.samples)]
            self._arguments = [draw_arguments(function, self.seed + n, {None: how}) for n, how in enumerate(hows)]
            self._expected = self._results(program)
        except StablehloError as error:
            notes = ["the program has to run before any pass, on inputs that can be drawn"]
            raise UsageError(f"cannot validate passes: {error}", notes=notes) from None
        self._before, self._module = str(module.operation), copy_of(module)

    def check(self, module: ir.Module) -> PassChange | None:
        """Interpret the program after a pass, and return the changes of the pass."""
        after, self.function = str(module.operation), None
        if after == self._before:
            return None
        try:
            given = self._results(Program(module, Settings(timeout=SECONDS)))
        except StablehloError as error:
            message = f"the program cannot be interpreted any more: {error}"
            return PassChange(message, self._before, after, tuple(self._arguments[0]))
        for sample, (results, expected) in enumerate(zip(given, self._expected, strict=True)):
            wrong = _first_difference(self._before.encode(), self._arguments[sample], results, expected)
            if wrong:
                message = f"{wrong} on inputs {sample}"
                return PassChange(message, self._before, after, tuple(self._arguments[sample]))
        self.function = equivalent(self._module, module, arguments=self._arguments[0], limits=Limits(SECONDS))
        if self.function.verdict == DIFFERENT:
            return PassChange(str(self.function), self._before, after, tuple(self._arguments[0]))
        self._before, self._module = after, copy_of(module)
        return None

    def _results(self, program: Program) -> list[list[np.ndarray]]:
        return [[np.asarray(result) for result in program.run(list(drawn))] for drawn in self._arguments]


def _first_difference(
    program: bytes, arguments: Sequence[np.ndarray], given: Sequence[np.ndarray], expected: Sequence[np.ndarray]
) -> str:
    """Return the first different result in words, or an empty text."""
    if len(given) != len(expected):
        return f"{len(expected)} results become {len(given)}"
    for number, (a, b) in enumerate(zip(given, expected, strict=True)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {number} becomes {a.dtype.name}{list(a.shape)}, it was {b.dtype.name}{list(b.shape)}"
    wrong = first_beyond(program, arguments, given, expected)
    if wrong is None or wrong[1] is None:
        return ""
    index, first, second = wrong[1].worst[0]
    return f"result {wrong[0]}{list(index)} becomes {first}, it was {second}"

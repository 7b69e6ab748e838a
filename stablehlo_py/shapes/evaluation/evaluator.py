"""Evaluates library functions that were compiled to MLIR, on integers that are partly unknown.

A block becomes a procedure: one Python function an op, with the slots of its operands and results in a frame worked
out once. Both branches of an unknown condition are taken, and their common results are known. A loop with an unknown
number of rounds makes its variables unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...bindings import ir
from ..errors import LimitError
from .conditions import Condition, Truth, both, choose, either, extended, learned, negate, replace
from .symbols import Number, Symbol, symbol

# A list of known length is a tuple; UNKNOWN_LIST is a list nothing is known about.
UNKNOWN_LIST = None
Abstract = Number | Truth | tuple[Number, ...] | None
Frame = list[Any]  # of abstract values, and of tensors of the program
Instruction = Callable[["Evaluator", Frame], None]

STEP_LIMIT = 200_000


class Environment(Protocol):
    """Answers to a library function's questions about a program's values."""

    def sizes(self, value: ir.Value) -> tuple[Number, ...] | None:
        """Return the dimension sizes of a tensor."""
        ...

    def elements(self, value: ir.Value) -> tuple[Number, ...] | None:
        """Return the elements of an integer tensor, if they are known."""
        ...

    def procedure_of(self, symbol_name: str) -> Procedure | None:
        """Return the procedure of a library function that is called."""
        ...


@dataclass(frozen=True)
class Assertion:
    """An assertion that is not proved: its condition, its message, and the numbers in the message."""

    condition: Truth
    message: str
    inputs: tuple[Number, ...] = ()

    @property
    def text(self) -> str:
        """The message with the numbers, or their symbols, in it."""
        result = self.message
        for index, value in enumerate(self.inputs):
            result = result.replace(f"{{{index}}}", str(value))
        return result


@dataclass
class Procedure:
    """A block ready to run: its frame at the start, where arguments go, and where the yielded values are."""

    initial: Frame
    arguments: tuple[int, ...]
    instructions: list[Instruction]
    yields: tuple[int, ...]


class InfeasibleError(Exception):
    """This way through a library function cannot be taken: an index is outside its list, or a divisor is zero."""


class RefutedAssertionError(Exception):
    """An assertion that cannot hold."""

    def __init__(self, assertion: Assertion) -> None:
        super().__init__(assertion.text)
        self.assertion = assertion


@dataclass
class Evaluator:
    """The state of one evaluation."""

    environment: Environment
    assertions: list[Assertion] = field(default_factory=list[Assertion])
    path: Truth = True
    inputs: tuple[Number, ...] = ()
    known: dict[Symbol, Number] = field(default_factory=dict[Symbol, Number])
    steps: int = 0
    unknowns: int = 0

    def run(self, procedure: Procedure, arguments: Sequence[Abstract]) -> tuple[Abstract, ...]:
        """Return what the procedure's block yields for these arguments."""
        frame: Frame = procedure.initial.copy()
        for slot, argument in zip(procedure.arguments, arguments, strict=True):
            frame[slot] = argument
        return self.run_in(procedure, frame)

    def run_in(self, procedure: Procedure, frame: Frame) -> tuple[Abstract, ...]:
        """As `run`, in a frame that the caller filled."""
        self.steps += len(procedure.instructions) + 1
        if self.steps > STEP_LIMIT:
            raise LimitError(f"the library function does not end within {STEP_LIMIT} steps")
        for instruction in procedure.instructions:
            instruction(self, frame)
        return tuple([frame[slot] for slot in procedure.yields])

    def unknown(self, type_: str) -> Abstract:
        """Return a value that nothing is known about; its type is list, index or i1."""
        if type_ == "list":
            return UNKNOWN_LIST
        self.unknowns += 1
        fresh = symbol("unknown", f"?{self.unknowns}")
        return Condition("unknown", fresh) if type_ == "i1" else fresh

    def check(self, condition: Truth, message: str) -> None:
        """Record an assertion unless it holds; later evaluation uses the facts that follow."""
        inputs, self.inputs = self.inputs, ()
        condition = replace(condition, self.known)
        needed = either(negate(self.path), condition)
        if needed is True:
            return
        assertion = Assertion(needed, message, inputs)
        if needed is False:
            raise RefutedAssertionError(assertion)
        self.assertions.append(assertion)
        if condition is False:
            raise InfeasibleError(assertion.text)
        self.known = extended(self.known, learned(condition))

    def settled(self, value: Abstract) -> Abstract:
        """Return the value with the replacements of assertions put in."""
        if not self.known or value is None:
            return value
        if isinstance(value, tuple):
            return tuple([replace(item, self.known) for item in value])
        return replace(value, self.known)

    def way(self, condition: Truth, procedure: Procedure, frame: Frame) -> tuple[Abstract, ...] | None:
        """Return the results of a branch if `condition` holds, or None if the branch cannot be taken."""
        path, known = self.path, self.known
        self.path = both(path, condition)
        try:
            return tuple([self.settled(value) for value in self.run_in(procedure, frame)])
        except InfeasibleError:
            return None
        finally:
            self.path, self.known = path, known

    def join(self, condition: Truth, first: Abstract, second: Abstract) -> Abstract:
        """Join two values: the first if `condition` holds, else the second."""
        if isinstance(condition, bool):
            return first if condition else second
        if first == second and type(first) is type(second):
            return first
        if first is None or second is None:
            return UNKNOWN_LIST
        if not isinstance(first, tuple) or not isinstance(second, tuple):
            return choose(condition, first, second)
        if len(first) != len(second):
            return UNKNOWN_LIST
        return tuple([choose(condition, a, b) for a, b in zip(first, second, strict=True)])

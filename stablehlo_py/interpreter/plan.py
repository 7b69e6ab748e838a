"""A region becomes a straight list of steps: names resolved, attributes decoded, kernels bound, once. It runs step by
step, and every result is compared with its type."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..bindings.types import LARGEST_RANK, TensorType, ValueType
from ..dialect.facts import facts
from ..errors import InterpreterError, ResourceError, StablehloError
from .limits import Clock, StepCounter
from .op import Body, Kernel, Op, RegionFacts
from .registry import is_users
from .settings import Settings, require_bytes
from .values import Value, belongs_to, type_text

# Messages of numpy.
_TOO_MANY_DIMENSIONS = ("maximum supported dimension", "number of dimensions must be within")
_NUMPY = os.path.dirname(np.__file__)


def byte_size(type_: ValueType) -> int:
    """The bytes a value of a static tensor type occupies; 0 where the type does not tell. Raises `ResourceError` for
    a type of no elements whose other dimensions are too large for an array."""
    if not isinstance(type_, TensorType) or not type_.is_static:
        return 0
    shape = type_.static_shape
    if 0 in shape and math.prod([size for size in shape if size]) * type_.dtype.itemsize >= 1 << 63:
        raise ResourceError(f"{type_} has no elements, but dimensions that are too large for an array")
    return math.prod(shape) * type_.dtype.itemsize


@dataclass(eq=False, repr=False, slots=True)
class Step:
    """One op, ready to run: slots of its operands and results, and of the values that die with it."""

    op: Op
    kernel: Kernel
    operands: tuple[int, ...]
    results: tuple[int, ...]
    regions: tuple[RegionPlan, ...]
    dies: tuple[int, ...]
    result_bytes: int
    check_sizes: Callable[[Sequence[Value]], None] | None = None

    @property
    def is_dynamic(self) -> bool:
        """Whether the shape of a result can differ from run to run, so that each run is checked."""
        return any(isinstance(type_, TensorType) and not type_.is_static for type_ in self.op.result_types)

    @property
    def is_checked(self) -> bool:
        """Whether the results of each run are compared with their types: a shape can differ, or users compute them."""
        name = self.op.name
        can_differ = self.is_dynamic or self.check_sizes is not None or facts(name).is_control_flow
        return can_differ or name == "stablehlo.custom_call" or is_users(name)

    def check(self, results: Sequence[Value]) -> None:
        """Raise `InterpreterError` unless there are as many results as the op has, each of its type."""
        expected = self.op.result_types
        if len(results) != len(expected):
            raise self.op.error(f"produced {len(results)} results, expected {len(expected)}")
        for index, (result, type_) in enumerate(zip(results, expected, strict=True)):
            if not belongs_to(result, type_):
                raise self.op.error(f"produced {type_text(result)} as result {index}, expected {type_}")

    def checked(self, result: Any) -> Any:
        """Return the kernel's results after `check`."""
        self.check(as_results(result, len(self.results)))
        return result


def as_results(result: Any, count: int) -> tuple[Value, ...]:
    """Return a kernel's results as a tuple of `count` entries."""
    if count == 1:
        return (result,)
    if result is None:
        return ()
    if isinstance(result, np.ndarray) and not result.ndim:
        return (result,)
    return tuple(result) if isinstance(result, Iterable) else (result,)


@dataclass(eq=False, slots=True)
class BoundPlan:
    """A plan bound to the outside values it uses: call it with its arguments, get a tuple of its results; see
    `op.Body`."""

    plan: Plan
    captured: tuple[Value, ...]

    def __call__(self, *arguments: Value) -> tuple[Value, ...]:
        return self.plan.run(*self.captured, *arguments)

    def on_arrays(self, *arguments: Value) -> tuple[Value, ...]:
        return self.plan.run_unchecked(*self.captured, *arguments)


class RegionPlan(NamedTuple):
    """A region of an op: its plan and where the values that it captures are in the plan around it."""

    plan: Plan
    captures: tuple[int, ...]
    facts: RegionFacts


@dataclass(eq=False)
class Plan:
    """The steps of one block. `inputs` are the slots of captured values and then of the arguments."""

    inputs: tuple[int, ...]
    steps: tuple[Step, ...]
    returns: tuple[int, ...]
    size: int
    settings: Settings
    counter: StepCounter
    clock: Clock
    dies_at_entry: tuple[int, ...] = ()

    @property
    def counts_steps(self) -> bool:
        return self.settings.max_steps is not None

    def run(self, *values: Value) -> tuple[Value, ...]:
        """Return the results of the block for the values of `inputs`."""
        return self.run_steps(self.environment(values))

    def run_unchecked(self, *values: Value) -> tuple[Value, ...]:
        """Run the plan on arrays in place of 0-d values, so that results are not of their types."""
        return self.run_steps(self.environment(values), is_checked=False)

    def environment(self, values: Sequence[Value]) -> list[Any]:
        """Return the values by slot; all but the inputs are None."""
        environment: list[Any] = [None] * self.size
        _store(environment, self.inputs, values)
        for slot in self.dies_at_entry:
            environment[slot] = None
        return environment

    def run_steps(self, environment: list[Any], *, is_checked: bool = True) -> tuple[Value, ...]:
        """Run all steps, and return the results of the block."""
        if not self.steps and self.counts_steps:
            self.counter.count(None)
        self.clock.check()
        for step in self.steps:
            operands = [environment[slot] for slot in step.operands]
            try:
                results = self.run_step(step, operands, environment, is_checked=is_checked)
                self.clock.check()
            except Exception as error:
                raise located(error, step) from error
            _store(environment, step.results, results)
            for slot in step.dies:
                environment[slot] = None
            del operands, results
        return tuple([environment[slot] for slot in self.returns])

    def run_step(
        self, step: Step, operands: list[Value], environment: list[Any], *, is_checked: bool
    ) -> tuple[Value, ...]:
        """Return the results of one step, which listeners see."""
        if step.result_bytes:
            require_bytes(step.result_bytes)
        if self.counts_steps:
            self.counter.count(step.op)
        for listener in self.settings.listeners:
            listener.before(step, operands)
        if step.check_sizes is not None:
            step.check_sizes(operands)
        results = as_results(self.call_kernel(step, operands, environment), len(step.results))
        if is_checked:
            step.check(results)
        for listener in self.settings.listeners:
            listener.after(step, operands, results)
        return results

    def call_kernel(self, step: Step, operands: list[Value], environment: list[Any]) -> Any:
        """Return the result of the step's kernel for these operands."""
        bodies = [self.body(region, environment) for region in step.regions]
        return step.kernel(*bodies, *operands)

    def body(self, region: RegionPlan, environment: list[Any]) -> Body:
        """Return the region of a step with the values that it captures."""
        return BoundPlan(region.plan, tuple([environment[slot] for slot in region.captures]))


def _store(environment: list[Any], slots: Sequence[int], values: Sequence[Value]) -> None:
    """Put values into slots; a function of its own, so that no variable keeps the last one."""
    for slot, value in zip(slots, values, strict=True):
        environment[slot] = value


def located(error: Exception, step: Step) -> StablehloError:
    """The error as one that names an op and its location: the innermost one that is known."""
    if isinstance(error, StablehloError):
        if not error.op and not error.location:
            error.op, error.location = step.op.name, step.op.location
        return error
    if isinstance(error, MemoryError):
        message = f"ran out of memory: {error}" if str(error) else "ran out of memory"
        return ResourceError(message, op=step.op.name, location=step.op.location)
    if isinstance(error, (IndexError, ValueError)) and any(text in str(error) for text in _TOO_MANY_DIMENSIONS):
        message = f"needs an array of more than {LARGEST_RANK} dimensions"
        return ResourceError(message, op=step.op.name, location=step.op.location)
    if isinstance(error, RecursionError):
        return ResourceError("calls go too deep", op=step.op.name, location=step.op.location)
    notes = [f"raised {line}" for line in [_line_of(error)] if line]
    if is_users(step.op.name) or step.op.name == "stablehlo.custom_call":
        message = f"runs code of yours, which raises {type(error).__name__}: {error}"
    else:
        message = f"cannot be evaluated on operands of types {', '.join(map(str, step.op.operand_types))}"
        notes.append("this is a mistake of the interpreter, please report it")
    return InterpreterError(message, op=step.op.name, location=step.op.location, notes=notes)


def _line_of(error: Exception) -> str:
    """The innermost line outside numpy through which the error came."""
    import traceback

    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith(_NUMPY):
            return f"at {frame.filename}:{frame.lineno}, in {frame.name}"
    return ""


def note_last_uses(steps: Sequence[Step], inputs: tuple[int, ...], returns: tuple[int, ...]) -> tuple[int, ...]:
    """Give each step the slots that die after it; return the inputs that nothing uses."""
    last: dict[int, Step | None] = dict.fromkeys(inputs)
    for step in steps:
        step.dies = ()
        for slot in step.operands:
            last[slot] = step
        for slot in step.results:
            last[slot] = step
        for region in step.regions:
            last.update(dict.fromkeys(region.captures, step))
    for slot in returns:
        last.pop(slot, None)
    for slot, user in last.items():
        if user is not None:
            user.dies += (slot,)
    return tuple([slot for slot in inputs if slot in last and last[slot] is None])

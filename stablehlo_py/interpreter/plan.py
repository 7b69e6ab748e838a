"""A region becomes a straight list of steps: names resolved, attributes decoded, kernels bound, once.

The first run of a plan goes step by step and checks every result. From the second run on, the list is compiled to
one Python function of local variables, so that a loop's body costs little more than its kernels; a plan of which
listeners see each op stays with the list.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..bindings.types import LARGEST_RANK, TensorType, ValueType
from ..errors import InterpreterError, ResourceError, StablehloError
from ..lean import mutable_record, record
from .limits import Clock, StepCounter
from .op import Handing, Kernel, Op, RegionFacts
from .registry import is_users
from .settings import Settings, require_bytes
from .values import Value, belongs_to, type_text

# Messages of numpy.
_TOO_MANY_DIMENSIONS = ("maximum supported dimension", "number of dimensions must be within")
_NUMPY = os.path.dirname(np.__file__)


def byte_size(type_: ValueType) -> int:
    """The bytes a value of a static tensor type occupies; 0 where the type does not tell. Raises `ResourceError` for
    a type of no elements whose other extents are too large for an array."""
    if not isinstance(type_, TensorType) or not type_.is_static:
        return 0
    shape = type_.static_shape
    if 0 in shape and math.prod([size for size in shape if size]) * type_.dtype.itemsize >= 1 << 63:
        raise ResourceError(f"{type_} has no elements, but extents that are too large for an array")
    return math.prod(shape) * type_.dtype.itemsize


class Step:
    """One op, ready to run: slots of its operands and results, and of the values that die with it."""

    __slots__ = ("dies", "kernel", "op", "operands", "regions", "result_bytes", "results")

    def __init__(
        self,
        op: Op,
        kernel: Kernel,
        operands: tuple[int, ...],
        results: tuple[int, ...],
        regions: tuple[RegionPlan, ...],
        dies: tuple[int, ...],
        result_bytes: int,
    ) -> None:
        self.op = op
        self.kernel = kernel
        self.operands = operands
        self.results = results
        self.regions = regions
        self.dies = dies
        self.result_bytes = result_bytes

    @property
    def is_dynamic(self) -> bool:
        """Whether the shape of a result can differ from run to run, so that each run is checked."""
        return any(isinstance(type_, TensorType) and not type_.is_static for type_ in self.op.result_types)

    @property
    def is_checked(self) -> bool:
        """Whether the results of each run are compared with their types: a shape can differ, or users compute them."""
        name = self.op.name
        return self.is_dynamic or name == "stablehlo.custom_call" or is_users(name)

    def check(self, results: Sequence[Value]) -> None:
        """Raises `InterpreterError` unless there are as many results as the op has, each of its type."""
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
    return () if result is None else tuple(result)


class BoundPlan:
    """A plan bound to the outside values it uses: call it with its arguments, get a tuple of its results; see
    `op.Body`."""

    __slots__ = ("captured", "plan")

    def __init__(self, plan: Plan, captured: tuple[Value, ...]) -> None:
        self.plan = plan
        self.captured = captured

    def __call__(self, *arguments: Value) -> tuple[Value, ...]:
        compiled = self.plan.compiled
        if compiled is not None:
            return compiled(*self.captured, *arguments)
        return self.plan.run(*self.captured, *arguments)

    def take(self, arguments: list[Value]) -> tuple[Value, ...]:
        values = [*self.captured, *arguments]
        arguments.clear()
        return self.plan.take(values)

    def on_arrays(self, *arguments: Value) -> tuple[Value, ...]:
        return self.plan.run_unchecked(*self.captured, *arguments)


@record
class RegionPlan:
    """A region of an op: its plan and where the values that it captures are in the plan around it."""

    plan: Plan
    captures: tuple[int, ...]
    facts: RegionFacts


@mutable_record
class Plan:
    """The steps of one block. `inputs` are the slots of captured values and then of the arguments; `compile` makes one
    function of the steps."""

    inputs: tuple[int, ...]
    steps: tuple[Step, ...]
    returns: tuple[int, ...]
    size: int
    settings: Settings
    counter: StepCounter
    clock: Clock
    compile: Callable[[Plan, bool], Callable[..., tuple[Any, ...]]]
    dies_at_entry: tuple[int, ...] = ()
    compiled: Any = None
    loop: Any = None
    """The function of a whole loop of which this is the body; see `codegen.fused_loop`."""
    _taking: Any = None
    _ran: bool = False

    @property
    def is_watched(self) -> bool:
        """Whether listeners see each step, which keeps the plan from being compiled."""
        return self.settings.is_watched

    @property
    def counts_steps(self) -> bool:
        return self.settings.max_steps is not None

    @property
    def has_run(self) -> bool:
        """Whether a run has come to its end, so that every result has been checked."""
        return self._ran

    def run(self, *values: Value) -> tuple[Value, ...]:
        """The values that the block returns, given those of `inputs`."""
        if self._ran and not self.is_watched:
            return self.run_unchecked(*values)
        return self._run_steps(self._environment(values))

    def enter(self, *values: Value) -> tuple[Value, ...]:
        """As `run`, from outside of the program: listeners see each step."""
        return self._run_steps(self._environment(values)) if self.settings.listeners else self.run(*values)

    def take(self, values: list[Value]) -> tuple[Value, ...]:
        """As `run`, of values that the caller has no more use for: it empties the list."""
        if self._ran and not self.is_watched:
            if self._taking is None:
                self._taking = self.compile(self, True)
            return self._taking(values)
        environment = self._environment(values)
        values.clear()
        return self._run_steps(environment)

    def run_unchecked(self, *values: Value) -> tuple[Value, ...]:
        """As `run`, without comparing results with types that cannot differ between runs."""
        if self.compiled is None:
            self.compiled = self.compile(self, False)
        return self.compiled(*values)

    def _environment(self, values: Sequence[Value]) -> list[Any]:
        """The values of all slots, of which the inputs are known."""
        environment: list[Any] = [None] * self.size
        _store(environment, self.inputs, values)
        for slot in self.dies_at_entry:
            environment[slot] = None
        return environment

    def _run_steps(self, environment: list[Any]) -> tuple[Value, ...]:
        if not self.steps and self.counts_steps:
            self.counter.count(None)
        self.clock.check()
        for step in self.steps:
            operands = [environment[slot] for slot in step.operands]
            try:
                results = self.run_step(step, operands, environment)
                self.clock.check()
            except Exception as error:
                raise located(error, step) from error
            _store(environment, step.results, results)
            for slot in step.dies:
                environment[slot] = None
            del operands, results
        self._ran = True
        return tuple([environment[slot] for slot in self.returns])

    def run_step(self, step: Step, operands: list[Value], environment: list[Any]) -> tuple[Value, ...]:
        """The results of one step, which listeners see."""
        if step.result_bytes:
            require_bytes(step.result_bytes)
        if self.counts_steps:
            self.counter.count(step.op)
        for listener in self.settings.listeners:
            listener.before(step, operands)
        bodies = [
            BoundPlan(region.plan, tuple([environment[slot] for slot in region.captures])) for region in step.regions
        ]
        if isinstance(step.kernel, Handing) and not self.is_watched:
            for slot in handed_over(step):
                environment[slot] = None
            found = step.kernel.take(*bodies, operands)
        else:
            found = step.kernel(*bodies, *operands)
        results = as_results(found, len(step.results))
        step.check(results)
        for listener in self.settings.listeners:
            listener.after(step, operands, results)
        return results


def _store(environment: list[Any], slots: Sequence[int], values: Sequence[Value]) -> None:
    """Put values into slots; a function of its own, so that no variable keeps the last one."""
    for slot, value in zip(slots, values, strict=True):
        environment[slot] = value


def located(error: Exception, step: Step) -> StablehloError:
    """The error as one that names an op and its place: the innermost one that is known."""
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
    notes = [f"raised {place}" for place in [_place_of(error)] if place]
    if is_users(step.op.name) or step.op.name == "stablehlo.custom_call":
        message = f"runs code of yours, which raises {type(error).__name__}: {error}"
    else:
        message = f"cannot be evaluated on operands of types {', '.join(map(str, step.op.operand_types))}"
        notes.append("this is a mistake of the interpreter, please report it")
    return InterpreterError(message, op=step.op.name, location=step.op.location, notes=notes)


def _place_of(error: Exception) -> str:
    """The innermost line outside numpy through which the error came."""
    import traceback

    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith(_NUMPY):
            return f"at {frame.filename}:{frame.lineno}, in {frame.name}"
    return ""


def handed_over(step: Step) -> list[int]:
    """The slots whose values die with this step where it runs a function or a body that may let them die before."""
    captured = {slot for region in step.regions for slot in region.captures}
    return [slot for slot in step.dies if slot in step.operands and slot not in captured]


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

"""Runs programs: `interpret` a module's function, `fold` one op, or keep a `Program` and run it many times."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..bindings import ir
from ..bindings.attributes import symbol_name
from ..bindings.diagnostics import file_location
from ..bindings.types import TensorType, ValueType
from ..bindings.walk import body_of, outermost
from ..errors import ArgumentError, InterpreterError, ResourceError, StablehloError, require_type
from .arguments import check_arguments, parameter_names
from .limits import deep_stack
from .plan import byte_size
from .planner import Planner
from .process_grid import (
    PROCESS_BYTES,
    NeedsPartitionsError,
    Process,
    ProcessGrid,
    ProcessId,
    enter_process,
    leave_process,
)
from .reading import Reading
from .scope import Scope
from .settings import Settings, limited_memory
from .values import Value

if TYPE_CHECKING:
    from .tensors import Tensor


class Program:
    """A module ready to run. Plans are made at the first run of each function and kept, so later runs are faster.

    `reading` says what elements are: numbers by default.
    """

    def __init__(
        self, module: ir.Module | ir.Operation, settings: Settings | None = None, reading: Reading | None = None
    ) -> None:
        self.settings = Settings() if settings is None else settings
        self._planner = Planner(module.operation, self.settings, reading)
        self._module = module.operation

    @cached_property
    def _grid_planner(self) -> Planner:
        """Make the plans for grids of processes."""
        if not self.settings.share:
            return self._planner
        return Planner(self._module, self.settings, self._planner.reading, shares=True)

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the module's functions, in order."""
        return tuple(self._planner.functions)

    def entry_function(self, name: str = "main") -> str:
        """Return the name of the function to run: `name`, or in place of a missing `main` the module's only function.

        Raises `InterpreterError` where the module has no such function.
        """
        require_type(str, function=name)
        if name == "main" and name not in self._planner.functions and len(self._planner.functions) == 1:
            return self.functions[0]
        self._planner.function(name)
        return name

    def parameter_types(self, function: str = "main") -> tuple[ValueType, ...]:
        """The types of the function's parameters. Raises `InterpreterError` where the module does not define it."""
        entry = self._planner.function(self.entry_function(function))
        try:
            return self._planner.read_types(list(body_of(entry).arguments))
        except StablehloError as error:
            where = file_location(entry.location)
            raise InterpreterError(f"has a parameter of {error.message}", op=entry.name, location=where) from None

    def result_types(self, function: str = "main") -> tuple[ValueType, ...]:
        """Return the types of the function's results. Raises `InterpreterError` where the module does not define it."""
        entry = self._planner.function(self.entry_function(function))
        types = ir.FunctionType(ir.TypeAttr(entry.attributes["function_type"]).value).results
        return tuple([self._planner.types[type_] for type_ in types])

    def run(self, arguments: Sequence[Value], *, function: str = "main") -> list[Value]:
        """Run the function on these arguments.

        Tensors go in and come out as arrays of their type's shape and dtype (ml_dtypes' for the types that numpy
        lacks), tuples as tuples. Raises `ArgumentError` for arguments that are not of the parameters' types,
        `InterpreterError` or one of its kinds, with op and location, for what goes wrong while running.
        """
        name = self.entry_function(function)
        values = check_arguments(arguments, self.parameter_types(name), self._planner.function(name))
        return self.run_values(values, name)

    def run_values(self, values: Sequence[Value], name: str = "main") -> list[Value]:
        """As `run`, for values that are known to be of the parameters' types; 0-d tensors are scalars of numpy."""
        planner = self._planner
        planner.start()
        try:
            with limited_memory(self.settings.max_memory), deep_stack, alone(), np.errstate(all="ignore"):
                results = planner.plan(name).run(*values)
        except NeedsPartitionsError as error:  # every process has the whole result in the end
            return self.run_parallel([values] * error.count, num_partitions=error.count, function=name)[0]
        planner.clock.check()
        seen: set[int] = set()
        return [_own(result, seen, planner) for result in results]

    def run_parallel(
        self,
        arguments: Sequence[Sequence[Value]],
        *,
        num_replicas: int = 1,
        num_partitions: int = 1,
        function: str = "main",
        infeed: Sequence[tuple[Value, ...]] = (),
    ) -> list[list[Value]]:
        """Run the function in every process of a grid.

        `arguments` has an entry for each process, in the order (replica 0, partition 0), (replica 0, partition 1), …,
        and so has the result; on a grid over several ranks, for each process of this rank. `infeed` holds what each
        read of the infeed gives. Raises as `run`, with a note that names the process; also on a deadlock.
        """
        name = self.entry_function(function)
        feeds = [lambda values=values: values for values in infeed]
        grid = self.settings.make_grid(num_replicas, num_partitions, feeds)
        processes = grid.share.stop - grid.share.start  # len() counts to 2^63
        self.check_processes(processes, name)
        if len(arguments) != processes:
            raise ArgumentError(f"{len(arguments)} sets of arguments for {processes} processes")
        types = self.parameter_types(name)
        sets = [check_arguments(values, types, self._planner.function(name)) for values in arguments]
        planner = self._planner if grid.num_processes == 1 else self._grid_planner
        planner.start()
        if planner.shares:
            sets = planner.reading.arguments(sets)
        with limited_memory(self.settings.max_memory), deep_stack, np.errstate(all="ignore"):
            plan = planner.plan(name)
            results = grid.run([lambda values=values: plan.run(*values) for values in sets])
        planner.clock.check()
        seen: set[int] = set()
        return [[_own(result, seen, planner) for result in row] for row in results]

    def check_processes(self, count: int, function: str = "main") -> None:
        """Raise `ResourceError` if `count` processes of the function cannot fit into memory."""
        results = self.result_types(self.entry_function(function))
        needed = count * (PROCESS_BYTES + sum(map(byte_size, results)))
        if needed > self.settings.max_memory:
            raise ResourceError(
                f"{count} processes need about {needed} bytes, more than the limit of {self.settings.max_memory} bytes",
                notes=["--max-memory=BYTES (max_memory in the API) moves the limit"],
            )

    def parameter_names(self, function: str = "main") -> tuple[str, ...]:
        """The names of the function's parameters; `arg` and a number for those without."""
        return parameter_names(self._planner.function(self.entry_function(function)))


@contextmanager
def alone() -> Generator[None]:
    """While this lasts, the thread runs the only process of a new grid."""
    token = enter_process(Process(ProcessId(0, 0), ProcessGrid(1, 1)))
    try:
        yield
    finally:
        leave_process(token)


def _own(value: Value, seen: set[int], planner: Planner) -> Value:
    """Return a tensor as an array in major-to-minor order that is the caller's own to change, and none of `seen`."""
    if isinstance(value, tuple):
        return tuple([_own(part, seen, planner) for part in value])
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    array = np.asarray(value)
    owned = array.flags.writeable and array.flags.owndata and array.flags.c_contiguous and id(array) not in seen
    array = array if owned else planner.reading.contiguous(array)
    seen.add(id(array))
    return array


def interpret(
    module: ir.Module | ir.Operation,
    arguments: Sequence[Value] = (),
    *,
    function: str = "main",
    settings: Settings | None = None,
) -> list[Value]:
    """Run `function` of the module on these arguments; see `Program.run`."""
    return Program(module, settings).run(arguments, function=function)


def eval(function: ir.Operation, args: Sequence[Tensor]) -> list[Tensor]:  # noqa: A001  # the design document's name
    """Run a `func.func` op on these tensors: the entry point of the interpreter's design document.

    Raises as `Program.run`; also `InterpreterError` where a result is not a tensor.
    """
    from .tensors import Tensor

    module = function.operation.parent
    if module is None:
        raise InterpreterError("the function is in no module", location=file_location(function.location))
    name = symbol_name(function)
    program = Program(module.operation)
    results = program.run([tensor.storage for tensor in args], function=name)
    tensors = []
    for result, type_ in zip(results, program.result_types(name), strict=True):
        if not isinstance(type_, TensorType) or not isinstance(result, np.ndarray):
            raise InterpreterError(f"function @{name} returns {type_}, which is not a tensor")
        tensors.append(Tensor(TensorType(result.shape, type_.element_type), result))
    return tensors


def fold(operation: ir.Operation, operands: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the results of one op for constant operands: an array for each of its results.

    Raises `InterpreterError` when the op has no kernel, uses values from outside its regions, has results other than
    tensors, or cannot be evaluated.
    """
    settings = Settings()
    planner = Planner(outermost(operation), settings)
    scope = Scope()
    slots = [scope.add(operand, planner.types[operand.type]) for operand in dict.fromkeys(operation.operands)]
    try:
        with limited_memory(settings.max_memory), np.errstate(all="ignore"):
            step = planner.step(operation, scope)
    except KeyError as error:
        where = file_location(operation.location)
        raise InterpreterError("uses values from outside", op=operation.name, location=where) from error
    environment = dict(zip(step.operands, operands, strict=True))
    plan = planner.single_step_plan(step, slots)
    with limited_memory(settings.max_memory), alone(), np.errstate(all="ignore"):
        results = plan.run(*[environment[slot] for slot in slots])
    seen: set[int] = set()
    arrays = [_own(result, seen, planner) for result in results]
    if not all(isinstance(array, np.ndarray) for array in arrays):
        where = file_location(operation.location)
        raise InterpreterError("has results other than tensors", op=operation.name, location=where)
    return [array for array in arrays if isinstance(array, np.ndarray)]

"""Runs programs: `interpret` a module's function, `fold` one op, or keep a `Program` and run it many times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..bindings import ir, passmanager
from ..bindings.types import TensorType, ValueType
from ..errors import ArgumentError, InterpreterError, UnsupportedOpError
from .op import location_text
from .planner import Planner
from .scope import Scope
from .settings import Settings, limit_memory
from .values import Value, belongs_to, type_text


class Program:
    """A module ready to run. Plans are made at the first run of each function and kept, so later runs are faster."""

    def __init__(self, module: ir.Module | ir.Operation, settings: Settings | None = None) -> None:
        self.settings = Settings() if settings is None else settings
        self._module = module.operation
        self._planner = Planner(self._module, self.settings)

    def parameter_types(self, function: str = "main") -> tuple[ValueType, ...]:
        """The types of the function's parameters. Raises `InterpreterError` where there is no such function."""
        block = self._planner.function(function).regions[0].blocks[0]
        return self._planner.read_types(list(block.arguments))

    def run(self, arguments: Sequence[Value], *, function: str = "main") -> list[Value]:
        """What the function returns for these arguments.

        Tensors go in and come out as arrays of their type's shape and dtype (ml_dtypes' for the types that numpy
        lacks), tuples as tuples. Raises `ArgumentError` for arguments that are not of the parameters' types,
        `InterpreterError` or one of its kinds, with op and location, for what goes wrong while running.
        """
        values = check_arguments(arguments, self.parameter_types(function), function)
        limit_memory(self.settings.max_memory)
        with np.errstate(all="ignore"):
            return [_as_array(result) for result in self._plan_and_run(function, values)]

    def _plan_and_run(self, function: str, values: list[Value]) -> tuple[Value, ...]:
        try:
            plan = self._planner.plan(function)
        except UnsupportedOpError as error:
            if not error.op.startswith("chlo."):
                raise
            self._module = lower_chlo(self._module)
            self._planner = Planner(self._module, self.settings)
            plan = self._planner.plan(function)
        return plan.run(*values)


def lower_chlo(module: ir.Operation) -> ir.Operation:
    """A copy of the module in which CHLO ops are expressed in StableHLO."""
    copy = module.clone()
    manager = passmanager.PassManager.parse(
        "builtin.module(func.func(chlo-legalize-to-stablehlo))", context=copy.context
    )
    try:
        manager.run(copy)
    except ir.MLIRError as error:
        raise InterpreterError(f"a CHLO op cannot be expressed in StableHLO: {error}") from error
    return copy


def check_arguments(arguments: Sequence[Value], types: Sequence[ValueType], function: str) -> list[Value]:
    """The arguments, once they are known to fit the parameters. Raises `ArgumentError`."""
    if len(arguments) != len(types):
        raise ArgumentError(f"function @{function} takes {len(types)} arguments, not {len(arguments)}")
    values: list[Value] = []
    for index, (argument, type_) in enumerate(zip(arguments, types, strict=True)):
        value = np.asarray(argument) if isinstance(type_, TensorType) else argument
        if not belongs_to(value, type_):
            raise ArgumentError(f"argument {index} of function @{function} is {type_text(value)} instead of {type_}")
        values.append(value)
    return values


def _as_array(value: Value) -> Value:
    """A tensor as an array in major-to-minor order that is the caller's own to change."""
    if isinstance(value, tuple):
        return tuple(map(_as_array, value))
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    array = np.asarray(value)
    owned = array.flags.writeable and array.flags.owndata and array.flags.c_contiguous
    return array if owned else np.array(array, order="C")


def interpret(
    module: ir.Module | ir.Operation,
    arguments: Sequence[Value] = (),
    *,
    function: str = "main",
    settings: Settings | None = None,
) -> list[Value]:
    """What `function` of the module returns for these arguments; see `Program.run`."""
    return Program(module, settings).run(arguments, function=function)


def fold(operation: ir.Operation, operands: Sequence[np.ndarray]) -> list[np.ndarray]:
    """What one op comes to for constant operands: an array for each of its results.

    Raises `InterpreterError` when the op has no kernel, uses values from outside its regions, has results other than
    tensors, or cannot be evaluated.
    """
    module = operation
    while module.parent is not None:
        module = module.parent.operation
    planner = Planner(module, Settings())
    scope = Scope()
    slots = [scope.add(operand) for operand in dict.fromkeys(operation.operands)]
    try:
        step = planner.step(operation, scope)
    except KeyError as error:
        where = location_text(operation.location)
        raise InterpreterError("uses values from outside", op=operation.name, location=where) from error
    environment = dict(zip(step.operands, operands, strict=True))
    plan = planner.single_step_plan(step, slots)
    with np.errstate(all="ignore"):
        results = plan.run(*[environment[slot] for slot in slots])
    arrays = [_as_array(result) for result in results]
    if not all(isinstance(array, np.ndarray) for array in arrays):
        raise InterpreterError("has results other than tensors", op=operation.name)
    return [array for array in arrays if isinstance(array, np.ndarray)]

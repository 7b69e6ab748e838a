"""Refines a module: writes the facts of an analysis about every value into the program, as types and as a function for
each kind of call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...bindings import ir
from ...bindings.attributes import CALLS, is_private
from ...bindings.build import create_value, tensor_type
from ...bindings.elements import build_constant
from ...bindings.types import bounds_of
from ...bindings.walk import any_operation, blocks, operations, terminator_of
from ..evaluation.op_arguments import declared_shape
from . import wrapping
from .analysis import analyse
from .context import Context, Evaluation, Program
from .outline import HOLDERS
from .value_facts import Facts, Number

# Dialects whose ops accept operands of a more precise type.
_FLEXIBLE_USERS = {"stablehlo", "chlo", "sdy", "func", "shape"}
_FLEXIBLE_OPS = {"tensor.dim", "scf.yield", "arith.index_cast", "tensor.extract", "tensor.cast"}


class Instance:
    """A function of the program together with the context that it is now for."""

    def __init__(self, context: Context, symbol: str) -> None:
        self.context = context
        self.symbol = symbol
        self.function = context.function
        self.facts = context.facts
        found = sorted(context.evaluations.items(), key=lambda item: item[0][0])
        self.evaluations: list[Evaluation] = [evaluation for _, evaluation in found]  # in program order
        self.loops = list(context.headers)
        self.calls = [call for _, call in sorted(context.calls.items())]
        self.stand_ins = list(context.stand_ins)
        self.values: dict[ir.Value, ir.Value] = {}  # from those analysed to those of a copy

    def copy_to(self, function: ir.Operation) -> None:
        """Makes this about a copy of the function. Neither may have changed yet: the hash of an op changes with it."""
        ops: dict[ir.Operation, ir.Operation] = {}
        for old, new in zip(operations(self.function), operations(function), strict=True):
            ops[old] = new
            self.values.update(zip(old.results, new.results, strict=True))
            for old_block, new_block in zip(blocks(old), blocks(new), strict=True):
                self.values.update(zip(old_block.arguments, new_block.arguments, strict=True))
        self.function = function
        self.facts = self.context.facts.moved(self.values)
        self.evaluations = [
            replace(found, wrapper=ops[found.wrapper], op=None if found.op is None else ops[found.op])
            for found in self.evaluations
        ]
        self.loops = [ops[loop] for loop in self.loops]
        self.stand_ins = [ops[op] for op in self.stand_ins]
        self.calls = [(ops[call], callee) for call, callee in self.calls]


@dataclass
class Refinement:
    """A refined program: its functions after `apply`, and the facts about them."""

    program: Program
    instances: dict[str, Instance] = field(default_factory=dict[str, Instance])
    _symbols: dict[int, str] = field(default_factory=dict[int, str])  # of contexts, by identity

    def facts(self, name: str) -> Facts:
        """The facts about the values of a function; only its types where no call of it was looked at."""
        instance = self.instances.get(name)
        return Facts(function=name) if instance is None else instance.facts

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.instances.values())

    def apply(self, roots: list[Context]) -> None:
        """Refines all functions that the roots reach."""
        for root in roots:
            self._assign(root, root.name)
        dynamic: dict[str, bool] = {}
        for root in roots:
            self._assign_callees(root, dynamic)
        for instance in list(self.instances.values()):  # before any function changes
            if instance.symbol not in self.program.functions:
                self._copy(instance)
        for instance in self.instances.values():
            for value in instance.context.tightened:
                self._refine_type(instance, value)
        for instance in self.instances.values():
            self._close(instance)

    def _assign(self, context: Context, symbol: str) -> None:
        self._symbols[id(context)] = symbol
        self.instances[symbol] = Instance(context, symbol)

    def _assign_callees(self, root: Context, dynamic: dict[str, bool]) -> None:
        """Gives each kind of call a function: the first one the function itself, unless others can call that too."""
        pending = [iter(sorted(root.calls.items()))]
        while pending:
            _, (_, callee) = next(pending[-1], (0, (None, None)))
            if callee is None:
                pending.pop()
                continue
            if callee.name not in dynamic:
                dynamic[callee.name] = _has_unknown_sizes(callee.function)
            if id(callee) not in self._symbols and dynamic[callee.name]:
                taken = callee.name in self.instances or not is_private(callee.function)
                self._assign(callee, self._free_name(callee.name) if taken else callee.name)
                pending.append(iter(sorted(callee.calls.items())))

    def _free_name(self, name: str) -> str:
        number = 0
        while f"{name}_{number}" in self.instances or f"{name}_{number}" in self.program.functions:
            number += 1
        return f"{name}_{number}"

    def _copy(self, instance: Instance) -> None:
        original = instance.function
        copy = original.clone(ip=ir.InsertionPoint(original))
        copy.attributes["sym_name"] = ir.StringAttr.get(instance.symbol, copy.context)
        copy.attributes["sym_visibility"] = ir.StringAttr.get("private", copy.context)
        self.program.functions[instance.symbol] = copy
        instance.copy_to(copy)

    def _refine_type(self, instance: Instance, analysed: ir.Value) -> None:
        """Gives a value a more precise type, where all its users take one."""
        value = instance.values.get(analysed, analysed)
        refined = refined_type(value.type, instance.facts.found_sizes(value))
        if value.type != refined and all(_is_flexible(use.owner.operation.name) for use in value.uses):
            value.set_type(refined)

    def _close(self, instance: Instance) -> None:
        """Makes loops, calls and the function itself agree with the types of their values."""
        for loop in instance.loops:
            for index, result in enumerate(loop.results):
                _restore(loop, index, result.type)
        for call, callee in instance.calls:
            symbol = self._symbols.get(id(callee))
            if symbol is not None and symbol != callee.name:
                call.attributes[CALLS[call.name]] = ir.FlatSymbolRefAttr.get(symbol, call.context)
        block = instance.function.regions[0].blocks[0]
        results = [operand.type for operand in terminator_of(block).operands]
        with instance.function.context:
            type_ = ir.TypeAttr.get(ir.FunctionType.get([argument.type for argument in block.arguments], results))
        if instance.function.attributes["function_type"] != type_:
            instance.function.attributes["function_type"] = type_


def refined_type(type_: ir.Type, sizes: Sequence[Number]) -> ir.RankedTensorType:
    """The tensor type with the known dimension sizes put in; a bound stays where its dimension size is still
    unknown."""
    tensor = ir.RankedTensorType(type_)
    shape = [dimension_size if isinstance(dimension_size, int) else None for dimension_size in sizes]
    bounds = bounds_of(tensor)
    kept = [bound if size is None else None for size, bound in zip(shape, bounds, strict=bool(bounds))]
    return tensor_type(shape, tensor.element_type, kept, None if bounds else tensor.encoding)


def _restore(op: ir.Operation, index: int, type_: ir.Type) -> None:
    """Give an operand the type that goes with the op, even if more is known about it. It gets its unrefined value back,
    or, if others rely on its type, a reshape to the known shape."""
    operand = op.operands[index]
    sizes = declared_shape(operand.type)
    if sizes == declared_shape(type_):
        return
    users = {use.owner.operation.name for use in operand.uses}
    owner = operand.owner
    if not isinstance(owner, ir.Block) and "func.call" not in users and not _has_own_types(owner.operation):
        operand.set_type(type_)
        if wrapping.is_wrapper(owner.operation):
            wrapping.body_of(owner.operation).results[ir.OpResult(operand).result_number].set_type(type_)
    elif all(size >= 0 for size in sizes):
        with ir.InsertionPoint(op), op.location:
            shape = build_constant(np.array(sizes, np.int64))
            op.operands[index] = create_value("stablehlo.dynamic_reshape", [operand, shape], type_)


def _has_own_types(op: ir.Operation) -> bool:
    """Return whether the types of an op's results depend on others, in its regions or in a function."""
    return op.name in CALLS or (op.name in HOLDERS and not wrapping.is_wrapper(op))


def _has_unknown_sizes(function: ir.Operation) -> bool:
    """Whether a type in a function has an unknown dimension size; library functions in it do not count."""

    def is_open(op: ir.Operation) -> bool:
        types = [result.type for result in op.results] if not wrapping.is_function_region(op) else []
        types += [argument.type for block in blocks(op) for argument in block.arguments]
        return any(isinstance(type_, ir.RankedTensorType) and not type_.has_static_shape for type_ in types)

    return any_operation(function, is_open, enters=lambda op: not wrapping.is_function_region(op))


def _is_flexible(name: str) -> bool:
    """Whether an op takes operands of a more precise type."""
    return name.partition(".")[0] in _FLEXIBLE_USERS or name in _FLEXIBLE_OPS


def refine(program: Program) -> Refinement:
    """Refine the types of a module by the library functions in it.

    Args:
        program: The module. It changes only if nothing is raised.

    Returns:
        The refined program.

    Raises:
        RefutedError: The program breaks a rule of a library function.
    """
    refinement = Refinement(program)
    refinement.apply(analyse(program))
    return refinement

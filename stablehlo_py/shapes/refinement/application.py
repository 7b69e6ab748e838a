"""Refines a module: writes the facts of an analysis about every value into the program, as types and as a function for
each kind of call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from ...bindings import ir
from ...bindings.attributes import CALLS, callee_of, is_private
from ...bindings.build import create_value, refresh_type, tensor_type
from ...bindings.elements import build_constant
from ...bindings.types import bounds_of
from ...bindings.walk import any_operation, blocks
from ..evaluation.op_arguments import declared_shape
from . import wrapping
from .analysis import analyse, calls_of
from .context import AnalyzedProgram, Context, Evaluation
from .outline import HOLDERS
from .value_facts import Number, ValueFacts

_BARRIER = "stablehlo.optimization_barrier"
# Dialects whose ops accept operands of a more precise type.
_FLEXIBLE_USERS = {"stablehlo", "chlo", "sdy", "func", "shape"}
_FLEXIBLE_OPS = {"tensor.dim", "scf.yield", "arith.index_cast", "tensor.extract", "tensor.cast"}


@dataclass
class Refinement:
    """A refined program: its functions after `apply`, and the facts about them."""

    program: AnalyzedProgram
    contexts: dict[str, Context] = field(default_factory=dict[str, Context])  # by the functions that are for them now

    def facts(self, name: str) -> ValueFacts:
        """Return the facts about the values of a function; only its types where no call of it was looked at."""
        context = self.contexts.get(name)
        return ValueFacts(function=name) if context is None else context.facts

    def __iter__(self) -> Iterator[Context]:
        return iter(self.contexts.values())

    def evaluations(self) -> Iterator[tuple[Context, Evaluation]]:
        """Yield the outcomes of library functions, in program order."""
        for context in self:
            for _, evaluation in sorted(context.evaluations.items(), key=lambda item: item[0][0]):
                yield context, evaluation

    def apply(self, roots: list[Context]) -> None:
        """Refine all functions that the roots reach."""
        for root in roots:
            self._assign(root, root.name)
        calls = {name: calls_of(function) for name, function in self.program.functions.items()}
        dynamic, kept = _dynamic(self.program.functions, calls), _kept(roots, calls)
        for root in roots:
            self._assign_callees(root, dynamic, kept)
        for context in self:  # before any function changes
            if context.symbol in self.program.functions:
                continue
            original = context.function
            copy = original.clone(ip=ir.InsertionPoint(original))
            copy.attributes["sym_name"] = ir.StringAttr.get(context.symbol, copy.context)
            copy.attributes["sym_visibility"] = ir.StringAttr.get("private", copy.context)
            self.program.functions[context.symbol] = copy
            context.move_to(copy)
        others = [self._other_calls(context) for context in self]
        for context in self:
            for value in context.tightened:
                refined = refined_type(value.type, context.facts.found_sizes(value))
                if value.type != refined and all(map(_is_flexible, _users(value))):
                    value.set_type(refined)
        for context, unanswered in zip(self, others, strict=True):
            _close(context, unanswered)

    def _other_calls(self, context: Context) -> list[tuple[ir.Operation, list[ir.Type]]]:
        """Return the calls without an analysis, and the types of their functions' parameters, before any changes."""
        analysed = {call for call, _ in context.calls.values()}
        found = self.program.functions
        others = [call for call in calls_of(context.function) if call not in analysed and callee_of(call) in found]
        types = [ir.TypeAttr(found[callee_of(call)].attributes["function_type"]).value for call in others]
        return [(call, list(ir.FunctionType(type_).inputs)) for call, type_ in zip(others, types, strict=True)]

    def _assign(self, context: Context, symbol: str) -> None:
        context.symbol = symbol
        self.contexts[symbol] = context

    def _assign_callees(self, root: Context, dynamic: set[str], kept: set[str]) -> None:
        """Give each kind of call a function: the first one the function itself, unless others can call that too, which
        is so for public functions and for those in `kept`."""
        pending = [iter(sorted(root.calls.items()))]
        while pending:
            _, (_, callee) = next(pending[-1], (0, (None, None)))
            if callee is None:
                pending.pop()
                continue
            if not callee.symbol and callee.name in dynamic:
                name = callee.name
                if name in self.contexts or name in kept or not is_private(callee.function):
                    names = (f"{callee.name}_{number}" for number in count())
                    name = next(one for one in names if one not in self.contexts and one not in self.program.functions)
                self._assign(callee, name)
                pending.append(iter(sorted(callee.calls.items())))


def _dynamic(found: dict[str, ir.Operation], calls: dict[str, list[ir.Operation]]) -> set[str]:
    """Return the functions with an unknown dimension size, in themselves or in a function that they call."""
    callers: dict[str, list[str]] = {}
    for name in found:
        for call in calls[name]:
            callers.setdefault(callee_of(call), []).append(name)
    return _closure([name for name, function in found.items() if _has_unknown_sizes(function)], callers)


def _closure(pending: list[str], following: dict[str, list[str]]) -> set[str]:
    """Return the names, and those that follow on them."""
    found = set[str]()
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending.extend(following.get(name, ()))
    return found


def _kept(roots: list[Context], calls: dict[str, list[ir.Operation]]) -> set[str]:
    """Return the functions that some calls go to as they are: those that were not analysed, since a function calls
    itself, there are too many kinds of them, or nobody gets there."""
    reached: dict[Context, None] = {}
    pending = list(roots)
    while pending:
        context = pending.pop()
        if context not in reached:
            reached[context] = None
            pending.extend(callee for _, callee in context.calls.values())
    names = {context.name for context in reached}
    kept = [callee_of(call) for name in calls if name not in names for call in calls[name]]
    for context in reached:
        analysed = {call for call, _ in context.calls.values()}
        kept += [callee_of(call) for call in calls[context.name] if call not in analysed]
    outside = {root.name for root in roots}
    return _closure(kept, {name: [callee_of(call) for call in calls[name]] for name in calls if name not in outside})


def _close(context: Context, others: list[tuple[ir.Operation, list[ir.Type]]]) -> None:
    """Make loops, calls and the function itself agree with the types of their values; `others` go to functions that
    stay as they are."""
    for loop in context.headers:
        for index, result in enumerate(loop.results):
            _restore(loop, index, result.type)
    for _, (call, callee) in sorted(context.calls.items()):
        if callee.symbol not in ("", callee.name):
            call.attributes[CALLS[call.name]] = ir.FlatSymbolRefAttr.get(callee.symbol, call.context)
    for call, types in others:
        for index, type_ in enumerate(types):
            _restore(call, index, type_)
    refresh_type(context.function)


def refined_type(type_: ir.Type, sizes: Sequence[Number]) -> ir.RankedTensorType:
    """Return the tensor type with the known dimension sizes put in; a bound stays where its dimension size is still
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
    sizes, wanted = declared_shape(operand.type), declared_shape(type_)
    if sizes == wanted:
        return
    owner = operand.owner
    relied_on = any(not _takes(use, wanted) for use in operand.uses)
    if not isinstance(owner, ir.Block) and not relied_on and not _has_own_types(owner.operation):
        operand.set_type(type_)
        if wrapping.is_wrapper(owner.operation):
            wrapping.body_of(owner.operation).results[ir.OpResult(operand).result_number].set_type(type_)
    elif any(size >= 0 > other for size, other in zip(sizes, wanted, strict=True)):
        with ir.InsertionPoint(op), op.location:
            if all(size >= 0 for size in sizes):
                shape = build_constant(np.array(sizes, np.int64))
            else:
                shape = create_value("shape.shape_of", [operand], tensor_type([len(sizes)], ir.IndexType.get()))
            op.operands[index] = create_value("stablehlo.dynamic_reshape", [operand, shape], type_)


def _takes(use: ir.OpOperand, sizes: list[int]) -> bool:
    """Whether a user takes a value with these sizes: no call does, a loop or a barrier does if its result has them."""
    op = use.owner.operation
    if op.name in ("stablehlo.while", _BARRIER):
        return declared_shape(op.results[use.operand_number].type) == sizes
    return op.name not in CALLS


def _has_own_types(op: ir.Operation) -> bool:
    """Return whether the types of an op's results depend on others: of its operands, in its regions or a function."""
    inner = wrapping.body_of(op) if wrapping.is_wrapper(op) else op
    return inner.name in CALLS or inner.name == _BARRIER or inner.name in HOLDERS


def _has_unknown_sizes(function: ir.Operation) -> bool:
    """Whether a type in a function has an unknown dimension size; library functions in it do not count."""

    def is_open(op: ir.Operation) -> bool:
        types = [result.type for result in op.results] if not wrapping.is_function_region(op) else []
        types += [argument.type for block in blocks(op) for argument in block.arguments]
        return any(isinstance(type_, ir.RankedTensorType) and not type_.has_static_shape for type_ in types)

    return any_operation(function, is_open, enters=lambda op: not wrapping.is_function_region(op))


def _users(value: ir.Value) -> list[str]:
    """Return the names of the ops that take a value, from a wrapper too."""
    found = [use.owner.operation.name for use in value.uses]
    if isinstance(value.owner, ir.Block):
        return found
    wrapper = wrapping.around(value.owner.operation)
    if wrapper != value.owner.operation:
        outer = wrapper.results[ir.OpResult(value).result_number]
        found += [use.owner.operation.name for use in outer.uses]
    return found


def _is_flexible(name: str) -> bool:
    """Whether an op takes operands of a more precise type."""
    return name.partition(".")[0] in _FLEXIBLE_USERS or name in _FLEXIBLE_OPS


def refine(program: AnalyzedProgram) -> Refinement:
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

"""Programs made simpler inside: values in place of ops, one branch in place of all, one iteration in place of a loop,
small constants. All of it works in regions and in functions that are called, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from ...bindings import ir
from ...bindings.attributes import callee_of
from ...bindings.bytecode import copy_of
from ...bindings.elements import build_constant, constant_value, from_numpy
from ...bindings.types import Kind, TensorType, TypeReader
from ...bindings.walk import body_of, functions, is_used, operations, replace_operands, terminator_of
from ...dialect.facts import facts
from ..programs.slices import is_observable
from .search import Candidate, Search
from .shrinking import simpler_values, verifies, without_arguments

_MOST_OPS = 500  # in longer programs ops are not tried one by one
_BRANCHES = ("stablehlo.if", "stablehlo.case")
_LOOP = "stablehlo.while"


def _finished(module: ir.Module, candidate: Candidate) -> Candidate | None:
    """Return the changed program without unused ops, or None if it is not valid."""
    for op in reversed(operations(module.operation)):
        one = facts(op.name)
        if one.dialect == "stablehlo" and not one.effect and not one.ends and not any(map(is_used, op.results)):
            op.erase()
    arguments = _without_unused(module, candidate.arguments)
    is_empty = len(body_of(functions(module.operation)["main"]).operations) < 2  # it shows how arguments are read
    return Candidate(module, arguments) if not is_empty and verifies(module) else None


def _without_unused(module: ir.Module, arguments: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """Drop the parameters of `main` that nothing uses, and functions that nothing calls."""
    known = functions(module.operation)
    called = set(map(callee_of, operations(module.operation)))
    for name in set(known) - called - {"main"}:
        known[name].erase()
    main = known["main"]
    unused = [number for number, argument in enumerate(body_of(main).arguments) if not is_used(argument)]
    if not unused or "arg_attrs" in main.attributes:
        return tuple(arguments)
    return without_arguments(main, arguments, unused)


def _replaceable(module: ir.Module) -> list[int]:
    """The numbers of ops whose results values can stand for, in the order of the text."""
    return [
        number
        for number, op in enumerate(operations(module.operation))
        if len(op.results) and op.name != "stablehlo.constant" and all(map(_has_zero, op.results))
    ]


def _has_zero(value: ir.Value) -> bool:
    numbers = (ir.FloatType, ir.IntegerType, ir.ComplexType)
    return is_observable(value) and isinstance(ir.RankedTensorType(value.type).element_type, numbers)


def _zero(value: ir.Value) -> ir.Value:
    """A constant of zeros; the place for it is the one that is set."""
    decoded = TypeReader()[value.type]
    if not isinstance(decoded, TensorType):
        raise TypeError(f"{value.type} has no zero")
    return build_constant(np.zeros(decoded.static_shape, decoded.dtype), value.type)


def _replaced(
    candidate: Candidate, numbers: Sequence[int], kept: Sequence[int], *, by_operands: bool
) -> Candidate | None:
    """The program with values in place of ops apart from those `kept`: their operands where the types allow it,
    otherwise zeros."""
    module = copy_of(candidate.module)
    listed = operations(module.operation)
    end = 0  # of the ops within those that are gone
    gone = list[ir.Operation]()
    for number in sorted(set(numbers) - set(kept)):
        if number < end:
            continue
        op = listed[number]
        end = number + len(operations(op))
        for index, result in enumerate(op.results):
            same = [operand for operand in op.operands if operand.type == result.type] if by_operands else []
            if op.name == _LOOP:
                same = [op.operands[index]]
            with op.location, ir.InsertionPoint(op):
                result.replace_all_uses_with(same[0] if same else _zero(result))
        gone.append(op)
    for op in gone:
        op.erase()
    return _finished(module, candidate)


def fewer_values(current: Candidate, search: Search) -> Candidate:
    """Put operands, then zeros, in place of as many ops as possible: many at a time first, one at a time last."""
    for by_operands in (True, False):
        numbers = _replaceable(current.module)
        made = search.fewest(numbers, partial(_replaced, current, numbers, by_operands=by_operands))
        current = current if made is None else made
        alone = len(numbers) == 1 and search.first([_replaced(current, numbers, (), by_operands=by_operands)])
        current = alone if alone else current
    return current


def region_candidates(candidate: Candidate) -> Iterator[Candidate | None]:
    """The program with one branch in place of an `if` or `case`, or one run of the body in place of a loop."""
    listed = operations(candidate.module.operation)
    for number, op in enumerate(listed if len(listed) <= _MOST_OPS else ()):
        if op.name in _BRANCHES:
            for branch in range(len(op.regions)):
                yield _inlined(candidate, number, branch)
        elif op.name == _LOOP:
            yield _inlined(candidate, number, 1)


def _inlined(candidate: Candidate, number: int, region: int) -> Candidate | None:
    """The program with the ops of a region in place of the op that holds it."""
    module = copy_of(candidate.module)
    op = operations(module.operation)[number]
    block = body_of(op, region)
    values: dict[ir.Value, ir.Value] = dict(zip(block.arguments, op.operands, strict=False))
    with ir.InsertionPoint(op):
        for inner in [part.operation for part in block.operations][:-1]:
            copy = inner.clone().operation
            replace_operands(copy, values)
            values.update(zip(inner.results, copy.results, strict=True))
    for result, value in zip(op.results, terminator_of(block).operands, strict=True):
        result.replace_all_uses_with(values.get(value, value))
    op.erase()
    return _finished(module, candidate)


def constant_candidates(candidate: Candidate) -> Iterator[Candidate | None]:
    """The program with a simpler constant: all zero, all one, and for numbers such as how often a loop runs, smaller
    ones."""
    listed = operations(candidate.module.operation)
    types = TypeReader()
    for number, op in enumerate(listed if len(listed) <= _MOST_OPS else ()):
        type_ = types[op.results[0].type] if op.name == "stablehlo.constant" else None
        if isinstance(type_, TensorType) and type_.is_static and type_.element_type.kind is not Kind.QUANTIZED:
            value = constant_value(op)
            for simpler in simpler_values(value):
                module = copy_of(candidate.module)
                copy = operations(module.operation)[number]
                copy.attributes["value"] = from_numpy(simpler, copy.results[0].type)
                yield _finished(module, candidate)

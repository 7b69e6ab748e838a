"""Moves of a reduction: smaller sizes, narrower types, fewer attributes and arguments; values in place of ops, one
branch in place of all, one iteration in place of a loop, small constants, in regions and in called functions, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile

import numpy as np

from ...bindings import ir
from ...bindings.attributes import callee_of
from ...bindings.build import attributes_of, refresh_type
from ...bindings.bytecode import copy_of
from ...bindings.elements import build_constant, constant_value, from_numpy
from ...bindings.types import Kind, TensorType, TypeReader
from ...bindings.walk import body_of, functions, is_used, operations, operations_within, replace_operands, terminator_of
from ...dialect.facts import facts
from ..programs.slices import is_observable
from .search import Candidate, Search

_NARROWER = (("f64", "f32"), ("complex<f64>", "complex<f32>"), ("i64", "i32"), ("ui64", "ui32"), ("f32", "f16"))
_ELEMENT = r"(tensor<(?:\d+x)*){}(?=>)"
# Attributes that stay: without the last one the spec leaves the result of a sort open.
_NEEDED = frozenset({"sym_name", "function_type", "is_stable"})
Fit = Callable[[np.ndarray, TensorType], np.ndarray]  # makes an argument fit a type


def _parameter_types(module: ir.Module) -> list[TensorType | None]:
    types = TypeReader()
    arguments = body_of(functions(module.operation)["main"]).arguments
    decoded = [types[argument.type] for argument in arguments]
    return [type_ if isinstance(type_, TensorType) and type_.is_static else None for type_ in decoded]


def with_program(candidate: Candidate, module: ir.Module, fit: Fit) -> Candidate | None:
    """Return the candidate with another program and arguments of its types, or None if no arguments fit."""
    arguments = list[np.ndarray]()
    for argument, type_ in zip(candidate.arguments, _parameter_types(module), strict=True):
        if type_ is None:
            return None
        fitted = fit(argument, type_)
        if fitted.shape != type_.static_shape or fitted.dtype != type_.dtype:
            return None
        arguments.append(fitted)
    return Candidate(module, tuple(arguments))


def first_part(argument: np.ndarray, type_: TensorType) -> np.ndarray:
    """Return the first elements along each dimension."""
    return argument[tuple(slice(size) for size in type_.static_shape)] if argument.ndim == type_.rank else argument


def last_part(argument: np.ndarray, type_: TensorType) -> np.ndarray:
    """Return the last elements along each dimension."""
    if argument.ndim != type_.rank:
        return argument
    sizes = zip(argument.shape, type_.static_shape, strict=True)
    return argument[tuple(slice(old - size, None) for old, size in sizes)]


def type_candidates(candidate: Candidate) -> Iterator[Candidate | None]:
    """Yield the program with every element of one type of a narrower one."""
    text = str(candidate.module.operation.get_asm(print_generic_op_form=True))
    for wide, narrow in _NARROWER:
        changed = re.sub(_ELEMENT.format(re.escape(wide)), rf"\g<1>{narrow}", text)
        if changed != text:
            with suppress(ir.MLIRError, KeyError):  # it is not a valid program
                module = ir.Module.parse(changed, candidate.module.context)
                yield with_program(candidate, module, lambda argument, type_: argument.astype(type_.dtype))


def attribute_candidates(candidate: Candidate) -> Iterator[Candidate | None]:
    """Yield the program without one attribute of one op, where the op verifies without it."""
    for number, op in enumerate(operations_within(candidate.module.operation)):
        for name in [name for name in attributes_of(op) if name not in _NEEDED]:
            copy = copy_of(candidate.module)
            del operations_within(copy.operation)[number].attributes[name]
            if verifies(copy):
                yield Candidate(copy, candidate.arguments)


def verifies(changed: ir.Module | ir.Operation) -> bool:
    """Whether a changed program or op is valid."""
    try:
        return changed.operation.verify()
    except ir.MLIRError:
        return False


def merge_candidates(candidate: Candidate) -> Iterator[Candidate | None]:
    """Yield the program with one parameter in place of two of the same type."""
    types = _parameter_types(candidate.module)
    for second in range(len(types) - 1, 0, -1):
        for first in range(second):
            if types[first] is not None and types[first] == types[second]:
                copy = copy_of(candidate.module)
                function = functions(copy.operation)["main"]
                arguments = body_of(function).arguments
                arguments[second].replace_all_uses_with(arguments[first])
                yield Candidate(copy, without_arguments(function, candidate.arguments, [second]))


def without_arguments(
    function: ir.Operation, arguments: Sequence[np.ndarray], unused: Sequence[int]
) -> tuple[np.ndarray, ...]:
    """Take parameters that nothing uses from a function; return the arguments without theirs."""
    block = body_of(function)
    for number in reversed(unused):
        block.erase_argument(number)
    refresh_type(function)
    return tuple([value for number, value in enumerate(arguments) if number not in unused])


def argument_candidates(candidate: Candidate) -> Iterator[Candidate | None]:
    """Yield the program with one argument made simple: all zero, all one, smaller or of few digits."""
    for number, argument in enumerate(candidate.arguments):
        yield from (with_argument(candidate, number, simple) for simple in simpler_values(argument))


def simpler_values(value: np.ndarray) -> Iterator[np.ndarray]:
    """Other values for an argument or a constant, the simplest first, as long as they are simpler than it is."""
    return takewhile(lambda simpler: simpler.tobytes() != value.tobytes(), _simpler(value))


def _simpler(value: np.ndarray) -> Iterator[np.ndarray]:
    yield np.zeros(value.shape, value.dtype)
    yield np.ones(value.shape).astype(value.dtype)
    if value.size > 1:
        yield np.full(value.shape, value.ravel()[0], value.dtype)
    if value.dtype.kind in "iu" and value.size == 1 and value.item() > 2:
        for smaller in dict.fromkeys((2, value.item() // 2, value.item() - 1)):
            yield np.full(value.shape, smaller, value.dtype)
    elif value.dtype.kind in "fc":
        for digits in range(4):
            yield np.round(value, digits).astype(value.dtype)


def with_argument(candidate: Candidate, number: int, value: np.ndarray) -> Candidate:
    """Return the candidate with another value for one argument."""
    arguments = list(candidate.arguments)
    arguments[number] = value
    return Candidate(candidate.module, tuple(arguments))


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
    """Return the numbers of ops whose results values can stand for, in the order of the text."""
    listed = enumerate(operations(module.operation))
    return [number for number, op in listed
            if len(op.results) and op.name != "stablehlo.constant" and all(map(_has_zero, op.results))]  # fmt: skip


def _has_zero(value: ir.Value) -> bool:
    numbers = (ir.FloatType, ir.IntegerType, ir.ComplexType)
    return is_observable(value) and isinstance(ir.RankedTensorType(value.type).element_type, numbers)


def _zero(value: ir.Value) -> ir.Value:
    """Return a constant of zeros; the place for it is the one that is set."""
    decoded = TypeReader()[value.type]
    if not isinstance(decoded, TensorType):
        raise TypeError(f"{value.type} has no zero")
    return build_constant(np.zeros(decoded.static_shape, decoded.dtype), value.type)


def _replaced(
    candidate: Candidate, numbers: Sequence[int], kept: Sequence[int], *, by_operands: bool
) -> Candidate | None:
    """Return the program with values in place of ops apart from those `kept`: their operands where the types allow it,
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
    """Yield the program with one branch in place of an `if` or `case`, or one run of the body in place of a loop."""
    listed = operations(candidate.module.operation)
    for number, op in enumerate(listed if len(listed) <= _MOST_OPS else ()):
        if op.name in _BRANCHES:
            for branch in range(len(op.regions)):
                yield _inlined(candidate, number, branch)
        elif op.name == _LOOP:
            yield _inlined(candidate, number, 1)


def _inlined(candidate: Candidate, number: int, region: int) -> Candidate | None:
    """Return the program with the ops of a region in place of the op that holds it."""
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

"""Pairs the ops of two exports of one model, such as one in bf16 and one in f32.

Float types and the values of constants do not count. Where structure does not tell, ops match by their name, their
shapes and the stack of names that the exporter gave. The results of conversions from one float type to another stand
for their operands. A conversion matches one of the same value between the same types.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...analysis.matching import Matching as AllPartners
from ...analysis.matching import Side, longest_rising
from ...bindings import ir
from ...bindings.build import attributes_of
from ...bindings.locations import name_stack, parsed_location
from ...bindings.types import TensorType, TypeReader
from ...errors import InputError
from ..programs.extraction import needed
from ..programs.subject import Subject


@dataclass(frozen=True)
class Matching:
    """The ops and values of a program that are in another one, too.

    Attributes:
        partners: The number of an op in the second program by its number in the first, both rising.
        values: What a value of the first program is in the second; conversions are looked through.
        roots: What a converted value of the second program was before.
    """

    partners: dict[int, int]
    values: dict[ir.Value, ir.Value]
    roots: dict[ir.Value, ir.Value]

    def operands(self, first: ir.Operation, second: ir.Operation) -> list[tuple[ir.Value, ir.Value]] | None:
        """Return the operands of two ops in pairs, or None if they do not correspond."""
        pairs = list(zip(needed(first), needed(second), strict=False))
        if len(needed(first)) != len(needed(second)):
            return None
        same = all(a in self.values and self.values[a] == self.roots.get(b, b) for a, b in pairs)
        return pairs if same else None


def is_conversion(op: ir.Operation) -> bool:
    """Whether an op changes the float type of its operand and nothing else."""
    if op.name not in ("stablehlo.convert", "stablehlo.reduce_precision"):
        return False
    types = ir.RankedTensorType(op.operands[0].type), ir.RankedTensorType(op.results[0].type)
    return all(isinstance(type_.element_type, ir.FloatType) for type_ in types)


def element_types(op: ir.Operation) -> tuple[np.dtype, np.dtype]:
    """The data types of the operand and the result of a conversion."""
    types = TypeReader()
    before, after = (types[value.type] for value in (op.operands[0], op.results[0]))
    if not isinstance(before, TensorType) or not isinstance(after, TensorType):
        raise TypeError(f"{op.name} converts no tensors")
    return before.dtype, after.dtype


def _roots(subject: Subject) -> dict[ir.Value, ir.Value]:
    """The value before all conversions, of each value that was converted."""
    found: dict[ir.Value, ir.Value] = {}
    for op in subject.ops:
        if is_conversion(op):
            before: ir.Value = op.operands[0]
            found[op.results[0]] = found.get(before, before)
    return found


def _shape(value: ir.Value) -> str:
    """A type as text without the float type in it."""
    type_ = value.type
    if not isinstance(type_, ir.RankedTensorType):
        return str(type_)
    element = "float" if isinstance(type_.element_type, ir.FloatType) else str(type_.element_type)
    return f"{type_.shape}{element}"


def _own(op: ir.Operation) -> str:
    """The text of an op without float types and the values of constants."""
    attributes = (
        f"{name}={value}"
        for name, value in sorted(attributes_of(op).items())
        if name in ("dimensions", "broadcast_dimensions", "permutation", "comparison_direction", "dimension")
    )
    return " ".join([op.name, *map(_shape, op.results), *attributes])


def _kind(op: ir.Operation) -> tuple[str, ...]:
    """The name of an op, its shapes, and its stack of names without the function at its head."""
    return op.name, name_stack(parsed_location(op.location)).partition("/")[2], *map(_shape, op.results)


def match(first: Subject, second: Subject) -> Matching:
    """Find the ops of `first` in `second`.

    Raises:
        InputError: The programs have other numbers or shapes of arguments.
    """
    parameters = list(first.block.arguments), list(second.block.arguments)
    shapes = [[_shape(parameter) for parameter in side] for side in parameters]
    if shapes[0] != shapes[1]:
        raise InputError(
            "the programs take different arguments",
            notes=[f"{len(side)}: {', '.join(side)}" for side in shapes],
        )
    both = AllPartners(*(Side(subject.function, _own, _kind, is_conversion) for subject in (first, second)))
    numbers = [{op: number for number, op in enumerate(subject.ops)} for subject in (first, second)]
    ops = [(both.sides[0].ops[a], both.sides[1].ops[b]) for a, b in both.pairs()]
    pairs = [(numbers[0][a], numbers[1][b]) for a, b in ops if a in numbers[0] and b in numbers[1]]
    pairs = [pairs[position] for position in longest_rising([second for _, second in pairs])]
    roots = _roots(first), _roots(second)
    values: dict[ir.Value, ir.Value] = dict(zip(*parameters, strict=True))
    for a, b in pairs:
        values.update(zip(first.ops[a].results, second.ops[b].results, strict=False))
    values = {value: roots[1].get(partner, partner) for value, partner in values.items()}
    values.update({value: values[root] for value, root in roots[0].items() if root in values})
    pairs = sorted([*pairs, *_conversions(first, second, values, roots[1])])
    pairs = [pairs[position] for position in longest_rising([second for _, second in pairs])]
    return Matching(dict(pairs), values, roots[1])


def _conversions(
    first: Subject, second: Subject, values: Mapping[ir.Value, ir.Value], roots: Mapping[ir.Value, ir.Value]
) -> Iterator[tuple[int, int]]:
    """The numbers of conversions of the same value between the same types, in pairs; `values` and `roots` as in
    `Matching`."""
    waiting: dict[tuple[ir.Value, str, str], deque[int]] = {}
    for number, op in enumerate(second.ops):
        if is_conversion(op):
            before: ir.Value = op.operands[0]
            key = roots.get(before, before), str(before.type), str(op.results[0].type)
            waiting.setdefault(key, deque()).append(number)
    for number, op in enumerate(first.ops):
        if is_conversion(op) and op.operands[0] in values:
            key = values[op.operands[0]], str(op.operands[0].type), str(op.results[0].type)
            if waiting.get(key):
                yield number, waiting[key].popleft()

"""Shapes of results by the shape functions, whatever the dimension sizes of the operands are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from ...bindings import ir
from ...shapes.evaluation.attributes import read_attribute
from ...shapes.evaluation.op_arguments import operand_groups
from ...shapes.library import library
from ...shapes.signatures import SHAPE
from .base import tensor_of


class Term(NamedTuple):
    """A dimension size of an operand, or an element of an operand that holds sizes."""

    operand: int
    position: int
    is_element: bool


@dataclass(frozen=True, eq=False)
class SizeSum:
    """A sum of dimension sizes that a shape function moves and adds.

    Every comparison holds: shape functions compare sizes only to refuse ops that do not verify.
    """

    terms: tuple[Term, ...]

    def __eq__(self, other: object) -> bool:
        return True

    __ge__ = __le__ = __eq__

    def __radd__(self, other: int) -> SizeSum:
        """Return the size itself: a sum begins with 0."""
        return self

    def __add__(self, other: SizeSum) -> SizeSum:
        return SizeSum(self.terms + other.terms)


def shapes_by_function(op: ir.Operation) -> list[list[SizeSum | int]]:
    """Return what the built-in shape function says about the results of an op that verifies."""
    found = library().find(SHAPE, op.name)
    if found is None:
        raise ValueError(f"{op.name} has no shape function")
    taken = found.function.__annotations__
    groups, numbers = operand_groups(op, found.parameters), count()
    arguments: dict[str, Any] = {}
    for parameter in found.parameters:
        name, annotation, source = parameter.name, parameter.annotation, parameter.source
        if source == "attribute" and name in taken:
            arguments[name] = read_attribute(op.attributes[name], annotation)
        elif source.startswith("operand"):
            sizes = [_sizes(operand, next(numbers), annotation == "Values") for operand in next(groups)]
            if name in taken:
                arguments[name] = sizes if source == "operands" else sizes[0]
    result = found.function(**arguments)
    return result if taken["return"] == "list[Shape]" else [result]


def _sizes(operand: ir.Value, number: int, is_element: bool) -> list[SizeSum]:
    tensor = tensor_of(operand)
    length = tensor.shape[0] if is_element else tensor.rank
    return [SizeSum((Term(number, position, is_element),)) for position in range(length)]

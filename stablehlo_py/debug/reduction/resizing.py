"""Programs with smaller tensors: a size is made smaller where it begins, and the types behind it are refined.

Sizes begin at parameters, constants, broadcasts and ops without operands. Behind them types are inferred; where an op
does not infer them, or says sizes in attributes, those that fit are tried. Where operands do not fit together any
more, sizes of the same size that others begin with become smaller, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from ...bindings import ir
from ...bindings.attributes import CALLS
from ...bindings.build import attributes_of, refresh_type, tensor_type
from ...bindings.bytecode import copy_of
from ...bindings.elements import constant_value, from_numpy
from ...bindings.walk import blocks, body_of, functions, operations, terminator_of
from ...dialect.facts import facts
from ...passes.hlo_test.infer import inferred_types
from ..allowed.measures import is_float
from ..programs.slices import is_observable
from .search import Candidate
from .simplifying import first_part, last_part, verifies, with_program

_MOST_OPS = 500  # longer programs are left as they are
_MOST_SHAPES = 100  # that are tried for a result
_LOOP = "stablehlo.while"
_BROADCAST = "stablehlo.broadcast_in_dim"

Size = tuple[int, int]  # the number of a value that nothing before it decides on, and of a dimension


@dataclass(frozen=True)
class _Change:
    """One size that becomes another; `few` prefers the smallest result that is valid to the one most like before."""

    size: int
    smaller: int
    few: bool
    counts: bool  # whether integers of that size, such as how often a loop runs, become smaller too


class _StuckError(Exception):
    """An op, known by its number, does not fit its operands; `helpful` are operands and dimensions that would have to
    become smaller, too."""

    def __init__(self, number: int, helpful: Sequence[tuple[int, int]]) -> None:
        super().__init__(number)
        self.number, self.helpful = number, helpful


def resized_candidates(candidate: Candidate) -> Iterator[Candidate | None]:
    """Yield the program with one size made smaller, and with it all that depend on it."""
    listed = operations(candidate.module.operation)
    if len(listed) > _MOST_OPS or any(op.name in CALLS for op in listed):
        return
    shapes = enumerate(map(_shape, _beginnings(listed)))
    sizes = [(size, (number, dim)) for number, shape in shapes for dim, size in enumerate(shape) if size > 1]
    for size, dimension_size in sorted(sizes, key=lambda one: -one[0]):
        for smaller in dict.fromkeys((1, 2, size // 2, size - 1)):
            if smaller < size:
                for few, counts in product((True, False), (True, False)):
                    yield from _resized(candidate, dimension_size, _Change(size, smaller, few, counts))


def _beginnings(listed: Sequence[ir.Operation]) -> list[ir.Value]:
    """Return the values that determine dimension sizes."""
    main = next(op for op in listed if op.name == "func.func")
    made = [op.results[0] for op in listed if len(op.results) == 1 and not len(op.regions)
            and (op.name == _BROADCAST or not len(op.operands))]  # fmt: skip
    return [value for value in [*body_of(main).arguments, *made] if is_observable(value)]


def _shape(value: ir.Value) -> tuple[int, ...]:
    return tuple(ir.RankedTensorType(value.type).shape) if is_observable(value) else ()


def _resized(candidate: Candidate, size: Size, change: _Change) -> Iterator[Candidate | None]:
    """Yield the program with a size made smaller; first with the first parts of its arguments, then with the last."""
    chosen = [size]
    while True:
        try:
            module = copy_of(candidate.module)
            with candidate.module.context, ir.Location.unknown():
                _Refiner(module, change).run(chosen)
        except _StuckError as stuck:
            others = [one for one in _sizes_before(candidate.module, stuck, change.size) if one not in chosen]
            if not others:
                return
            chosen.append(others[0])
            continue
        except ir.MLIRError:
            return
        if verifies(module):
            for part in (first_part, last_part):
                yield with_program(candidate, module, part)
        return


def _sizes_before(module: ir.Module, stuck: _StuckError, size: int) -> list[Size]:
    """Return the origins of sizes of this size: first those that would help, then the op's operands, then all others.

    They are followed through ops that keep the shape.
    """
    listed = operations(module.operation)
    beginnings = {value: index for index, value in enumerate(_beginnings(listed))}
    nearest = list[ir.Value | None]()
    for operand in listed[stuck.number].operands:
        value: ir.Value | None = operand
        while value is not None and value not in beginnings:
            value = _same_shape_before(value)
        nearest.append(value)
    helpful = [(beginnings[value], index) for number, index in stuck.helpful if (value := nearest[number]) is not None]
    found = dict.fromkeys([*filter(None, nearest), *beginnings])
    others = [(beginnings[value], index) for value in found for index, own in enumerate(_shape(value)) if own == size]
    return [*helpful, *others]


def _same_shape_before(value: ir.Value) -> ir.Value | None:
    """Return the operand of a value's op that has the same shape by the op's definition, or None."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        loop = owner.owner.operation
        return loop.operands[ir.BlockArgument(value).arg_number] if loop.name == _LOOP else None
    if owner.name == _LOOP:
        return owner.operands[ir.OpResult(value).result_number]
    return owner.operands[0] if facts(owner.name).shape == "like operand 0" else None


class _Refiner:
    """Makes sizes of a program smaller, in place."""

    def __init__(self, module: ir.Module, change: _Change) -> None:
        self.module, self.change = module, change
        self.listed = operations(module.operation)
        self.changed: set[ir.Value] = set()

    def run(self, chosen: Sequence[Size]) -> None:
        """Make the chosen sizes smaller, and refine what depends on them. Raises _StuckError, ir.MLIRError."""
        beginnings = _beginnings(self.listed)
        for number, dimension in chosen:
            value = beginnings[number]
            shape = list(_shape(value))
            shape[dimension] = self.change.smaller
            self._begin(value, shape)
        if self.change.counts:
            self._count_less()
        main = functions(self.module.operation)["main"]
        self._block(body_of(main))
        refresh_type(main)

    def _begin(self, value: ir.Value, shape: Sequence[int]) -> None:
        owner = value.owner
        self._set(value, shape)
        if not isinstance(owner, ir.Block) and owner.name == "stablehlo.constant":
            owner.attributes["value"] = from_numpy(constant_value(owner)[tuple(map(slice, shape))], value.type)

    def _count_less(self) -> None:
        """Make integer constants of one element smaller that are as large as the size."""
        for op in self.listed:
            value = constant_value(op) if op.name == "stablehlo.constant" else np.empty(0)
            if not is_float(value.dtype) and value.size == 1 and value.item() == self.change.size:
                smaller = np.full(value.shape, self.change.smaller, value.dtype)
                op.attributes["value"] = from_numpy(smaller, op.results[0].type)

    def _set(self, value: ir.Value, shape: Sequence[int]) -> None:
        old = ir.RankedTensorType(value.type)
        self._retype(value, tensor_type(shape, old.element_type, encoding=old.encoding))

    def _retype(self, value: ir.Value, type_: ir.Type) -> None:
        if value.type != type_:
            value.set_type(type_)
            self.changed.add(value)

    def _block(self, block: ir.Block) -> None:
        for op in [one.operation for one in block.operations]:
            if facts(op.name).is_control_flow:
                self._regions(op)
            elif not len(op.results) or self.changed.isdisjoint((*op.operands, *op.results)) or verifies(op):
                continue
            elif not self._fits(op):
                raise _StuckError(self.listed.index(op), list(self._helpful(op)))

    def _regions(self, op: ir.Operation) -> None:
        """Refine the regions that an op of control flow runs, and with them its results."""
        for block in blocks(op):
            for parameter, operand in zip(block.arguments, op.operands, strict=False):  # a branch has no parameters
                self._retype(parameter, operand.type)
            self._block(block)
        values = op.operands if op.name == _LOOP else terminator_of(body_of(op)).operands
        for result, value in zip(op.results, values, strict=True):
            self._retype(result, value.type)

    def _fits(self, op: ir.Operation) -> bool:
        """Find valid attributes and results for an op; keep it if there are none."""
        before = attributes_of(op)
        smaller = {name: self._fewer(attribute) for name, attribute in before.items()}
        choices = [before] if smaller == before else [smaller, before] if self.change.few else [before, smaller]
        if op.name == "stablehlo.slice":
            choices.append(before | _clipped(op))
        old = [result.type for result in op.results]
        for attributes in choices:
            _set_attributes(op, attributes)
            if self._results(op):
                return True
            for result, type_ in zip(op.results, old, strict=True):
                result.set_type(type_)
        _set_attributes(op, before)
        return False

    def _helpful(self, op: ir.Operation) -> Iterator[tuple[int, int]]:
        """Return the operands and dimensions that would have to shrink for a valid op."""
        for number, operand in enumerate(op.operands):
            shape = _shape(operand)
            for index, size in enumerate(shape):
                if size == self.change.size:
                    self._set(operand, [*shape[:index], self.change.smaller, *shape[index + 1 :]])
                    if self._fits(op):
                        yield number, index
                    self._set(operand, shape)

    def _fewer(self, attribute: ir.Attribute) -> ir.Attribute:
        """Return a list of numbers with the smaller size in place of the larger one; other attributes as they are."""
        if not isinstance(attribute, ir.DenseI64ArrayAttr):
            return attribute
        numbers = [self.change.smaller if one == self.change.size else one for one in attribute]
        return ir.DenseI64ArrayAttr.get(numbers, attribute.context)

    def _results(self, op: ir.Operation) -> bool:
        """Find types for an op's results; return False if none are valid."""
        inferred = inferred_types(op)
        if inferred is not None:
            for result, type_ in zip(op.results, inferred, strict=True):
                self._retype(result, type_)
            return verifies(op)
        if len(op.results) != 1 or not is_observable(op.results[0]):
            return False
        for shape in self._shapes(op):
            self._set(op.results[0], shape)
            if verifies(op):
                return True
        return False

    def _shapes(self, op: ir.Operation) -> Iterator[tuple[int, ...]]:
        """Return possible shapes of the result: each size unchanged, smaller by the same amount, or in proportion."""
        old, size, smaller = _shape(op.results[0]), self.change.size, self.change.smaller
        ratios = [(smaller, size)]
        if len(op.operands) and math.prod(old):
            ratios.append((math.prod(_shape(op.operands[0])), math.prod(old)))  # as reshape keeps the elements
        choices = [{one, one - size + smaller, *(one * now // was for now, was in ratios if not one * now % was)}
                   for one in old]  # fmt: skip
        shapes = [shape for shape in islice(product(*choices), _MOST_SHAPES) if all(one > 0 for one in shape)]
        sign = 1 if self.change.few else -1
        return iter(sorted(shapes, key=lambda shape: (sign * math.prod(shape), shape)))


def _set_attributes(op: ir.Operation, attributes: Mapping[str, ir.Attribute]) -> None:
    for name, attribute in attributes.items():
        op.attributes[name] = attribute


def _clipped(op: ir.Operation) -> dict[str, ir.Attribute]:
    """Return the start and the end of a slice, within its operand."""
    sizes = _shape(op.operands[0])
    starts, limits = (list(ir.DenseI64ArrayAttr(op.attributes[name])) for name in ("start_indices", "limit_indices"))
    return {
        "start_indices": ir.DenseI64ArrayAttr.get(list(map(min, starts, (size - 1 for size in sizes)))),
        "limit_indices": ir.DenseI64ArrayAttr.get(list(map(min, limits, sizes))),
    }

"""CHLO programs are evaluated by way of StableHLO, into which the official pass expresses their ops.

The compiled `chlo-legalize-to-stablehlo` of StableHLO 1.17 crashes on scans of complex numbers and takes no notice of
`is_reverse`. So scans are expressed here, before that pass sees them: by a loop where all shapes are static, as later
versions of it do; otherwise what is left to it is a forward scan.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..bindings import ir, passmanager
from ..bindings.attributes import int_of, is_set
from ..bindings.build import add_block, create, create_value, detached_copy
from ..bindings.elements import dtype_of, from_numpy
from ..bindings.handover import tried_in_child
from ..bindings.walk import body_of, children, insertion_point_after, operations, replace_operands
from ..errors import InterpreterError
from ..isolation.limits import Limits

_PIPELINE = "builtin.module(func.func(chlo-legalize-to-stablehlo))"


def lower_chlo(module: ir.Operation) -> ir.Operation:
    """Return a copy of the module with CHLO ops expressed in StableHLO.

    Raises `InterpreterError` where the pass fails or crashes: it is tried in a child process first.
    """
    copy = detached_copy(module)
    expand_scans(copy)
    outcome = tried_in_child(_lower, copy, Limits(60.0))
    if outcome.crash:
        raise InterpreterError(f"a CHLO op cannot be expressed in StableHLO: the pass crashed: {outcome.crash}")
    try:
        _lower(copy)
    except ir.MLIRError as error:
        raise InterpreterError(f"a CHLO op cannot be expressed in StableHLO: {error}") from error
    return copy


def _lower(module: ir.Operation) -> None:
    passmanager.PassManager.parse(_PIPELINE, context=module.context).run(module)


def expand_scans(root: ir.Operation) -> None:
    """Replace every `chlo.scan` within `root` that has static shapes by a loop, and turn the others forward."""
    for scan in operations(root, inner_first=True):
        if scan.name != "chlo.scan":
            continue
        types = [value.type for value in (*scan.operands, *scan.results)]
        with scan.context, scan.location:
            if all(isinstance(type_, ir.RankedTensorType) and type_.has_static_shape for type_ in types):
                _Loop(scan).replace()
            elif is_set(scan, "is_reverse"):
                _turn_around(scan)


def _segments(scan: ir.Operation, name: str) -> tuple[int, int]:
    first, second = ir.DenseI32ArrayAttr(scan.attributes[name])
    return first, second


def _i64() -> ir.Type:
    return ir.RankedTensorType.get([], ir.IntegerType.get_signless(64))


def _create(
    name: str,
    operands: Sequence[ir.Value],
    result: ir.Type | None = None,
    **attributes: ir.Attribute,
) -> ir.Value:
    """Return the result of a new StableHLO op at the insertion point; without `result` its type is inferred."""
    return create_value(f"stablehlo.{name}", operands, result, attributes)


def _constant(number: int, type_: ir.Type) -> ir.Value:
    array = np.array(number).astype(dtype_of(ir.RankedTensorType(type_).element_type))
    return _create("constant", [], type_, value=from_numpy(array, type_))


def _with_size(type_: ir.Type, dimension: int, size: int | None) -> ir.RankedTensorType:
    """Return a tensor type with another size of a dimension, or without the dimension."""
    tensor = ir.RankedTensorType(type_)
    shape = list(tensor.shape)
    shape[dimension : dimension + 1] = [] if size is None else [size]
    return ir.RankedTensorType.get(shape, tensor.element_type)


class _Loop:
    """A scan's parts, and the loop that replaces it: its state is a counter, the carries and the outputs."""

    def __init__(self, scan: ir.Operation) -> None:
        self.scan = scan
        inputs, carries = _segments(scan, "operandSegmentSizes")
        operands = list(scan.operands)
        self.inputs, self.init_values = operands[:inputs], operands[inputs : inputs + carries]
        self.output_types = [result.type for result in list(scan.results)[: len(scan.results) - carries]]
        self.dimension = int_of(scan.attributes["dimension"])

    def replace(self) -> None:
        """Put the loop in front of the scan, give its results to the scan's users and erase the scan."""
        types = [*[value.type for value in self.inputs], *self.output_types]
        if any(ir.RankedTensorType(type_).shape[self.dimension] == 0 for type_ in types):  # no slice can be taken
            with ir.InsertionPoint(self.scan):
                self._replace_by([*map(self._zeros, self.output_types), *self.init_values])
            return
        with ir.InsertionPoint(self.scan):
            size = self._size()
            state = [_constant(0, _i64()), *self.init_values, *map(self._zeros, self.output_types)]
            types = [value.type for value in state]
            loop = create("stablehlo.while", state, types, regions=2)
            self._condition(loop.regions[0], types, size)
            self._body(loop.regions[1], types, size)
        carries = len(self.init_values)
        values = list(loop.results)
        self._replace_by(values[1 + carries :] + values[1 : 1 + carries])

    def _replace_by(self, values: Sequence[ir.Value]) -> None:
        for result, value in zip(self.scan.results, values, strict=True):
            result.replace_all_uses_with(value)
        self.scan.erase()

    def _size(self) -> ir.Value:
        if self.inputs:
            dimension = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), self.dimension)
            size = _create("get_dimension_size", [self.inputs[0]], dimension=dimension)
        else:
            i32 = ir.RankedTensorType.get([], ir.IntegerType.get_signless(32))
            size = _constant(ir.RankedTensorType(self.output_types[0]).shape[self.dimension], i32)
        return _create("convert", [size], _i64())

    @staticmethod
    def _zeros(type_: ir.Type) -> ir.Value:
        scalar_type = ir.RankedTensorType.get([], ir.RankedTensorType(type_).element_type)
        no_dimensions = ir.DenseI64ArrayAttr.get([])
        return _create("broadcast_in_dim", [_constant(0, scalar_type)], type_, broadcast_dimensions=no_dimensions)

    @staticmethod
    def _condition(region: ir.Region, types: list[ir.Type], size: ir.Value) -> None:
        block = add_block(region, types)
        with ir.InsertionPoint(block):
            direction = ir.Attribute.parse("#stablehlo<comparison_direction LT>")
            runs = _create("compare", [block.arguments[0], size], comparison_direction=direction)
            create("stablehlo.return", [runs], ())

    def _body(self, region: ir.Region, types: list[ir.Type], size: ir.Value) -> None:
        block = add_block(region, types)
        counter, *state = block.arguments
        carries, outputs = state[: len(self.init_values)], state[len(self.init_values) :]
        with ir.InsertionPoint(block):
            index: ir.Value = counter
            if is_set(self.scan, "is_reverse"):
                last = _create("subtract", [size, _constant(1, _i64())])
                index = _create("subtract", [last, counter])
            elements = [self._slice(value, index) for value in self.inputs]
            returned = self._copy_body([*elements, *carries], block)
            updated: list[ir.Value] = []
            for output, element in zip(outputs, returned[: len(outputs)], strict=True):
                piece = _create("reshape", [element], _with_size(output.type, self.dimension, 1))
                starts = self._starts(output, index)
                updated.append(_create("dynamic_update_slice", [output, piece, *starts], output.type))
            following = _create("add", [counter, _constant(1, _i64())])
            new_state = [following, *returned[len(outputs) :], *updated]
            create("stablehlo.return", new_state, ())

    def _starts(self, value: ir.Value, index: ir.Value) -> list[ir.Value]:
        """Return the start of the slice at `index` along the dimension."""
        starts: list[ir.Value] = [_constant(0, _i64())] * ir.RankedTensorType(value.type).rank
        starts[self.dimension] = index
        return starts

    def _slice(self, value: ir.Value, index: ir.Value) -> ir.Value:
        slice_type = _with_size(value.type, self.dimension, 1)
        sizes = ir.DenseI64ArrayAttr.get(list(slice_type.shape))
        piece = _create("dynamic_slice", [value, *self._starts(value, index)], slice_type, slice_sizes=sizes)
        return _create("reshape", [piece], _with_size(value.type, self.dimension, None))

    def _copy_body(self, arguments: list[ir.Value], target: ir.Block) -> list[ir.Value]:
        """Copy the scan's body, which captures nothing, into a block; return its results."""
        values: dict[ir.Value, ir.Value] = dict(zip(body_of(self.scan).arguments, arguments, strict=True))
        for op in children(self.scan):
            if op.name == "stablehlo.return":
                return [values[operand] for operand in op.operands]
            copy = op.clone(ip=ir.InsertionPoint(target))
            replace_operands(copy, values)
            values.update(zip(op.results, copy.results, strict=True))
        return []


def _turn_around(scan: ir.Operation) -> None:
    """Make a reverse scan a forward one over reversed inputs, whose outputs are reversed."""
    dimensions = ir.DenseI64ArrayAttr.get([int_of(scan.attributes["dimension"])])
    scan.attributes["is_reverse"] = ir.BoolAttr.get(False)
    for index in range(_segments(scan, "operandSegmentSizes")[0]):
        operand = scan.operands[index]
        with ir.InsertionPoint(scan):
            scan.operands[index] = _create("reverse", [operand], operand.type, dimensions=dimensions)
    for index in range(_segments(scan, "resultSegmentSizes")[0]):
        result = scan.results[index]
        with insertion_point_after(scan):
            reverse = _create("reverse", [result], result.type, dimensions=dimensions)
        result.replace_all_uses_except(reverse, [ir.OpResult(reverse).owner.operation])

"""The common shape of operands that are broadcast as numpy does it, bounds included."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import body_of, functions
from stablehlo_py.passes.hlo_test.broadcast import BroadcastError, broadcast, common_shape

MODULES: list[ir.Module] = []
"""Modules of the values, which do not keep them."""


def operands(*types: str) -> list[ir.Value]:
    """Values of these types."""
    parameters = ", ".join(f"%a{number}: {type_}" for number, type_ in enumerate(types))
    module = parsed(f"func.func @main({parameters}) {{ return }}")
    MODULES.append(module)
    return list(body_of(functions(module.operation)["main"]).arguments)


def tensor(shape: tuple[int, ...]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


def test_shapes_are_those_of_numpy() -> None:
    shapes: list[tuple[int, ...]] = [(), (1,), (3,), (2, 1), (2, 3), (1, 1, 3), (4, 2, 1), (0,), (2,)]
    values = dict(zip(shapes, operands(*map(tensor, shapes)), strict=True))
    for count in (1, 2, 3):
        for chosen in itertools.product(shapes, repeat=count):
            try:
                expected = np.broadcast_shapes(*chosen)
            except ValueError:
                with pytest.raises(BroadcastError, match="incompatible shapes for broadcasting"):
                    common_shape([values[shape] for shape in chosen])
                continue
            assert tuple(one.size for one in common_shape([values[shape] for shape in chosen])) == expected, chosen


BOUNDED = "tensor<?x3xf32, #stablehlo.bounds<5, ?>>"


def test_a_bound_is_kept_with_the_value_that_has_the_size() -> None:
    for types, bounded, dimension in (
        ((BOUNDED, "tensor<3xf32>"), 0, 0), (("tensor<1x3xf32>", BOUNDED), 1, 0), (("tensor<f32>", BOUNDED), 1, 0),
        ((BOUNDED, BOUNDED), 0, 0),
    ):  # fmt: skip
        values = operands(*types)
        first, second = common_shape(values)
        assert (first.size, first.dimension, second.size, second.bounded_by) == (5, dimension, 3, None)
        assert first.bounded_by == values[bounded], types


def test_what_has_no_common_shape_is_told_with_its_operand() -> None:
    for types, message, culprit in (
        (("tensor<5x3xf32>", BOUNDED), "cannot mix bounded and static dimensions in broadcast", 1),
        ((BOUNDED, "tensor<5x3xf32>"), "cannot mix bounded and static dimensions in broadcast", 1),
        (("tensor<2xf32>", "tensor<3xf32>"), "incompatible shapes for broadcasting 2 and 3", 1),
        (("tensor<2xf32>", "tensor<2xf32>", "tensor<4xf32>"), "incompatible shapes for broadcasting 2 and 4", 2),
        (("tensor<2xf32>", "tensor<*xf32>"), "expected ranked tensor type for broadcast inputs", 1),
    ):
        values = operands(*types)
        with pytest.raises(BroadcastError) as raised:
            common_shape(values)
        assert (str(raised.value), raised.value.culprit) == (message, values[culprit])
    with pytest.raises(BroadcastError, match="requires at least one operand to broadcast"):
        common_shape([])


def test_an_operand_of_the_common_shape_is_itself() -> None:
    values = operands("tensor<2x3xf32>", "tensor<3xf32>")
    shape, block = common_shape(values), ir.BlockArgument(values[0]).owner
    with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown(values[0].context):
        assert broadcast(values[0], shape) == values[0]
        made = broadcast(values[1], shape)
    assert str(made.type) == "tensor<2x3xf32>"
    assert "broadcast_dimensions = array<i64: 1>" in str(made.owner.get_asm(print_generic_op_form=True))


def test_a_static_operand_is_filled_up_to_a_bound_and_gets_its_size() -> None:
    many = "tensor<2x?x?xf32, #stablehlo.bounds<?, 5, 7>>"
    for types, broadcasts, steps in (
        (("tensor<1x1xf32>", many), ("tensor<2x5x7xf32>", "[1, 2]"), [(1, 1, 1), (1, 2, 2)]),
        (("tensor<f32>", many), ("tensor<2x5x7xf32>", "[]"), [(1, 1, 1), (1, 2, 2)]),
        (("tensor<1x?x1xf32, #stablehlo.bounds<?, 5, ?>>", many),
         ("tensor<2x?x7xf32, #stablehlo.bounds<?, 5, ?>>", "[0, 1, 2]"), [(1, 2, 2)]),
        (("tensor<3x1xf32>", "tensor<?xf32, #stablehlo.bounds<4>>"), ("tensor<3x4xf32>", "[0, 1]"), [(1, 0, 1)]),
    ):  # fmt: skip
        values = operands(*types)
        shape, block = common_shape(values), ir.BlockArgument(values[0]).owner
        with ir.InsertionPoint.at_block_terminator(block), ir.Location.unknown(values[0].context):
            found = broadcast(values[0], shape)
        first, *others = [op.operation for op in block.operations][:-1]
        assert (first.name, str(first.results[0].type)) == ("stablehlo.broadcast_in_dim", broadcasts[0])
        assert str(first.attributes["broadcast_dimensions"]).partition("i64")[2].strip(": >") == broadcasts[1].strip(
            "[]"
        )
        value, numbers = first.results[0], list[tuple[int, int, int]]()
        for asks, sets in zip(others[::2], others[1::2], strict=True):
            assert [asks.name, sets.name] == ["stablehlo.get_dimension_size", "stablehlo.set_dimension_size"]
            assert list(sets.operands) == [value, asks.results[0]]
            (source,) = [number for number, one in enumerate(values) if one == asks.operands[0]]
            dimensions = [ir.IntegerAttr(each.attributes["dimension"]).value for each in (asks, sets)]
            numbers.append((source, *dimensions))
            value = sets.results[0]
        assert (numbers, found) == (steps, value), types

"""Dynamic ops become static ones, by one pattern alone: what has to be known for that, and what is not enough."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from one_pattern import applied

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations

UNKNOWN = "tensor<?x?xf32>"


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(), ir.Location.unknown():
        yield


def left(pattern: str, lines: list[str], result: str) -> list[str] | None:
    """The ops that compute `%r` after one pattern alone, constants left out; None if it does not fire."""
    text = (
        "func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %s: tensor<4x5xf32>, %v: tensor<2xi32>, "
        "%w: tensor<2xi32>, %n: tensor<i32>, %l: tensor<2xi64>, %k: tensor<2xindex>) -> "
        f"{result} {{\n" + "\n".join(lines) + f"\nreturn %r : {result}\n}}"
    )
    module, fires = applied(text, pattern)
    names = [op.name.removeprefix("stablehlo.") for op in operations(module.operation)[2:-1]]
    return [name for name in names if name != "constant"] if fires else None


def ints(name: str, numbers: str, type_: str = "tensor<2xi32>") -> str:
    return f"%{name} = stablehlo.constant dense<{numbers}> : {type_}"


STATIC = "tensor<4x5xf32>"
SIZE = "%r = stablehlo.set_dimension_size %s, {}, dim = {} : (tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>"
SLICE = (
    "%r = stablehlo.real_dynamic_slice %s, %v, %m, %c : "
    "(tensor<4x5xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>"
)
SUM = "%m = stablehlo.add {}, {} : tensor<2xi32>"
TAKEN = ["slice", "reshape", "slice", "reshape", "dynamic_slice", "convert"]
IOTA = "%r = stablehlo.dynamic_iota {}, dim = {} : ({}) -> tensor<?x?xf32>"
SPREAD = "%r = stablehlo.dynamic_broadcast_in_dim {}, %v, dims = [{}] {{{}}} : ({}, tensor<2xi32>) -> tensor<?x?xf32>"
DIMENSIONS = "known_nonexpanding_dimensions = array<i64: {}>"
RESHAPE = "%{} = stablehlo.dynamic_reshape %{}, %{} : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>"
OWN_SHAPE = "%h = shape.shape_of {} : tensor<?x?xf32> -> tensor<2xindex>"
TO_SHAPE = "%r = stablehlo.dynamic_broadcast_in_dim %x, %h, dims = [{}] : (tensor<?x?xf32>, tensor<2xindex>) -> {}"
CASES: list[tuple[str, list[str], str, list[str] | None]] = [
    ("set_dimension_size_to_itself", [ints("c", "4", "tensor<i32>"), SIZE.format("%c", 0)], STATIC, []),
    ("set_dimension_size_to_itself", [ints("c", "5", "tensor<i32>"), SIZE.format("%c", 1)], STATIC, []),
    ("set_dimension_size_to_itself", [ints("c", "4", "tensor<i32>"), SIZE.format("%c", 1)], STATIC, None),
    ("set_dimension_size_to_itself", [ints("c", "3", "tensor<i32>"), SIZE.format("%c", 0)], STATIC, None),
    ("set_dimension_size_to_itself", [SIZE.format("%n", 0)], STATIC, None),
    *[
        ("real_dynamic_slice_is_dynamic_slice",
         [ints("c", steps), ints("d", "[2, 3]"), SUM.format(*terms), SLICE], UNKNOWN, found)
        for steps, terms, found in (
            ("1", ("%v", "%d"), TAKEN),
            ("1", ("%d", "%v"), TAKEN),
            ("2", ("%v", "%d"), None),
            ("[1, 2]", ("%v", "%d"), None),
            ("[2, 1]", ("%v", "%d"), None),
            ("1", ("%w", "%d"), None),
            ("1", ("%v", "%w"), None),
            ("1", ("%v", "%v"), None),
        )
    ],
    *[
        ("dynamic_iota_is_broadcast", [IOTA.format(name, dim, type_)], UNKNOWN,
         [*conversion, "slice", "dynamic_iota", "dynamic_broadcast_in_dim"])
        for dim in (0, 1)
        for name, type_, conversion in (
            ("%v", "tensor<2xi32>", ["convert"]),
            ("%l", "tensor<2xi64>", []),
            ("%k", "tensor<2xindex>", ["arith.index_cast"]),
        )
    ],
    *[
        ("dynamic_broadcast_expands_nothing", [SPREAD.format("%x", dims, attributes, UNKNOWN)], UNKNOWN, found)
        for dims, attributes, found in (
            ("0, 1", DIMENSIONS.format("0, 1"), ["convert"]),
            ("0, 1", DIMENSIONS.format("0"), None),
            ("0, 1", DIMENSIONS.format("1"), None),
            ("0, 1", "", None),
            ("0, 1", "known_expanding_dimensions = array<i64: 0, 1>", None),
            ("1, 0", DIMENSIONS.format("0, 1"), None),
        )
    ],
    *[
        ("dynamic_broadcast_to_reshaped_shape",
         [RESHAPE.format("m", "x", shape), SPREAD.format("%m", dims, "", "tensor<?x?xf32>")], UNKNOWN, found)
        for shape, dims, found in (
            ("v", "0, 1", ["dynamic_reshape"]), ("w", "0, 1", None), ("v", "1, 0", None),
        )
    ],
    *[
        ("dynamic_broadcast_to_own_shape", [OWN_SHAPE.format(of), TO_SHAPE.format(dims, UNKNOWN)], UNKNOWN, found)
        for of, dims, found in (("%x", "0, 1", []), ("%y", "0, 1", None), ("%x", "1, 0", None))
    ],
    *[
        ("dynamic_reshape_to_shape_kept",
         [RESHAPE.format("a", "x", inner), f"%b = stablehlo.{op} : tensor<?x?xf32>",
          RESHAPE.format("r", "b", "v")], UNKNOWN, found)
        for inner, op, found in (
            ("v", "abs %a", ["dynamic_reshape", "abs"]), ("w", "abs %a", None),
            ("v", "reverse %a, dims = [0]", ["dynamic_reshape", "reverse"]),
            ("v", "add %a, %y", ["dynamic_reshape", "add"]),
            ("v", "add %y, %a", None),
        )
    ],
    ("dynamic_reshape_of_dynamic_reshape", [RESHAPE.format("a", "x", "w"), RESHAPE.format("r", "a", "v")], UNKNOWN,
     ["dynamic_reshape"]),
    *[
        ("dynamic_reshape_to_constant_shape",
         [ints("c", sizes), "%r = stablehlo.dynamic_reshape %s, %c : (tensor<4x5xf32>, tensor<2xi32>) -> " + type_],
         type_, found)
        for sizes, type_, found in (
            ("[2, 10]", UNKNOWN, ["reshape", "convert"]),
            ("[2, 10]", "tensor<2x?xf32>", ["reshape", "convert"]),
        )
    ],
    *[
        ("known_dimension_size",
         [f"%r = stablehlo.get_dimension_size %{of}, dim = {dim} : ({type_}) -> tensor<i32>"], "tensor<i32>", found)
        for of, type_ in (("s", STATIC), ("x", UNKNOWN))
        for dim in (0, 1)
        for found in ([] if of == "s" else None,)
    ],
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "lines", "result", "found"), CASES)
def test_a_dynamic_op_is_simpler_where_enough_is_known(
    pattern: str, lines: list[str], result: str, found: list[str] | None
) -> None:
    assert left(pattern, lines, result) == found, "\n".join(lines)


@pytest.mark.parametrize(
    ("padding", "found"),
    [
        ([ints("p", "[[1, 0], [0, 2]]", "tensor<2x2xi32>")], ["convolution"]),
        (
            [
                "%pair = stablehlo.concatenate %v, %w, dim = 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>",
                "%p = stablehlo.reshape %pair : (tensor<4xi32>) -> tensor<2x2xi32>",
            ],
            None,
        ),
    ],
)
def test_a_dynamic_convolution_is_static_where_its_padding_is_known(
    padding: list[str], found: list[str] | None
) -> None:
    convolution = """%r = "stablehlo.dynamic_conv"(%i, %i, %p) {
      dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
      feature_group_count = 1 : i64, batch_group_count = 1 : i64
    } : (tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<2x2xi32>) -> tensor<1x?x?x1xf32>"""
    lines = ["%i = stablehlo.constant dense<1.0> : tensor<1x2x1x1xf32>", *padding, convolution]
    assert left("dynamic_conv_is_static", lines, "tensor<1x?x?x1xf32>") == found


def test_the_position_of_a_slice_is_taken_apart_in_order() -> None:
    lines = [ints("c", "1"), ints("d", "[2, 3]"), SUM.format("%v", "%d"), SLICE, f"return %r : {UNKNOWN}"]
    parameters = "%s: tensor<4x5xf32>, %v: tensor<2xi32>"
    text = f"func.func @main({parameters}) -> {UNKNOWN} {{\n" + "\n".join(lines) + "\n}"
    module, _ = applied(text, "real_dynamic_slice_is_dynamic_slice")
    taken = next(op for op in operations(module.operation) if op.name == "stablehlo.dynamic_slice")
    starts = [operand.owner.operands[0].owner.attributes["start_indices"][0] for operand in list(taken.operands)[1:]]
    assert starts == [0, 1]
    assert list(taken.attributes["slice_sizes"]) == [2, 3]
    assert str(taken.results[0].type) == "tensor<2x3xf32>"

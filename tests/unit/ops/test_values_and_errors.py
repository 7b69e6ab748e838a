"""Indices, operators and products of values, held against numpy's; and what wrong arguments of ops are told."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py import ops
from stablehlo_py.bindings import ir
from stablehlo_py.errors import ArgumentError, StablehloError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.ops.builder import require

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def ran(function: Callable[..., Any], *arguments: np.ndarray, dynamic: bool = False) -> list[np.ndarray]:
    """The results of a function of a module on these arrays, whose first dimensions may be dynamic."""
    names = [f"a{index}" for index in range(len(arguments))]
    types = {}
    for name, array in zip(names, arguments, strict=True):
        shape = ["?", *array.shape[1:]] if dynamic and array.ndim else array.shape
        element = {"f": "f32", "d": "f64", "i": "i32", "?": "i1"}[array.dtype.char]
        types[name] = "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"
    with ops.module() as made:

        def main(*values: Any) -> Any:
            return function(*values)

        main.__signature__ = inspect.Signature(
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        )
        ops.function(**types)(main)
    return stablehlo_py.interpret(made, arguments)


INDICES: list[Any] = [
    *(0, -1, 1, ..., None, True, False),
    *(slice(None), slice(1), slice(1, 2), slice(0, 2, 2), slice(5), slice(1, 1), slice(-1, None), slice(2, 1)),
    *((0, 1), (0, 1, 2), (-1, -1, -1), (..., 0), (0, ...), (..., 1, 2), (..., None), (None, ...), (slice(None), 1)),
    *((slice(None), None, 1), (0, slice(1, 3), slice(None, None, 2)), (..., slice(1, 3)), (slice(-2, None), ..., -2)),
    *((None, 0, None, 1), (slice(None), slice(0, 3, 2), slice(1, 4, 2)), np.int64(1), np.array(1), (), (True, ...)),
    *((slice(None), True), (..., False), (slice(1), None, True)),
]


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_indices_are_those_of_numpy(index: Any) -> None:
    (found,) = ran(lambda x: x[index], X)
    np.testing.assert_array_equal(found, X[index], strict=True)


@pytest.mark.parametrize(
    "index",
    [
        slice(None),
        slice(1, None),
        slice(1, None, 2),
        slice(0, 2),
        *(slice(1), slice(0), slice(0, 0), slice(1, 1), slice(2, 2), slice(2, None), slice(0, 2, 2)),
        (..., 1),
        (slice(1, None), ..., slice(0, 4, 2)),
    ],
    ids=repr,
)
def test_indices_of_dynamic_sizes_are_those_of_numpy(index: Any) -> None:
    is_dropping = isinstance(index, tuple) and any(isinstance(each, int) for each in index)
    if is_dropping:
        with pytest.raises(ArgumentError, match="an index that adds or drops dimensions needs static sizes"):
            ran(lambda x: x[index], X, dynamic=True)
        return
    (found,) = ran(lambda x: x[index], X, dynamic=True)
    np.testing.assert_array_equal(found, X[index], strict=True)


SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (2, 3)),
    ((2, 1), (1, 3)),
    ((), (2, 3)),
    ((2, 3), (1,)),
    ((4, 1, 3), (2, 1)),
]
OPERATORS = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "pow", "lt", "le", "gt", "ge", "eq", "ne")
}


@pytest.mark.parametrize(("left", "right"), SHAPES)
def test_operators_broadcast_as_those_of_numpy(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    random = np.random.default_rng(0)
    a, b = [random.integers(1, 4, shape).astype(np.float32) for shape in (left, right)]
    found = ran(lambda x, y: [function(x, y) for function in OPERATORS.values()], a, b)
    for (name, function), result in zip(OPERATORS.items(), found, strict=True):
        expected = function(a, b)
        np.testing.assert_allclose(result, expected, rtol=1e-6, err_msg=name)
        assert result.shape == expected.shape, f"{name} has shape {result.shape}, expected {expected.shape}"


@pytest.mark.parametrize(("left", "right"), [((3,), (3,)), ((2, 3), (2, 3)), ((2, 1), (2, 3)), ((2, 3, 1), (2, 1, 4))])
def test_operators_broadcast_beside_dynamic_sizes(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    a, b = [np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in (left, right)]
    found = ran(lambda x, y: [x - y, y - x, x < y], a, b, dynamic=True)
    for result, expected in zip(found, (a - b, b - a, a < b), strict=True):
        np.testing.assert_array_equal(result, expected, strict=True)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow", "lt", "ge"])
def test_numbers_and_arrays_stand_on_either_side(name: str) -> None:
    x, row = np.array([[1, 2, 4], [3, 5, 2]], np.float32), np.array([2, 3, 1], np.float32)
    function = OPERATORS[name]
    found = ran(lambda v: [function(v, 2.0), function(2.0, v), function(v, row), function(row, v)], x)
    for result, expected in zip(
        found, (function(x, 2), function(2, x), function(x, row), function(row, x)), strict=True
    ):
        np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_operators_of_integers_and_truth_values() -> None:
    a, b = np.array([6, 3, 5], np.int32), np.array([3, 5, 1], np.int32)
    found = ran(lambda x, y: [x & y, x | y, x ^ y, x & 4, 4 | x, 1 ^ x, ~x, -x, abs(-x)], a, b)
    for result, expected in zip(found, (a & b, a | b, a ^ b, a & 4, 4 | a, 1 ^ a, ~a, -a, a), strict=True):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        *[((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((5, 2, 3), (3,))],
        *[
            ((5, 2, 3), (5, 3, 4)),
            ((1, 2, 3), (5, 3, 4)),
            ((2, 3), (5, 3, 4)),
            ((6, 1, 2, 3), (5, 3, 4)),
            ((3,), (5, 3, 4)),
        ],
        *[((5, 1, 3), (5, 3, 4)), ((5, 2, 1), (5, 1, 4)), ((1, 1, 3), (5, 3, 1)), ((1, 2, 1), (5, 1, 1))],
        *[
            ((5, 2, 3), (1, 3, 1)),
            ((1, 3), (5, 3, 4)),
            ((2, 1), (5, 1, 4)),
            ((4, 1, 1, 3), (2, 3, 1)),
            ((1,), (5, 1, 1)),
        ],
    ],
)
def test_products_are_those_of_numpy(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    random = np.random.default_rng(0)
    a, b = [random.integers(-3, 4, shape).astype(np.float32) for shape in (left, right)]
    found, constant, turned = ran(lambda x, y: [x @ y, x @ b, a @ y], a, b)
    for result in (found, constant, turned):
        np.testing.assert_array_equal(result, a @ b, strict=True)


def built(function: Callable[[Any], Any], type_: str = "tensor<2x3xf32>") -> None:
    with ops.module():
        ops.function(x=type_)(lambda x: function(x))


F = np.ones((2, 3), np.float32)


def of_groups(shape: str) -> Any:
    groups = ir.Attribute.parse(f"dense<> : tensor<{shape}xi64>", require().context)
    return ops.all_to_all([F], split_dimension=0, concat_dimension=0, split_count=2, replica_groups=groups)


WRONG: list[tuple[str, Callable[[Any], Any], str, str]] = [
    ("an index past the end", lambda x: x[2], "", "index 2 is out of bounds for a dimension of size 2"),
    ("an index before the start", lambda x: x[-3], "", "index -3 is out of bounds for a dimension of size 2"),
    ("too many indices", lambda x: x[0, 0, 0], "", r"\[0, 0, 0\] is no index of tensor<2x3xf32>"),
    ("two ellipses", lambda x: x[..., ...], "", "is no index of tensor<2x3xf32>"),
    ("a float as index", lambda x: x[1.5], "", "1.5 is no index: use integers and slices"),
    ("an array as index", lambda x: x[np.arange(2)], "", "is no index: use integers and slices"),
    ("a float in a slice", lambda x: x[0.5:], "", r"slice\(0.5, None, None\) is no index"),
    ("a step of zero", lambda x: x[::0], "", "slice step cannot be zero"),
    ("a negative step", lambda x: x[::-1], "", "a negative step: use ops.reverse"),
    ("booleans beside integers", lambda x: x[True, 0, 1], "", "a boolean stands beside slices only"),
    (
        "a boolean before an integer",
        lambda x: x[True, 0],
        "",
        r"\[True, 0\] is no index: a boolean stands beside slices",
    ),
    ("a boolean behind an integer", lambda x: x[0, False], "", "a boolean stands beside slices only"),
    ("two booleans", lambda x: x[True, True], "", "a boolean stands beside slices only"),
    ("an index of an unknown end", lambda x: x[-1:], "tensor<?x3xf32>", "from the end of a dynamic dimension"),
    ("an end of an unknown end", lambda x: x[:-1], "tensor<?x3xf32>", "from the end of a dynamic dimension"),
    (
        "a product with a number",
        lambda x: x @ ops.constant(1.0, result_type="tensor<f32>"),
        "",
        "both need a dimension, and the same element type",
    ),
    ("a product of two types", lambda x: x @ np.ones((3, 2)), "", "tensor<2x3xf32> @ tensor<3x2xf64>"),
    ("a truth value", bool, "", "a value is known when the program runs: use ops.if_"),
    ("a token in arithmetic", lambda x: ops.create_token() + x, "", "!stablehlo.token"),
    ("too many arguments", lambda x: ops.abs(x, x, x, x, x), "", r"takes \d arguments?, not 5"),
    ("an argument twice", lambda x: ops.abs(x, operand=x), "", "has two values for one of"),
    ("an unknown parameter", lambda x: ops.abs(x, other=1), "", "has no parameter 'other'"),
    ("an argument that is left out", lambda x: ops.reverse(x), "", "needs a value for 'dimensions'"),
    (
        "a dimension that is no number",
        lambda x: ops.reverse(x, dimensions=["a"]),
        "",
        "dimensions=.'a'. is not of type",
    ),
    (
        "a list in place of a number",
        lambda x: ops.iota(iota_dimension=[0], result_type="tensor<2xf32>"),
        "",
        "it is a list",
    ),
    ("a number in place of a list", lambda x: ops.reverse(x, dimensions=0), "", "it is no list of numbers"),
    ("lists of two lengths", lambda x: ops.constant([[1, 2], [3]]), "", "lists of different lengths are no array"),
    ("an unknown type", lambda x: ops.convert(x, result_type="tensor<2x3xf33>"), "", "f33"),
    (
        "a negative size",
        lambda x: ops.reshape(x, result_type=[-6]),
        "",
        r"\[-6\] is no shape: a size is negative or too large",
    ),
    ("a size too large", lambda x: ops.reshape(x, result_type=[1 << 63]), "", "a size is negative or too large"),
    (
        "a constant of a dynamic type",
        lambda x: ops.constant(1.0, result_type="tensor<?xf32>"),
        "",
        "a constant has a tensor type with static sizes, found tensor",
    ),
    ("a body that is no function", lambda x: ops.reduce([x], [0.0], dimensions=[0], body=1), "", "body is no function"),
    (
        "fewer initial values",
        lambda x: ops.reduce([x, x], [0.0], dimensions=[0], body=ops.add),
        "",
        "needs as many init_values as inputs",
    ),
    (
        "a permutation of other rank",
        lambda x: ops.transpose(x, permutation=[0]),
        "",
        "permutation has other dimensions than operand",
    ),
    ("a negative permutation", lambda x: ops.transpose(x, permutation=[-1, 0]), "", "a dimension is negative"),
    (
        "a random shape that is none",
        lambda x: ops.rng(0.0, 1.0, 3, rng_distribution="UNIFORM"),
        "",
        "a and b have to be scalars, and shape a list",
    ),
    ("nothing to put together", lambda x: ops.concatenate([], dimension=0), "", "inputs is empty"),
    ("no groups", lambda x: of_groups("0x0"), "", "replica_groups is empty"),
    ("no groups of two", lambda x: of_groups("0x2"), "", "replica_groups is empty"),
    ("groups of nobody", lambda x: of_groups("1x0"), "", "group size of replica_groups must be 2"),
    (
        "a number of pairs",
        lambda x: ops.reduce_window(x, 0.0, window_dimensions=[1, 1], padding=5, body=ops.add),
        "",
        "padding=5 is not of type elements of i64: it is no list of numbers",
    ),
    ("a number of groups", lambda x: ops.reduce_scatter(x, 0, 5, ops.add), "", "it is no list of numbers"),
    (
        "scalars beside features",
        lambda x: ops.batch_norm_training(x, 1.0, 0.0, epsilon=0.1, feature_index=0),
        "",
        "scale has no dimension",
    ),
    (
        "scalars of features",
        lambda x: ops.batch_norm_inference(x, *[1.0] * 4, epsilon=0.1, feature_index=0),
        "",
        "scale has no dimension",
    ),
    (
        "gradients of scalars",
        lambda x: ops.batch_norm_grad(x, *[1.0] * 3, x, epsilon=0.1, feature_index=0),
        "",
        "scale has no dimension",
    ),
    ("an object", lambda x: ops.add(x, object()), "", "a object is no array and no other value of StableHLO"),
]


@pytest.mark.parametrize(
    ("function", "type_", "message"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG]
)
def test_wrong_arguments_are_told_at_the_line_of_the_call(
    function: Callable[[Any], Any], type_: str, message: str
) -> None:
    with pytest.raises((StablehloError, TypeError), match=message) as caught:
        built(function, type_ or "tensor<2x3xf32>")
    if function is not bool and isinstance(caught.value, StablehloError):
        assert "test_values_and_errors.py:" in caught.value.location, f"the error is at {caught.value.location!r}"


V = np.ones(3, np.float32)
# Calls with one dimension, and the dimensions that they take. C++ reads what lies at a negative one.
DIMENSIONS: dict[str, tuple[Callable[[Any, int], Any], int]] = {
    "concatenate": (lambda x, d: ops.concatenate([x, x], dimension=d), 2),
    "all_to_all, split": (
        lambda x, d: ops.all_to_all([x], split_dimension=d, concat_dimension=0, split_count=1, replica_groups=[[0]]), 2
    ),
    "all_to_all, concat": (
        lambda x, d: ops.all_to_all([x], split_dimension=0, concat_dimension=d, split_count=1, replica_groups=[[0]]), 2
    ),
    "batch_norm_inference": (
        lambda x, d: ops.batch_norm_inference(x, *[V[: 2 + d]] * 4, epsilon=0.1, feature_index=d), 2
    ),
    "batch_norm_training": (
        lambda x, d: ops.batch_norm_training(x, *[V[: 2 + d]] * 2, epsilon=0.1, feature_index=d), 2
    ),
    "batch_norm_grad": (
        lambda x, d: ops.batch_norm_grad(x, *[V[: 2 + d]] * 3, x, epsilon=0.1, feature_index=d), 2
    ),
    "get_tuple_element": (lambda x, d: ops.get_tuple_element((x, x, x), index=d), 3),
    "get_dimension_size": (lambda x, d: ops.get_dimension_size(x, dimension=d), 2),
    "scan": (lambda x, d: ops.chlo.scan([x], [V[0]], dimension=d, body=lambda a, b: (a, b)), 2),
}  # fmt: skip


@pytest.mark.parametrize("name", DIMENSIONS)
def test_dimensions_are_those_that_are_there(name: str) -> None:
    call, count = DIMENSIONS[name]
    if name != "scan":
        for dimension in range(count):
            built(partial(call, d=dimension))
    for dimension in (-(10**9), -2, -1, count, 10**9):
        with pytest.raises(StablehloError) as caught:
            built(partial(call, d=dimension))
        assert "test_values_and_errors.py:" in caught.value.location, (dimension, caught.value)
        assert name == "scan" or dimension >= 0 or caught.value.message.endswith(" is negative"), caught.value


@pytest.mark.parametrize(
    "call",
    [
        lambda x, s: ops.dynamic_reshape(x, s),
        lambda x, s: ops.dynamic_broadcast_in_dim(x, s, broadcast_dimensions=[0, 1]),
        lambda x, s: ops.dynamic_iota(s, iota_dimension=0, result_type="f32"),
    ],
)
def test_a_shape_of_unknown_rank_needs_the_type_of_the_result(call: Callable[[Any, Any], Any]) -> None:
    with ops.module(), pytest.raises(ArgumentError, match="needs result_type: nothing infers") as caught:
        ops.function(x="tensor<2x3xf32>", s="tensor<?xi32>")(call)
    assert "test_values_and_errors.py:" in caught.value.location


@pytest.mark.parametrize("dimension", [2, 5])
def test_what_a_shape_function_refuses_is_an_error_of_its_op(dimension: int) -> None:
    with ops.module(), pytest.raises(ArgumentError) as caught:
        ops.function(x="tensor<2x3xf32>")(
            lambda x: ops.all_gather([x], all_gather_dim=dimension, replica_groups=[[0, 1]])
        )
    assert caught.value.message == f"dimension {dimension} is out of range for rank 2"
    assert caught.value.op == "stablehlo.all_gather"
    assert "test_values_and_errors.py:" in caught.value.location


@pytest.mark.parametrize("index", [1, *(kind(1) for kind in (np.int8, np.int64, np.uint8, np.uint32, np.uint64))])
def test_integers_of_numpy_are_sizes_and_indices(index: Any) -> None:
    assert np.asarray(ops.set_dimension_size(F, index, dimension=1)).shape == (2, 1)
    built(lambda x: ops.set_dimension_size(x, index, dimension=1))


@pytest.mark.parametrize(
    "call", [lambda: ops.abs(1.0, 2.0, 3.0, 4.0, 5.0), lambda: ops.abs(1.0, other=1), lambda: ops.abs()]
)
def test_arguments_that_do_not_fit_are_told_with_the_op(call: Callable[[], Any]) -> None:
    with pytest.raises(ArgumentError) as caught:
        call()
    assert caught.value.op == "stablehlo.abs"


def test_a_value_of_a_region_is_known_there_alone() -> None:
    kept: list[Any] = []

    def body(value: Any) -> Any:
        kept.append(value + 1.0)
        return value

    def outside(x: Any) -> Any:
        ops.while_([x], cond=lambda v: ops.constant(False), body=body)
        return kept[-1] + x

    with pytest.raises(ArgumentError, match="is used outside of the region that it belongs to") as caught:
        built(outside)
    assert caught.value.notes == ("the results of the op with that region are what it returns",)


@pytest.mark.parametrize(
    ("names", "types"), [(["x"], {"x": "tensor<f32>", "y": "tensor<f32>"}), (["x", "y"], {"x": "tensor<f32>"})]
)
def test_a_function_has_a_type_for_each_parameter(names: list[str], types: dict[str, str]) -> None:
    source: Callable[..., Any] = (lambda x: x) if len(names) == 1 else (lambda x, y: x)
    with ops.module(), pytest.raises(ArgumentError) as caught:
        ops.function(**types)(source)
    assert caught.value.message == f"the parameters are {names}, and types are given for {list(types)}"


def test_functions_are_called_with_as_many_values_as_they_take() -> None:
    with ops.module() as made:

        @ops.function(x=ops.f32[2])
        def twice(x: Any) -> Any:
            return x + x

        @ops.function(x=ops.f32[2])
        def main(x: Any) -> Any:
            with pytest.raises(ArgumentError, match="function @twice takes 1 argument, not 2"):
                twice(x, x)
            return twice(twice(x))

    assert repr(twice).startswith("<function @twice: ")
    assert stablehlo_py.interpret(made, [np.float32([1, 2])])[0].tolist() == [4, 8]
    assert twice(np.float32([1, 2])).tolist() == [2, 4]
    assert main(np.float32([1, 2])).tolist() == [4, 8]


def test_parameters_have_their_names_and_the_place_of_their_function() -> None:
    with ops.module() as made:

        @ops.function(second=ops.f32[2], first=ops.f32[3])
        def main(first: Any, second: Any) -> Any:
            return first, second

    assert Program(made).parameter_names("main") == ("first", "second")
    line = inspect.getsourcelines(test_parameters_have_their_names_and_the_place_of_their_function)[1] + 3
    (function,) = made.body.operations
    for argument, name in zip(function.regions[0].blocks[0].arguments, ("first", "second"), strict=True):
        assert str(argument.location).startswith(f'loc("{name}"("{__file__}":{line}:'), argument.location


def test_names_that_are_taken_get_numbers() -> None:
    with ops.module() as made:
        for _ in range(3):

            @ops.function(x=ops.f32[2])
            def again(x: Any) -> Any:
                return x

    names = [op.operation.attributes["sym_name"].value for op in made.body.operations]
    assert names == ["again", "again_1", "again_2"]

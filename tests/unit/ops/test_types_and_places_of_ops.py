"""Types that lists of numbers and bodies get, shapes that are given, and the places of ops, in programs in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py import ops
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import ArgumentError, StablehloError, UsageError, VerificationError

F = np.float32
X = np.arange(6, dtype=F)


def built(function: Callable[..., Any], *types: str) -> ir.Module:
    """A module of a function with parameters of these types."""
    names = [f"a{number}" for number in range(len(types))]
    with ops.module() as made:

        def main(*values: Any) -> Any:
            return function(*values)

        main.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        )
        ops.function(**dict(zip(names, types, strict=True)))(main)
    return made


def found_in(module: ir.Module, name: str) -> ir.Operation:
    return next(op for op in operations(module.operation) if op.name == f"stablehlo.{name}")


LISTS: dict[str, tuple[Callable[[Any], Any], str, list[int]]] = {
    "dynamic_pad": (lambda x: ops.dynamic_pad(x, 0.0, [1], [2], [1]), "i64", [2, 3, 4]),
    "real_dynamic_slice": (
        lambda x: ops.real_dynamic_slice(x, [1], [5], [2], result_type="tensor<2xf32>"), "i64", [1, 2, 3]),
    "dynamic_reshape": (lambda x: ops.dynamic_reshape(x, [2, 3]), "i64", [1]),
    "dynamic_broadcast_in_dim": (
        lambda x: ops.dynamic_broadcast_in_dim(x, [2, 6], broadcast_dimensions=[1]), "i64", [1]),
    "dynamic_slice": (lambda x: ops.dynamic_slice(x, [2], slice_sizes=[3]), "i64", [1]),
    "dynamic_update_slice": (lambda x: ops.dynamic_update_slice(x, [9.0, 8.0], [3]), "i64", [2]),
    "gather": (
        lambda x: ops.gather(x, [[1], [4]], offset_dims=[], collapsed_slice_dims=[0], start_index_map=[0],
                             index_vector_dim=1, slice_sizes=[1]), "i64", [1]),
    "scatter": (
        lambda x: ops.scatter([x], [[1], [4]], [[7.0, 8.0]], inserted_window_dims=[0], update_window_dims=[],
                              scatter_dims_to_operand_dims=[0], index_vector_dim=1, update_computation=ops.add),
        "i64", [1]),
    "set_dimension_size": (lambda x: ops.set_dimension_size(x, 4, dimension=0), "i32", [1]),
    "select": (lambda x: ops.select([True, False] * 3, x, x), "i1", [0]),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_sizes_and_indices_are_no_numbers_of_the_type_beside_them(name: str) -> None:
    function, element, numbers = LISTS[name]
    module = built(function, "tensor<6xf32>")
    op = found_in(module, name)
    types = [ir.RankedTensorType(operand.type).element_type for operand in op.operands]
    assert [str(type_) for type_ in types] == [element if n in numbers else "f32" for n in range(len(types))], name
    (expected,) = stablehlo_py.interpret(module, [X])
    if name != "set_dimension_size":
        np.testing.assert_array_equal(np.asarray(function(X)), expected, strict=True)


@pytest.mark.parametrize(
    ("shape", "result_type", "found"),
    [
        ([2, 3], [None, None], "tensor<2x3xf32>"),
        ([2, 3], [2, None], "tensor<2x3xf32>"),
        ([2, 3], [2, 3], "tensor<2x3xf32>"),
        ([6], [None], "tensor<6xf32>"),
        ([2, 3], [None], "2 sizes are given for rank 1"),
        ([6], [2, 3], "1 sizes are given for rank 2"),
        ([0, 3], [None, None], "tensor<0x3xf32>"),
        ([3, 0], None, "tensor<3x0xf32>"),
        ([0], None, "tensor<0xf32>"),
    ],
)
def test_the_sizes_of_a_reshape_are_those_of_its_constant_shape(
    shape: list[int], result_type: list[int | None] | None, found: str
) -> None:
    def call(x: Any) -> Any:
        return ops.dynamic_reshape(x, ops.constant(np.int32(shape)), result_type=result_type)

    if not found.startswith("tensor"):
        with pytest.raises(ArgumentError, match=found):
            built(call, "tensor<6xf32>")
        return
    module = built(call, "tensor<0xf32>" if 0 in shape else "tensor<6xf32>")
    op = found_in(module, "dynamic_reshape")
    assert str(op.results[0].type) == found


@pytest.mark.parametrize("sizes", [(0, 3), (3, 0), (0,), (0, 1, 2)])
@pytest.mark.parametrize("as_array", [False, True])
def test_sizes_of_zero_are_shapes(sizes: tuple[int, ...], as_array: bool) -> None:
    given: Any = np.array(sizes) if as_array else list(sizes)
    assert ops.reshape(np.zeros((0, 5), F), result_type=given).shape == sizes
    assert ops.constant(0.0, result_type=given).shape == sizes if not as_array else True
    module = built(lambda x: ops.reshape(x, result_type=given), "tensor<0x5xf32>")
    op = found_in(module, "reshape")
    assert tuple(ir.RankedTensorType(op.results[0].type).shape) == sizes


@pytest.mark.parametrize("sizes", [[-1], [2, -3], [1 << 63]])
def test_sizes_below_zero_and_too_large_ones_are_no_shapes(sizes: list[int]) -> None:
    with pytest.raises(ArgumentError, match="a size is negative or too large"):
        ops.reshape(np.zeros(2, F), result_type=sizes)


def test_what_is_no_tuple_has_no_elements_and_what_is_no_type_no_values() -> None:
    for call in (
        lambda: ops.get_tuple_element(X, 0),
        lambda: built(lambda x: ops.get_tuple_element(x, 0), "tensor<6xf32>"),
    ):
        with pytest.raises(ArgumentError) as raised:
            call()
        assert (raised.value.op, raised.value.message) == ("stablehlo.get_tuple_element", "operand is no tuple")
    assert ops.get_tuple_element((X, X[:1]), 1).tolist() == X[:1].tolist()
    for value, name in ((None, "NoneType"), (3, "int"), (np.float32, "type")):
        with pytest.raises(
            UsageError, match=rf"parameter 'type_' takes TensorType \| ElementType \| str, found {name}$"
        ):
            ops.typed(X, value)  # type: ignore[arg-type]


@pytest.mark.parametrize("sizes", [(), (2,), (1, 2), (1, 2, 1), (1, 1, 1, 2)])
@pytest.mark.parametrize("is_built", [True, False])
def test_a_convolution_takes_pairs_as_its_padding(sizes: tuple[int, ...], is_built: bool) -> None:
    zeros = np.zeros(sizes, np.int64)

    def call(x: Any, kernel: Any) -> Any:
        return ops.dynamic_conv(
            x,
            kernel,
            zeros,
            **dict.fromkeys(("input_batch_dimension", "kernel_input_feature_dimension", "output_batch_dimension"), 0),
            **dict.fromkeys(("input_feature_dimension", "output_feature_dimension"), 1),
            **{f"{name}_spatial_dimensions": [2] for name in ("input", "kernel", "output")},
            kernel_output_feature_dimension=1,
            feature_group_count=1,
            batch_group_count=1,
        )

    x, kernel = F([[[1, 2, 3]]]), F([[[1, 10]]])
    if len(sizes) == 2:
        found = stablehlo_py.interpret(built(call, "tensor<1x1x3xf32>", "tensor<1x1x2xf32>"), [x, kernel])[0]
        assert np.asarray(found if is_built else call(x, kernel)).tolist() == [[[21, 32]]]
        return
    with pytest.raises(ArgumentError) as raised:
        built(call, "tensor<1x1x3xf32>", "tensor<1x1x2xf32>") if is_built else call(x, kernel)
    assert (raised.value.op, raised.value.message) == ("stablehlo.dynamic_conv", "padding is no list of pairs")


@pytest.mark.parametrize("start", [F, np.float64, None])
@pytest.mark.parametrize("element", ["f64", "f32", None])
def test_the_body_of_a_reduction_adds_in_the_type_of_its_result(element: str | None, start: Any) -> None:
    """Elements are promoted to it, which keeps what is too small for the type of the operand."""
    x, more = F([1, 2.0**-30]), {} if element is None else {"result_type": element}
    wanted = element or ("f64" if start is np.float64 else "f32")
    if start is np.float64 and wanted == "f32":
        return  # it is not promoted
    found = ops.reduce(x, 0.0 if start is None else np.zeros((), start), body=ops.add, dimensions=[0], **more)
    assert str(found.dtype) == f"float{wanted[1:]}"
    assert float(found) == (1 + 2.0**-30 if wanted == "f64" else 1.0)

    def call(value: Any) -> Any:
        begin = 0.0 if start is None else ops.constant(np.zeros((), start))
        return ops.reduce(value, begin, body=lambda a, b: a + b, dimensions=[0], **more)

    module = built(call, "tensor<2xf32>")
    op = found_in(module, "reduce")
    arguments = [str(one.type) for one in op.regions[0].blocks[0].arguments]
    assert arguments == [f"tensor<{wanted}>"] * 2
    assert str(op.results[0].type) == f"tensor<{wanted}>"


def located(x: Any) -> Any:
    first = ops.sine(x)
    second, third = ops.cosine(first), ops.tanh(first)
    for _ in range(2):
        second = second + third
    return (
        ops.abs(
            second)
    )  # fmt: skip


def test_each_op_has_the_place_of_its_own_call() -> None:
    lines, begin = inspect.getsourcelines(located)
    module = built(located, "tensor<2xf32>")
    ops_of = [op for op in operations(module.operation) if op.name.startswith("stablehlo.")]
    expected = []
    for word in ("ops.sine(", "ops.cosine(", "ops.tanh(", "second + third", "second + third", "ops.abs("):
        number = next(number for number, line in enumerate(lines) if word in line)
        expected.append(f"{__file__}:{begin + number}:{lines[number].index(word) + 1}")
    assert [str(op.location)[5:-1].split(" to ")[0].replace('"', "") for op in ops_of] == expected


def inner(x: Any, *, wrong: bool) -> Any:
    return ops.transpose(x, permutation=[0, 0] if wrong else [1, 0])


def test_the_second_use_of_a_line_is_told_in_its_own_module() -> None:
    """A place that is known from an earlier op counts for a later one of the same call alone."""
    for wrong in (False, True, True, False):
        if not wrong:
            module = built(lambda x: inner(x, wrong=False), "tensor<2x3xf32>")
            assert str(found_in(module, "transpose").results[0].type) == "tensor<3x2xf32>"
            continue
        with pytest.raises(StablehloError) as error:
            built(lambda x: ops.abs(inner(x, wrong=True)), "tensor<2x3xf32>")
        number = inspect.getsourcelines(inner)[1] + 1
        assert str(error.value.location).startswith(f"{__file__}:{number}:12")


@pytest.mark.parametrize(
    ("left", "right", "broadcasts"),
    [
        ("3", "3", 0), ("2x3", "3", 0), ("3", "3x4", 0), ("2x3", "3x4", 0), ("5x2x3", "3x4", 0), ("5x2x3", "3", 0),
        ("5x2x3", "5x3x4", 0), ("1x2x3", "5x3x4", 1), ("2x3", "5x3x4", 1), ("5x2x3", "1x3x4", 1), ("3", "5x3x4", 0),
        ("6x1x2x3", "1x5x3x4", 2),
    ],
)  # fmt: skip
def test_a_product_broadcasts_what_has_to_be_alone(left: str, right: str, broadcasts: int) -> None:
    module = built(lambda x, y: x @ y, f"tensor<{left}xf32>", f"tensor<{right}xf32>")
    names = [op.name for op in operations(module.operation) if op.name.startswith("stablehlo.")]
    assert names == ["stablehlo.broadcast_in_dim"] * broadcasts + ["stablehlo.dot_general"]


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_types_belong_to_parameters_by_their_names(names: tuple[str, str]) -> None:
    types = {"a": ops.f32[2], "b": ops.i32[3]}
    with ops.module() as made:

        @ops.function(**{name: types[name] for name in names})
        def main(a: Any, b: Any) -> Any:
            return b, a

    (function,) = made.body.operations
    type_ = ir.FunctionType(ir.TypeAttr(function.operation.attributes["function_type"]).value)
    assert [str(each) for each in type_.inputs] == ["tensor<2xf32>", "tensor<3xi32>"]
    results = main(F([1, 2]), np.int32([3, 4, 5]))
    assert [each.tolist() for each in results] == [[3, 4, 5], [1, 2]]


def test_a_function_inside_of_another_one_does_not_take_its_values() -> None:
    """A body does."""

    def inside(x: Any) -> Any:
        @ops.function(y=ops.f32[2])
        def other(y: Any) -> Any:
            return y + x

        return other(x)

    def decomposed(x: Any) -> Any:
        return ops.composite([x], name="my.sum", decomposition=lambda y: y + x)

    def body(x: Any) -> Any:
        (found,) = [ops.while_([x], cond=lambda v: ops.constant(False), body=lambda v: v + x)]
        return found

    for function in (inside, decomposed):
        with pytest.raises(ArgumentError, match="is used outside of the region that it belongs to"):
            built(function, "tensor<2xf32>")
    assert stablehlo_py.interpret(built(body, "tensor<2xf32>"), [F([1, 2])])[0].tolist() == [1, 2]


def test_an_op_that_is_refused_leaves_nothing_behind() -> None:
    def call(x: Any) -> Any:
        for shape in ([2, 4], [2, 2, 2]):
            with pytest.raises(ArgumentError):
                ops.dynamic_reshape(x, ops.constant(np.int32(shape)), result_type=[6])
        with pytest.raises(ArgumentError):
            ops.reduce(x, 0.0, dimensions=[7], body=ops.add)
        return ops.abs(x)

    def twice(x: Any) -> Any:
        for _ in range(2):  # unknown sizes have numbers, by op
            with pytest.raises(ArgumentError, match="has size0 elements, the result would have -4"):
                ops.dynamic_reshape(x, [-2, 2])
        return x

    built(twice, "tensor<?xf32>")
    module = built(call, "tensor<6xf32>")
    names = [op.name for op in operations(module.operation) if "constant" not in op.name]
    assert names == ["builtin.module", "func.func", "stablehlo.abs", "func.return"]


@pytest.mark.parametrize(
    ("value", "element", "expected"),
    [
        ([2**64 - 1, 0], "ui64", [2**64 - 1, 0]),
        ([-(2**63), 1], "i64", [-(2**63), 1]),
        ([1, 2], "f32", [1.0, 2.0]),
        ([True, False], "i1", [True, False]),
        ([1e300, 1.0], "f64", [1e300, 1.0]),
        ([[1, 2]], "i4", [[1, 2]]),
    ],
)
def test_lists_of_numbers_are_constants_of_the_type_that_is_asked_for(value: Any, element: str, expected: Any) -> None:
    sizes = "x".join(map(str, np.shape(value)))
    for result_type in (f"tensor<{sizes}x{element}>", element):
        found = ops.constant(value, result_type=result_type)
        assert np.asarray(found).tolist() == expected, result_type
        module = built(lambda: ops.constant(value, result_type=result_type))  # noqa: B023
        assert str(found_in(module, "constant").results[0].type) == f"tensor<{sizes}x{element}>"


@pytest.mark.parametrize("as_list", [False, True])
def test_random_bits_come_behind_the_state_whose_type_need_not_be_given(as_list: bool) -> None:
    state = np.array([1, 2], np.uint64)
    given: Any = ["tensor<2xui64>", "tensor<3xui32>"] if as_list else "tensor<3xui32>"
    after, bits = ops.rng_bit_generator(state, rng_algorithm="THREE_FRY", result_type=given)
    assert (after.dtype, after.shape, bits.dtype, bits.shape) == (np.uint64, (2,), np.uint32, (3,))
    module = built(lambda s: ops.rng_bit_generator(s, rng_algorithm="THREE_FRY", result_type=given), "tensor<2xui64>")
    op = found_in(module, "rng_bit_generator")
    assert [str(result.type) for result in op.results] == ["tensor<2xui64>", "tensor<3xui32>"]


@pytest.mark.parametrize("given", [True, False, None])
def test_a_flag_is_there_if_it_is_set(given: bool | None) -> None:
    more = {} if given is None else {"use_global_device_ids": given}

    def call(x: Any) -> Any:
        return ops.all_gather([x], all_gather_dim=0, replica_groups=[[0]], channel_id=1, channel_type=1,
                              result_type="tensor<6xf32>", **more)  # fmt: skip

    module = built(call, "tensor<6xf32>")
    assert ("use_global_device_ids" in str(module)) == (given is True)


@pytest.mark.parametrize("dimension", [0, 1])
@pytest.mark.parametrize(("outputs", "carried"), [(1, 1), (2, 1), (1, 2), (0, 1), (2, 3), (1, 0)])
def test_a_scan_has_outputs_along_its_dimension_and_then_what_it_carries(
    dimension: int, outputs: int, carried: int
) -> None:
    x = np.arange(6, dtype=F).reshape(2, 3)
    starts = [np.full(3 if dimension == 0 else 2, number, F) for number in range(carried)]

    def body(part: Any, *carries: Any) -> Any:
        after = [each + part for each in carries]
        first = after[0] if after else part
        return [*(first * float(number + 1) for number in range(outputs)), *after]

    sums = [np.cumsum(x, dimension) + np.expand_dims(start, dimension) for start in starts]
    first = sums[0] if sums else x
    expected = [*(first * F(number + 1) for number in range(outputs)), *(each.take(-1, dimension) for each in sums)]
    module = built(lambda *given: ops.chlo.scan([given[0]], list(given[1:]), dimension=dimension, body=body),
                   "tensor<2x3xf32>", *[f"tensor<{len(start)}xf32>" for start in starts])  # fmt: skip
    results = ops.chlo.scan([x], starts, dimension=dimension, body=body)
    eager = list(results) if isinstance(results, tuple) else [results]
    for found in (eager, stablehlo_py.interpret(module, [x, *starts])):
        assert len(found) == outputs + carried
        for one, wanted in zip(found, expected, strict=True):
            np.testing.assert_array_equal(np.asarray(one), wanted, strict=True)
    (op,) = [op for op in operations(module.operation) if op.name == "chlo.scan"]
    segments = [str(op.attributes[name]) for name in ("operandSegmentSizes", "resultSegmentSizes")]
    assert segments == [f"array<i32: 1, {carried}>", f"array<i32: {outputs}, {carried}>"]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: ops.abs(None), "operand"),
        (lambda x: ops.reverse(x, dimensions=None), "dimensions"),
        (lambda x: ops.reverse(x, None), "dimensions"),
        (lambda x: ops.reduce(x, 0.0, dimensions=[0], body=None), "body"),
        (lambda x: ops.transpose(x), "permutation"),
    ],
)
def test_none_is_no_value_of_what_has_to_be_there(call: Callable[[Any], Any], name: str) -> None:
    for run in (lambda: call(X), lambda: built(call, "tensor<6xf32>")):
        with pytest.raises(ArgumentError) as caught:
            run()
        assert caught.value.message == f"needs a value for {name!r}"
        assert caught.value.notes[0].startswith("its parameters are ")


@pytest.mark.parametrize("dtype", [None, np.float64, np.int8, np.int32])
def test_a_value_with_a_type_of_its_own_is_an_array_of_any_type(dtype: Any) -> None:
    stored = ops.typed([10, -20], "!quant.uniform<i8:f32, 0.5:1>")
    wanted = np.dtype(np.int8 if dtype is None else dtype)
    for found in (np.asarray(stored, dtype), stored.__array__(dtype), np.array(stored, dtype=dtype)):
        assert (found.dtype, found.tolist()) == (wanted, [10, -20])
    copy = stored.__array__(copy=True)
    copy[0] = 5
    assert np.asarray(stored).tolist() == [10, -20]


def test_a_module_is_verified_at_its_end() -> None:
    def call(x: Any) -> Any:
        return ops.reverse(x, dimensions=[0, 0])

    with pytest.raises(VerificationError, match="dimensions") as caught:
        built(call, "tensor<6xf32>")
    number = inspect.getsourcelines(call)[1] + 1
    assert caught.value.location == f"{__file__}:{number}:16"


def test_each_result_has_a_type_of_its_own_if_its_array_does_not_tell_it() -> None:
    stored = ops.typed([10, -20], "!quant.uniform<i8:f32, 0.5:1>")
    for given in ([X, stored], [stored, X], [stored, stored], [X, X]):
        found = ops.optimization_barrier(given)
        assert [isinstance(one, ops.TypedValue) for one in found] == [one is stored for one in given]
        assert [np.asarray(one).tolist() for one in found] == [np.asarray(one).tolist() for one in given]
        assert all(
            str(one.type).startswith("tensor<2x!quant.uniform<i8:f32, ") for one in found if hasattr(one, "type")
        )


class Theirs:
    """An array of another library."""

    def __init__(self, values: list[float]) -> None:
        self.held = F(values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.held


def test_arrays_of_other_libraries_are_operands() -> None:
    other = Theirs([1, 2, 3, 4, 5, 6])
    calls: list[Callable[[Any], Any]] = [lambda x: ops.add(x, other), lambda x: ops.add(other, x), lambda x: x + other,
                                         lambda x: ops.concatenate([x, other], dimension=0)]  # fmt: skip
    expected = [X + other.held] * 3 + [np.concatenate([X, other.held])]
    for call, wanted in zip(calls, expected, strict=True):
        (found,) = stablehlo_py.interpret(built(call, "tensor<6xf32>"), [X])
        np.testing.assert_array_equal(found, wanted, strict=True)
    np.testing.assert_array_equal(np.asarray(ops.add(X, other)), X + other.held, strict=True)

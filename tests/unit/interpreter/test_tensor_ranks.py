"""Arrays have at most 64 dimensions: tensors of that rank work, and a higher rank is refused by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import LARGEST_RANK, TensorType, decode_type, element_type
from stablehlo_py.debug.allowed.measures import EXACT, difference
from stablehlo_py.debug.compare import draw_samples
from stablehlo_py.debug.programs.subject import examine
from stablehlo_py.errors import InputError, InterpreterError, ResourceError, StablehloError
from stablehlo_py.interpreter.plan import byte_size
from stablehlo_py.interpreter.values import ValueTypes

F = np.float32


def tensor(rank: int) -> str:
    return f"tensor<{'1x' * rank}f32>"


def doubled(rank: int) -> str:
    type_ = tensor(rank)
    return f"func.func @main(%a: {type_}) -> {type_} {{\n%0 = stablehlo.add %a, %a : {type_}\nreturn %0 : {type_}\n}}"


def constant(rank: int) -> str:
    return f"""func.func @main() -> tensor<f32> {{
      %c = stablehlo.constant dense<1.0> : {tensor(rank)}
      %d = stablehlo.add %c, %c : {tensor(rank)}
      %r = stablehlo.reshape %d : ({tensor(rank)}) -> tensor<f32>
      return %r : tensor<f32>
    }}"""


def broadcast(rank: int) -> str:
    return f"""func.func @main(%a: tensor<f32>) -> tensor<f32> {{
      %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> {tensor(rank)}
      %r = stablehlo.reshape %0 : ({tensor(rank)}) -> tensor<f32>
      return %r : tensor<f32>
    }}"""


def test_the_largest_rank_is_numpys() -> None:
    assert np.zeros((1,) * LARGEST_RANK).ndim == LARGEST_RANK
    with pytest.raises(ValueError, match="maximum supported dimension"):
        np.zeros((1,) * (LARGEST_RANK + 1))


def test_tensors_of_the_largest_rank() -> None:
    array = np.full((1,) * LARGEST_RANK, 3, np.float32)
    module = stablehlo_py.parse(doubled(LARGEST_RANK))
    for _ in range(3):
        (result,) = stablehlo_py.interpret(module, [array])
        assert result.shape == array.shape
        assert result.item() == 6
    found = difference(result, array, EXACT)
    assert (found.mismatches, found.worst[0][0]) == (1, (0,) * LARGEST_RANK)
    assert stablehlo_py.interpret(stablehlo_py.parse(constant(LARGEST_RANK)))[0] == 2


@pytest.mark.parametrize("rank", [LARGEST_RANK + 1, 200])
def test_a_higher_rank_is_refused_by_name(rank: int) -> None:
    reason = f"of rank {rank}, and arrays have at most 64 dimensions"
    with pytest.raises(InterpreterError, match=rf"^m\.mlir:1:1: error: 'func.func' op has a parameter {reason}"):
        stablehlo_py.interpret(stablehlo_py.parse(doubled(rank), source_name="m.mlir"), [np.float32(1)])
    with pytest.raises(InterpreterError, match=rf"'stablehlo.constant' op has a result {reason}"):
        stablehlo_py.interpret(stablehlo_py.parse(constant(rank)))
    with pytest.raises(InterpreterError, match=rf"'stablehlo.broadcast_in_dim' op has a result {reason}"):
        stablehlo_py.interpret(stablehlo_py.parse(broadcast(rank)), [np.float32(1)])
    with pytest.raises(InputError, match=rf"cannot draw an argument of rank {rank}"):
        draw_samples(examine(stablehlo_py.parse(doubled(rank))), 1, 0)


def test_constants_of_a_higher_rank_are_no_arrays() -> None:
    with make_context():
        attribute = ir.Attribute.parse(f"dense<1.0> : {tensor(200)}")
        with pytest.raises(InputError, match="of rank 200: arrays have at most 64 dimensions"):
            stablehlo_py.to_numpy(attribute)


@pytest.mark.parametrize("program", [doubled, constant, broadcast])
@pytest.mark.parametrize("pipeline", ["folder", "simplification"])
def test_passes_leave_a_higher_rank_alone(pipeline: str, program: Callable[[int], str]) -> None:
    module = stablehlo_py.parse(program(200))
    stablehlo_py.run_passes(module, f"stablehlo-aggressive-{pipeline}")
    stablehlo_py.verify(module)


TYPE = tensor(LARGEST_RANK)
GATHER = f"""func.func @main(%a: {TYPE}, %i: tensor<1x1xi32>) -> {TYPE} {{
  %0 = "stablehlo.gather"(%a, %i) <{{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [{", ".join(map(str, range(1, LARGEST_RANK)))}],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: {", ".join("1" * LARGEST_RANK)}>
  }}> : ({TYPE}, tensor<1x1xi32>) -> {TYPE}
  return %0 : {TYPE}
}}"""


def _outcome(text: str, *arguments: np.ndarray) -> np.ndarray | StablehloError:
    try:
        return stablehlo_py.interpret(stablehlo_py.parse(text), arguments)[0]
    except StablehloError as error:
        return error


def test_an_op_that_needs_more_dimensions_inside_works_or_is_refused() -> None:
    found = _outcome(GATHER, np.full((1,) * LARGEST_RANK, 2, np.float32), np.zeros((1, 1), np.int32))
    if isinstance(found, StablehloError):
        assert isinstance(found, ResourceError)
        assert (found.op, found.location) == ("stablehlo.gather", "<string>:2:8")
        assert found.message == "needs an array of more than 64 dimensions"
    else:
        assert found.item() == 2


@pytest.mark.parametrize(
    "form", ["{}", "tuple<tensor<i32>, {}>", "tuple<tuple<{}>, tensor<i32>>", "!stablehlo.future<{}>"]
)
@pytest.mark.parametrize("rank", [64, 65])
def test_ranks_count_in_whatever_holds_a_tensor(form: str, rank: int) -> None:
    type_ = ir.Type.parse(form.format(tensor(rank)), make_context())
    if rank == 64:
        assert ValueTypes()[type_] == decode_type(type_)
    else:
        with pytest.raises(StablehloError, match="rank 65, and arrays have at most 64 dimensions"):
            ValueTypes()[type_]


@pytest.mark.parametrize(
    ("shape", "fits"),
    [
        ((0, 2**61), False),
        ((0, 2**61 - 1), True),
        ((2**31, 0, 2**30), False),
        ((2**31, 0, 2**29), True),
        ((0, 0), True),
    ],
)
def test_dimensions_beside_one_of_no_size_are_limited_as_in_numpy(shape: tuple[int, ...], fits: bool) -> None:
    type_ = TensorType(shape, element_type("f32"))
    if fits:
        assert byte_size(type_) == np.zeros(shape, F).nbytes == 0
    else:
        with pytest.raises(ValueError, match=r"big|too large|dimension"):
            np.zeros(shape, F)
        with pytest.raises(ResourceError, match="has no elements, but dimensions that are too large for an array"):
            byte_size(type_)


def test_the_bytes_of_types() -> None:
    sizes = {
        "tensor<2x3xf32>": 24,
        "tensor<f64>": 8,
        "tensor<?xf32>": 0,
        "tuple<tensor<f32>>": 0,
        "tensor<2xcomplex<f64>>": 32,
    }
    with make_context():
        assert {text: byte_size(decode_type(ir.Type.parse(text))) for text in sizes} == sizes


@pytest.mark.parametrize("fast", [False, True])
def test_tuples_may_be_empty_and_hold_empty_ones(fast: bool) -> None:
    both = "tuple<tuple<>, tensor<f32>>"
    text = f"""func.func @main(%a: tuple<>, %x: tensor<f32>) -> (tuple<>, {both}) {{
      %0 = stablehlo.tuple %a, %x : {both}
      %1 = stablehlo.get_tuple_element %0[0] : ({both}) -> tuple<>
      return %1, %0 : tuple<>, {both}
    }}"""
    module = stablehlo_py.parse(text)
    for _ in range(3):
        assert stablehlo_py.interpret(module, [(), F(1)], fast=fast) == [(), ((), F(1))]

"""Guards that are put into programs hold and fail while these run, with the numbers that the operands have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import children, functions, operations
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.pipeline import run_pipeline


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.float32)


def numbers(*values: object) -> np.ndarray:
    return np.array(values, np.int32)


# Parameters, the op, arguments that fit, and others with what is said of them.
GUARDED = {
    "sum": (
        "%a: tensor<?xf32>, %b: tensor<?xf32>",
        "stablehlo.add %a, %b : tensor<?xf32>",
        [zeros(3), zeros(3)],
        [([zeros(3), zeros(2)], "dimension 0 of the operands differs, 3 and 2")],
    ),
    "reshape by numbers": (
        "%a: tensor<?xf32>, %n: tensor<2xi32>",
        "stablehlo.dynamic_reshape %a, %n : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>",
        [zeros(6), numbers(2, 3)],
        [([zeros(6), numbers(2, 2)], "4"), ([zeros(6), numbers(3, 3)], "9")],
    ),
    "pad by numbers": (
        "%a: tensor<2x?xf32>, %l: tensor<2xi32>, %h: tensor<2xi32>, %i: tensor<2xi32>",
        "stablehlo.dynamic_pad %a, %z, %l, %h, %i : (tensor<2x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, "
        "tensor<2xi32>) -> tensor<?x?xf32>",
        [zeros(2, 3), numbers(1, 2), numbers(0, 1), numbers(0, 2)],
        [
            ([zeros(2, 3), numbers(1, 2), numbers(0, 1), numbers(0, -1)], "-1"),
            ([zeros(2, 3), numbers(0, -2), numbers(0, -2), numbers(0, 0)], "-1"),
        ],
    ),
    "windows of padded rows": (
        "%a: tensor<1x4x1xf32>, %k: tensor<3x1x1xf32>, %p: tensor<1x2xi32>",
        '"stablehlo.dynamic_conv"(%a, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, '
        "batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
        "(tensor<1x4x1xf32>, tensor<3x1x1xf32>, tensor<1x2xi32>) -> tensor<1x5x1xf32>",
        [zeros(1, 4, 1), zeros(3, 1, 1), numbers([1, 2])],
        [
            ([zeros(1, 4, 1), zeros(3, 1, 1), numbers([1, 1])], ""),
            ([zeros(1, 4, 1), zeros(3, 1, 1), numbers([0, 2])], ""),
        ],
    ),
}


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


@pytest.mark.parametrize("name", GUARDED)
def test_guards_let_pass_what_fits(name: str) -> None:
    heads, op, fitting, others = GUARDED[name]
    text = f"""func.func @main({heads}) {{
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = {op}
      return
    }}"""
    module = ir.Module.parse(text)
    run_pipeline(module, "builtin.module(stablehlo-insert-shape-guards)")
    assert "@shape_assertion" in str(module)
    assert interpret(module, fitting) == []
    for arguments, said in others:
        with pytest.raises(InterpreterError) as raised:
            interpret(module, arguments)
        assert said in raised.value.message, raised.value.message
        assert "shape_assertion" in str(raised.value) or "custom_call" in str(raised.value), str(raised.value)


@pytest.mark.parametrize("count", [1, 31, 32, 40])
def test_a_guard_tells_as_many_numbers_as_it_can_take(count: int) -> None:
    heads = ", ".join([f"%a{index}: tensor<?xf32>" for index in range(count)])
    values = ", ".join([f"%a{index}" for index in range(count)])
    types = ", ".join(["tensor<?xf32>"] * count)
    module = ir.Module.parse(f"""func.func @main({heads}) -> tensor<999xf32> {{
      %0 = stablehlo.concatenate {values}, dim = 0 : ({types}) -> tensor<999xf32>
      return %0 : tensor<999xf32>
    }}""")
    run_pipeline(module, "builtin.module(stablehlo-insert-shape-guards)")
    with pytest.raises(InterpreterError) as raised:
        interpret(module, [zeros(index) for index in range(count)])
    numbers = [f"dimension 0 of argument {index} is {index}" for index in range(count)]
    # A guard takes 32 numbers; where the sum is one of its own, it is the first.
    told = ", ".join(numbers[: 32 if count == 1 else 31])
    declared = f"dimension 0 of result 0 is declared 999, it is {sum(range(count))} ({told})"
    assert raised.value.message.endswith(declared), raised.value.message
    assert raised.value.location.endswith(":2:12"), "the op's place"
    (guard,) = [op for op in operations(module.operation) if op.name == "stablehlo.custom_call"]
    assert len(guard.operands) == 1 + (1 if count == 1 else min(count + 1, 32))


def test_each_op_has_the_guard_of_its_own_sizes() -> None:
    module = ir.Module.parse("""func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<6xf32>
      %1 = stablehlo.concatenate %y, %y, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<8xf32>
      %2 = stablehlo.abs %x : tensor<?xf32>
      return %2 : tensor<?xf32>
    }""")
    run_pipeline(module, "builtin.module(stablehlo-insert-shape-guards)")
    guards = [op for op in operations(module.operation) if op.name == "stablehlo.custom_call"]
    told = [str(op.attributes["error_message"]).partition("is declared ")[2][:1] for op in guards]
    assert told == ["6", "8"]


def test_whatever_a_guard_needs_has_the_place_of_its_op() -> None:
    """The sizes, the elements and the numbers that are compared, and the guard itself."""
    module = ir.Module.parse("""func.func @main(%x: tensor<?xf32>, %n: tensor<2xi32>) {
      %0 = stablehlo.negate %x : (tensor<?xf32>) -> tensor<4xf32> loc("op":1:1)
      %1 = stablehlo.dynamic_reshape %0, %n : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32> loc("op":2:1)
      return
    }""")
    run_pipeline(module, "builtin.module(stablehlo-insert-shape-guards)")
    (function,) = functions(module.operation).values()
    found: dict[str, set[str]] = {}
    for op in children(function)[:-1]:
        found.setdefault(str(op.location), set()).add(op.name.removeprefix("stablehlo."))
    computed = {"constant", "convert", "compare", "custom_call"}
    guards = [op for op in children(function) if op.name == "stablehlo.custom_call"]
    assert [str(op.attributes["has_side_effect"]) for op in guards] == ["true"] * len(guards), "or they would go"
    assert found == {
        'loc("op":1:1)': {*computed, "get_dimension_size", "negate"},
        'loc("op":2:1)': {*computed, "slice", "reshape", "multiply", "dynamic_reshape"},
    }


def test_a_guard_has_the_place_of_its_op_and_not_of_what_is_around_it() -> None:
    module = ir.Module.parse("""func.func @main(%x: tensor<?xf32>) {
      %0 = stablehlo.negate %x : (tensor<?xf32>) -> tensor<4xf32> loc("op":1:1)
      return
    }""")
    run_pipeline(module, "builtin.module(stablehlo-reify-shape-calculations)")
    (op,) = [op for op in operations(module.operation) if op.name == "stablehlo.negate"]
    text = module.operation.get_asm(enable_debug_info=True, use_local_scope=True)
    module = ir.Module.parse(text.replace(f"tensor<4xf32> {op.location}\n", 'tensor<4xf32> loc("op":2:2)\n', 1))
    run_pipeline(module, "builtin.module(stablehlo-insert-shape-guards)")
    (guard,) = [op for op in operations(module.operation) if op.name == "stablehlo.custom_call"]
    assert str(guard.location) == 'loc("op":2:2)'

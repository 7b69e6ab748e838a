"""Runs after and within other runs: each has its own limit of memory, and the other's comes back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import InterpreterError, ResourceError
from stablehlo_py.interpreter.program import Program, fold, interpret
from stablehlo_py.interpreter.settings import Settings

ROW = np.ones(4, np.float32)
DOUBLED = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
COUNTED = """func.func @main(%x: tensor<4xf32>, %size: tensor<1xi32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %0 = stablehlo.custom_call @mhlo.erf(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_iota %size, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}"""


def test_the_limit_of_a_run_ends_with_it() -> None:
    small = DOUBLED.replace("func.func @main", "func.func @small")
    module = parsed(small + DOUBLED.replace("4x", "65536x"))
    add = [op for op in operations(module.operation) if op.name == "stablehlo.add"][1]
    program, large = Program(module, Settings(max_memory=1 << 17)), np.ones(1 << 16, np.float32)
    runs: list[Callable[[], object]] = [
        lambda: program.run([ROW], function="small"),
        lambda: program.run_parallel([[ROW]] * 2, num_partitions=2, function="small"),
    ]
    for run in runs:
        run()
        with pytest.raises(ResourceError, match="needs 262144 bytes, more than the limit of 131072 bytes"):
            program.run([large])
        assert set(fold(add, [large, large])[0].tolist()) == {2}


@pytest.mark.parametrize("fast", [False, True])
def test_a_limit_holds_after_a_call_that_is_a_program_of_its_own(fast: bool) -> None:
    program = Program(parsed(COUNTED), Settings(max_memory=64, fast=fast))
    for _ in range(2):
        assert program.run([ROW, np.array([16], np.int32)])[1].shape == (16,)
        with pytest.raises(ResourceError, match="needs 68 bytes, more than the limit of 64 bytes"):
            program.run([ROW, np.array([17], np.int32)])


def test_a_call_that_is_named_after_an_op_has_the_limit_of_its_program() -> None:
    """The function of CHLO makes no large result, but tensors of double precision on the way to it."""
    call = """func.func @main(%x: tensor<4xbf16>) -> tensor<4xbf16> {
      %0 = stablehlo.custom_call @mhlo.erf(%x) : (tensor<4xbf16>) -> tensor<4xbf16>
      return %0 : tensor<4xbf16>
    }"""
    x = ROW.astype("bfloat16")
    assert interpret(parsed(call), [x], settings=Settings(max_memory=16))[0].shape == (4,)
    with pytest.raises(
        InterpreterError, match=r"stands for chlo\.erf, which fails: needs 16 bytes, more than the limit"
    ):
        interpret(parsed(call), [x], settings=Settings(max_memory=15))


def test_a_call_that_is_named_after_an_op_has_the_same_bits_where_these_are_asked_for() -> None:
    """BLAS adds so many products in an order of its own."""
    type_ = "tensor<128x128xf32>"
    call = f"stablehlo.custom_call @mhlo.dot(%a, %b) : ({type_}, {type_}) -> {type_}"
    results = []
    for line in (call, f"stablehlo.dot %a, %b : ({type_}, {type_}) -> {type_}"):
        text = f"func.func @main(%a: {type_}, %b: {type_}) -> {type_} {{ %0 = {line} return %0 : {type_} }}"
        factors = np.random.default_rng(0).normal(size=(2, 128, 128)).astype(np.float32)
        results += interpret(parsed(text), list(factors), settings=Settings(deterministic=True))
    np.testing.assert_array_equal(*results)

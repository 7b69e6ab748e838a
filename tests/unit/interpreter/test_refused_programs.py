"""Programs that verify and cannot run: what each error says, of which op, and where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import InterpreterError, ResourceError, StablehloError
from stablehlo_py.interpreter.process_grid import PROCESS_BYTES
from stablehlo_py.interpreter.program import Program, fold
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.syntax import parse

F2 = np.zeros(2, np.float32)
I2 = np.zeros(2, np.int64)


def calling(target: str, operands: str, results: str, attributes: str = "") -> str:
    """A program whose second line is a custom call with results that nothing uses."""
    types = ["tensor" + type_.strip().rstrip(",") for type_ in operands.split("tensor")[1:]]
    names = ", ".join(f"%{index}" for index in range(len(types)))
    parameters = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(types))
    count = results.count("tensor") + results.count("token")
    return f"""func.func @main({parameters}) {{
  %r:{count} = stablehlo.custom_call @{target}({names}) {{{attributes}}}
      : ({operands}) -> ({results})
  return
}}"""


UNREDUCED = """func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {
  %1 = sdy.manual_computation(%0) in_shardings=[<@m, [{}], unreduced={"a"}>] out_shardings=[<@m, [{}]>]
      manual_axes={"a"} (%2: tensor<2xf32>) {
    sdy.return %2 : tensor<2xf32>
  } : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
sdy.mesh @m = <["a"=2]>"""
SLICE = """func.func @main(%0: tensor<2xf32>, %1: V, %2: V, %3: V) -> tensor<?xf32> {
  %4 = stablehlo.real_dynamic_slice %0, %1, %2, %3
      : (tensor<2xf32>, V, V, V) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}""".replace("V", "tensor<1xi64>")
BLOCKS = """func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {
  cf.br ^bb1
^bb1:
  return %0 : tensor<2xf32>
}"""
ALGORITHM = """func.func @main(%0: tensor<2xcomplex<f32>>) -> tensor<complex<f32>> {
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = f32,
      rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
      num_primitive_operations = 1, allow_imprecise_accumulation = false>
      : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<complex<f32>>
  return %1 : tensor<complex<f32>>
}"""
BITCAST = """func.func @main(%0: tensor<?xi8>) -> tensor<f32> {
  %1 = stablehlo.bitcast_convert %0 : (tensor<?xi8>) -> tensor<f32>
  return %1 : tensor<f32>
}"""
GROUPS = """func.func @main(%0: tensor<2xf32>) -> tensor<4xf32> {
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}"""
RESHAPE = """func.func @main(%0: tensor<2xf32>, %1: tensor<1xi64>) -> tensor<?xf32> {
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}"""
PROBE = """func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {
  %1 = interpreter.probe %0, probe_id = "p" : tensor<2xf32>
  return %1 : tensor<2xf32>
}"""
HUGE = """func.func @main(%0: tensor<2xf32>) -> tensor<0x4611686018427387904xf32> {
  %1 = stablehlo.iota dim = 0 : tensor<0x4611686018427387904xf32>
  return %1 : tensor<0x4611686018427387904xf32>
}"""
MESH = 'mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@n, [{}]>]>"}'
A = np.ones((2, 2))
CASES: dict[str, tuple[str, list[Any], str]] = {
    "a pad to a dynamic shape": (
        calling("PadToStatic", "tensor<2xf32>", "tensor<?xf32>, tensor<i32>"),
        [F2],
        r"pads to tensor<\?xf32>, expected a tensor of static shape and of rank 1",
    ),
    "a pad to another rank": (
        calling("PadToStatic", "tensor<2xf32>", "tensor<2x2xf32>, tensor<i32>"),
        [F2],
        r"pads to tensor<2x2xf32>, expected a tensor of static shape and of rank 1",
    ),
    "a pad to a token": (
        calling("PadToStatic", "tensor<2xf32>", "!stablehlo.token, tensor<i32>"),
        [F2],
        r"pads to !stablehlo.token, expected a tensor of static shape and of rank 1",
    ),
    "a slice by too many sizes": (
        calling("SliceToDynamic", "tensor<2xf32>, tensor<i32>, tensor<i32>", "tensor<?xf32, #stablehlo.bounds<2>>"),
        [F2, np.int32(1), np.int32(1)],
        r"slices an operand of shape \[2\] to \[1, 1\], expected at most its sizes",
    ),
    "a matrix and a token": (
        calling("lapack_dgetrf_ffi", "tensor<2x2xf64>", "tensor<2x2xf64>, !stablehlo.token, tensor<i32>"),
        [A],
        "expects a tensor, not !stablehlo.token",
    ),
    "a result without a size": (
        calling("lapack_dgeqrf_ffi", "tensor<0x2xf64>", "tensor<0x2xf64>, tensor<?xf64>"),
        [np.zeros((0, 2))],
        r"has no elements to tell the size of tensor<\?xf64> from",
    ),
    "a mesh that is not there": (
        calling("xla.sdy.GlobalToLocalShape", "tensor<2xf32>", "tensor<2xf32>", MESH),
        [F2],
        "names mesh @n, which is not in the module's xla.sdy.meshes",
    ),
    "a buffer for a token": (
        calling("AllocateBuffer", "", "!stablehlo.token"),
        [],
        "cannot allocate !stablehlo.token",
    ),
    "any number of largest elements": (
        calling("TopK", "tensor<2xf32>", "tensor<?xf32>, tensor<?xi32>"),
        [F2],
        "does not say how many elements it takes",
    ),
    "an algorithm for complex numbers": (
        ALGORITHM,
        [np.zeros(2, np.complex64)],
        "has an algorithm, but algorithms are for real numbers and its operands are complex",
    ),
    "parts of an element that are too few": (
        BITCAST,
        [np.zeros(3, np.int8)],
        "has a last dimension of 3, an element of the result has 4 parts",
    ),
    "a reshape to fewer elements": (
        RESHAPE,
        [F2, np.array([3])],
        "the operand has 2 elements, the result would have 3",
    ),
    "a slice past the end": (
        SLICE,
        [F2, np.array([0]), np.array([3]), np.array([1])],
        r"outside the operand's shape \[2\]",
    ),
    "a slice before the start": (
        SLICE,
        [F2, np.array([-1]), np.array([2]), np.array([1])],
        r"outside the operand's shape \[2\]",
    ),
    "a slice in steps of zero": (
        SLICE,
        [F2, np.array([0]), np.array([2]), np.array([0])],
        "the stride of dimension 0 has to be positive, it is 0",
    ),
    "a probe without a directory": (
        PROBE,
        [F2],
        r"needs the directory of the probes: --probe-output-dir \(probe_directory in the API\)",
    ),
    "a shape too large for an array": (
        HUGE,
        [F2],
        "tensor<0x4611686018427387904xf32> has no elements, but dimensions that are too large for an array",
    ),
    "shardings with unreduced axes": (UNREDUCED, [F2], "has in_shardings with unreduced axes"),
}


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_refused_ops_are_named_with_their_place(name: str, fast: bool) -> None:
    text, arguments, message = CASES[name]
    program = Program(parse(text, source_name="f.mlir"), Settings(fast=fast))
    for _ in range(2):  # also of a plan that is kept
        with pytest.raises(InterpreterError, match=message) as caught:
            program.run(arguments)
        assert caught.value.location.startswith("f.mlir:2:"), f"the error is at {caught.value.location}"
        assert caught.value.op.startswith(("stablehlo.", "sdy.", "interpreter.")), f"of {caught.value.op}"
    assert parse(text).operation.verify()


@pytest.mark.parametrize("types", [("tensor<3xf32>", "tensor<?xf32>"), ("tensor<?xf32>", "tensor<3xf32>")])
def test_the_first_state_of_a_loop_is_of_the_types_of_both_regions(types: tuple[str, str]) -> None:
    text = """func.func @main(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {{
  %r:2 = "stablehlo.while"(%n, %x) ({{ ^bb0(%i: tensor<i32>, %a: {0}):
    %f = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %f : tensor<i1>
  }}, {{ ^bb0(%i: tensor<i32>, %a: {1}):
    stablehlo.return %i, %a : tensor<i32>, {1}
  }}) : (tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>)
  return %r#1 : tensor<?xf32>
}}"""
    program = Program(parse(text.format(*types), source_name="f.mlir"))
    assert np.shape(program.run([np.int32(0), np.zeros(3, np.float32)])[0]) == (3,)
    message = r"^f\.mlir:2:10: error: .*takes tensor<2xf32> as operand 1, its regions expect tensor<3xf32>"
    with pytest.raises(InterpreterError, match=message):
        program.run([np.int32(0), np.zeros(2, np.float32)])


def test_functions_of_several_blocks_are_refused_at_the_function() -> None:
    program = Program(parse(BLOCKS, source_name="f.mlir"))
    with pytest.raises(InterpreterError, match=r"^f\.mlir:1:1: error: .*region has 2 blocks, expected 1"):
        program.run([F2])


def test_ops_without_kernels_are_refused_before_any_op_runs(capfd: pytest.CaptureFixture[str]) -> None:
    text = """func.func @main(%0: tensor<2xf32>) {
  interpreter.print %0 : tensor<2xf32>
  "other.op"() : () -> ()
  return
}"""
    unregistered = make_context()
    unregistered.allow_unregistered_dialects = True
    program = Program(ir.Module.parse(text, unregistered))
    with pytest.raises(StablehloError, match=r"'other.op' op has no kernel in the interpreter") as caught:
        program.run([F2])
    assert caught.value.location.endswith(":3:3"), f"the error is at {caught.value.location}"
    assert capfd.readouterr().out == ""


def test_a_process_without_a_group_is_named() -> None:
    program = Program(parse(GROUPS, source_name="f.mlir"))
    with pytest.raises(InterpreterError, match=r"has no group with process \(replica 2, partition 0\)") as caught:
        program.run_parallel([[F2]] * 3, num_replicas=3)
    assert caught.value.location.startswith("f.mlir:2:")
    assert caught.value.notes[-1] == "in process (replica 2, partition 0)"


def folded(lines: str, operands: list[np.ndarray]) -> list[np.ndarray]:
    """What the first op of StableHLO gives; %0 and %1 are numbers, and %p is a truth value."""
    text = f"func.func @main(%0: tensor<2xi64>, %1: tensor<2xi64>, %p: tensor<i1>) {{\n{lines}\nreturn\n}}"
    module = parsed(text)  # which has to live as long as the op
    return fold(next(op for op in operations(module.operation) if op.name.startswith("stablehlo.")), operands)


def test_ops_that_cannot_be_folded() -> None:
    with pytest.raises(InterpreterError, match=r"'stablehlo.create_token' op has results other than tensors") as caught:
        folded("%r = stablehlo.create_token : !stablehlo.token", [])
    assert caught.value.location.endswith(":2:6"), f"the error is at {caught.value.location}"
    branch = "({stablehlo.return %1 : tensor<2xi64>}, {stablehlo.return %1 : tensor<2xi64>})"
    outside = f'%r = "stablehlo.if"(%p) {branch} : (tensor<i1>) -> tensor<2xi64>'
    with pytest.raises(InterpreterError, match=r"'stablehlo.if' op uses values from outside") as caught:
        folded(outside, [np.array(True)])
    assert caught.value.location.endswith(":2:6"), f"the error is at {caught.value.location}"


def test_ops_are_folded_with_operands_in_their_order() -> None:
    first, second = np.array([7, 2]), np.array([2, 7])
    for operands, expected in (("%0, %1", [5, -5]), ("%1, %0", [5, -5])):
        found = folded(f"%r = stablehlo.subtract {operands} : tensor<2xi64>", [first, second])
        assert [each.tolist() for each in found] == [expected]
    assert folded("%r = stablehlo.subtract %0, %0 : tensor<2xi64>", [first, first])[0].tolist() == [0, 0]


@pytest.mark.parametrize("count", [1, 3])
def test_processes_up_to_the_limit_of_memory(count: int) -> None:
    """Each needs a stack, and its results."""
    program = parse(RESHAPE.replace("tensor<?xf32>", "tensor<2xf32>"))
    needed = count * (PROCESS_BYTES + 8)
    Program(program, Settings(max_memory=needed)).check_processes(count)
    with pytest.raises(ResourceError, match=f"{count} processes need about {needed} bytes, more than the limit of"):
        Program(program, Settings(max_memory=needed - 1)).check_processes(count)

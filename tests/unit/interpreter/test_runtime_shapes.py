"""Shapes that are known only while running: what does not fit is an error that names the op, before any allocation."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.errors import InterpreterError, ResourceError
from stablehlo_py.interpreter.program import Program, interpret
from stablehlo_py.interpreter.settings import Settings

T = "tensor<?xf32>"
I = "tensor<1xi64>"  # noqa: E741
CASES = {
    "limits before starts": (
        f"stablehlo.real_dynamic_slice %a, %x, %y, %z : (tensor<4xf32>, {I}, {I}, {I}) -> {T}",
        [3, 2, 1],
        "dimension 0 would have size -1",
    ),
    "limits past the end": (
        f"stablehlo.real_dynamic_slice %a, %x, %y, %z : (tensor<4xf32>, {I}, {I}, {I}) -> {T}",
        [0, 5, 1],
        "outside the operand's shape",
    ),
    "no stride": (
        f"stablehlo.real_dynamic_slice %a, %x, %y, %z : (tensor<4xf32>, {I}, {I}, {I}) -> {T}",
        [0, 2, 0],
        "has to be positive",
    ),
    "another number of elements": (
        f"stablehlo.dynamic_reshape %a, %x : (tensor<4xf32>, {I}) -> {T}",
        [5, 0, 0],
        "the operand has 4 elements, the result would have 5",
    ),
    "a negative dimension size": (
        f"stablehlo.dynamic_reshape %a, %x : (tensor<4xf32>, {I}) -> {T}",
        [-4, 0, 0],
        "would have -4",
    ),
    "no broadcast": (
        f"stablehlo.dynamic_broadcast_in_dim %a, %x, dims = [0] : (tensor<4xf32>, {I}) -> {T}",
        [3, 0, 0],
        "neither 1 nor the result's 3",
    ),
    "negative interior padding": (
        f"stablehlo.dynamic_pad %a, %f, %x, %y, %z : (tensor<4xf32>, tensor<f32>, {I}, {I}, {I}) -> {T}",
        [0, 0, -1],
        "must not be negative",
    ),
    "slices larger than the operand": (
        '"stablehlo.dynamic_gather"(%a, %y, %x) {dimension_numbers = #stablehlo.gather<offset_dims = [0], '
        f"start_index_map = [0], index_vector_dim = 0>}} : (tensor<4xf32>, {I}, {I}) -> {T}",
        [5, 0, 0],
        "slice size 5 of dimension 0 is beyond 4",
    ),
}


def run(line: str, numbers: list[int], **settings: int) -> list[object]:
    text = f"""func.func @main(%a: tensor<4xf32>, %f: tensor<f32>, %x: {I}, %y: {I}, %z: {I}) -> {T} {{
      %r = {line}
      return %r : {T}
    }}"""
    arguments = [np.zeros(4, np.float32), np.float32(0), *[np.array([number]) for number in numbers]]
    return interpret(parsed(text), arguments, settings=Settings(**settings))


@pytest.mark.parametrize("name", CASES)
def test_error(name: str) -> None:
    line, numbers, message = CASES[name]
    with pytest.raises(InterpreterError, match=message) as caught:
        run(line, numbers)
    assert caught.value.op.startswith("stablehlo.")
    assert caught.value.location


@pytest.mark.parametrize(
    "dims", ["dynamic_iota %x, dim = 0 : ", "dynamic_broadcast_in_dim %f, %x, dims = [] : (tensor<f32>, "]
)
def test_memory_is_refused_before_it_is_taken(dims: str) -> None:
    line = f"stablehlo.{dims}{'(' if 'iota' in dims else ''}{I}) -> {T}"
    with pytest.raises(ResourceError, match="4000000 bytes"):
        run(line, [10**6, 0, 0], max_memory=10**6)


def test_set_dimension_size_stays_within_the_bound() -> None:
    bounded = "tensor<?xf32, #stablehlo.bounds<4>>"
    text = f"""func.func @main(%a: tensor<4xf32>, %n: tensor<i32>) -> {bounded} {{
      %r = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> {bounded}
      return %r : {bounded}
    }}"""
    module = parsed(text)
    values = np.arange(4, dtype=np.float32)
    assert interpret(module, [values, np.int32(3)])[0].tolist() == [0.0, 1.0, 2.0]  # pyright: ignore
    with pytest.raises(InterpreterError, match=r"size 5 is outside \[0, 4\]"):
        interpret(module, [values, np.int32(5)])


def test_shapes_that_do_not_broadcast() -> None:
    text = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %r = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    module = parsed(text)
    three, one, two = [np.ones(size, np.float32) for size in (3, 1, 2)]
    assert interpret(module, [three, one])[0].tolist() == [2.0, 2.0, 2.0]  # pyright: ignore
    with pytest.raises(InterpreterError, match="which do not broadcast"):
        interpret(module, [three, two])


DYNAMIC = "tensor<?x?xf32>"
BODY = """({ ^bb0(%l: tensor<f32>, %r: tensor<f32>): %s = stablehlo.add %l, %r : tensor<f32>
  stablehlo.return %s : tensor<f32> })"""
GATHER = (
    "dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, "
    "slice_sizes = array<i64: 3, 1>"
)
CONTRADICTIONS = {
    "stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] :": ((2, 3), (2, 3), "C10 of dot_general"),
    "stablehlo.add %a, %b :": ((2, 3), (1, 3), "C1 of add"),
    f'"stablehlo.gather"(%a, %i) {{{GATHER}}} :': ((2, 3), (2, 1), "C21 of gather"),
    "stablehlo.concatenate %a, %b, dim = 0 :": ((2, 3), (2, 4), "C2 of concatenate"),
}


@pytest.mark.parametrize("line", CONTRADICTIONS)
@pytest.mark.parametrize("fast", [False, True])
def test_the_constraint_is_named_before_and_after_a_program_is_compiled(line: str, fast: bool) -> None:
    first, second, constraint = CONTRADICTIONS[line]
    is_gather = "gather" in line
    types = f"({DYNAMIC}, {'tensor<?x?xi32>' if is_gather else DYNAMIC}) -> "
    result = "tensor<?x?x?xf32>" if is_gather else DYNAMIC
    text = f"""func.func @main(%a: {DYNAMIC}, %b: {DYNAMIC}) -> {result} {{
      %i = stablehlo.convert %b : ({DYNAMIC}) -> tensor<?x?xi32>
      %r = {line} {DYNAMIC if "add" in line else types + result}
      return %r : {result}
    }}"""
    program = Program(parsed(text), Settings(fast=fast))
    wrong = [np.ones(first, np.float32), np.ones(second, np.float32)]
    fitting = [np.ones((3, 3), np.float32), np.ones((3, 1 if is_gather else 3), np.float32)]
    for _ in range(3):
        with pytest.raises(InterpreterError, match=f"this breaks constraint {constraint}"):
            program.run(wrong)
        assert len(program.run(fitting)) == 1


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("size", [0, 1, 2, 4])
@pytest.mark.parametrize(
    ("op", "types"),
    [
        ("stablehlo.add %a, %b", ("?", "3", "?")),
        ("stablehlo.maximum %a, %b", ("?", "3", "3")),
        ("stablehlo.power %b, %a", ("?", "3", "?")),
        ("stablehlo.negate %a", ("?", "", "3")),
        ("stablehlo.select %c, %a, %b", ("?", "3", "?")),
        ("stablehlo.clamp %b, %a, %b", ("?", "3", "?")),
    ],
)
def test_an_unknown_size_beside_a_known_one_is_not_broadcast(op: str, types: tuple[str, ...], size: int, fast: bool):
    names = {"%a": f"tensor<{types[0]}xf32>", "%b": "tensor<3xf32>", "%c": "tensor<3xi1>"}
    used = [names[word.strip(",")] for word in op.split()[1:]]
    result = f"tensor<{types[2]}xf32>"
    types_of_op = (
        f"tensor<3xi1>, {result}" if "select" in op and used[1] == used[2] else f"({', '.join(used)}) -> {result}"
    )
    text = f"""func.func @main(%a: {names["%a"]}, %b: {names["%b"]}, %c: {names["%c"]}) -> {result} {{
      %r = {op} : {types_of_op}
      return %r : {result}
    }}"""
    program = Program(parsed(text), Settings(fast=fast))
    others = [np.full(3, 2, np.float32), np.ones(3, bool)]
    for _ in range(3):
        assert np.shape(program.run([np.ones(3, np.float32), *others])[0]) == (3,)
        with pytest.raises(InterpreterError, match=f"{size}|3"):
            program.run([np.ones(size, np.float32), *others])


@pytest.mark.parametrize("fast", [False, True])
def test_elements_that_give_sizes_are_looked_at_in_every_run(fast: bool) -> None:
    text = f"""func.func @main(%a: {T}, %n: {I}) -> {T} {{
      %r = stablehlo.dynamic_reshape %a, %n : ({T}, {I}) -> {T}
      return %r : {T}
    }}"""
    program = Program(parsed(text), Settings(fast=fast))
    for size, number in [(4, 4), (4, 3), (3, 3), (3, 4), (4, 4), (0, 0), (0, 1), (1, 0), (4, -4)]:
        arguments = [np.ones(size, np.float32), np.array([number])]
        if size == number:
            assert np.shape(program.run(arguments)[0]) == (size,)
        else:
            with pytest.raises(InterpreterError, match=f"{number}"):
                program.run(arguments)


@pytest.mark.parametrize(
    "op",
    [
        '"stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, GROUPS}',
        f'"stablehlo.all_reduce"(%a) {BODY} {{GROUPS}}',
        '"stablehlo.all_to_all"(%a) {split_dimension = 1, concat_dimension = 0, split_count = 2, GROUPS}',
        f'"stablehlo.reduce_scatter"(%a) {BODY} {{scatter_dimension = 1 : i64, GROUPS}}',
        '"stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}',
        '"stablehlo.collective_broadcast"(%a) {GROUPS}',
        '"stablehlo.cross-replica-sum"(%a) {GROUPS}',
    ],
)
def test_processes_with_operands_of_different_shapes(op: str) -> None:
    line = op.replace("GROUPS", "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>")
    text = f"""func.func @main(%a: {DYNAMIC}) -> {DYNAMIC} {{
      %r = {line} : ({DYNAMIC}) -> {DYNAMIC}
      return %r : {DYNAMIC}
    }}"""
    program = Program(parsed(text), Settings())
    two, three, wide = [np.ones(shape, np.float32) for shape in ((2, 4), (3, 4), (2, 6))]
    assert len(program.run_parallel([[two], [two]], num_replicas=2)) == 2
    for other in (three, wide):
        with pytest.raises(InterpreterError, match="one shape in all processes of a group"):
            program.run_parallel([[two], [other]], num_replicas=2)


def test_the_state_of_a_loop_is_what_its_regions_take() -> None:
    text = f"""func.func @main(%a: {T}) -> {T} {{
      %r = "stablehlo.while"(%a) ({{
        ^bb0(%x: tensor<4xf32>):
          %more = stablehlo.constant dense<false> : tensor<i1>
          stablehlo.return %more : tensor<i1>
      }}, {{
        ^bb0(%x: tensor<4xf32>):
          stablehlo.return %x : tensor<4xf32>
      }}) : ({T}) -> {T}
      return %r : {T}
    }}"""
    program = Program(parsed(text), Settings())
    for _ in range(2):
        assert len(program.run([np.ones(4, np.float32)])) == 1
        with pytest.raises(
            InterpreterError, match="takes tensor<3xf32> as operand 0, its regions expect tensor<4xf32>"
        ):
            program.run([np.ones(3, np.float32)])


def test_sizes_are_checked_by_a_python_without_assertions() -> None:
    program = f"""
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import InterpreterError
from stablehlo_py.interpreter.program import interpret
import numpy as np

text = "func.func @main(%a: {T}, %b: {T}) -> {T} {{ %r = stablehlo.add %a, %b : {T} return %r : {T} }}"
try:
    interpret(ir.Module.parse(text, make_context()), [np.zeros(2, np.float32), np.zeros(3, np.float32)])
except InterpreterError as error:
    print(__debug__, error)
"""
    run = subprocess.run([sys.executable, "-O", "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("False")
    assert "dimension 0 of the operands differs, 2 and 3" in run.stdout

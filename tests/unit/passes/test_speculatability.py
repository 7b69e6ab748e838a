"""The rules of speculatability against the official ones, which loop-invariant code motion applies.

Each op of a positive case in tests/lit/verify is put into a loop. An op without memory effects leaves it exactly when
the official interface says that it can be speculated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import contracts
import pytest

from stablehlo_py.bindings import ir, make_context, passmanager
from stablehlo_py.bindings.walk import operations
from stablehlo_py.dialect.catalog import contract
from stablehlo_py.passes.hlo_test.speculatability import HloTestSpeculatability, Speculatability, speculatability

WITHOUT_EFFECTS = {"NoMemoryEffect", "RecursiveMemoryEffects"}
LOOP = """
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %one step %one {
  }
"""


@pytest.fixture(scope="module")
def context():
    return make_context()


def may_leave(op: ir.Operation) -> bool:
    """What our rules say about an op and, where it is asked for, about the ops inside."""
    answer = speculatability(op)
    if answer is not Speculatability.RECURSIVELY_SPECULATABLE:
        return answer is Speculatability.SPECULATABLE
    inner = (inner.operation for region in op.regions for block in region for inner in block)
    return all(map(may_leave, inner))


def into_a_loop(case: contracts.Case, context: ir.Context) -> tuple[ir.Module, ir.Operation]:
    """The case's module with its op as the only one in a loop, and the op."""
    head, _, body = case.text.partition("{\n")
    module = ir.Module.parse(head + "{" + LOOP + body, context)
    block = module.body.operations[0].regions[0].blocks[0]
    ops = [op.operation for op in block.operations]
    loop = next(op for op in ops if op.name == "scf.for")
    op = next(op for op in ops if op.name == f"stablehlo.{case.op}")
    outside = [other for other in ops if other not in (op, loop) and not other.name.endswith("return")]
    for other in outside:
        other.move_before(loop)
    op.move_before(loop.regions[0].blocks[0].operations[0])
    return module, op


def candidates() -> list[contracts.Case]:
    # The operands of the case of `return` are not in the loop's reach, and a terminator cannot move.
    ops = [op for op in contracts.provided_ops() if WITHOUT_EFFECTS & set(contract(op).traits) and op != "return"]
    return [
        case
        for op in ops
        for case in contracts.provided_cases(op)
        if not case.errors and "func.func private" not in case.text
    ]


@pytest.mark.parametrize("case", candidates(), ids=lambda case: case.name)
def test_an_op_leaves_a_loop_exactly_when_its_rule_allows_it(case, context):
    module, op = into_a_loop(case, context)
    expected = may_leave(op)
    passmanager.PassManager.parse("builtin.module(loop-invariant-code-motion)", context).run(module.operation)
    assert (op.parent.name != "scf.for") == expected, f"{case.name}: {op.name} has to leave the loop: {expected}"


def test_questions_are_looked_at_once_from_the_first_on():
    """The first is about an op that has one use more until the second is answered."""
    with make_context(allow_unregistered_dialects=True) as own, ir.Location.unknown():
        module = ir.Module.parse("""func.func @main(%x: tensor<2xf32>) {
          %0 = stablehlo.abs %x : tensor<2xf32>
          "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2xf32>) -> ()
          %1 = stablehlo.negate %0 : tensor<2xf32>
          "hlo_test_speculatability.is_speculatable"(%1) : (tensor<2xf32>) -> ()
          return
        }""", own)  # fmt: skip
        HloTestSpeculatability().run(module.body.operations[0].operation)
        names = [op.name for op in operations(module.operation)[2:]]
    assert names == ["stablehlo.abs", "hlo_test_speculatability.is_speculatable", "func.return"]


def test_ops_of_other_dialects_have_no_rule(context):
    module = ir.Module.parse("func.func @main() {\n  return\n}", context)
    assert speculatability(module.body.operations[0].operation) is None


# Attributes, operands and results of ops; a size before `~` is unknown in some of the programs, and an operand with
# elements is a constant in half of them.
GATHER = """dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
  index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>"""
SCATTER = """scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
  scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"""
CONVOLVED = "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
IMAGES = "tensor<{}~x7~x{}~xf32> | tensor<1~x{}~x{}~xf32> -> tensor<{}~x7~x{}~xf32>"


def convolution(batches: int, features: int) -> tuple[str, str]:
    """One of images of one dimension; the kernel has as many output features as both kinds of groups need."""
    attributes = f"{CONVOLVED}, batch_group_count = {batches} : i64, feature_group_count = {features} : i64"
    return attributes, IMAGES.format(4, 6, 6 // features, 12, 4 // batches, 12)


SHAPES: dict[str, list[tuple[str, str]]] = {
    "bitcast_convert": [("", "tensor<3~x4~xf32> -> tensor<3~x4~xi32>"), ("", "tensor<3~x4xi8> -> tensor<3~xi32>")],
    "broadcast_in_dim": [("broadcast_dimensions = array<i64: 1>", "tensor<3~xf32> -> tensor<2x3xf32>")],
    "concatenate": [("dimension = 1 : i64", "tensor<3~x4~xf32> | tensor<3~x5~xf32> -> tensor<3~x9~xf32>")],
    "convolution": [convolution(1, 1), convolution(2, 1), convolution(1, 2)],
    "dot_general": [
        ("dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], "
         "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>",
         "tensor<2~x3~x4~xf32> | tensor<4~x2~x5~xf32> -> tensor<2~x3~x5~xf32>"),
    ],
    "dynamic_broadcast_in_dim": [
        ("broadcast_dimensions = array<i64: 1>", f"tensor<{size}~xf32> | tensor<2xi32> = [2, 3] -> tensor<2~x3~xf32>")
        for size in (1, 3)
    ],
    "dynamic_iota": [("iota_dimension = 0 : i64", "tensor<2xi32> = [2, 3] -> tensor<2~x3~xf32>")],
    "dynamic_pad": [
        ("", "tensor<3~xf32> | tensor<f32> | tensor<1xi32> = [1] | tensor<1xi32> = [0] | tensor<1xi32> = [2]"
         " -> tensor<8~xf32>")
    ],
    "dynamic_reshape": [("", "tensor<6~xf32> | tensor<2xi32> = [2, 3] -> tensor<2~x3~xf32>")],
    "fft": [
        ("fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>",
         "tensor<2~x4~xcomplex<f32>> -> tensor<2~x4~xcomplex<f32>>"),
        ("fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 3, 4>",
         "tensor<2~x3~x4~xf32> -> tensor<2~x3~x3~xcomplex<f32>>"),
        ("fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 4>",
         "tensor<2~x3~xcomplex<f32>> -> tensor<2~x4~xf32>"),
    ],
    "gather": [
        (f"{GATHER}{promise}", "tensor<4~x3~xf32> | tensor<2~x1~xi32> -> tensor<2~x3~xf32>")
        for promise in ("", ", indices_are_sorted = true", ", indices_are_sorted = false")
    ],
    "real_dynamic_slice": [
        ("", "tensor<5~xf32> | tensor<1xi32> = [1] | tensor<1xi32> = [4] | tensor<1xi32> = [1] -> tensor<3~xf32>")
    ],
    "reshape": [("", "tensor<2~x3~xf32> -> tensor<6xf32>")],
    "scatter": [
        (f"{SCATTER}{promise}", "tensor<4~x3~xf32> | tensor<2~x1xi32> | tensor<2~x3xf32> -> tensor<4~x3~xf32>")
        for promise in ("", ", indices_are_sorted = true", ", unique_indices = true", ", unique_indices = false")
    ],
    "set_dimension_size": [
        ("dimension = 0 : i64", "tensor<4~x3~xf32> | tensor<i32> = 2 -> tensor<4~x3~xf32>"),
        ("dimension = 1 : i64", "tensor<4~x3~xf32> | tensor<i32> = 2 -> tensor<4~x3~xf32>"),
    ],
    "transpose": [("permutation = array<i64: 1, 2, 0>", "tensor<2~x3~x4~xf32> -> tensor<3~x4~x2~xf32>")],
    "triangular_solve": [
        ("left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, "
         f"unit_diagonal = {diagonal}", "tensor<3~x3~xf32> | tensor<3~x2~xf32> -> tensor<3~x2~xf32>")
        for diagonal in ("true", "false")
    ],
}  # fmt: skip
BODY = """^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%s) : (tensor<f32>) -> ()"""


def with_unknown_sizes(text: str) -> Iterator[str]:
    """The text with all choices of few unknown sizes, or few known ones."""
    parts = re.split(r"(\d+)~", text)
    count = len(parts) // 2
    for chosen in product((False, True), repeat=count):
        if count < 7 or not 3 <= sum(chosen) <= count - 3:
            yield "".join("?" if at % 2 and chosen[at // 2] else part for at, part in enumerate(parts))


def in_loops(op: str, attributes: str, shapes: str) -> Iterator[str]:
    """Programs with an op in a loop."""
    operands, _, results = shapes.partition(" -> ")
    found = [operand.partition(" = ") for operand in operands.split(" | ")]
    region = f" ({{ {BODY} }})" if op == "scatter" else ""
    types = ", ".join(type_ for type_, _, _ in found)
    line = f"({', '.join(f'%{n}' for n in range(len(found)))}){region} {{{attributes}}} : ({types}) -> {results}"
    for fixes in {False, any(held for _, _, held in found)}:
        held = {n: text for n, (_, _, text) in enumerate(found) if text and fixes}
        parameters = ", ".join(f"%{n}: {type_}" for n, (type_, _, _) in enumerate(found) if n not in held)
        constants = [f"%{n} = stablehlo.constant dense<{text}> : {found[n][0]}\n" for n, text in held.items()]
        loop = LOOP.replace("  }", f'%r = "stablehlo.{op}"{line}\n  }}')
        yield f"func.func @main({parameters}) {{\n{''.join(constants)}{loop}return\n}}"


@pytest.mark.parametrize("op", SHAPES)
def test_an_op_of_unknown_sizes_leaves_a_loop_exactly_when_its_rule_allows_it(op, context):
    licm = passmanager.PassManager.parse("builtin.module(loop-invariant-code-motion)", context)
    answers = set[bool]()
    for form in SHAPES[op]:
        count = 0
        for text in (each for shapes in with_unknown_sizes(form[1]) for each in in_loops(op, form[0], shapes)):
            try:
                module = ir.Module.parse(text, context)
            except ir.MLIRError:  # sizes that contradict each other
                continue
            function = module.body.operations[0].regions[0].blocks[0]
            loop = next(each for each in function.operations if each.operation.name == "scf.for")
            asked = loop.regions[0].blocks[0].operations[0].operation
            expected = may_leave(asked)
            licm.run(module.operation)
            assert (asked.parent.name != "scf.for") == expected, f"whether it leaves its loop: {expected}\n{text}"
            answers.add(expected)
            count += 1
        assert count > 1, form
    assert answers == {True, False}


TO_ALL = "split_dimension = 0 : i64, concat_dimension = 2 : i64, split_count = 2 : i64"


@pytest.mark.parametrize(
    ("op", "attributes", "shapes", "may"),
    [
        ("all_gather", "all_gather_dim = 1 : i64", "3x4 -> 3x8", False),
        ("all_gather", "all_gather_dim = 1 : i64", "3x4 -> 3x?", True),
        ("all_gather", "all_gather_dim = 1 : i64", "3x? -> 3x?", True),
        ("all_gather", "all_gather_dim = 1 : i64", "3x4 -> ?x8", False),
        ("all_gather", "all_gather_dim = 1 : i64", "?x4 -> 3x?", False),
        ("all_gather", "all_gather_dim = 1 : i64", "?x4 -> ?x?", True),
        ("all_gather", "all_gather_dim = 0 : i64", "3x4 -> ?x4", True),
        ("reduce_scatter", "scatter_dimension = 1 : i64", "3x4 -> 3x2", False),
        ("reduce_scatter", "scatter_dimension = 1 : i64", "3x4 -> 3x?", True),
        ("reduce_scatter", "scatter_dimension = 1 : i64", "3x4 -> ?x2", False),
        ("reduce_scatter", "scatter_dimension = 1 : i64", "?x4 -> 3x?", False),
        ("all_to_all", TO_ALL, "4x3x5 -> 2x3x10", False),
        ("all_to_all", TO_ALL, "4x3x5 -> ?x3x10", False),
        ("all_to_all", TO_ALL, "4x3x5 -> 2x3x?", False),
        ("all_to_all", TO_ALL, "4x3x5 -> ?x3x?", True),
        ("all_to_all", TO_ALL, "4x?x5 -> ?x3x?", False),
        ("all_to_all", TO_ALL, "?x?x? -> ?x?x?", True),
    ],
)
def test_only_the_processes_tell_the_sizes_of_what_they_exchange(op, attributes, shapes, may, context):
    operand, result = (f"tensor<{shape}xf32>" for shape in shapes.split(" -> "))
    region = f" ({{ {BODY} }})" if op == "reduce_scatter" else ""
    groups = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
    line = f'%r = "stablehlo.{op}"(%x){region} {{{attributes}, {groups}}} : ({operand}) -> {result}'
    module = ir.Module.parse(f"func.func @main(%x: {operand}) {{\n{line}\nreturn\n}}", context)
    found = speculatability(module.body.operations[0].regions[0].blocks[0].operations[0].operation)
    assert found is (Speculatability.SPECULATABLE if may else Speculatability.NOT_SPECULATABLE)

"""Reports on shapes: each value's shape in terms of arguments, and what would make an unknown size known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import DiagnosticsError
from stablehlo_py.passes.abstract_reports import symbolic_shapes, why_dynamic
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.evaluation.conditions import compare
from stablehlo_py.shapes.evaluation.symbols import interval
from stablehlo_py.shapes.library import activate, library
from stablehlo_py.shapes.refinement.value_facts import ValueFacts

HEADS = "%x: tensor<?x3xf32>, %n: tensor<2xi32>, %s: tensor<4xf32>, %go: tensor<i1>, %t: !stablehlo.token"
HEADS += ", %m: tensor<4x3xf32>"
FAR = "{0}[0]: '{1}' has no shape function; give one with --abstract-interp-library"
ROUNDS = "while.1[0]: dimension 0 of what stablehlo.while carries changes from round to round"
PIN = "pin down dimension 0 of argument 0 of @main, with --stablehlo-refine-arguments"
# Lines of a program, and for each unknown size: the line, the subject, the size, the values and what to do.
Row = tuple[int, str, str, str, str]
REASONS: list[tuple[str, list[Row]]] = [
    ("%0 = stablehlo.abs %x : tensor<?x3xf32>", [(2, "%0 = stablehlo.abs", "arg0[0]", "%0 <- %arg0", PIN)]),
    ("%0 = stablehlo.abs %s : (tensor<4xf32>) -> tensor<?xf32>", []),
    (
        "%0 = stablehlo.dynamic_reshape %x, %n : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<3x?xf32>",
        [
            (2, "%0 = stablehlo.dynamic_reshape", "arg1{1}", "%0 <- %arg1",
             "pass a constant for argument 1 of @main: element 1 of it is a size"),
        ],
    ),
    (
        """%i = stablehlo.convert %s : (tensor<4xf32>) -> tensor<4xi32>
        %j = stablehlo.slice %i [2:3] : (tensor<4xi32>) -> tensor<1xi32>
        %k = stablehlo.dynamic_iota %j, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>""",
        [
            (4, "%2 = stablehlo.dynamic_iota", "convert.1{2}", "%2 <- %1 <- %0",
             "convert.1{2}: element 2 of stablehlo.convert is data, which nobody knows before running"),
        ],
    ),
    (
        "%0 = stablehlo.custom_call @far(%s) : (tensor<4xf32>) -> tensor<?xf32>",
        [(2, "%0 = stablehlo.custom_call @far", "custom_call.1[0]", "", FAR.format("custom_call.1", "far"))],
    ),
    (
        '%0 = stablehlo.composite "own.it" %s {decomposition = @inner} : (tensor<4xf32>) -> tensor<?xf32>',
        [(2, "%0 = stablehlo.composite @own.it", "composite.1[0]", "", FAR.format("composite.1", "own.it"))],
    ),
    (
        "%0 = tensor.cast %m : tensor<4x3xf32> to tensor<4x?xf32>",
        [(2, "= tensor.cast", "cast.1[1]", "",
          "cast.1[1]: the shape function of tensor.cast says nothing about dimension 1 of its result")],
    ),
    (
        """%open = stablehlo.negate %s : (tensor<4xf32>) -> tensor<?xf32>
        %0 = stablehlo.while(%c = %open) : tensor<?xf32> cond { stablehlo.return %go : tensor<i1> } do {
          %l = stablehlo.concatenate %c, %s, dim = 0 : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
          stablehlo.return %l : tensor<?xf32>
        }""",
        [
            (3, "%1 = stablehlo.while", "while.1[0]", "", ROUNDS),
            (4, "%2 = stablehlo.concatenate", "while.1[0] + 4", "%2 <- %iterArg", ROUNDS),
        ],
    ),
]  # fmt: skip


@pytest.fixture(scope="module", name="context")
def _context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


def program(lines: str) -> ir.Module:
    inner = "func.func private @inner(%a: tensor<4xf32>) -> tensor<?xf32> {\n  %0 = stablehlo.custom_call @inside(%a)"
    inner += " : (tensor<4xf32>) -> tensor<?xf32>\n  return %0 : tensor<?xf32>\n}"
    return ir.Module.parse(f"func.func @main({HEADS}) {{\n{lines}\nreturn\n}}\n{inner if '@inner' in lines else ''}")


@pytest.mark.parametrize(("lines", "rows"), REASONS, ids=[rows[0][1] if rows else "known" for _, rows in REASONS])
def test_each_unknown_size_has_its_reason(lines: str, rows: list[Row], context: ir.Context) -> None:
    module = program(lines)
    before = str(module)
    found = why_dynamic(module.operation).splitlines()
    assert str(module) == before
    if not rows:
        assert found == ["every size is known"]
        return
    wanted: list[str] = []
    for line, subject, size, values, advice in rows:
        position = next(index for index, text in enumerate(found) if subject in text)
        assert found[position].split(":")[1] == str(line), found[position]
        dimension = next(text for text in found[position + 1 :] if "dimension" in text).split()[1]
        wanted += [found[position], f"  dimension {dimension} is {size}"]
        wanted += [f"  handed on by {values}"] if values else []
        wanted += [f"  {advice}"]
        assert wanted[-2 - bool(values)].endswith(f"is {size}")
    assert found[: len(wanted)] == wanted


def test_names_of_arguments_are_told(context: ir.Context) -> None:
    text = 'func.func @main(%x: tensor<?xf32> loc("the rows")) {\n%0 = stablehlo.abs %x : tensor<?xf32>\nreturn\n}'
    assert "pin down dimension 0 of argument 0 ('the rows') of @main" in why_dynamic(ir.Module.parse(text).operation)


def test_places_that_are_unknown_are_left_out(context: ir.Context) -> None:
    text = "func.func @main(%x: tensor<?xf32>) {\n%0 = stablehlo.abs %x : tensor<?xf32> loc(unknown)\nreturn\n}"
    assert why_dynamic(ir.Module.parse(text).operation).startswith("%0 = stablehlo.abs : tensor<?xf32>\n")


def test_shapes_are_in_terms_of_arguments(context: ir.Context) -> None:
    module = program("""
    %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %1 = stablehlo.slice %0 [1:3, 0:1] : (tensor<?x3xf32>) -> tensor<2x1xf32>
    %2 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.dynamic_iota %3, dim = 0 : (tensor<1xi32>) -> tensor<?xf64>
    %5 = stablehlo.after_all %t : !stablehlo.token""")
    assert symbolic_shapes(module.operation).splitlines() == [
        "func @main",
        "  %arg0 : [arg0[0], 3] f32",
        "  %arg1 : [2] i32",
        "  %arg2 : [4] f32",
        "  %arg3 : [] i1",
        "  %arg4 : !stablehlo.token",
        "  %arg5 : [4, 3] f32",
        "  %0 = stablehlo.concatenate : [2*arg0[0], 3] f32",
        "  %1 = stablehlo.slice : [2, 1] f32",
        "  %2 = stablehlo.get_dimension_size : [] i32",
        "  %3 = stablehlo.reshape : [1] i32",
        "  %4 = stablehlo.dynamic_iota : [2*arg0[0]] f64",
        "  %5 = stablehlo.after_all : !stablehlo.token",
    ]


GROWS = """func.func @NAME(%x: tensor<?xf32>, %one: tensor<1xf32>) -> tensor<?xf32> {
  %0 = stablehlo.concatenate %x, %one, dim = 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %x : tensor<?xf32>
  return %1 : tensor<?xf32>
}"""
PLAIN = "func.func @NAME(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"


@pytest.mark.parametrize(
    ("functions", "named"),
    [
        ({"main": GROWS}, "arg0[0]"),
        ({"f": GROWS}, "arg0[0]"),
        ({"main": GROWS, "f": PLAIN}, "arg0[0]"),
        ({"main": PLAIN, "f": GROWS}, "f.arg0[0]"),
        ({"f": GROWS, "g": PLAIN}, "f.arg0[0]"),
        ({"f": PLAIN, "g": GROWS}, "g.arg0[0]"),
    ],
    ids=["main", "one function", "main of two", "beside main", "the first of two", "the second of two"],
)
def test_sizes_of_arguments_have_the_functions_name_unless_it_is_clear(functions: dict[str, str], named: str) -> None:
    text = "\n".join(function.replace("NAME", name) for name, function in functions.items())
    with pytest.raises(DiagnosticsError) as raised:
        run_pipeline(parsed(text), "builtin.module(stablehlo-shape-refinement-pipeline)")
    assert f"{named} + 1" in raised.value.diagnostics[0].message
    assert f".{named}" not in raised.value.diagnostics[0].message


@pytest.mark.parametrize(("bound", "size", "proven"), [(5, 5, True), (5, 4, False), (4, 5, True)])
def test_the_bound_of_a_size_is_known(bound: int, size: int, proven: bool) -> None:
    type_ = f"tensor<?xf32, #stablehlo.bounds<{bound}>>"
    module = parsed(f"func.func @main(%x: {type_}) {{ return }}")
    argument = module.body.operations[0].regions[0].blocks[0].arguments[0]
    (found,) = ValueFacts().sizes(argument) or ()
    assert interval(found) == (0, bound)
    assert (compare("sle", found, size) is True) == proven


SAYS_NOTHING = """from __future__ import annotations
from stablehlo_py.shapes.language import *
from stablehlo_py.shapes.registry import *


@shape_function("stablehlo.custom_call", target="far")
def far(operand: Shape) -> Shape:
    return [operand[0], DYNAMIC]
"""


def test_a_function_that_a_target_has_is_told_apart_from_none(tmp_path: Path, context: ir.Context) -> None:
    (tmp_path / "mine.py").write_text(SAYS_NOTHING)
    text = """func.func @main(%s: tensor<4xf32>) {
      %0 = stablehlo.custom_call @far(%s) : (tensor<4xf32>) -> tensor<4x?xf32>
      %1 = stablehlo.custom_call @other(%s) : (tensor<4xf32>) -> tensor<?x4xf32>
      return }"""
    activate(library([tmp_path / "mine.py"]))
    try:
        found = why_dynamic(ir.Module.parse(text).operation)
    finally:
        activate(None)
    advice = [line.strip() for line in found.splitlines() if "custom_call.1" in line or "custom_call.2" in line]
    says = "the shape function of stablehlo.custom_call says nothing about dimension 1 of its result"
    assert advice == [
        "dimension 1 is custom_call.1[1]",
        f"custom_call.1[1]: {says}",
        "dimension 0 is custom_call.2[0]",
        FAR.format("custom_call.2", "other"),
    ]


def test_each_unknown_is_told_once_however_often_it_occurs(context: ir.Context) -> None:
    text = """func.func @main(%x: tensor<?x3xf32>) {
      %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
      %e = stablehlo.multiply %d, %d : tensor<i32>
      %f = stablehlo.add %e, %d : tensor<i32>
      %g = stablehlo.reshape %f : (tensor<i32>) -> tensor<1xi32>
      %0 = stablehlo.dynamic_iota %g, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      return }"""
    found = why_dynamic(ir.Module.parse(text).operation)
    assert found.count(PIN) == 1, found
    assert "arg0[0]*arg0[0]" in found


def test_what_an_op_demands_is_told_of_what_comes_behind_it_only() -> None:
    """Behind the sum both vectors have the size of the first one."""
    module = parsed("""func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) {
      %a = stablehlo.negate %y : tensor<?xf32>
      %b = stablehlo.add %x, %y : tensor<?xf32>
      %c = stablehlo.abs %y : tensor<?xf32>
      return
    }""")
    assert symbolic_shapes(module.operation).splitlines()[1:] == [
        "  %arg0 : [arg0[0]] f32",
        "  %arg1 : [arg1[0]] f32",
        "  %0 = stablehlo.negate : [arg1[0]] f32",
        "  %1 = stablehlo.add : [arg0[0]] f32",
        "  %2 = stablehlo.abs : [arg0[0]] f32",
    ]

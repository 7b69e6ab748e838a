"""Costs are those that XLA's own analysis counts, where both count the same things."""

from __future__ import annotations

import importlib
import math

import cost_check
import pytest

import stablehlo_py
from stablehlo_py.analysis import cost, view
from stablehlo_py.analysis.cost import cost_text
from stablehlo_py.bindings.provider import compiler_client, provider
from stablehlo_py.errors import InputError

T = "tensor<8x16xf32>"
REDUCED = "(tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>"
SCALAR = "%z = stablehlo.constant dense<0.0> : tensor<f32>"
PROGRAMS = {
    "add": (f"%a: {T}, %b: {T}", f"%0 = stablehlo.add %a, %b : {T}", T),
    "tanh": (f"%a: {T}", f"%0 = stablehlo.tanh %a : {T}", T),
    "select": (f"%p: tensor<8x16xi1>, %a: {T}, %b: {T}", f"%0 = stablehlo.select %p, %a, %b : tensor<8x16xi1>, {T}", T),
    "dot_general": (
        "%a: tensor<3x8x16xf32>, %b: tensor<3x16x4xf32>",
        "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : "
        "(tensor<3x8x16xf32>, tensor<3x16x4xf32>) -> tensor<3x8x4xf32>",
        "tensor<3x8x4xf32>",
    ),
    "reduce": (
        f"%a: {T}",
        f"{SCALAR}\n%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : {REDUCED}",
        "tensor<8xf32>",
    ),
    "convolution": (
        "%a: tensor<2x8x9x3xf32>, %b: tensor<3x3x3x5xf32>",
        "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        "window = {stride = [2, 1], pad = [[1, 1], [0, 2]], rhs_dilate = [1, 2]} "
        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
        "(tensor<2x8x9x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x4x7x5xf32>",
        "tensor<2x4x7x5xf32>",
    ),
    "reduce_window": (
        "%a: tensor<4x6x6x2xf32>",
        f"""{SCALAR}
        %0 = "stablehlo.reduce_window"(%a, %z) <{{window_dimensions = array<i64: 1, 2, 3, 1>}}> ({{
          ^bb0(%x: tensor<f32>, %y: tensor<f32>):
            %s = stablehlo.maximum %x, %y : tensor<f32>
            stablehlo.return %s : tensor<f32>
        }}) : (tensor<4x6x6x2xf32>, tensor<f32>) -> tensor<4x5x4x2xf32>""",
        "tensor<4x5x4x2xf32>",
    ),
}
LOOP = """func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %start = stablehlo.constant dense<2> : tensor<i32>
  %end = stablehlo.constant dense<END> : tensor<i32>
  %r:3 = stablehlo.while(%i = %start, %x = %a, %n = %end) : tensor<i32>, tensor<4x4xf32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %step = stablehlo.constant dense<3> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<i32>
    %y = stablehlo.dot %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %next, %y, %n : tensor<i32>, tensor<4x4xf32>, tensor<i32>
  }
  return %r#1 : tensor<4x4xf32>
}"""


def program(name):
    arguments, body, result = PROGRAMS[name]
    return f"func.func @main({arguments}) -> {result} {{\n{body}\nreturn %0 : {result} }}"


@pytest.mark.skipif(provider.name != "jaxlib", reason="XLA comes with jaxlib")
@pytest.mark.parametrize("name", PROGRAMS)
def test_single_ops_cost_what_xla_counts(name):
    extension, library = compiler_client()
    convert = importlib.import_module("jaxlib._jax").mlir.mlir_module_to_xla_computation
    computation = convert(program(name), use_tuple_args=False, return_tuple=False)
    counted = extension.hlo_module_cost_analysis(library.make_cpu_client(), computation.get_hlo_module())
    found = cost(stablehlo_py.parse(program(name)))
    assert found.flops == counted.get("flops", 0)
    assert found.transcendentals == counted.get("transcendentals", 0)
    assert found.bytes == counted["bytes accessed"]


# Kinds of ops that docs/cost.md says are counted otherwise, or are changed on the way to HLO.
EXPLAINED = {"broadcast_in_dim", "composite", "convert", "dynamic_slice", "fft", "iota", "pad", "select", "transpose"}


@pytest.mark.skipif(provider.name != "jaxlib", reason="XLA comes with jaxlib")
def test_every_op_of_ten_whole_programs_costs_what_xla_counts_or_is_explained():
    analysis, equal = cost_check.Analysis(), set()
    assert len(cost_check.PROGRAMS) == 10
    for path in cost_check.PROGRAMS:
        module = stablehlo_py.parse(path)
        stablehlo_py.run_passes(module, "builtin.module(inline)")
        for name, ours, theirs in cost_check.single_ops(module, analysis):
            assert ours == theirs or name.removeprefix("stablehlo.") in EXPLAINED, (path.stem, name, ours, theirs)
            equal |= {name} if ours == theirs else set()
    assert equal >= {f"stablehlo.{name}" for name in ("dot_general", "convolution", "reduce", "gather", "slice")}


@pytest.mark.parametrize(("end", "trips"), [(2, 0), (3, 1), (5, 1), (6, 2), (32, 10)])
def test_loops_count_as_often_as_they_run(end, trips):
    found = cost(stablehlo_py.parse(LOOP.replace("END", str(end))))
    (dot,) = [one for one in found.ops if one.op == "stablehlo.dot"]
    assert dot.runs == trips
    assert dot.flops == trips * 2 * 4 * 4 * 4
    assert [one.runs for one in found.ops if one.op == "stablehlo.compare"] == [trips + 1]
    assert found.notes == ()


@pytest.mark.parametrize(
    ("end", "runs"),
    [
        ("stablehlo.get_dimension_size %a, dim = 0 : (tensor<4x4xf32>) -> tensor<i32>", 1),
        ("stablehlo.convert %half : (tensor<i16>) -> tensor<i32>", 2),
        ("stablehlo.convert %minus : (tensor<i16>) -> tensor<ui32>", None),
        ("stablehlo.convert %same : (tensor<ui32>) -> tensor<i32>", None),  # which no wider type holds
    ],
)
def test_loops_up_to_a_size_or_a_converted_constant(end, runs):
    """The first is how JAX bounds the decomposition of a scan."""
    head = "%half = stablehlo.constant dense<6> : tensor<i16>\n%minus = stablehlo.constant dense<-6> : tensor<i16>\n"
    head += "%same = stablehlo.constant dense<6> : tensor<ui32>\n"
    text = LOOP.replace("%end = stablehlo.constant dense<END> : tensor<i32>", f"{head}%end = {end}")
    assert text != LOOP
    text = text.replace("tensor<i32>", "tensor<ui32>") if "> tensor<ui32>" in end else text
    found = cost(stablehlo_py.parse(text))
    assert [one.runs for one in found.ops if one.op == "stablehlo.dot"] == [1 if runs is None else runs]
    assert bool(found.notes) == (runs is None)


def test_a_loop_of_unknown_length_is_noted():
    text = LOOP.replace("END", "9").replace("stablehlo.return %next, %y, %n", "stablehlo.return %next, %y, %next")
    assert cost(stablehlo_py.parse(text)).notes == ("a loop of unknown length counts once",)


def test_the_peak_is_where_most_values_live():
    text = """func.func @main(%a: tensor<1000xf32>) -> tensor<f32> {
      %0 = stablehlo.negate %a : tensor<1000xf32>
      %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<2000xf32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<2000xf32>, tensor<f32>) -> tensor<f32>
      return %2 : tensor<f32> }"""
    found = cost(stablehlo_py.parse(text))
    assert found.peak_bytes == 4000 + 8000  # %0 and %1: the argument has died
    assert found.peak_at.startswith("stablehlo.concatenate")


def test_functions_count_at_each_call():
    text = f"""func.func @main(%a: {T}) -> {T} {{
      %0 = func.call @f(%a) : ({T}) -> {T}
      %1 = func.call @f(%0) : ({T}) -> {T}
      return %1 : {T} }}
    func.func private @f(%a: {T}) -> {T} {{
      %0 = stablehlo.add %a, %a : {T}
      return %0 : {T} }}"""
    assert cost(stablehlo_py.parse(text)).flops == 2 * 8 * 16


def test_dynamic_shapes_are_noted():
    text = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
      %0 = stablehlo.negate %a : tensor<?xf32>
      return %0 : tensor<?xf32> }"""
    assert "dynamic" in cost(stablehlo_py.parse(text)).notes[0]


def test_a_function_that_is_missing_is_an_error():
    two = "func.func @f() { return }\nfunc.func @g() { return }"
    with pytest.raises(InputError, match="no function @main"):
        cost(stablehlo_py.parse(two))
    one = stablehlo_py.parse("func.func @f() { return }")
    assert [op.function for op in cost(one).ops] == [op.function for op in cost(one, "f").ops]
    assert view(one, function="main").encoded() == view(one, function="f").encoded()
    main = stablehlo_py.parse("func.func @main() { return }")
    for ask in (cost, view):
        with pytest.raises(InputError, match=r"no function @man; did you mean main\?"):
            ask(main, function="man")


def test_long_chains_are_counted_in_linear_time():
    lines = [f"%{n + 1} = stablehlo.add %{n}, %0 : {T}" for n in range(10_000)]
    text = f"func.func @main(%0: {T}) -> {T} {{\n" + "\n".join(lines) + f"\nreturn %10000 : {T} }}"
    assert cost(stablehlo_py.parse(text)).flops == 10_000 * 8 * 16


DYNAMIC = """func.func @main(%a: tensor<?x8xf32>, %b: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.tanh %a : tensor<?x8xf32>
  %1 = func.call @f(%0, %b) : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32> }
func.func private @f(%a: tensor<?x8xf32>, %b: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32> }"""


def test_dynamic_sizes_are_symbols_in_every_amount():
    found = cost(stablehlo_py.parse(DYNAMIC))
    assert str(found.flops) == "64*arg0[0]"
    assert str(found.transcendentals) == "8*arg0[0]"
    assert str(found.bytes) == f"{32 + 32 + 32 + 16}*arg0[0] + 128"
    assert found.intensity is None
    assert found.as_dict()["peak_bytes"] == "64*arg0[0] + 128"


def test_numbers_for_the_symbols_give_the_cost_of_the_static_program():
    fixed = cost(stablehlo_py.parse(DYNAMIC)).at({"arg0[0]": 100})
    static = cost(stablehlo_py.parse(DYNAMIC.replace("?", "100")))
    assert fixed.as_dict() == static.as_dict()


def test_calls_of_calls_are_counted_once_each():
    """Forty functions that each call the next one twice: 2^40 runs, counted in forty steps."""
    functions = [f"""func.func private @f{n}(%a: {T}) -> {T} {{
      %0 = func.call @f{n + 1}(%a) : ({T}) -> {T}
      %1 = func.call @f{n + 1}(%0) : ({T}) -> {T}
      return %1 : {T} }}""" for n in range(40)]  # fmt: skip
    last = f"func.func private @f40(%a: {T}) -> {T} {{\n%0 = stablehlo.add %a, %a : {T}\nreturn %0 : {T} }}"
    text = "\n".join([*functions, last]).replace("private @f0(", "@main(")
    found = cost(stablehlo_py.parse(text))
    assert found.flops == 2**40 * 8 * 16
    assert found.peak_bytes == 2 * 8 * 16 * 4


def test_recursion_is_noted():
    text = f"func.func @main(%a: {T}) -> {T} {{\n%0 = func.call @main(%a) : ({T}) -> {T}\nreturn %0 : {T} }}"
    assert cost(stablehlo_py.parse(text)).notes == ("@main is not counted: it is recursive or has no body",)


def test_deep_nests_are_counted_in_linear_time():
    depth = 300
    text = f"func.func @main(%p: tensor<i1>, %a: {T}) -> {T} {{\n"
    text += '%0 = "stablehlo.if"(%p) ({\n' * depth + f"%x = stablehlo.add %a, %a : {T}\nstablehlo.return %x : {T}\n"
    text += f"}}, {{ stablehlo.return %a : {T} }}) : (tensor<i1>) -> {T}\nstablehlo.return %0 : {T}\n" * (depth - 1)
    text += f"}}, {{ stablehlo.return %a : {T} }}) : (tensor<i1>) -> {T}\nreturn %0 : {T} }}"
    found = cost(stablehlo_py.parse(text))
    assert (found.flops, len(found.ops)) == (8 * 16, depth + 1)
    assert found.peak_bytes == 8 * 16 * 4 * 2 + 1


def test_a_loop_carries_its_values_in_place():
    found = cost(stablehlo_py.parse(LOOP.replace("END", "5")))
    assert found.peak_bytes == 64 * 2 + 4 * 2  # %x and %y, %n and %next


def test_costs_show_themselves():
    found = cost(stablehlo_py.parse(program("dot_general")))
    assert repr(found) == "<Cost: 3.07 k operations, 2.69 kB, peak 2.69 kB>"
    assert "<td>stablehlo.dot_general</td><td>1</td><td>3.07 k</td>" in found._repr_html_()


@pytest.mark.parametrize("batch", [(), (5,), (5, 2)])
def test_solves_cost_by_the_size_of_their_matrices_whatever_the_batch(batch):
    a, b = ["tensor<" + "x".join([*map(str, batch), size]) + "xf32>" for size in ("3x3", "3x4")]
    solve = f"""func.func @main(%a: {a}, %b: {b}) -> {b} {{
      %0 = "stablehlo.triangular_solve"(%a, %b) {{left_side = true, lower = true, unit_diagonal = false,
        transpose_a = #stablehlo<transpose NO_TRANSPOSE>}} : ({a}, {b}) -> {b}
      return %0 : {b} }}"""
    factor = f"""func.func @main(%a: {a}) -> {a} {{
      %0 = stablehlo.cholesky %a, lower = true : {a}
      return %0 : {a} }}"""
    count = math.prod(batch)
    assert str(cost(stablehlo_py.parse(solve)).flops) == str(count * 3 * 4 * 3)
    assert str(cost(stablehlo_py.parse(factor)).flops) == str(count * 9)


def test_of_a_function_with_jumps_the_first_block_is_counted_and_that_is_noted():
    text = f"""func.func @main(%a: {T}) -> {T} {{
      %0 = stablehlo.add %a, %a : {T}
      cf.br ^next
    ^next:
      %1 = stablehlo.sine %0 : {T}
      return %1 : {T} }}"""
    found = cost(stablehlo_py.parse(text))
    assert [one.op for one in found.ops] == ["stablehlo.add"]
    assert found.notes == ("of @main the first block is counted: which others run is not known",)
    assert cost(stablehlo_py.parse(text.replace("cf.br ^next\n    ^next:\n", ""))).notes == ()


@pytest.mark.parametrize("before", range(3))
def test_of_several_peaks_the_first_one_is_named(before):
    """A chain of ops each of which has one operand and one result alive, behind constants that nothing uses."""
    constants = [f"%c{number} = stablehlo.constant dense<0.0> : tensor<4xf32>" for number in range(before)]
    chain = [f"%{number + 1} = stablehlo.negate %{number} : tensor<8xf32>" for number in range(3)]
    lines = [
        "func.func @main() {",
        *constants,
        "%0 = stablehlo.constant dense<0.0> : tensor<8xf32>",
        *chain,
        "return }",
    ]
    found = cost(stablehlo_py.parse("\n".join(lines)))
    assert [one.live for one in found.ops] == [16] * before + [32, 64, 64, 64]
    assert (found.peak_bytes, found.peak_at) == (64, f"stablehlo.negate at <string>:{before + 3}:6")


def test_a_size_that_only_an_operand_has_is_noted():
    text = """func.func @main(%a: tensor<?x3xf32>, %z: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1]
        : (tensor<?x3xf32>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32> }"""
    assert cost(stablehlo_py.parse(text)).notes == ("arg0[0] is a dynamic size",)


def test_a_size_that_a_loop_carries_along_is_that_of_its_argument():
    text = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
      %n = stablehlo.constant dense<4> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = stablehlo.while(%i = %c, %v = %a) : tensor<i32>, tensor<?xf32>
      cond {
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %j = stablehlo.add %i, %one : tensor<i32>
        %s = stablehlo.sine %v : tensor<?xf32>
        stablehlo.return %j, %s : tensor<i32>, tensor<?xf32>
      }
      %t = stablehlo.tanh %r#1 : tensor<?xf32>
      return %t : tensor<?xf32> }"""
    found = cost(stablehlo_py.parse(text))
    assert (found.flops, str(found.transcendentals)) == (9, "5*arg0[0]")
    assert found.notes == ("arg0[0] is a dynamic size",)
    assert found.at({"arg0[0]": 7}).transcendentals == 35


def test_values_of_all_callers_live_while_a_function_runs():
    """Each function keeps one value across its call: of 32, 64 and 128 bytes, the outermost one first."""
    text = """func.func @main(%a: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      %k = stablehlo.constant dense<0.0> : tensor<8xf32>
      %0 = call @outer(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %k, %0 : tensor<8xf32>, tensor<4xf32> }
    func.func private @outer(%a: tensor<4xf32>) -> tensor<4xf32> {
      %k = stablehlo.constant dense<0.0> : tensor<16xf32>
      %0 = call @inner(%a) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = stablehlo.slice %k [0:4] : (tensor<16xf32>) -> tensor<4xf32>
      %2 = stablehlo.add %0, %1 : tensor<4xf32>
      return %2 : tensor<4xf32> }
    func.func private @inner(%a: tensor<4xf32>) -> tensor<4xf32> {
      %k = stablehlo.constant dense<0.0> : tensor<32xf32>
      %0 = stablehlo.sine %a : tensor<4xf32>
      %1 = stablehlo.slice %k [0:4] : (tensor<32xf32>) -> tensor<4xf32>
      %2 = stablehlo.add %0, %1 : tensor<4xf32>
      return %2 : tensor<4xf32> }"""
    found = cost(stablehlo_py.parse(text))
    (sine,) = [one for one in found.ops if one.op == "stablehlo.sine"]
    assert sine.live == 32 + 64 + 128 + 16 + 16
    assert found.peak_bytes == max(one.live for one in found.ops)


@pytest.mark.parametrize(("size", "shown"), [(9, "9*arg0[1]"), (99_999, "99999*arg0[1]"), (9999, "9999*arg0[1]")])
def test_amounts_as_wide_as_a_column_have_blanks_before_them(size, shown):
    text = f"""func.func @main(%a: tensor<{size}x?xf32>) -> tensor<{size}x?xf32> {{
      %0 = stablehlo.negate %a : tensor<{size}x?xf32>
      return %0 : tensor<{size}x?xf32> }}"""
    (row,) = [line for line in cost_text(cost(stablehlo_py.parse(text)), 1).splitlines() if line.endswith("negate")]
    runs, operations, functions, size_, _ = row.split()
    assert (runs, operations, functions) == ("1", shown, "0")
    cells = [f"{each:>12}" if len(each) < 12 else f"  {each}" for each in (operations, functions, size_)]
    assert row == f"{runs:>10}{''.join(cells)}  stablehlo.negate"

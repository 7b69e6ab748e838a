"""What simplification and folding leave alone because a size, a bound or a type is not known, or because of a user."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.report import collect

D, S, I = "tensor<?x?xf32>", "tensor<2x3xf32>", "tensor<?x?xi32>"  # noqa: E741 (integers)
B = "tensor<?x?xf32, #stablehlo.bounds<4, 5>>"
PASSES = ("stablehlo-aggressive-simplification", "stablehlo-target-independent-optimization")
ADD = (
    "({^bb0(%l: tensor<f32>, %r: tensor<f32>): %q = stablehlo.add %l, %r : tensor<f32> "
    "stablehlo.return %q : tensor<f32>})"
)
# Lines that stay, of %d : D, %s : S, %i : I, %b : B, %z : tensor<f32>, %n : tensor<2xi32> and %p : tensor<?x?xi1>.
LINES = [
    f"%0 = stablehlo.transpose %d, dims = [1, 0] : ({D}) -> {D}",
    "%0 = stablehlo.transpose %d, dims = [0, 1] : (tensor<?x?xf32>) -> tensor<2x?xf32>",
    f"%0 = stablehlo.reverse %d, dims = [0] : {D}",
    f"%0 = stablehlo.slice %d [0:1, 0:1] : ({D}) -> tensor<1x1xf32>",
    f"%0 = stablehlo.pad %d, %z, low = [0, 1], high = [0, 0], interior = [0, 0] : ({D}, tensor<f32>) -> {D}",
    f"%0 = stablehlo.concatenate %d, %d, dim = 0 : ({D}, {D}) -> {D}",
    "%0 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<7xf32>",
    f"%0 = stablehlo.subtract %i, %i : {I}",
    f"%0 = stablehlo.compare EQ, %i, %i : ({I}, {I}) -> tensor<?x?xi1>",
    f"%0 = stablehlo.compare EQ, %d, %d, TOTALORDER : ({D}, {D}) -> tensor<?x?xi1>",
    f"%0 = stablehlo.compare EQ, %s, %s : ({S}, {S}) -> tensor<2x3xi1>",  # NaN differs from itself
    f"%0 = stablehlo.select %p, %d, %e : tensor<?x?xi1>, {D}",
    "%0 = stablehlo.dynamic_iota %o, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>",
    f"%0 = stablehlo.dynamic_reshape %d, %n : ({D}, tensor<2xi32>) -> {D}",
    f"%0 = stablehlo.dynamic_broadcast_in_dim %d, %n, dims = [0, 1] : ({D}, tensor<2xi32>) -> {D}",
    # Only a broadcast to the same shape, in the same order, is the reshape in it.
    f"%0 = stablehlo.dynamic_reshape %d, %n : ({D}, tensor<2xi32>) -> {D}\n"
    f"%1 = stablehlo.dynamic_broadcast_in_dim %0, %k, dims = [0, 1] : ({D}, tensor<2xi32>) -> {D}",
    f"%0 = stablehlo.dynamic_reshape %d, %n : ({D}, tensor<2xi32>) -> {D}\n"
    f"%1 = stablehlo.dynamic_broadcast_in_dim %0, %n, dims = [1, 0] : ({D}, tensor<2xi32>) -> {D}",
    f"%0 = stablehlo.get_dimension_size %d, dim = 1 : ({D}) -> tensor<i32>",
    f"%0 = stablehlo.get_dimension_size %b, dim = 1 : ({B}) -> tensor<i32>",
    f"%0 = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [0] : ({D}, tensor<f32>)"
    " -> tensor<?xf32>",
    f'%0 = "stablehlo.reduce"(%d, %z) {ADD} {{dimensions = array<i64>}} : ({D}, tensor<f32>) -> tensor<?x4xf32>',
    # A call with an effect, behind the constant that the body returns.
    '%0 = "stablehlo.reduce"(%s, %z) ({^bb0(%l: tensor<f32>, %r: tensor<f32>): '
    "%c = stablehlo.constant dense<1.0> : tensor<f32> "
    "stablehlo.custom_call @told() {has_side_effect = true} : () -> () "
    f"stablehlo.return %c : tensor<f32>}}) {{dimensions = array<i64: 0>}} : ({S}, tensor<f32>) -> tensor<3xf32>",
    f"%0 = stablehlo.convert %d : ({D}) -> tensor<2x?xf32>",
    f"%0 = stablehlo.dynamic_slice %d, %m, %m, sizes = [1, 1] : ({D}, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>",
    f"%0 = stablehlo.dynamic_update_slice %d, %s, %m, %m : ({D}, {S}, tensor<i32>, tensor<i32>) -> {D}",
    f"%0 = stablehlo.set_dimension_size %s, %m, dim = 0 : ({S}, tensor<i32>)"
    " -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>",
    "%0 = shape.shape_of %d : tensor<?x?xf32> -> tensor<2xindex>",
    f"%0 = stablehlo.abs %b : {B}",
]


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made, ir.Location.unknown():
        yield made


def program(lines: str) -> str:
    results = dict.fromkeys(re.findall(r"^ *(%\d+) =", lines, re.MULTILINE))
    uses = "\n".join(f'"test.use"({name}) : ({_type_of(name, lines)}) -> ()' for name in results)
    types = {"d": D, "e": D, "s": S, "i": I, "b": B, "z": "tensor<f32>", "n": "tensor<2xi32>",
             "k": "tensor<2xi32>", "o": "tensor<1xi32>",
             "m": "tensor<i32>", "p": "tensor<?x?xi1>"}  # fmt: skip
    arguments = ", ".join(f"%{name}: {type_}" for name, type_ in types.items())
    return f"func.func @main({arguments}) {{\n{lines}\n{uses}\nreturn\n}}"


def _type_of(name: str, lines: str) -> str:
    line = next(line for line in lines.splitlines() if line.strip().startswith(f"{name} ="))
    return re.split(r" -> | : ", line)[-1].split(">, tensor")[-1] if "select" not in line else D


def optimized(text: str, name: str) -> tuple[str, str, dict[str, int]]:
    """The program before and after a pass, and how often each pattern fired."""
    with make_context(allow_unregistered_dialects=True):
        module = ir.Module.parse(text)
        before = str(module)
        with collect() as collection:
            run_pipeline(module, f"builtin.module(func.func({name}))")
        report = collection.report_for(name)
        return before, str(module), {name: record.fired for name, record in report.patterns.items() if record.fired}


@pytest.mark.parametrize("line", LINES, ids=[re.findall(r"(?:stablehlo|shape)\.(\w+)", line)[0] for line in LINES])
@pytest.mark.parametrize("name", PASSES)
def test_nothing_is_known_of_these(line: str, name: str) -> None:
    before, after, fired = optimized(program(line), name)
    assert fired == {}
    assert after == before


OUTER = [
    """%0 = stablehlo.while(%c = %s) : tensor<2x3xf32> cond { stablehlo.return %t : tensor<i1> } do {
      %d = stablehlo.sine %c : tensor<2x3xf32>
      stablehlo.return %d : tensor<2x3xf32>
    }
    return %0 : tensor<2x3xf32>""",
    """%0:2 = stablehlo.while(%c = %s, %n = %s) : tensor<2x3xf32>, tensor<2x3xf32> cond {
      stablehlo.return %t : tensor<i1>
    } do {
      %d = stablehlo.sine %c : tensor<2x3xf32>
      stablehlo.return %d, %u : tensor<2x3xf32>, tensor<2x3xf32>
    }
    return %0#0 : tensor<2x3xf32>""",
    """%0:2 = "stablehlo.reduce"(%s, %u, %z, %z) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %e = stablehlo.add %b, %d : tensor<f32>
      stablehlo.return %z, %e : tensor<f32>, tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>)
      -> (tensor<3xf32>, tensor<3xf32>)
    %1 = stablehlo.broadcast_in_dim %0#0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>""",
]


@pytest.mark.parametrize(("lines", "fired"), list(zip(OUTER, ["", "loop_state_nobody_reads", ""], strict=True)))
@pytest.mark.parametrize("name", PASSES)
def test_values_from_outside_of_a_region_are_no_state_of_it(lines: str, fired: str, name: str) -> None:
    heads = "%s: tensor<2x3xf32>, %u: tensor<2x3xf32>, %z: tensor<f32>, %t: tensor<i1>"
    before, after, found = optimized(f"func.func @main({heads}) -> tensor<2x3xf32> {{\n{lines}\n}}", name)
    assert found == ({fired: 1} if fired else {})
    assert (after == before) == (not fired)


EMPTY = "tensor<0x3xf32>"


@pytest.mark.parametrize(
    ("line", "fired"),
    [
        (f"stablehlo.reverse %x, dims = [1] : {EMPTY}", "reverse_nothing"),
        (f"stablehlo.slice %x [0:0, 0:3] : ({EMPTY}) -> {EMPTY}", "slice_of_everything"),
        (f"stablehlo.transpose %x, dims = [0, 1] : ({EMPTY}) -> {EMPTY}", "transpose_in_order"),
        (f"stablehlo.reshape %x : ({EMPTY}) -> {EMPTY}", "reshape_to_same_shape"),
        (f"stablehlo.broadcast_in_dim %x, dims = [0, 1] : ({EMPTY}) -> {EMPTY}", "broadcast_of_nothing"),
        (f"stablehlo.concatenate %x, dim = 1 : ({EMPTY}) -> {EMPTY}", "concatenate_one"),
        (f"stablehlo.convert %x : {EMPTY}", "convert_to_same_type"),
    ],
)
def test_tensors_without_elements_are_handed_on(line: str, fired: str) -> None:
    text = f"func.func @main(%x: {EMPTY}) -> {EMPTY} {{\n%0 = {line}\nreturn %0 : {EMPTY}\n}}"
    _, after, found = optimized(text, PASSES[0])
    assert found == {fired: 1}
    assert "return %arg0" in after

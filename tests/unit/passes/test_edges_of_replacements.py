"""What a pattern puts in the place of an op fits its users, and what it must not touch stays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from one_pattern import applied

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.passes.pipeline import run_pipeline

V, S = "tensor<?xf32>", "tensor<3xf32>"


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(allow_unregistered_dialects=True), ir.Location.unknown():
        yield


def names(module: ir.Module) -> list[str]:
    return [
        op.name.removeprefix("stablehlo.") for op in operations(module.operation.regions[0].blocks[0].operations[0])
    ]


USERS = {
    "negate": (f"%r = stablehlo.negate %d : {V}", False),
    "exponential and a return": (f"%u = stablehlo.exponential %d : {V} %r = stablehlo.negate %u : {V}", False),
    "concatenate": (f"%r = stablehlo.concatenate %d, %d, dim = 0 : ({V}, {V}) -> {V}", False),
    "barrier": (f"%r = stablehlo.optimization_barrier %d : {V}", True),
    "custom call": (f"%r = stablehlo.custom_call @f(%d) : ({V}) -> {V}", True),
    "call": (f"%r = func.call @f(%d) : ({V}) -> {V}", True),
    "composite": (f'%r = stablehlo.composite "a.b" %d {{decomposition = @f}} : ({V}) -> {V}', True),
    "tuple": (
        f"%t = stablehlo.tuple %d : tuple<{V}> "
        f"%r = stablehlo.get_tuple_element %t[0] : (tuple<{V}>) -> {V}", True),
    "other dialect": (f'%r = "x.y"(%d) : ({V}) -> {V}', True),
    "loop": (
        f"%p = stablehlo.constant dense<false> : tensor<i1> %r = stablehlo.while(%v = %d) : {V} "
        f"cond {{ stablehlo.return %p : tensor<i1> }} do {{ stablehlo.return %v : {V} }}", True),
    "sort": (
        f'%r = "stablehlo.sort"(%d) ({{ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %p = stablehlo.compare LT, %a, %b : '
        f"(tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %p : tensor<i1> }}) : ({V}) -> {V}", True),
    "two of them": (f"%u = stablehlo.custom_call @f(%d) : ({V}) -> {V} %r = stablehlo.add %u, %d : {V}", True),
}  # fmt: skip


@pytest.mark.parametrize("user", USERS)
def test_a_result_that_is_known_better_is_converted_where_its_type_matters(user: str) -> None:
    line, is_converted = USERS[user]
    text = f"""func.func @main() -> {V} {{
      %c = stablehlo.constant dense<3> : tensor<1xi32>
      %d = stablehlo.dynamic_iota %c, dim = 0 : (tensor<1xi32>) -> {V}
      {line}
      return %r : {V}
    }}
    func.func private @f(%x: {V}) -> {V} {{ return %x : {V} }}"""
    module, fires = applied(text, "dynamic_iota_is_static")
    assert fires
    assert ("convert" in names(module)) == is_converted, module


@pytest.mark.parametrize("size", [-(2**63), -5, -1, 0, 4])
def test_a_call_for_bits_becomes_an_op_if_a_tensor_has_the_size(size: int) -> None:
    text = f"""func.func @main(%s: tensor<2xui64>) -> tensor<?xui32> {{
      %c = stablehlo.constant dense<{size}> : tensor<1xi64>
      %r:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %c) {{
        rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>
      }} : (tensor<2xui64>, tensor<1xi64>) -> (tensor<2xui64>, tensor<?xui32>)
      return %r#1 : tensor<?xui32>
    }}"""
    module = ir.Module.parse(text)
    run_pipeline(module, "builtin.module(stablehlo-canonicalize-dynamic-calls)")
    assert ("rng_bit_generator" in names(module)) == (size >= 0), module
    assert ("custom_call" in names(module)) == (size < 0), module


@pytest.mark.parametrize(("steps", "fires"), [(1, True), (0, False), (-1, False), (2, False)])
def test_a_slice_whose_limits_follow_from_its_starts_has_unit_steps(steps: int, fires: bool) -> None:
    kind = "tensor<1xi64>"
    text = f"""func.func @main(%x: tensor<9xf32>, %s: {kind}) -> {V} {{
      %c = stablehlo.constant dense<3> : {kind}
      %t = stablehlo.constant dense<{steps}> : {kind}
      %l = stablehlo.add %s, %c : {kind}
      %r = stablehlo.real_dynamic_slice %x, %s, %l, %t : (tensor<9xf32>, {kind}, {kind}, {kind}) -> {V}
      return %r : {V}
    }}"""
    assert applied(text, "real_dynamic_slice_is_dynamic_slice")[1] == fires


@pytest.mark.parametrize(
    ("number", "to", "fits"),
    [(127, "i8", True), (128, "i8", False), (-128, "i8", True), (-129, "i8", False), (2**40, "i32", False),
     (2**31 - 1, "i32", True), (2**31, "i32", False), (2**40, "i64", True)],
)  # fmt: skip
def test_an_index_is_cast_before_where_it_fits(number: int, to: str, fits: bool) -> None:
    text = f"""func.func @main() -> tensor<2x{to}> {{
      %c = arith.constant dense<[0, {number}]> : tensor<2xindex>
      %r = arith.index_cast %c : tensor<2xindex> to tensor<2x{to}>
      return %r : tensor<2x{to}>
    }}"""
    module, fires = applied(text, "index_cast_of_constant")
    assert fires == fits, module
    assert (f"dense<[0, {number}]> : tensor<2x{to}>" in str(module)) == fits, module


EFFECT = "has_side_effect = true"


@pytest.mark.parametrize("pattern", ["loop_state_nobody_reads", "loop_invariant_state"])
@pytest.mark.parametrize(("attribute", "stays"), [(EFFECT, True), ("has_side_effect = false", False)])
def test_an_effect_in_a_loop_that_loses_state_stays(pattern: str, attribute: str, stays: bool) -> None:
    """What nobody reads goes with the computation of lost state."""
    returned = "%n" if pattern == "loop_state_nobody_reads" else "%b"
    text = f"""func.func @main(%x: {S}, %p: tensor<i1>) -> {S} {{
      %w:2 = stablehlo.while(%a = %x, %b = %x) : {S}, {S} cond {{
        stablehlo.return %p : tensor<i1>
      }} do {{
        %n = stablehlo.negate %b : {S}
        %u = stablehlo.custom_call @f() {{{attribute}}} : () -> {S}
        %m = stablehlo.exponential %a : {S}
        stablehlo.return %m, {returned} : {S}, {S}
      }}
      return %w#0 : {S}
    }}"""
    module, fires = applied(text, pattern, tidies=False)
    assert fires, module
    assert ("@f" in str(module)) == (stays or pattern == "loop_invariant_state"), module


@pytest.mark.parametrize(
    ("shape", "start", "limit", "left"),
    [("0", 1, 3, "a c"), ("0", 0, 3, "a c"), ("0", 0, 2, "a"), ("0", 2, 4, "c"), ("1", 1, 4, None), ("1", 2, 4, "b c")],
)
def test_a_slice_of_a_concatenation_takes_nothing_of_what_is_empty(
    shape: str, start: int, limit: int, left: str | None
) -> None:
    types = f"tensor<2xf32>, tensor<{shape}xf32>, tensor<2xf32>"
    a, b, c = types.split(", ")
    whole, part = f"tensor<{4 + int(shape)}xf32>", f"tensor<{limit - start}xf32>"
    text = f"""func.func @main(%a: {a}, %b: {b}, %c: {c}) -> {part} {{
      %0 = stablehlo.concatenate %a, %b, %c, dim = 0 : ({types}) -> {whole}
      %r = stablehlo.slice %0 [{start}:{limit}] : ({whole}) -> {part}
      return %r : {part}
    }}"""
    module, fires = applied(text, "slice_of_concatenate")
    assert fires == (left is not None), module
    arguments = list(operations(module.operation)[1].regions[0].blocks[0].arguments)
    found = [["a", "b", "c"][arguments.index(each)] for op in operations(module.operation) for each in op.operands
             if each in arguments]  # fmt: skip
    assert left is None or " ".join(found) == left, module


@pytest.mark.parametrize(
    ("dims", "between", "fires"),
    [("[1, 0]", "3x2", True), ("[0, 1]", "2x3", False), ("[0, 2]", "2x1x3", False), ("[2, 0]", "3x1x2", True),
     ("[0, 2]", "2x4x3", True)],
)  # fmt: skip
def test_a_broadcast_of_what_is_no_reshape_is_one_broadcast(dims: str, between: str, fires: bool) -> None:
    outer = f"{list(range(1, between.count('x') + 2))}"
    text = f"""func.func @main(%x: tensor<2x3xf32>) -> tensor<5x{between}xf32> {{
      %0 = stablehlo.broadcast_in_dim %x, dims = {dims} : (tensor<2x3xf32>) -> tensor<{between}xf32>
      %r = stablehlo.broadcast_in_dim %0, dims = {outer} : (tensor<{between}xf32>) -> tensor<5x{between}xf32>
      return %r : tensor<5x{between}xf32>
    }}"""
    module, found = applied(text, "broadcast_of_broadcast")
    assert found == fires, module
    assert names(module).count("broadcast_in_dim") == 2 - fires, module


@pytest.mark.parametrize("shape", ["", "1x"])
@pytest.mark.parametrize(("collapsed", "size"), [("0", ""), ("", "1x")])
def test_a_gather_at_a_list_of_one_position_keeps_the_dimension_of_the_list(
    shape: str, collapsed: str, size: str
) -> None:
    """Where positions are numbers of their own, a list of one has a dimension in the result."""
    result = f"tensor<{shape}{size}f32>"
    offsets = "" if collapsed else str(shape.count("x"))
    text = f"""func.func @main(%x: tensor<5xf32>) -> {result} {{
      %i = stablehlo.constant dense<3> : tensor<{shape}i32>
      %r = "stablehlo.gather"(%x, %i) {{dimension_numbers = #stablehlo.gather<offset_dims = [{offsets}],
        collapsed_slice_dims = [{collapsed}], start_index_map = [0], index_vector_dim = {shape.count("x")}>,
        slice_sizes = array<i64: 1>}} : (tensor<5xf32>, tensor<{shape}i32>) -> {result}
      return %r : {result}
    }}"""
    module, fires = applied(text, "gather_is_slice")
    assert fires == (not shape), module
    assert ("[3:4]" in str(module)) == fires, module

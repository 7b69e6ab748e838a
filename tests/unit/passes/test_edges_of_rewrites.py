"""Rewrites at the edges of what they need: sizes, kinds of types, effects, and what is left to others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from one_pattern import applied

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.capabilities import has
from stablehlo_py.bindings.remarks import remarks
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import Diagnostic
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.passes import catalog, guarded_pipeline
from stablehlo_py.passes.catalog import CompiledPass, describe_pass
from stablehlo_py.passes.effects import has_effects, is_dead, is_effect_free, is_foldable
from stablehlo_py.passes.folding import FOLDS
from stablehlo_py.passes.hlo_test import infer
from stablehlo_py.passes.hlo_test.infer import HloTestInfer, inferred_components
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.protection import unsafe_ops_protected
from stablehlo_py.passes.report import PassReport, collect
from stablehlo_py.passes.rewriting import inner_ops, snapshot_of
from stablehlo_py.passes.simplification import SIMPLIFICATIONS

SIMPLIFY, FOLD = "stablehlo-aggressive-simplification", "stablehlo-aggressive-folder"


def rewritten(lines: str, name: str = SIMPLIFY, anchor: str = "func.func", **parameters: str) -> list[str]:
    """The ops of a program, whose results are used, after a pass."""
    given = ", ".join(f"%{key}: {type_}" for key, type_ in parameters.items())
    module = stablehlo_py.parse(f"func.func @main({given}) {{\n{lines}\nreturn\n}}")
    run_pipeline(module, f"builtin.module({anchor}({name}))" if anchor else f"builtin.module({name})")
    assert module.operation.verify()
    body = [line.strip() for line in str(module).splitlines()[2:-3]]
    return [line for line in body if "@use" not in line]


def use(type_: str, name: str = "%r") -> str:
    return f"stablehlo.custom_call @use({name}) {{has_side_effect = true}} : ({type_}) -> ()"


@pytest.mark.parametrize(
    ("types", "left"),
    [
        (("tensor<2xf32>", "tensor<2xi32>", "tensor<2xui32>"), ["(tensor<2xf32>) -> tensor<2xui32>"]),
        (("tensor<2xf32>", "tensor<2xi32>", "tensor<2xf32>"), []),
        (("tensor<2xf32>", "tensor<2x4xi8>", "tensor<2xi32>"), None),
        (("tensor<2x4xi8>", "tensor<2xi32>", "tensor<2xf32>"), None),
        (("tensor<2xf32>", "tensor<2xi32>", "tensor<2x4xi8>"), None),
        (("tensor<?xf32>", "tensor<?xi32>", "tensor<?xui32>"), None),
        (("tensor<?xf32>", "tensor<2xi32>", "tensor<2xui32>"), None),
        (("tensor<2xf32>", "tensor<?xi32>", "tensor<2xui32>"), None),
        (("tensor<2xf32>", "tensor<2xi32>", "tensor<?xui32>"), None),
    ],
)
def test_bits_that_keep_their_places_are_taken_once(types: tuple[str, str, str], left: list[str] | None) -> None:
    steps = [f"({a}) -> {b}" for a, b in (types[:2], types[1:])]
    lines = f"%m = stablehlo.bitcast_convert %x : {steps[0]}\n%r = stablehlo.bitcast_convert %m : {steps[1]}"
    found = [line.partition(" : ")[2] for line in rewritten(f"{lines}\n{use(types[2])}", x=types[0])]
    assert found == (steps if left is None else left)


@pytest.mark.parametrize(
    ("shape", "result", "left"),
    [
        ("%n", "tensor<3x4xi32>", ["iota", "broadcast_in_dim"]),
        ("%n", "tensor<?x4xi32>", None),
        ("dense<[3, 4]>", "tensor<?x4xi32>", ["iota", "broadcast_in_dim", "convert"]),
        ("dense<[3, 4]>", "tensor<3x4xi32>", ["iota", "broadcast_in_dim"]),
    ],
)
def test_a_dynamic_iota_is_static_if_its_type_or_its_shape_is(shape: str, result: str, left: list[str] | None) -> None:
    constant = "" if shape == "%n" else f"%c = stablehlo.constant {shape} : tensor<2xi64>\n"
    op = f"%r = stablehlo.dynamic_iota {'%n' if shape == '%n' else '%c'}, dim = 0 : (tensor<2xi64>) -> {result}"
    names = [re.findall(r"stablehlo\.(\w+)", line)[0] for line in rewritten(
        f"{constant}{op}\n{use(result)}", n="tensor<2xi64>")]  # fmt: skip
    assert ("dynamic_iota" in names) == (left is None)
    if left is not None:
        assert [name for name in names if name != "convert"] == [name for name in left if name != "convert"]


@pytest.mark.parametrize(("k", "is_static"), [(-1, False), (0, True), (1, True), (5, True), (6, False)])
def test_the_largest_k_of_a_row_are_all_of_it_at_most(k: int, is_static: bool) -> None:
    types = "(tensor<2x5xf32>, tensor<i32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)"
    lines = f"%k = stablehlo.constant dense<{k}> : tensor<i32>\n"
    lines += f"%r:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : {types}\n"
    lines += use("tensor<2x?xf32>", "%r#0")
    found = rewritten(lines, "stablehlo-canonicalize-dynamic-calls", "", x="tensor<2x5xf32>")
    assert any(f"chlo.top_k(%arg0, k = {k})" in line for line in found) == is_static
    assert any("stablehlo.dynamic_top_k" in line for line in found) != is_static


@pytest.fixture
def _context() -> Iterator[None]:
    with make_context(allow_unregistered_dialects=True), ir.Location.unknown():
        yield


@pytest.mark.usefixtures("_context")
@pytest.mark.parametrize(
    ("line", "dead", "free", "foldable"),
    [
        ("%r = stablehlo.abs %x : tensor<f32>", True, True, True),
        ("stablehlo.custom_call @f(%x) : (tensor<f32>) -> ()", False, True, False),
        ("%r = stablehlo.custom_call @f(%x) : (tensor<f32>) -> tensor<f32>", True, True, False),
        ("%r = stablehlo.custom_call @f(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>",
         False, False, False),
        ("%r = stablehlo.partition_id : tensor<ui32>", True, True, False),
        ('"stablehlo.case"(%i) ({ stablehlo.return }) : (tensor<i32>) -> ()', True, True, True),
        ('"stablehlo.case"(%i) ({ stablehlo.custom_call @f() {has_side_effect = true} : () -> () stablehlo.return }) '
         ": (tensor<i32>) -> ()", False, False, False),
        ('"test.op"(%x) : (tensor<f32>) -> ()', False, False, False),
    ],
)  # fmt: skip
def test_ops_without_results_are_dead_only_for_their_regions(line: str, dead: bool, free: bool, foldable: bool) -> None:
    module = ir.Module.parse(f"func.func @main(%x: tensor<f32>, %i: tensor<i32>) {{ {line} return }}")
    with snapshot_of(module.body.operations[0].operation, PassReport()) as snapshot:
        op = inner_ops(snapshot.root)[-2]
        assert (is_dead(op), is_effect_free(op), is_foldable(op)) == (dead, free, foldable)


def test_folding_shares_the_simplifications_that_fold_and_no_others() -> None:
    shared = [item for item in FOLDS if item in SIMPLIFICATIONS]
    assert shared == [item for item in SIMPLIFICATIONS if item.folds] != []
    assert any(not item.folds for item in SIMPLIFICATIONS)
    zero = "%z = stablehlo.constant dense<-0.0> : tensor<2xf32>\n%r = stablehlo.add %x, %z : tensor<2xf32>\n"
    text = f"{zero}{use('tensor<2xf32>')}"
    assert [len(rewritten(text, name, x="tensor<2xf32>")) for name in (FOLD, SIMPLIFY)] == [2, 0]


@pytest.mark.parametrize(
    ("limit", "operands", "size", "said"),
    [
        (3, 16, 4, "more elements than the limit of 3"),
        (4, 3, 4, "more elements than the limit of 3"),
        (3, 3, 4, "more elements than the limit of 3"),
        (4, 4, 4, None),
        (9, 3, 4, "more elements than the limit of 3"),
    ],
)
def test_the_limit_that_is_told_is_the_one_that_counts(
    limit: int, operands: int, size: int, said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stablehlo_py.passes.folding.evaluation._MAX_OPERAND_ELEMENTS", operands)
    numbers = list(range(size))
    lines = f"%c = stablehlo.constant dense<{numbers}> : tensor<{size}xi32>\n"
    lines += f"%r = stablehlo.add %c, %c : tensor<{size}xi32>\n{use(f'tensor<{size}xi32>')}"
    with collect() as collection:
        left = rewritten(lines, f"{FOLD}{{fold-op-element-limit={limit}}}")
    kept = {reason for (_, reason) in collection.report_for(FOLD).kept}
    assert kept == ({said} if said else set())
    assert any("stablehlo.add" in line for line in left) == bool(said)


@pytest.mark.skipif(not has("remarks"), reason="the bindings have no remarks")
def test_a_remark_names_each_pattern_that_fired_at_its_op() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %z = stablehlo.constant dense<-0.0> : tensor<2xf32>
      %0 = stablehlo.add %x, %z : tensor<2xf32>
      %1 = stablehlo.negate %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    }"""
    module, said = stablehlo_py.parse(text), list[Diagnostic]()
    with remarks(module.context, {"all_filter": ".*"}, "emitRemark", "all", ""):
        run_pipeline(module, f"builtin.module(func.func({SIMPLIFY}))", sink=said.append)
    told = [(each.severity, each.location.rpartition(":")[0], each.message) for each in said]
    (found,) = told
    assert found[:2] == ("remark", "<string>:3")
    assert SIMPLIFY in found[2]
    assert "neutral_on_the_right" in found[2]
    assert "Passed" in found[2]


def test_options_of_compiled_passes_are_listed_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"cse": CompiledPass("sums up", options={"b": "second", "a": "first"})}
    monkeypatch.setattr(catalog, "compiled_passes", lambda: known)
    found = describe_pass("cse", make_context())
    assert (found.name, found.summary) == ("cse", "sums up")
    assert [tuple(option) for option in found.options] == [("a", "", "first"), ("b", "", "second")]


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize("expendable", [True, False])
@pytest.mark.parametrize(
    ("text", "limited", "may_crash"),
    [("cse", False, False), ("cse", True, True), ("canonicalize", False, True), (SIMPLIFY, False, False),
     (f"cse,{SIMPLIFY},canonicalize", False, True)],
)  # fmt: skip
def test_a_trial_is_for_what_may_crash_a_process_that_is_needed(
    text: str, limited: bool, may_crash: bool, expendable: bool, trusted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Any] = []

    def trial(_work: Any, op: Any) -> Any:
        tried.append(op)
        return type("Outcome", (), {"crash": "", "notes": ()})()

    monkeypatch.setattr(guarded_pipeline, "tried_in_child", trial)
    monkeypatch.setattr(guarded_pipeline, "is_expendable", lambda: expendable)
    monkeypatch.setattr(guarded_pipeline, "limits", lambda: Limits(9.0) if limited else Limits())
    module = stablehlo_py.parse("func.func @main() { return }")
    guarded_pipeline.run_guarded_pipeline(module, text, trust_input=trusted)
    assert tried == ([module.operation] if may_crash and not expendable and not trusted else [])


REIFIED = """func.func @main(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>) -> tensor<3xindex> {{
  %0 = stablehlo.{} -> tensor<?x?x?xf32>
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf32>) -> tensor<3xindex>
  return %1 : tensor<3xindex>
}}"""


@pytest.mark.parametrize(
    ("op", "asked", "shape"),
    [
        ("transpose %x, dims = [2, 0, 1] : (tensor<?x?x?xf32>)",
         ["arg0 0", "arg0 1", "arg0 2"], ["arg0 2", "arg0 0", "arg0 1"]),
        ("concatenate %x, %y, dim = 2 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>)",
         ["arg0 0", "arg0 1", "arg0 2", "arg1 2"], ["arg0 0", "arg0 1", "arg0 2+arg1 2"]),
        ("concatenate %x, %y, dim = 0 : (tensor<?x?x?xf32>, tensor<?x?x?xf32>)",
         ["arg0 0", "arg0 1", "arg0 2", "arg1 0"], ["arg0 0+arg1 0", "arg0 1", "arg0 2"]),
        ("dot_general %x, %y, batching_dims = [2] x [0], contracting_dims = [1] x [2] : "
         "(tensor<?x?x?xf32>, tensor<?x?x?xf32>)", ["arg0 2", "arg0 0", "arg1 1"], ["arg0 2", "arg0 0", "arg1 1"]),
    ],
)  # fmt: skip
def test_sizes_are_asked_for_in_the_official_order_of_each_op(op: str, asked: list[str], shape: list[str]) -> None:
    with make_context(allow_unregistered_dialects=True), ir.Location.unknown():
        module = ir.Module.parse(REIFIED.format(op))
        HloTestInfer().run(module.body.operations[0].operation)
        texts: dict[ir.Value, str] = {}
        dims = list[str]()
        for inner in operations(module.operation)[2:]:
            known = [texts.get(one, str(one.get_name()).lstrip("%")) for one in inner.operands]
            if inner.name == "arith.constant":
                texts[inner.results[0]] = str(ir.IntegerAttr(inner.attributes["value"]).value)
            elif inner.name == "tensor.dim":
                dims.append(" ".join(known))
                texts[inner.results[0]] = dims[-1]
            elif inner.name == "arith.addi":
                texts[inner.results[0]] = "+".join(known)
            elif inner.name == "tensor.from_elements":
                assert known == shape
    assert dims == asked


@pytest.mark.usefixtures("_context")
@pytest.mark.parametrize(
    ("op", "components"),
    [
        ("abs %x : tensor<2xf32>", None),
        ("transpose %x, dims = [0] : (tensor<2xf32>) -> tensor<2xf32>", None),
        ("reverse %x, dims = [0] : tensor<2xf32>", None),
        ("add %x, %x : tensor<2xf32>", ["tensor<2xf32>"]),
        ("slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>", None),
        ("custom_call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>", None),
    ],
)
def test_shape_and_element_type_are_inferred_apart_by_some_ops(op: str, components: list[str] | None) -> None:
    module = ir.Module.parse(f"func.func @main(%x: tensor<2xf32>) {{ %0 = stablehlo.{op} return }}")
    found = inferred_components(operations(module.operation)[2])
    assert (None if found is None else list(map(str, found))) == components


@pytest.mark.usefixtures("_context")
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(
    ("start", "limit", "left"),
    [
        (0, 2, ["slice a 0 2"]),
        (1, 2, ["slice a 1 2"]),
        (2, 5, ["slice b 0 3"]),
        (3, 4, ["slice b 1 2"]),
        (5, 9, ["slice c 0 4"]),
        (1, 4, ["concatenate a b", "slice ab 1 4"]),
        (4, 6, ["concatenate b c", "slice bc 2 4"]),
        (1, 6, None),
        (0, 9, None),
    ],
)
def test_a_slice_takes_of_a_concatenation_what_it_reaches(
    start: int, limit: int, left: list[str] | None, shared: bool
) -> None:
    """Several operands, only where nothing else uses all of them."""
    text = f"""func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) {{
      %0 = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<2xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<9xf32>
      {use("tensor<9xf32>", "%0") if shared else ""}
      %r = stablehlo.slice %0 [{start}:{limit}] : (tensor<9xf32>) -> tensor<{limit - start}xf32>
      {use(f"tensor<{limit - start}xf32>")}
      return
    }}"""
    module, _ = applied(text, "slice_of_concatenate")
    names = dict(zip(module.body.operations[0].regions[0].blocks[0].arguments, "abc", strict=True))
    found: list[str] = []
    for op in operations(module.operation):
        operands = [names.get(operand, "") for operand in op.operands]
        if op.name == "stablehlo.concatenate":
            names[op.results[0]] = "".join(operands)
            found += [" ".join(["concatenate", *operands])] if len(operands) < 3 else []
        elif op.name == "stablehlo.slice":
            first, last = (ir.DenseI64ArrayAttr(op.attributes[name])[0] for name in ("start_indices", "limit_indices"))
            found.append(f"slice {operands[0]} {first} {last}")
    whole = [f"slice abc {start} {limit}"]
    assert found == (whole if left is None or (shared and len(left) > 1) else left)


@pytest.mark.usefixtures("_context")
def test_ops_that_passes_get_wrong_stand_aside_with_all_that_they_have() -> None:
    text = """module {
  func.func @main(%arg0: tensor<2xi1>, %arg1: tensor<2xi32>) -> tensor<2xi1> {
    "check.expect_eq"(%arg1, %arg1) {mine = 1 : i32} : (tensor<2xi32>, tensor<2xi32>) -> ()
    %0 = stablehlo.add %arg0, %arg0 {mhlo.note = "kept"} : tensor<2xi1>
    %1 = stablehlo.add %arg1, %arg1 : tensor<2xi32>
    return %0 : tensor<2xi1>
  }
}
"""
    module = ir.Module.parse(text)
    before = str(module)
    with unsafe_ops_protected(module.operation):
        inner = operations(module.operation)[2:-1]
        assert [op.name for op in inner] == ["stablehlo.custom_call", "stablehlo.or", "stablehlo.add"]
        call = inner[0]
        assert ir.StringAttr(call.attributes["call_target_name"]).value == "check.expect_eq"
        assert ir.BoolAttr(call.attributes["has_side_effect"]).value is True
        assert "mine" not in call.attributes
        assert "mhlo.note" not in inner[1].attributes
    assert str(module) == before
    with pytest.raises(ZeroDivisionError), unsafe_ops_protected(module.operation):
        raise ZeroDivisionError
    assert str(module) == before


@pytest.mark.usefixtures("_context")
@pytest.mark.parametrize(
    ("op", "alone", "inside"),
    [
        ('"stablehlo.all_reduce"(%x) ({ BODY }) {replica_groups = dense<0> : tensor<1x1xi64>} '
         ": (tensor<f32>) -> tensor<f32>", True, True),
        ('"stablehlo.reduce"(%x, %x) ({ BODY }) {dimensions = array<i64>} : (tensor<f32>, tensor<f32>) -> tensor<f32>',
         False, True),
        ("stablehlo.abs %x : tensor<f32>", False, False),
        ("stablehlo.custom_call @f(%x) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>", True, True),
    ],
)  # fmt: skip
def test_effects_are_those_of_an_op_or_of_what_runs_in_its_regions(op: str, alone: bool, inside: bool) -> None:
    body = "^bb0(%a: tensor<f32>, %b: tensor<f32>): %c = stablehlo.add %a, %b : tensor<f32> "
    body += "stablehlo.return %c : tensor<f32>"
    module = ir.Module.parse(f"func.func @main(%x: tensor<f32>) {{ %0 = {op.replace('BODY', body)} return }}")
    with snapshot_of(module.body.operations[0].operation, PassReport()) as snapshot:
        found = inner_ops(snapshot.root)[-2]
        asked: list[str] = []
        assert has_effects(found, lambda one: bool(asked.append(one.name))) == alone
        assert asked == ([] if alone == inside else ["stablehlo.add"]), "the end of a region has no effect"
        assert has_effects(found, lambda _: True) == inside
        assert is_effect_free(found) == (not alone)


@pytest.mark.usefixtures("_context")
@pytest.mark.parametrize(
    ("op", "types"),
    [
        ("dot %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>", ["tensor<index>"]),
        ("transpose %x, dims = [0] : (tensor<2xf32>) -> tensor<2xf32>", ["tensor<2xf32>"]),
        ("slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>", ["tensor<1xf32>"]),
        ("add %x, %x : tensor<2xf32>", None),  # a trait compares its types and names none
    ],
)
def test_types_are_told_by_the_error_about_wrong_ones(op: str, types: list[str] | None) -> None:
    module = ir.Module.parse(f"func.func @main(%x: tensor<2xf32>) {{ %0 = stablehlo.{op} return }}")
    before = str(module)
    found = infer._from_diagnostic(operations(module.operation)[2])
    assert (None if found is None else list(map(str, found))) == types
    assert str(module) == before


@pytest.mark.parametrize("predicate", ["tensor<i1>", "tensor<4xi1>"])
@pytest.mark.parametrize(("first", "second"), [("true", "false"), ("false", "true"), ("true", "true")])
def test_a_choice_of_truth_is_its_predicate_where_it_has_the_type(predicate: str, first: str, second: str) -> None:
    lines = f"""%a = stablehlo.constant dense<{first}> : tensor<4xi1>
      %b = stablehlo.constant dense<{second}> : tensor<4xi1>
      %r = stablehlo.select %p, %a, %b : {predicate}, tensor<4xi1>
      {use("tensor<4xi1>")}"""
    names = re.findall(r"stablehlo\.(\w+)", "\n".join(rewritten(lines, p=predicate)))
    if first == second:
        assert names == ["constant"]
    elif predicate == "tensor<i1>":
        assert "select" in names
    else:
        assert names == ([] if first == "true" else ["not"])


@pytest.mark.parametrize(("limit", "is_one"), [(3, False), (4, True), (5, True)])
def test_a_choice_between_constants_is_made_up_to_the_limit(limit: int, is_one: bool) -> None:
    lines = f"""%p = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
      %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
      %b = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
      %r = stablehlo.select %p, %a, %b : tensor<4xi1>, tensor<4xi32>
      {use("tensor<4xi32>")}"""
    found = "\n".join(rewritten(lines, f"{SIMPLIFY}{{fold-op-element-limit={limit}}}"))
    assert ("stablehlo.select" not in found) == is_one, found
    assert ("dense<[1, 6, 3, 8]>" in found) == is_one, found


@pytest.mark.parametrize(
    ("index_vector_dim", "collapsed", "sizes", "result", "is_slice"),
    [(0, "", "1, 2", "1x2", True), (0, "0", "1, 2", "2", True), (1, "0", "1, 2", "2x2", False)],
)
def test_a_gather_at_one_position_is_a_slice(
    index_vector_dim: int, collapsed: str, sizes: str, result: str, is_slice: bool
) -> None:
    offsets = {"1x2": "0, 1", "2": "0", "2x2": "1"}[result]
    mapped = "0, 1" if index_vector_dim == 0 else "0"  # two numbers of one position, or two positions of one number
    lines = f"""%i = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
      %r = "stablehlo.gather"(%x, %i) {{dimension_numbers = #stablehlo.gather<offset_dims = [{offsets}],
        collapsed_slice_dims = [{collapsed}], start_index_map = [{mapped}], index_vector_dim = {index_vector_dim}>,
        slice_sizes = array<i64: {sizes}>}} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<{result}xf32>
      {use(f"tensor<{result}xf32>")}"""
    found = "\n".join(rewritten(lines, x="tensor<5x4xf32>"))
    assert ("stablehlo.gather" in found) == (not is_slice), found
    assert ("[3:4, 1:3]" in found) == is_slice, found

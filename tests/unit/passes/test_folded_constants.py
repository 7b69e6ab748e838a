"""What `stablehlo-fold-constants` computes, keeps and reports, and changes of ops that never get into a program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.report import PassReport, collect
from stablehlo_py.passes.rewriting import Pattern, RewriteOptions, apply_patterns, pattern

NAME = "stablehlo-fold-constants"
CHAIN = """func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = stablehlo.add %a, %a : tensor<4xi32>
  %1 = stablehlo.multiply %0, %0 : tensor<4xi32>
  %2 = stablehlo.negate %1 : tensor<4xi32>
  %3 = stablehlo.add %1, %x : tensor<4xi32>
  return %2, %3 : tensor<4xi32>, tensor<4xi32>
}"""


def folded(text: str, max_bytes: int | None = None) -> tuple[ir.Module, PassReport]:
    module = stablehlo_py.parse(text)
    option = "" if max_bytes is None else f"{{max-bytes={max_bytes}}}"
    with collect() as collection:
        run_pipeline(module, f"builtin.module(func.func({NAME}{option}))")
    assert module.operation.verify()
    return module, collection.report_for(NAME)


def names(module: ir.Module) -> list[str]:
    return [op.name.removeprefix("stablehlo.") for op in operations(module.operation)[2:-1]]


def test_a_chain_of_constants_is_computed_and_reported() -> None:
    module, report = folded(CHAIN)
    assert sorted(names(module)) == ["add", "constant", "constant"]
    x = np.int32([10, 20, 30, 40])
    first, second = stablehlo_py.interpret(module, [x])
    assert np.asarray(first).tolist() == [-4, -16, -36, -64]
    assert np.asarray(second).tolist() == [14, 36, 66, 104]
    fired = {name: each.fired for name, each in report.patterns.items()}
    assert fired == {"fold stablehlo.add": 1, "fold stablehlo.multiply": 1, "fold stablehlo.negate": 1}
    assert report.ops_folded == 3
    assert all(0 < each.seconds <= report.seconds for each in report.patterns.values())
    assert report.kept == {}


@pytest.mark.parametrize(("max_bytes", "folds"), [(15, False), (16, True), (17, True)])
def test_results_of_so_many_bytes_are_computed(max_bytes: int, folds: bool) -> None:
    module, report = folded(CHAIN, max_bytes)
    assert ("multiply" not in names(module)) == folds
    assert report.ops_folded == (3 if folds else 0)
    assert dict(report.kept) == ({} if folds else {("stablehlo.add", "more than 15 bytes"): 1})


@pytest.mark.parametrize(
    ("op", "folds"),
    [
        ("stablehlo.log %z : tensor<2xf32>", True),  # what may hint at a fault is computed, too
        ("stablehlo.sqrt %m : tensor<2xf32>", True),
        ("stablehlo.divide %i, %n : tensor<2xi32>", False),  # the spec says nothing of it
        ("stablehlo.divide %i, %i : tensor<2xi32>", True),
        ("stablehlo.custom_call @f(%z) : (tensor<2xf32>) -> tensor<2xf32>", False),
        ("stablehlo.optimization_barrier %z : tensor<2xf32>", False),
        ("chlo.tan %m : tensor<2xf32> -> tensor<2xf32>", True),
    ],
)
def test_what_the_spec_says_is_computed_and_nothing_else(op: str, folds: bool) -> None:
    type_ = "tensor<2xi32>" if "i32" in op else "tensor<2xf32>"
    text = f"""func.func @main() -> {type_} {{
      %z = stablehlo.constant dense<0.0> : tensor<2xf32>
      %m = stablehlo.constant dense<[-1.0, 2.0]> : tensor<2xf32>
      %i = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
      %n = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
      %r = {op}
      return %r : {type_}
    }}"""
    module, report = folded(text)
    assert (report.ops_folded == 1) == folds
    assert (set(names(module)) == {"constant"}) == folds


NESTED = """func.func @main() -> (tensor<i32>, tensor<3xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %v = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r:2 = stablehlo.while(%i = %zero, %w = %v) : tensor<i32>, tensor<3xi32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %u = "stablehlo.case"(%i) ({
      %a = stablehlo.add %w, %v : tensor<3xi32>
      stablehlo.return %a : tensor<3xi32>
    }, {
      %s = stablehlo.reduce(%w init: %zero) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
        reducer(%a: tensor<i32>, %b: tensor<i32>) {
          %q = stablehlo.compare GT, %b, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
          %c = "stablehlo.if"(%q) ({
            %d = stablehlo.add %a, %b : tensor<i32>
            stablehlo.return %d : tensor<i32>
          }, {
            stablehlo.return %a : tensor<i32>
          }) : (tensor<i1>) -> tensor<i32>
          stablehlo.return %c : tensor<i32>
        }
      %t = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<i32>) -> tensor<3xi32>
      stablehlo.return %t : tensor<3xi32>
    }, {
      %n = stablehlo.subtract %w, %v : tensor<3xi32>
      stablehlo.return %n : tensor<3xi32>
    }) : (tensor<i32>) -> tensor<3xi32>
    stablehlo.return %j, %u : tensor<i32>, tensor<3xi32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<3xi32>
}"""


def test_regions_in_regions_are_computed() -> None:
    before = [np.asarray(value).tolist() for value in stablehlo_py.interpret(stablehlo_py.parse(NESTED))]
    assert before == [3, [11, 10, 9]]  # 2 + 4 + 6, less 1, 2, 3
    module, report = folded(NESTED)
    assert set(names(module)) == {"constant"}
    assert report.ops_folded == 1, "the loop, in one go"
    assert [np.asarray(value).tolist() for value in stablehlo_py.interpret(module)] == before


@pytest.mark.parametrize("times", [1, 2])
def test_a_new_op_is_gone_however_often_it_is_erased(times: int) -> None:
    patterns: list[Pattern] = []

    @pattern(patterns, "negate")
    def tries(op: Any, rewriter: Any) -> bool:
        first, second = [rewriter.create(name, op.operands, before=op) for name in ("abs", "floor")]
        for _ in range(times):
            rewriter.erase(first)
        return rewriter.replace(op, second.results)

    with make_context(), ir.Location.unknown():
        text = "%0 = stablehlo.negate %x : tensor<f32> return %0 : tensor<f32>"
        module = ir.Module.parse(f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{ {text} }}")
        assert apply_patterns(module.body.operations[0].operation, patterns, RewriteOptions(), PassReport())
        assert [op.name for op in operations(module.operation)[2:]] == ["stablehlo.floor", "func.return"]


@pytest.mark.parametrize("is_erased", [True, False])
def test_attributes_of_new_ops_go_with_them(is_erased: bool) -> None:
    patterns: list[Pattern] = []

    @pattern(patterns, "negate")
    def tries(op: Any, rewriter: Any) -> bool:
        new = rewriter.create("abs", op.operands, before=op)
        new.attributes["mine.first"] = ir.StringAttr.get("set")
        new.attributes["mine.second"] = ir.StringAttr.get("set")
        del new.attributes["mine.second"]
        if is_erased:
            rewriter.erase(new)
            new = rewriter.create("floor", op.operands, before=op)
        return rewriter.replace(op, new.results)

    with make_context(), ir.Location.unknown():
        text = "%0 = stablehlo.negate %x {mine.own = 1 : i32} : tensor<f32> return %0 : tensor<f32>"
        module = ir.Module.parse(f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{ {text} }}")
        assert apply_patterns(module.body.operations[0].operation, patterns, RewriteOptions(), PassReport())
        (op,) = operations(module.operation)[2:-1]
        assert op.name == ("stablehlo.floor" if is_erased else "stablehlo.abs")
        found = {name for name in op.attributes if name.startswith("mine.")}
        assert found == (set() if is_erased else {"mine.first"})
        assert module.operation.verify()


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        ("stablehlo.constant dense<1> : tensor<2xi32>", "stablehlo.constant dense<1> : tensor<2xi32>", 1),
        ("stablehlo.constant dense<1> : tensor<2xi32>", "stablehlo.constant dense<2> : tensor<2xi32>", 2),
        ("stablehlo.constant dense<1> : tensor<2xi32>", "stablehlo.constant dense<1> : tensor<3xi32>", 2),
        ("stablehlo.constant dense<1> : tensor<2xi32>", "arith.constant dense<1> : tensor<2xi32>", 2),
        ("stablehlo.constant dense<0.0> : tensor<2xf32>", "stablehlo.constant dense<-0.0> : tensor<2xf32>", 2),
        ("stablehlo.constant dense<1> : tensor<2xi32>",
         'stablehlo.constant {mhlo.sharding = "{replicated}"} dense<1> : tensor<2xi32>', 2),
        ("shape.const_shape [1, 2] : tensor<2xindex>", "shape.const_shape [1, 2] : tensor<2xindex>", 1),
        ("shape.const_shape [1, 2] : tensor<2xindex>", "shape.const_shape [2, 1] : tensor<2xindex>", 2),
    ],
)  # fmt: skip
def test_constants_that_are_alike_in_everything_are_one(first: str, second: str, count: int) -> None:
    with make_context(allow_unregistered_dialects=True), ir.Location.unknown():
        types = [line.rpartition(" : ")[2] for line in (first, second)]
        uses = "\n".join(f'"test.use"(%{n}) : ({type_}) -> ()' for n, type_ in enumerate(types))
        module = ir.Module.parse(f"func.func @main() {{\n%0 = {first}\n%1 = {second}\n{uses}\nreturn\n}}")
        apply_patterns(module.body.operations[0].operation, [], RewriteOptions(), PassReport())
        assert module.operation.verify()
        left = [op for op in operations(module.operation) if "const" in op.name]
        assert len(left) == count, module


def test_what_regions_alone_read_becomes_no_constant() -> None:
    text = """func.func @main() -> tensor<2xi32> {
      %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
      %i = stablehlo.constant dense<0> : tensor<i32>
      %a = stablehlo.add %c, %c : tensor<4xi32>
      %r = "stablehlo.case"(%i) ({
        %s = stablehlo.slice %a [1:3] : (tensor<4xi32>) -> tensor<2xi32>
        stablehlo.return %s : tensor<2xi32>
      }) : (tensor<i32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }"""
    module, report = folded(text)
    assert names(module) == ["constant"]
    assert (report.ops_folded, report.constant_bytes_created, report.constant_bytes_after) == (2, 8, 8)
    (value,) = stablehlo_py.interpret(module)
    assert np.asarray(value).tolist() == [4, 6]


@pytest.mark.parametrize(
    ("dividend", "divisor", "folds"),
    [("-128, 5", "1, -1", True), ("5, -128", "-1, 1", True), ("5, -128", "1, -1", False), ("-127, 5", "-1, -1", True)],
)
@pytest.mark.parametrize("op", ["divide", "remainder"])
def test_quotients_are_open_where_the_smallest_number_meets_minus_one(
    op: str, dividend: str, divisor: str, folds: bool
) -> None:
    module, report = folded(f"""func.func @main() -> tensor<2xi8> {{
      %a = stablehlo.constant dense<[{dividend}]> : tensor<2xi8>
      %b = stablehlo.constant dense<[{divisor}]> : tensor<2xi8>
      %0 = stablehlo.{op} %a, %b : tensor<2xi8>
      return %0 : tensor<2xi8>
    }}""")
    assert (op not in names(module)) == folds
    assert bool(report.kept) != folds


@pytest.mark.parametrize(("rounds", "folds"), [(5_000, True), (60_000, False)])
def test_loops_are_run_ahead_for_a_hundred_thousand_steps(rounds: int, folds: bool) -> None:
    """A round takes some four of them."""
    module, report = folded(f"""func.func @main() -> tensor<i32> {{
      %z = stablehlo.constant dense<0> : tensor<i32>
      %n = stablehlo.constant dense<{rounds}> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %w = stablehlo.while(%i = %z) : tensor<i32> cond {{
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }} do {{
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j : tensor<i32>
      }}
      return %w : tensor<i32>
    }}""")
    assert ("while" not in names(module)) == folds
    assert bool(report.kept) != folds

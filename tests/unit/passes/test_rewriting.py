"""The pattern driver: what it visits, in which order, and that erased ops are never touched again."""

from __future__ import annotations

import numpy as np
import pytest
from parsed import parsed

import stablehlo_py
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import operations_within
from stablehlo_py.errors import StablehloError
from stablehlo_py.passes.decomposition.ops import NotDecomposableError, _number
from stablehlo_py.passes.effects import declares_effects, is_dead, is_effect_free, is_foldable
from stablehlo_py.passes.report import PassReport, collect, current_report
from stablehlo_py.passes.rewriter import Rewriter, compact
from stablehlo_py.passes.rewriting import (
    Pattern,
    PatternIndex,
    RewriteOptions,
    apply_patterns,
    inner_ops,
    pattern,
    snapshot_of,
)
from stablehlo_py.passes.snapshot.parts import Block
from stablehlo_py.passes.snapshot.program import Snapshot


@pytest.fixture
def context():
    with make_context(allow_unregistered_dialects=True) as context, ir.Location.unknown():
        yield context


def function(text: str) -> tuple[ir.Module, ir.Operation]:
    module = ir.Module.parse(text)
    return module, module.body.operations[0].operation


def names(root: ir.Operation) -> list[str]:
    return [op.name.removeprefix("stablehlo.") for op in operations_within(root, inner_first=True)]


CHAIN = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.floor %1 : tensor<4xf32>
  %unused = stablehlo.ceil %2 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""


def test_last_op_is_visited_first_and_dead_ops_go(context):
    module, root = function(CHAIN)
    seen: list[str] = []
    patterns: list[Pattern] = []

    @pattern(patterns, "abs", "negate", "floor", "ceil")
    def look(op, rewriter):
        seen.append(op.name)
        return False

    report = PassReport()
    assert apply_patterns(root, patterns, RewriteOptions(), report)
    assert seen[:3] == ["stablehlo.floor", "stablehlo.negate", "stablehlo.abs"]
    assert names(root) == ["abs", "negate", "floor", "func.return"]
    assert (report.ops_before, report.ops_after, report.ops_erased_as_dead) == (5, 4, 1)
    module.operation.verify()


def test_users_of_a_replaced_op_are_visited_again(context):
    module, root = function(CHAIN)
    patterns: list[Pattern] = []

    @pattern(patterns, "abs")
    def remove_abs(op, rewriter):
        return rewriter.forward(op, op.operands[0])

    @pattern(patterns, "negate")
    def negated_argument_only(op, rewriter):
        if not isinstance(op.operands[0].owner, Block):
            return False
        rewriter.replace_with(op, "sine", [op.operands[0]])
        return True

    report = PassReport()
    apply_patterns(root, patterns, RewriteOptions(), report)
    assert names(root) == ["sine", "floor", "func.return"]
    assert report.patterns["negated_argument_only"].fired == 1
    module.operation.verify()


def test_more_benefit_goes_first_then_what_was_listed_first(context):
    patterns: list[Pattern] = []

    @pattern(patterns)
    def general(op, rewriter):
        return False

    @pattern(patterns, "add")
    def first(op, rewriter):
        return False

    @pattern(patterns, "add", benefit=2)
    def eager(op, rewriter):
        return False

    index = PatternIndex(patterns)
    assert [each.name for each in index.of("stablehlo.add")] == ["eager", "first", "general"]
    assert [each.name for each in index.of("stablehlo.abs")] == ["general"]
    assert index.of("arith.addi") == ()


def test_patterns_without_end_are_an_error(context):
    _, root = function(CHAIN)
    patterns: list[Pattern] = []

    @pattern(patterns, "abs")
    def to_and_fro(op, rewriter):
        rewriter.replace_with(op, "abs", [op.operands[0]])
        return True

    with pytest.raises(StablehloError, match="the patterns do not come to an end; the last was to_and_fro"):
        apply_patterns(root, patterns, RewriteOptions(), PassReport())


def test_an_erased_op_takes_its_regions_off_the_worklist(context):
    module, root = function("""
    func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) {
      %0 = "stablehlo.if"(%p) ({
        %1 = stablehlo.abs %x : tensor<4xf32>
        stablehlo.return %1 : tensor<4xf32>
      }, {
        stablehlo.return %x : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      return
    }
    """)
    seen: list[str] = []
    patterns: list[Pattern] = []

    @pattern(patterns)
    def look(op, rewriter):
        seen.append(op.name)
        return False

    apply_patterns(root, patterns, RewriteOptions(), PassReport())
    assert seen == []
    assert names(root) == ["func.return"]
    module.operation.verify()


def test_constants_come_first_each_once(context):
    module, root = function("""
    func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %0 = stablehlo.abs %x : tensor<4xf32>
      %a = stablehlo.constant dense<1.0> : tensor<4xf32>
      %1 = stablehlo.add %0, %a : tensor<4xf32>
      %b = stablehlo.constant dense<-0.0> : tensor<4xf32>
      %c = stablehlo.constant dense<1.0> : tensor<4xf32>
      %d = stablehlo.constant dense<0.0> : tensor<4xf32>
      %2 = stablehlo.add %b, %c : tensor<4xf32>
      return %1, %2, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    }
    """)
    apply_patterns(root, [], RewriteOptions(), PassReport())
    assert names(root) == ["constant", "constant", "constant", "abs", "add", "add", "func.return"]
    ops = operations_within(root, inner_first=True)
    assert ops[4].operands[1] == ops[5].operands[1] == ops[0].results[0]
    module.operation.verify()


@pytest.mark.parametrize(
    ("text", "effect_free", "foldable", "declared"),
    [
        ("stablehlo.custom_call @f() : () -> tensor<f32>", True, False, False),
        ("stablehlo.custom_call @f() {has_side_effect = true} : () -> tensor<f32>", False, False, True),
        ("stablehlo.replica_id : tensor<ui32>", True, False, False),
        ("stablehlo.create_token : !stablehlo.token", True, True, False),
        ("stablehlo.constant dense<1> : tensor<i32>", True, True, False),
        ('"stablehlo.infeed"(%t) : (!stablehlo.token) -> !stablehlo.token', False, False, True),
        ("func.call @main(%t) : (!stablehlo.token) -> ()", False, False, False),
        ('"unknown.op"() : () -> tensor<f32>', False, False, False),
    ],
)
def test_effects(context, text, effect_free, foldable, declared):
    _, root = function(
        f"func.func @main(%t: !stablehlo.token) {{\n {'' if 'call @main' in text else '%0 = '}{text}\n return }}"
    )
    op = inner_ops(Snapshot(root).root)[0]
    assert is_effect_free(op) == effect_free
    assert is_foldable(op) == foldable
    assert declares_effects(op) == declared
    assert is_dead(op) == effect_free


def test_only_ops_have_a_source(context):
    _, root = function("""
    func.func @main(%x: tensor<2xi32>) {
      %0 = stablehlo.abs %x : tensor<2xi32>
      %1 = stablehlo.negate %0 : tensor<2xi32>
      return
    }""")
    absolute, negated, _ = inner_ops(Snapshot(root).root)
    assert negated.source(0) is absolute
    with pytest.raises(ValueError, match=r"no op computes operand 0 of stablehlo\.abs"):
        absolute.source(0)


def test_uniform_arrays_are_stored_once():
    array = np.full((3, 4), -0.0, np.float32)
    assert compact(array).strides == (0, 0)
    array[1, 1] = 0.0  # equal, but not the same bits
    assert compact(array) is array
    assert compact(np.zeros(1)).shape == (1,)
    assert compact(np.full(2, 7)).strides == (0,)
    assert compact(two := np.array([7, 8])) is two
    assert compact(np.zeros((0, 3))).shape == (0, 3)


def test_reports_are_collected_by_pass():
    current_report("a").keep("stablehlo.log", "nobody collects")
    with collect() as collection:
        current_report("a").ops_before += 7
        current_report("b").keep("stablehlo.log", "reason")
        current_report("a").ops_after += 3
    assert [report.pass_name for report in collection.reports.values()] == ["a", "b"]
    assert "a: 7 ops -> 3 (4 fewer)" in collection.to_text()
    assert '"reason": "reason"' in collection.to_json()
    assert current_report("a").ops_before == 0


def test_a_fold_that_fails_changes_nothing(context, monkeypatch):
    from stablehlo_py.errors import InterpreterError
    from stablehlo_py.passes.folding import evaluation
    from stablehlo_py.passes.optimization import AggressiveFolder

    def fail(*_):
        raise InterpreterError("has no kernel in this test")

    monkeypatch.setattr(evaluation, "fold", fail)
    module, root = function("""
    func.func @main() -> tensor<2xf32> {
      %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %0 = stablehlo.add %a, %a : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    """)
    before = str(module)
    with collect() as collection:
        AggressiveFolder().run(root)
    assert str(module) == before
    kept = collection.report_for(AggressiveFolder.name).kept
    assert kept == {("stablehlo.add", "has no kernel in this test"): 1}


def test_rewriter_merges_annotations(context):
    module, root = function("""
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.abs %x {
        mhlo.frontend_attributes = {a = "1", b = "1", xla_metadata_payload = "1"}, mhlo.other = 1 : i32
      } : tensor<2xf32>
      %1 = stablehlo.convert %0 {
        mhlo.frontend_attributes = {b = "2", xla_metadata_payload = "2"}, mhlo.sharding = "x"
      } : tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    """)
    with snapshot_of(root, PassReport()) as snapshot:
        rewriter = Rewriter(snapshot, RewriteOptions(), PassReport())
        abs_copy, convert_copy = inner_ops(snapshot.root)[:2]
        assert rewriter.forward(convert_copy, abs_copy.results[0])
    abs_op = operations_within(root)[0]
    assert sorted(abs_op.attributes) == ["mhlo.frontend_attributes", "mhlo.other", "mhlo.sharding"]
    assert str(abs_op.attributes["mhlo.frontend_attributes"]) == '{a = "1", b = "2", xla_metadata_payload = "1"}'
    module.operation.verify()


def test_a_long_condition_is_evaluated_on_entry():
    length = 2000
    chain = "\n".join(f"%{i} = stablehlo.add %{i - 1 if i else 'x'}, %x : tensor<i32>" for i in range(length))
    module = stablehlo_py.parse(
        "func.func @main() -> tensor<i32> {\n%c = stablehlo.constant dense<1> : tensor<i32>\n"
        f"%r = stablehlo.while(%x = %c) : tensor<i32> cond {{\n{chain}\n"
        f"%l = stablehlo.compare LT, %{length - 1}, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "stablehlo.return %l : tensor<i1>\n} do {\nstablehlo.return %x : tensor<i32>\n}\nreturn %r : tensor<i32>\n}"
    )
    stablehlo_py.run_passes(module, "stablehlo-aggressive-folder")
    assert "stablehlo.while" not in str(module)


@pytest.mark.parametrize(
    ("value", "element", "made"),
    [
        (0.1, "f32", np.float32(0.1)),
        (-0.0, "f32", np.float32(-0.0)),
        (2.0**-149, "f32", np.float32(2.0**-149)),
        (2.0**-151, "f32", None),  # a zero
        (1e39, "f32", None),
        (65504.0, "f16", np.float16(65504)),
        (65520.0, "f16", None),
        (3.0, "i32", np.int32(3)),
        (0.25, "i32", None),
        (0.0, "i32", np.int32(0)),
        (1e-60, "complex<f32>", None),
    ],
)
def test_a_number_of_a_decomposition_is_near_the_one_that_is_meant(value, element, made):
    with make_context(), np.errstate(all="ignore"):
        type_ = ir.Type.parse(element)
        if made is None:
            with pytest.raises(NotDecomposableError):
                _number(value, type_)
        else:
            assert (_number(value, type_).tobytes(), _number(value, type_).dtype) == (made.tobytes(), made.dtype)


def test_an_answer_about_an_op_is_found_once():
    module = parsed("func.func @main(%x: tensor<2xf32>) { %0 = stablehlo.negate %x : tensor<2xf32> return }")
    asked: list[str] = []
    with snapshot_of(module.body.operations[0].operation, PassReport()) as snapshot:
        op = next(op for op in inner_ops(snapshot.root) if op.name == "stablehlo.negate")
        for name in ("a", "b", "a", "b"):
            assert op.once(name, lambda name=name: asked.append(name) or f"answer {name}") == f"answer {name}"
        for _ in range(2):
            assert op.once("none", lambda: asked.append("none")) is None
    assert asked == ["a", "b", "none"]

"""Inlined sizes beside programs that are inlined, names of `main`, reproducers that are read again, sums of reports."""

from __future__ import annotations

import re

import pytest

import stablehlo_py
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import functions, operations, operations_within
from stablehlo_py.errors import InputError, UsageError
from stablehlo_py.passes import inlining, report
from stablehlo_py.passes.reproducers import read_reproducer, reproducer_of
from stablehlo_py.syntax import Source

CALLS = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @twice(%x) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  %2 = call @twice(%1) : (tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
func.func @twice(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @one(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @one(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func @one(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32>
  %1 = stablehlo.tanh %0 : tensor<f32>
  return %1 : tensor<f32>
}
"""
ENDLESS = CALLS.replace("call @one(%0)", "call @twice(%0)")
DECLARED = CALLS[: CALLS.index("func.func @one")] + "func.func private @one(tensor<f32>) -> tensor<f32>\n"


def test_the_size_with_all_calls_inlined_is_that_of_the_inlined_program(monkeypatch: pytest.MonkeyPatch) -> None:
    module = stablehlo_py.parse(CALLS)
    whole = inlining.inlined(module)
    (main,) = functions(whole.operation).values()
    size = len(operations_within(main)) - 1
    assert size == 9
    assert inlining.too_many_inlined(module.operation, "main") == 0
    monkeypatch.setattr(inlining, "_MOST_OPS", size)
    monkeypatch.setattr(inlining, "_MOST_GROWTH", 1)
    assert inlining.too_many_inlined(module.operation, "main") == 0
    monkeypatch.setattr(inlining, "_MOST_OPS", size - 1)
    assert inlining.too_many_inlined(module.operation, "main") == size
    assert len(functions(inlining.inlined(module).operation)) == 3  # calls stay
    monkeypatch.setattr(inlining, "_MOST_GROWTH", 2)  # of the seven ops that the functions have
    assert inlining.too_many_inlined(module.operation, "main") == 0


@pytest.mark.parametrize(("levels", "size"), [(5, 0), (6, 64)])
def test_a_program_may_grow_to_four_times_its_size(levels: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inlining, "_MOST_OPS", 0)
    twice = "".join(
        f"func.func @f{level}(%x: tensor<f32>) -> tensor<f32> {{\n"
        f"  %0 = call @f{level - 1}(%x) : (tensor<f32>) -> tensor<f32>\n"
        f"  %1 = call @f{level - 1}(%0) : (tensor<f32>) -> tensor<f32>\n  return %1 : tensor<f32>\n}}\n"
        for level in range(1, levels + 1)
    )
    text = "func.func @f0(%x: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.abs %x : tensor<f32>\n"
    text += "  return %0 : tensor<f32>\n}\n"
    assert inlining.too_many_inlined(stablehlo_py.parse(text + twice).operation, f"f{levels}") == size


@pytest.mark.parametrize(("text", "size"), [(ENDLESS, 7), (DECLARED, 5)])
def test_calls_that_cannot_be_inlined_count_as_one_op(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inlining, "_MOST_OPS", size - 1)
    monkeypatch.setattr(inlining, "_MOST_GROWTH", 0)
    assert inlining.too_many_inlined(stablehlo_py.parse(text).operation, "main") == size


def test_an_inlined_op_has_its_position_and_those_of_its_calls() -> None:
    module = inlining.inlined(stablehlo_py.parse(CALLS), with_positions=True)
    places = [re.findall(r":(\d+):0", str(op.location)) for op in operations(module.operation)]
    inner = [[op, call, outer] for outer in "24" for call in "78" for op in ("11", "12")]
    assert places == [["0"], ["1"], *inner[:4], ["3"], *inner[4:], ["5"]]


@pytest.mark.parametrize("taken", ["sdy.mesh @main = <[]>", "sdy.mesh @main = <[]>\nsdy.mesh @main_0 = <[]>"])
def test_what_has_the_name_of_main_gives_it_to_the_function(taken: str) -> None:
    module = stablehlo_py.parse(f"{taken}\nfunc.func @f() {{ return }}\nfunc.func @g() {{ return }}")
    inlining.name_main(module, "f")
    assert module.operation.verify()
    names = [ir.StringAttr(op.operation.attributes["sym_name"]).value for op in module.body.operations]
    assert names == (["main_0", "main", "g"] if "main_0" not in taken else ["main_1", "main_0", "main", "g"])


def test_names_of_main() -> None:
    module = stablehlo_py.parse(CALLS + "func.func private @main_0() {\n  return\n}\n")
    inlining.name_main(module, "one")
    known = functions(module.operation)
    assert [*known] == ["main_1", "twice", "main", "main_0"]
    assert str(module).count("call @main(") == 2
    single = stablehlo_py.parse("func.func private @f() {\n  return\n}")
    inlining.name_main(single)
    assert "func.func @main()" in str(single)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("func.func @f() { return }", "g", "the program has no function @g; it has @f"),
        (CALLS, "on", "the program has no function @on; it has @main, @twice, @one; did you mean one?"),
        (DECLARED, "one", "function @one has no body"),
        ("", "main", "the program has no function @main; it has none"),
        (CALLS.replace("@main", "@other"), "main", "the program has no function @main; it has @other, @twice, @one"),
    ],
    ids=["the only one", "unknown", "declared", "none", "several"],
)
def test_programs_without_the_function_say_what_they_have(text: str, name: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        inlining.name_main(stablehlo_py.parse(text), name)
    assert raised.value.message == said


@pytest.mark.parametrize("pipeline", ["builtin.module(cse)", 'a{b="c\\d" e="}"}', "", "\\"])
@pytest.mark.parametrize("verify_each", [True, False])
def test_a_reproducer_is_read_as_it_was_written(pipeline: str, verify_each: bool) -> None:
    module = stablehlo_py.parse(CALLS)
    text = reproducer_of(module, pipeline, verify_each=verify_each)
    found = read_reproducer(Source("r.mlir", text))
    assert (found.pipeline, found.verify_each, found.source.name) == (pipeline, verify_each, "r.mlir")
    assert str(stablehlo_py.parse(found.source.data.decode())) == str(module)
    assert found.source.data.count(b"\n") == text.count(b"\n")  # lines stay where they are


def test_other_resources_stay_and_what_is_no_reproducer_is_refused() -> None:
    text = b'func.func @f() {\n  return\n}\n{-#\n  dialect_resources: { builtin: { a: "0x0400000001" } },\n'
    entry = b'  external_resources: { mlir_reproducer: { pipeline: "x" } }\n#-}\n// end'
    found = read_reproducer(Source("r", text + entry))
    assert (found.pipeline, found.verify_each) == ("x", True)
    assert found.source.data.startswith(text)
    assert found.source.data.count(b"\n") == (text + entry).count(b"\n")
    for data in (text + b"#-}", text + b"  external_resources: { mlir_reproducer: { verify_each: true } }\n#-}"):
        with pytest.raises(UsageError, match="r holds no pipeline"):
            read_reproducer(Source("r", data))
    with pytest.raises(UsageError, match="hide those in bytecode"):
        read_reproducer(Source("r", b"ML\xefR" + entry))


def test_reports_add_up_within_their_collection() -> None:
    thrown_away = report.current_report("p")
    thrown_away.ops_before = 9
    with report.collect() as outer:
        first = report.current_report("p")
        with report.collect() as inner:
            report.current_report("p").ops_folded = 5
        assert report.current_report("p") is first
        assert report.current_report("q") is not first
        more = report.PassReport("p")
        for each, count in ((first, 2), (more, 3)):
            each.ops_before, each.ops_after, each.constant_bytes_created, each.seconds = 10 * count, count, 8, 0.5
            each.patterns["often"].fired += 2
            each.patterns[f"slow{count}"].fired += 1
            each.patterns[f"slow{count}"].seconds += count
            each.patterns["never"].seconds += 1
            each.keep("stablehlo.add", "too large")
        first.add(more)
    assert [*outer.reports] == ["p", "q"]
    assert (inner.reports["p"].ops_folded, first.ops_folded) == (5, 0)
    assert report.current_report("p") is not first
    found = first.as_dict()
    assert [found[key] for key in ("ops_before", "ops_after", "ops_removed", "constant_bytes_created", "seconds")] == [
        50, 5, 45, 16, 1.0]  # fmt: skip
    assert found["kept"] == [{"op": "stablehlo.add", "reason": "too large", "count": 2}]
    assert [each["pattern"] for each in found["patterns"]] == ["often", "slow3", "slow2", "never"]
    lines = first.as_text().split("\n")
    assert lines[0] == "p: 50 ops -> 5 (45 fewer) in 1.000 s"
    assert lines[3:] == [
        "  often        4 x  0.0000 s",
        "  slow3        1 x  3.0000 s",
        "  slow2        1 x  2.0000 s",
        "  kept 2 x stablehlo.add: too large",
    ]


KEPT = "attributes {no_inline} {"


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("", "", ["main"]),
        ("tensor<f32> {\n  %0 = stablehlo.abs", f"tensor<f32> {KEPT}\n  %0 = stablehlo.abs", ["main", "twice", "one"]),
        ("call @one(%0)", "call @twice(%0)", ["main", "twice"]),
    ],
)
def test_calls_are_replaced_from_the_innermost_outwards(old: str, new: str, left: list[str]) -> None:
    text = CALLS.replace(old, new) if old else CALLS
    module = stablehlo_py.parse(text.replace("func.func @twice", "func.func private @twice").replace(
        "func.func @one", "func.func private @one"))  # fmt: skip
    inlining.Inline(default_pipeline="").run(module.operation)
    assert isinstance(module, ir.Module)
    assert module.operation.verify()
    assert [*functions(module.operation)] == left
    assert any(op.name == "func.call" for op in operations(module.operation)) == (len(left) > 1)


def test_calls_of_functions_without_a_body_are_copied_into_their_callers_callers() -> None:
    module = stablehlo_py.parse(DECLARED.replace("func.func @twice", "func.func private @twice"))
    inlining.Inline(default_pipeline="").run(module.operation)
    assert module.operation.verify()
    assert [*functions(module.operation)] == ["main", "one"]
    names = [op.name for op in operations_within(functions(module.operation)["main"])]
    assert names == ["func.call"] * 2 + ["stablehlo.negate"] + ["func.call"] * 2 + ["func.return"], module

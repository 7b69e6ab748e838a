"""Notes of diagnostics, and the findings of each tool as marks of a report: exact texts and places."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import stablehlo_py
from stablehlo_py.analysis import view
from stablehlo_py.analysis.diagnostic_notes import explained, suggested
from stablehlo_py.analysis.listing import listing
from stablehlo_py.analysis.numbering import numbering, region_title
from stablehlo_py.analysis.overlays import Mark, Overlay, overlay_of, read_overlay
from stablehlo_py.bindings.walk import functions, operations
from stablehlo_py.errors import Diagnostic, InputError
from stablehlo_py.syntax import Source


@pytest.mark.parametrize(
    ("text", "location", "brace"),
    [
        ("func.func @f() {\n  return\n", "a:3:1", "a:1:16"),
        ("é {\n b { c }\n {  d\n", "a:4:1", "a:3:2"),
        ("é {\n", "a:2:1", "a:1:4"),  # the column counts bytes
        ("{ } }\n", "a:2:1", ""),
        ("} {\n", "a:1:3", "a:1:3"),
        ("{\n\n  \n", "a:1:1", "a:1:1"),
        ("{\nx\n", "a:1:1", ""),  # the text goes on
        ('{ // }\n"}"\n', "a:3:1", "a:1:1"),
        ("{\n", "b:2:1", ""),
        ("{\n", "a", ""),
        ("{\n", "", ""),
        ("", "a:1:1", ""),
    ],
)
def test_a_brace_that_is_never_closed_is_named_at_the_end_of_the_text(text: str, location: str, brace: str) -> None:
    source = Source("a", text.encode())
    own = Diagnostic("note", "x", "own")
    found = explained(Diagnostic("error", location, "expected operation name", (own,)), source)
    added = [Diagnostic("note", brace, "this brace is never closed")] if brace else []
    assert list(found.notes) == [own, *added]
    assert explained(Diagnostic("remark", location, "x"), source).notes == ()


def test_bytecode_has_no_braces() -> None:
    data = stablehlo_py.serialize("func.func @f() {\n  return\n}", "current")
    given = Diagnostic("error", "a:1:1", "wrong")
    assert explained(given, Source("a", data)) == given


@pytest.mark.parametrize(
    ("text", "location", "message", "note"),
    [
        ("  x = stablehlo.tanhh %a", "a:1:7", "custom op 'stablehlo.tanhh' is unknown", "did you mean stablehlo.tanh?"),
        ("é = stablehlo.tanhh %a", "a:1:6", "custom op 'stablehlo.tanhh' is unknown", "did you mean stablehlo.tanh?"),
        ("x\n  %0 = f %valeu\n%value = g", "a:2:10", "use of undeclared SSA value name", "did you mean %value?"),
        ("x\n  %0 = f %valeu\n%value = g", "a:2:11", "use of undeclared SSA value name", ""),
        ("x\n  %0 = f %valeu", "a:2:10", "use of undeclared SSA value name", ""),
        ("x", "a:2:10", "use of undeclared SSA value name", ""),
        ("x", "", "use of undeclared SSA value name", ""),
        ("tensor<4xfloat>", "a:1:10", "invalid tensor element type", "did you mean f32?"),
    ],
)
def test_the_nearest_word_of_a_line(
    text: str, location: str, message: str, note: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Diagnostic("error", location, message)
    assert suggested(given, Source("a", text.encode())) == note
    assert [one.message for one in explained(given, Source("a", text.encode())).notes] == ([note] if note else [])
    monkeypatch.chdir(tmp_path)
    Path("a").write_text(text, encoding="utf-8")
    import linecache

    linecache.clearcache()
    assert suggested(given, None) == note  # the text is on disk


T = "tensor<4xf32>"
PLACE = 'loc("/x/f.py":2:3)'
TEXT = f"""func.func @main(%a: {T}, %p: tensor<i1>) -> {T} {{
  %0 = func.call @f(%a) : ({T}) -> {T}
  %1 = func.call @f(%0) : ({T}) -> {T}
  %2 = "stablehlo.if"(%p) ({{
    %3 = stablehlo.sine %1 : {T} {PLACE}
    stablehlo.return %3 : {T}
  }}, {{
    %4 = stablehlo.cosine %1 : {T} {PLACE}
    stablehlo.return %4 : {T}
  }}) : (tensor<i1>) -> {T}
  return %2 : {T}
}}
func.func private @f(%a: {T}) -> {T} {{
  %0 = stablehlo.tanh %a : {T} loc("g.py":1:1)
  return %0 : {T}
}}
"""
NAMES = [
    *("builtin.module", "func.func", "func.call", "func.call", "stablehlo.if", "stablehlo.sine", "stablehlo.return"),
    *("stablehlo.cosine", "stablehlo.return", "func.return", "func.func", "stablehlo.tanh", "func.return"),
]


def shown(*marks: Mark, culprit: Mark | None = None) -> dict[str, Any]:
    """What a report has of marks on the ops of TEXT."""
    module = stablehlo_py.parse(TEXT)
    ops = operations(module.operation)
    assert [op.name for op in ops] == NAMES
    heads = {name: ops.index(op) for name, op in functions(module.operation).items()}
    return Overlay("n", "u", marks, culprit).on(ops, heads, numbering(module))


@pytest.mark.parametrize(
    ("mark", "positions"),
    [
        (Mark("/x/f.py:2:3", "", 1.0, "t"), [5, 7]),
        (Mark("/x/f.py:2:3", "stablehlo.cosine", 1.0, "t"), [7]),
        (Mark("/other/f.py:2:3", "stablehlo.tanh", 1.0, "t"), [5, 7]),  # the folder may be another, and so the name
        (Mark("f.py:2:4", "stablehlo.sine", 1.0, "t"), []),
        (Mark("", "stablehlo.sine", 1.0, "t"), []),
        (Mark("", "func.func", 1.0, "t"), [1]),
        (Mark("", "stablehlo.sine", 1.0, "t", function="main", index=4), [5]),
        (Mark("f.py:2:3", "stablehlo.sine", 1.0, "t", function="main", index=4), [5]),
        (Mark("f.py:9:3", "stablehlo.sine", 1.0, "t", function="main", index=4), []),
        (Mark("", "stablehlo.cosine", 1.0, "t", function="main", index=4), []),
        (Mark("", "stablehlo.tanh", 1.0, "t", function="f", index=1), [11]),
        (Mark("", "func.func", 1.0, "t", function="f", index=0), [10]),
        (Mark("", "stablehlo.tanh", 1.0, "t", function="none", index=1), []),
        (Mark("", "func.return", 1.0, "t", function="f", index=2), [12]),
        (Mark("", "func.return", 1.0, "t", function="f", index=3), []),
    ],
)
def test_the_ops_of_a_mark(mark: Mark, positions: list[int]) -> None:
    found = shown(mark)
    assert found["marks"] == [[position, 1.0, "t"] for position in positions]
    assert found["missed"] == (not positions)
    assert found["culprit"] == []
    assert shown(culprit=mark)["culprit"] == positions[:1]


def test_an_op_that_calls_run_twice_has_both_of_its_numbers_and_calls_the_larger() -> None:
    first = Mark("", "stablehlo.tanh", 1.0, "one", number=0)
    second = Mark("", "stablehlo.tanh", 3.0, "two", number=1)
    inner = Mark("", "stablehlo.cosine", math.inf, "three", number=0, path=("#2 stablehlo.if false branch",))
    wrong = Mark("", "stablehlo.sine", 1.0, "four", number=0, path=("#2 stablehlo.if false branch",))
    nowhere = Mark("", "stablehlo.sine", 1.0, "five", number=0, path=("#7 stablehlo.if false branch",))
    assert shown(first, second, inner, wrong, nowhere)["marks"] == [
        [2, 1.0, "largest: stablehlo.tanh #0: one"],
        [3, 3.0, "largest: stablehlo.tanh #1: two"],
        [7, "Infinity", "three"],
        [11, 3.0, "#0: one\n#1: two"],
    ]
    assert shown(wrong, nowhere)["missed"] == 2
    assert shown(second, second)["marks"][-1] == [11, 3.0, "#1: two"]  # a text is shown once
    assert shown(second, first)["marks"][-1] == [11, 3.0, "#1: two\n#0: one"]
    assert shown(culprit=second)["culprit"] == [11]


def test_numbers_of_ops_as_texts() -> None:
    found = numbering(stablehlo_py.parse(TEXT))
    assert found.labels == ["#0", "#1", "#2", "#2 true branch: #0", "#2 false branch: #0"]
    assert found.spots == [(11, 2), (11, 3), (4,), (5,), (7,)]
    assert found.texts() == {2: "#0", 3: "#1", 11: "#0, #1", 4: "#2", 5: "#2 true branch: #0", 7: "#2 false branch: #0"}
    assert found.find([], 1) == 1
    assert found.find([], 3) is None
    assert found.find(["#2 stablehlo.if true branch"], 0) == 3
    assert found.find(["#2 stablehlo.if true branch, round 3"], 0) == 3
    for path in (["#2 stablehlo.if other"], ["no number"], ["#9 stablehlo.if true branch"]):
        assert found.find(path, 0) is None
    titles = {
        ("stablehlo.while", 0): "condition", ("stablehlo.while", 1): "body", ("stablehlo.if", 1): "false branch",
        ("stablehlo.case", 3): "branch 3", ("stablehlo.sort", 0): "region 0",
    }  # fmt: skip
    assert {key: region_title(*key) for key in titles} == titles
    assert numbering(stablehlo_py.parse("func.func @other() { return }")).labels == []


def test_numbers_of_many_calls_and_of_deep_regions_are_cut() -> None:
    calls = "".join(f"  %{n + 1} = func.call @f(%{n}) : ({T}) -> {T}\n" for n in range(5))
    text = (
        f"func.func @main(%0: {T}) -> {T} {{\n{calls}  return %5 : {T}\n}}\nfunc.func private @f(%a: {T}) -> {T} {{\n"
    )
    text += f"  %0 = stablehlo.sine %a : {T}\n  %1 = stablehlo.sine %0 : {T}\n  return %1 : {T}\n}}\n"
    assert numbering(stablehlo_py.parse(text)).texts() == {
        **{2 + n: f"#{2 * n} … #{2 * n + 1}" for n in range(5)},
        9: "#0, #2, #4, #6, …",
        10: "#1, #3, #5, #7, …",
    }
    deep = f"%x = stablehlo.sine %a : {T}"
    for _ in range(5):
        deep = f'%x = "stablehlo.case"(%i) ({{ {deep} stablehlo.return %x : {T} }}) : (tensor<i32>) -> {T}'
    labels = numbering(
        stablehlo_py.parse(f"func.func @main(%a: {T}, %i: tensor<i32>) -> {T} {{ {deep} return %x : {T} }}")
    ).labels
    branch = "#0 branch 0: "
    assert labels == [
        *("#0", f"{branch}#0", f"{branch * 2}#0", f"{branch * 3}#0", "…: #0"),
        f"…: {branch}#0",
    ]


PLACED = {"location": "a:1:2", "op": "stablehlo.add", "function": "main", "index": 3}
COUNTED = {"location": "a:1:2", "op": "stablehlo.add", "number": 4, "path": ["#1 stablehlo.while body"]}
AT = Mark("a:1:2", "stablehlo.add", 0.0, "", function="main", index=3)
OF = Mark("a:1:2", "stablehlo.add", 0.0, "", 4, ("#1 stablehlo.while body",))


def marked(mark: Mark, value: float, text: str) -> Mark:
    return Mark(mark.location, mark.op, value, text, mark.number, mark.path, mark.function, mark.index)


def error(amount: str, ulp: float) -> dict[str, Any]:
    return {"amount": amount, "max_ulp": ulp}


ROW = {
    **COUNTED,
    "wrong": False,
    "failure": "",
    "local": None,
    "accumulated": None,
    "as_compiled": None,
    "inside": None,
}
TRACE = {"engine": "e", "reference": "r", "culprit": None}
NUMERIC = {**COUNTED, "causes": [], "elements": [], "grown": None, "amount": "3 ULP", "total": 0.125, "unmeasured": "u"}
VALUE = {"name": "stablehlo.add", "type": T, "location": "a:1:2", "sharding": ""}
COLLECTIVE = {"op": "stablehlo.all_reduce", "location": "a:1:2", "bytes_sent": 4096, "groups": [[0, 1], [2, 3]]}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            {"profile": [{**PLACED, "seconds": 0.25, "count": 2, "result_bytes": 4096}]},
            Overlay("time", "s", (marked(AT, 0.25, "250.000 ms in 2 runs, 4,096 bytes of results"),)),
        ),
        ({"profile": []}, Overlay("time", "s", ())),
        (
            {**TRACE, "rows": [ROW, {**ROW, "local": error("2 ULP", 2.0), "accumulated": error("3 ULP", 9.0)}]},
            Overlay(
                "error of e against r", "ULP", (marked(OF, 0.0, ""), marked(OF, 2.0, "local 2 ULP, accumulated 3 ULP"))
            ),
        ),
        (
            {
                **TRACE,
                "culprit": COUNTED,
                "rows": [
                    {**ROW, "wrong": True, "as_compiled": error("5 ULP", 5.0)},
                    {**ROW, "wrong": True, "failure": "it fails", "local": error("2 ULP", 2.0), "inside": COUNTED},
                ],
            },
            Overlay(
                "error of e against r",
                "ULP",
                (
                    marked(OF, math.inf, "wrong, as compiled 5 ULP"),
                    marked(OF, 2.0, "wrong: it fails, local 2 ULP"),
                    marked(OF, 2.0, "wrong in #1 stablehlo.while body"),
                ),
                OF,
            ),
        ),
        (
            {
                "contributions": [
                    NUMERIC,
                    {**NUMERIC, "grown": 0.5, "causes": ["cancellation", "small"], "elements": [0.25, 1.0]},
                    {**NUMERIC, "grown": -0.5},
                ]
            },
            Overlay(
                "loss of digits",
                "relative",
                (
                    marked(OF, 0.0, "introduces 3 ULP; u"),
                    marked(
                        OF,
                        0.5,
                        "introduces 3 ULP; relative error 0.125, of it new 0.5; cancellation 25%; small 100%",
                    ),
                    marked(OF, 0.0, "introduces 3 ULP; relative error 0.125, of it new -0.5"),
                ),
            ),
        ),
        (
            {
                "values": [VALUE, {**VALUE, "sharding": "s"}, {**VALUE, "location": "", "name": "argument 0"}],
                "collectives": [COLLECTIVE, {**COLLECTIVE, "groups": []}],
            },
            Overlay(
                "shardings and bytes sent",
                "B",
                (
                    Mark("a:1:2", "stablehlo.add", 0.0, "sharding on every device"),
                    Mark("a:1:2", "stablehlo.add", 0.0, "sharding s"),
                    Mark("", "func.func", 0.0, f"argument 0 {T}: on every device"),
                    Mark("a:1:2", "", 4096, "stablehlo.all_reduce: 2 groups of 2, 4,096 B sent"),
                    Mark("a:1:2", "", 4096, "stablehlo.all_reduce: 0 groups of 0, 4,096 B sent"),
                ),
            ),
        ),
        (
            {"target": "1.0.0", "blockers": [{"what": "tan", "version": "1.4.0", "places": [PLACED, PLACED]}]},
            Overlay("keeps it from 1.0.0", "blockers", (marked(AT, 1.0, "tan needs 1.4.0"),) * 2),
        ),
        (
            [
                {"kind": "changed", "details": ["x", "y"], "op": "stablehlo.add", "first": "b:1:1", "second": "a:1:2",
                 "function": "other", "partner": "main", "indices": [7, 3]},
                {"kind": "removed", "details": [], "op": "stablehlo.add", "first": "b:1:1", "second": "",
                 "function": "main", "partner": "", "indices": [3, None]},
                {"kind": "inserted", "details": [], "op": "stablehlo.add", "first": "", "second": "a:1:2",
                 "function": "main", "partner": "", "indices": [None, 5]},
            ],
            Overlay(
                "changes",
                "changes",
                (
                    marked(AT, 1.0, "changed\nx\ny"),
                    Mark("a:1:2", "stablehlo.add", 1.0, "inserted", function="", index=5),
                ),
            ),
        ),
        ([], Overlay("changes", "changes", ())),
        ([3], None),
        ([{"other": 1}], None),
        ({}, None),
        ({"other": 1}, None),
        ("text", None),
        (None, None),
    ],
)  # fmt: skip
def test_what_a_tool_found(value: Any, expected: Overlay | None, tmp_path: Path) -> None:
    assert overlay_of(value) == expected
    path = tmp_path / "found.json"
    path.write_text(json.dumps(value))
    if expected is not None:
        assert read_overlay(str(path)) == expected
    else:
        with pytest.raises(InputError, match="is of no tool whose results can be shown") as raised:
            read_overlay(str(path))
        assert len(raised.value.notes) == 1


def test_reasons_of_a_partition_have_the_layouts_of_their_values() -> None:
    value = {
        "values": [
            {**VALUE, "name": "sdy.sharding_constraint", "sharding": 'sharding<@m, [{"x"}, {}]>'},
            {**VALUE, "name": "other", "sharding": 'sharding<@m, [{"y"}, {}]>'},
            {**VALUE, "location": "a:9:9", "name": "sdy.x", "sharding": 'sharding<@m, [{"z"}, {}]>'},
            {**VALUE, "type": "f32", "name": "sdy.x", "sharding": "sharding<@m, []>"},
        ],
        "collectives": [],
        "mesh": {"axes": {"x": 2, "y": 4}},
        "why": {
            "values": [
                {**VALUE, "name": "sdy.reshard", "axes": "x"},
                {**VALUE, "location": ""},
            ],
            "collectives": [
                {**COLLECTIVE, "seconds": 1.5, "demand": {"consumer": "stablehlo.dot"}, "tried": [1], "runs": 3}
            ],
        },
    }
    found = overlay_of(value)
    assert found is not None
    nowhere = Mark("", "", 0.0, "")
    assert found.why == {
        "axes": [({"name": "x", "size": 2}, nowhere), ({"name": "y", "size": 4}, nowhere)],
        "values": [
            (
                {**VALUE, "name": "sdy.reshard", "axes": "x", "layout": '[{"x"}, {}]'},
                Mark("a:1:2", "sdy.reshard", 0.0, ""),
            ),
            ({**VALUE, "location": "", "layout": ""}, Mark("", "func.func", 0.0, "")),
        ],
        "collectives": [
            (
                {
                    "op": "stablehlo.all_reduce",
                    "location": "a:1:2",
                    "seconds": 1.5,
                    "tried": [1],
                    "demand": {"consumer": "stablehlo.dot"},
                    "sent": 3 * 4096,
                },
                Mark("a:1:2", "stablehlo.dot", 0.0, ""),
            )
        ],
    }


@pytest.mark.parametrize(("groups", "is_cut"), [(16, False), (17, True), (32, True)])
def test_lines_stay_right_where_what_is_left_out_cannot_be_read(groups: int, is_cut: bool) -> None:
    numbers = ", ".join(f"[{n}]" for n in range(groups))
    text = f"""func.func @main(%a: {T}) -> {T} {{
      %0 = "stablehlo.all_reduce"(%a) <{{replica_groups = dense<[{numbers}]> : tensor<{groups}x1xi64>}}> ({{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %s = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }}) : ({T}) -> {T}
      %1 = stablehlo.sine %0 : {T}
      return %1 : {T} }}"""
    found = listing(stablehlo_py.parse(text))
    ops = ["module", "func.func", "all_reduce", "add", "stablehlo.return", "sine", "return"]
    assert all(op in found.lines[line] for op, line in zip(ops, found.line_numbers, strict=True))
    assert len(set(found.line_numbers)) == len(ops)
    assert any("elided" in line for line in found.lines) == is_cut


@pytest.mark.parametrize(("length", "is_cut"), [(1900, False), (1990, True), (2100, True)])
def test_long_lines_are_cut(length: int, is_cut: bool) -> None:
    call = f'stablehlo.custom_call @f(%a) {{backend_config = "{"x" * length}"}} : ({T}) -> {T}'
    found = listing(stablehlo_py.parse(f"func.func @main(%a: {T}) -> {T} {{\n  %0 = {call}\n  return %0 : {T}\n}}"))
    (line,) = [one for one in found.lines if "xxx" in one]
    assert line.endswith("…") == is_cut
    assert len(line) == 2001 if is_cut else line.endswith(call.removeprefix("stablehlo.custom_call @f(%a)"))


@pytest.mark.parametrize(("names", "position"), [(("f", "main"), 3), (("main", "f"), 1), (("f", "g"), 1)])
def test_a_mark_of_a_function_is_at_main_or_else_at_the_first_one(names: tuple[str, str], position: int) -> None:
    module = stablehlo_py.parse("".join(f"func.func @{name}() {{ return }}\n" for name in names))
    ops = operations(module.operation)
    heads = {name: ops.index(op) for name, op in functions(module.operation).items()}
    found = Overlay("n", "u", (Mark("", "func.func", 1.0, "t"),)).on(ops, heads, numbering(module))
    assert found["marks"] == [[position, 1.0, "t"]]


def test_a_page_has_names_of_any_script_as_they_are_written() -> None:
    text = 'func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> loc("größe </script> 大きさ") }'
    html = view(stablehlo_py.parse(text)).html
    assert "größe \\u003c/script> 大きさ" in html

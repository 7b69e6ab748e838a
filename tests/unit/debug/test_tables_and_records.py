"""Tables for notebooks and records for JSON of what the debuggers find, and the summary of a corpus, in full."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from swapped_engine import program

from stablehlo_py.debug.allowed.measures import EXACT, Difference, Tolerance, difference
from stablehlo_py.debug.compare import Comparison, ResultComparison
from stablehlo_py.debug.corpus.run import Cause, Row, Summary, Task, find_modules, read_check
from stablehlo_py.debug.judge import EngineJudgement, Judgement
from stablehlo_py.debug.programs.subject import OpLocation
from stablehlo_py.debug.reduction.reduce import Reduction
from stablehlo_py.debug.tracing.rows import Inner, Trace, TraceRow
from stablehlo_py.engines import Outcome
from stablehlo_py.errors import InputError, UsageError

F = np.float32
T = "tensor<2xf32>"
SINE = program("%r = stablehlo.sine %x", x=T)


def cells(page: str) -> tuple[str, list[list[str]]]:
    """The caption of a table, and its rows."""
    rows = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", page)]
    found = re.search(r"<caption[^>]*>(.*?)</caption>", page)
    assert found is not None
    return found[1], rows


def spot(number: int, op: str = "stablehlo.add") -> OpLocation:
    return OpLocation(number, op, f"f:{number}", "")


def off(units: int) -> Difference:
    return difference(np.array([1 + units * np.spacing(F(1)), 1], F), F([1, 1]), EXACT)


def test_the_table_of_a_trace_has_the_worst_rows_in_program_order() -> None:
    inner = Inner(spot(5, "stablehlo.sine"), None, SINE, ())
    rows = (
        TraceRow(spot(0), off(0), off(0)),
        TraceRow(spot(1), None, off(2), off(3)),
        TraceRow(spot(2), off(7), off(9), wrong=True, inside=inner),
        TraceRow(spot(3), failure="no", wrong=True),
    )
    caption, found = cells(Trace("e", "r", rows)._repr_html_())
    assert caption == f"first wrong op: {spot(5, 'stablehlo.sine')}"
    assert found == [
        ["", "local", "accumulated", "as compiled", "op (differences in ULP)"],
        ["", "-", "2", "3", str(spot(1))],
        ["wrong", "7", "9", "-", str(spot(5, "stablehlo.sine"))],
        ["wrong", "-", "-", "-", f"{spot(3)}: no"],
    ]
    assert cells(Trace("e", "r", rows[:1])._repr_html_()) == ("no op is wrong by itself", found[:1])


def test_the_record_of_a_trace_has_all_of_it() -> None:
    inner = Inner(spot(5, "stablehlo.sine"), None, SINE, ())
    rows = (TraceRow(spot(0), off(1), off(4), partner=spot(8)),
            TraceRow(spot(1), off(3), off(2), off(6), inside=inner, sentence="why", is_open=True),
            TraceRow(spot(2), failure="no", wrong=True))  # fmt: skip
    found = Trace("e", "r", rows, {"e": spot(1)}, "note", SINE, (F([1]),), "2 of 3", ("a", "b"), "b", "far")
    record = json.loads(json.dumps(found.as_dict()))
    places = [
        {"number": n, "op": "stablehlo.add", "location": f"f:{n}", "name_stack": "", "path": []} for n in range(9)
    ]
    assert {key: value for key, value in record.items() if key != "rows"} == {
        "engine": "e", "reference": "r", "culprit": places[2],
        "first": {"local": 0, "accumulated": 0, "compiled": 1}, "worst": {"local": 1, "accumulated": 0, "compiled": 1},
        "first_nonfinite": {"e": places[1]}, "matched": "2 of 3", "changes": ["a", "b"], "cause": "b", "apart": "far",
        "note": "note",
    }  # fmt: skip
    plain = {"wrong": False, "local": None, "accumulated": None, "as_compiled": None, "failure": "", "inside": None,
             "partner": None, "sentence": "", "implementation_defined": False}  # fmt: skip
    amounts = [json.loads(json.dumps(off(units).as_dict())) for units in range(7)]
    assert record["rows"] == [
        {**places[0], **plain, "local": amounts[1], "accumulated": amounts[4], "partner": places[8]},
        {**places[1], **plain, "local": amounts[3], "accumulated": amounts[2], "as_compiled": amounts[6],
         "inside": {**places[5], "op": "stablehlo.sine"}, "sentence": "why", "implementation_defined": True},
        {**places[2], **plain, "wrong": True, "failure": "no"},
    ]  # fmt: skip


FOUND = Comparison(
    ("r", "e"),
    ((Outcome("ok", (F([1]),), run_seconds=2.0, peak_bytes=5), Outcome("crash", message="signal 11")),),
    (
        ResultComparison(0, 0, T, "e", off(2), Tolerance(ulp=1), culprit="#1 op"),
        ResultComparison(1, 2, "tensor<i32>", "e", None, EXACT, ("#2: open",)),
    ),
    ((F([1]),),),
)


def test_the_table_and_the_record_of_a_comparison_have_each_result() -> None:
    caption, rows = cells(FOUND._repr_html_())
    assert caption == "differs: r, e"
    assert rows == [
        ["sample", "result", "type", "engine", "verdict", "largest difference"],
        ["0", "0", "tensor&lt;2xf32&gt;", "e", "differs", "2 ULP"],
        ["1", "2", "tensor&lt;i32&gt;", "e", "implementation-defined", "-"],
    ]
    record = json.loads(json.dumps(FOUND.as_dict()))
    zeros = {"load_seconds": 0.0, "run_seconds": 0.0, "peak_bytes": 0}
    assert record == {
        "engines": ["r", "e"],
        "verdict": "differs",
        "outcomes": [
            [
                {"engine": "r", "status": "ok", "message": "", **zeros, "run_seconds": 2.0, "peak_bytes": 5},
                {"engine": "e", "status": "crash", "message": "signal 11", **zeros},
            ]
        ],
        "results": [
            {"sample": 0, "result": 0, "type": T, "engine": "e", "verdict": "differs", "tolerance": "1 ulp",
             "implementation_defined": [], "culprit": "#1 op", "difference": json.loads(json.dumps(off(2).as_dict()))},
            {"sample": 1, "result": 2, "type": "tensor<i32>", "engine": "e", "verdict": "implementation-defined",
             "tolerance": "exact", "implementation_defined": ["#2: open"], "culprit": "", "difference": None},
        ],
    }  # fmt: skip
    assert "array" not in repr(FOUND).partition("results=(ResultComparison")[2]  # arguments may be large


@pytest.mark.parametrize(
    ("units", "largest"), [((), None), ((0,), "0 ULP"), ((3, 8, 5), "8 ULP"), ((None,), "0 ULP"), ((None, 2), "2 ULP")]
)
def test_the_last_line_of_a_comparison_is_the_largest_difference(units: tuple, largest: str | None) -> None:
    entries = [ResultComparison(0, n, T, "e", None if u is None else off(u), EXACT) for n, u in enumerate(units)]
    lines = str(Comparison(("r", "e"), (), tuple(entries))).splitlines()
    same = sum(each == 0 for each in units)
    verdict = "same" if same == len(units) else "differs"
    counted = f"{verdict}: {same} of {len(units)} results agree with r"
    assert lines[-2:] == [counted, f"largest difference: {largest}"] if largest else lines == [counted]


def test_the_table_of_verdicts_has_a_row_for_each_engine() -> None:
    found = Judgement((EngineJudgement("a", "permitted"), EngineJudgement("b", "wrong", spot(3), sentence="why")))
    assert cells(found._repr_html_()) == (
        "verdicts",
        [["engine", "verdict", "op", "because"], ["a", "permitted", "", ""], ["b", "wrong", str(spot(3)), "why"]],
    )


def test_a_reduction_in_words_as_a_table_and_as_a_record() -> None:
    found = Reduction(SINE, (F([1, 2]), np.array(True)), 1, 9, "far", 1)
    assert str(found) == "far: 9 ops reduced to 1 in 1 test"
    whole = Reduction(SINE, (F([1, 2]),), 1, 1, "far", 2, 3, stopped=True, interrupted=True, notes=("a", "b"))
    assert str(whole).splitlines() == [
        "far: 1 op reduced to 1 in 2 tests",
        "3 programs were passed over that show the error in some runs only",
        "stopped when the time was used up",
        "interrupted: this is the smallest program so far",
        "note: a",
        "note: b",
    ]
    page = found._repr_html_()
    assert cells(page) == (str(found), [["argument", "type"], ["0", "float32[2]"], ["1", "bool[]"]])
    assert "%arg0: tensor&lt;2xf32&gt;" in page.partition("</table><pre>")[2]
    record = json.loads(json.dumps(whole.as_dict()))
    assert "stablehlo.sine" in record.pop("program")
    assert record == {
        "ops": 1, "ops_before": 1, "signature": "far", "tests": 2, "unstable": 3, "stopped": True, "interrupted": True,
        "notes": ["a", "b"], "arguments": [[1.0, 2.0]],
    }  # fmt: skip


def row(module: str, size: int, message: str, check: str = "verify", status: str = "error") -> Row:
    return Row(module, f"digest of {module}", size, check, status, message)


def test_causes_come_by_their_number_and_then_by_their_smallest_module() -> None:
    rows = [
        *(row("d", 9, "x"), row("c", 9, "y"), row("b", 9, "z"), row("a", 9, "z"), row("e", 8, "y"), row("f", 1, "")),
        *(row("d", 9, "x", check="interpret"), row("d", 9, "x", status="crash"), row("g", 12345, "", status="ok")),
    ]
    found = Summary.of(rows)
    assert found.causes == (
        Cause(2, rows[3]), Cause(2, rows[4]), Cause(1, rows[6]), Cause(1, rows[0]), Cause(1, rows[7]),
        Cause(1, rows[5]))  # fmt: skip
    assert str(found).splitlines()[:5] == [
        "9 checks: 1 ok, 1 crash, 7 error",
        "2  verify: error: z",
        "   smallest: a (9 bytes)",
        "2  verify: error: y",
        "   smallest: e (8 bytes)",
    ]
    record = json.loads(json.dumps(found.as_dict()))
    assert record["statuses"] == {"error": 7, "crash": 1, "ok": 1}
    assert record["causes"][1] == {
        "count": 2, "cause": "y", "module": "e", "digest": "digest of e", "bytes": 8, "check": "verify",
        "status": "error", "message": "y", "attempts": 1, "seconds": 0.0,
    }  # fmt: skip
    assert str(Summary.of([])) == "0 checks: none"
    assert str(Summary.of([row("a", 12345, "x")] * 1000)).splitlines() == [
        "1,000 checks: 1,000 error", "1,000  verify: error: x", "   smallest: a (12,345 bytes)"]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("", ""),
        ("first\nsecond", "first"),
        ("error: a.mlir:3:4: error: too large", "error: too large"),
        ("a.mlir:3:4: error: tensor<2x3xf32> of %arg0#1, v1 is 12.5 of 7", "tensor<…> of %…, v1 is N of N"),
        ("x" * 161, "x" * 160),
        ("x" * 160, "x" * 160),
    ],
)
def test_the_cause_is_what_messages_have_in_common(message: str, cause: str) -> None:
    assert row("a", 1, message).cause == cause


def test_modules_are_found_by_their_endings_once_and_in_order(tmp_path: Path) -> None:
    names = ["b.mlir", "a.bc", "c.txt", "in/d.mlirbc", "in/e.stablehlo", "in/f.vhlo", "g"]
    (tmp_path / "in" / "z.mlir").mkdir(parents=True)  # a folder is no module
    for name in names:
        (tmp_path / name).write_text("")
    found = find_modules([str(tmp_path / "c.txt"), str(tmp_path), str(tmp_path / "b.mlir"), str(tmp_path / "g")])
    wanted = ["c.txt", "a.bc", "b.mlir", "in/d.mlirbc", "in/e.stablehlo", "in/f.vhlo", "g"]
    assert [Path(path).relative_to(tmp_path).as_posix() for path in found] == wanted
    with pytest.raises(InputError, match=r"cannot open input file '.*nothing': No such file or directory"):
        find_modules([str(tmp_path / "nothing")])
    with pytest.raises(InputError, match="no modules found") as raised:
        find_modules([str(tmp_path / "in" / "z.mlir")])
    assert raised.value.notes == ("a folder is searched for files ending in .mlir, .mlirbc, .bc, .stablehlo, .vhlo",)


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("verify", "verify"), ("interpret", "interpret"), ("compare", "compare:reference,xla"),
        ("judge", "judge:reference,xla"), ("passes", "passes:canonicalize,cse"), ("passes:", "passes:canonicalize,cse"),
        ("passes:,a,,b,", "passes:a,b"), ("roundtrip:1.0.0,0.9.0", "roundtrip:1.0.0,0.9.0"),
        ("compare:xla,,reference", "compare:xla,reference"),
    ],
)  # fmt: skip
def test_a_check_in_full(text: str, full: str) -> None:
    assert read_check(text) == full


@pytest.mark.parametrize(
    ("text", "said", "note"),
    [
        ("verfy", "unknown check 'verfy'; did you mean verify?",
         "the checks are verify, roundtrip, interpret, compare, judge, passes"),
        ("interpret:", "the check interpret has no options, found ''", ""),
        ("verify:x", "the check verify has no options, found 'x'", ""),
        ("judge:xla,", "two or more engines are needed for a comparison", ""),
    ],
)  # fmt: skip
def test_a_check_that_is_none_is_refused(text: str, said: str, note: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_check(text)
    assert (raised.value.message, raised.value.notes) == (said, (note,) if note else ())


def test_the_row_of_a_task_has_the_digest_and_size_of_its_module() -> None:
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # of abc, as the standard has it
    assert Task("m", b"abc", "verify").row("ok") == Row("m", digest, 3, "verify", "ok", "", 1, 0.0)
    found = Task("m", b"abc", "verify").row("crash", "why", 2, 1.5)
    assert found == Row("m", digest, 3, "verify", "crash", "why", 2, 1.5)
    assert found.key == ("m", digest, "verify")


@pytest.mark.parametrize("names", ["abc", "cba", "bca"])
def test_of_modules_of_one_size_the_first_by_name_stands_for_a_cause(names: str) -> None:
    """In whatever order the checks ended."""
    rows = [Row(name, "", 7, "verify", "error", "it is wrong") for name in names]
    (cause,) = Summary.of([Row("0", "", 8, "verify", "error", "it is wrong"), *rows]).causes
    assert (cause.count, cause.smallest.module) == (4, "a")

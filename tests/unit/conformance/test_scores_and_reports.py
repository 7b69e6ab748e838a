"""Verdicts at the very bound of what a rule allows, and what reports say of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import ml_dtypes
import numpy as np
import pytest
from click.testing import CliRunner
from speeds import later

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.conformance.case import Case, Expected, single
from stablehlo_py.conformance.catalog import Choice, Draw, cases, families
from stablehlo_py.conformance.oracle import scalars
from stablehlo_py.conformance.oracle.rounding import rounded
from stablehlo_py.conformance.score import board, reports
from stablehlo_py.conformance.score.run import Kept, Report
from stablehlo_py.conformance.score.scoring import Score, judge, score, scored
from stablehlo_py.engines import Outcome
from stablehlo_py.errors import InputError, UsageError
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

# First inputs that ops that choose are to have: each branch, numbers of rounds, and beyond the last branch.
CHOICES = {"if": {0, 1}, "case": {0, 1, 2, 3, -1, 2**31 - 1, -(2**31)}, "while": {0, 1, 5}}


@pytest.mark.parametrize("element", ["i4", *map(later, ("f8E5M2", "i8", "i1", "f32", "f64", "ui64", "complex<f32>"))])
def test_the_reference_passes_and_other_bits_do_not(element: str) -> None:
    context, tried, chosen = make_context(), set[str](), defaultdict[str, set[int]](set)
    for case in cases(Choice(types=(element,))):
        program = Program(ir.Module.parse(case.module, context), Settings(fast=False))
        results = tuple(np.asarray(result) for result in program.run(list(case.inputs)))
        found = score(case, Outcome("ok", results))
        assert found.verdict == "pass", f"{case.name}: {found.message}\n{case.module}"
        for number, expected in enumerate(case.expected):
            if expected.rule == "exact" and expected.value.size:
                other = _other_bit(results[number])
                if other.tobytes() == results[number].tobytes():  # a NaN, or of a type without signs
                    continue
                changed = judge(case, [*results[:number], other, *results[number + 1 :]])
                assert (changed.verdict, case.name) == ("wrong", case.name)
        assert case.op in families()
        assert case.type == element
        tried.add(case.op)
        if case.op in CHOICES:
            chosen[case.op].add(int(case.inputs[0].reshape(-1)[0]))
    assert {op: missing for op in CHOICES if (missing := CHOICES[op] - chosen[op])} == {}
    assert len(tried) > 50


def _other_bit(array: np.ndarray) -> np.ndarray:
    """The array with another sign of its last element, or another value of a boolean or narrow integer."""
    flat = np.ascontiguousarray(array).reshape(-1).copy()
    if flat.dtype.kind in "biu" or flat.dtype.name.startswith(("int", "uint")):
        flat[-1] = not flat[-1] if flat.dtype.kind == "b" else flat[-1] ^ flat.dtype.type(1)
    else:
        flat[-1] = flat[-1] if np.isnan(flat[-1]) or flat.dtype.name == "float8_e8m0fnu" else -flat[-1]
    return flat.reshape(array.shape)


def of(*expected: Expected) -> Case:
    operands = [(each.element, each.value) for each in expected[:1]]
    return replace(single("negate", "f32", "ordinary", operands, list(expected[:1]), source=""), expected=expected)


ONE = np.float32(1)
TINY = np.float32(1e-45)
ABOVE = np.nextafter(ONE, np.float32(2))


@pytest.mark.parametrize(
    ("ulp", "given", "verdict"),
    [
        (1, ABOVE, "pass"),
        (0, ABOVE, "wrong"),
        (2, np.nextafter(ABOVE, np.float32(2)), "pass"),
        (1, np.nextafter(ABOVE, np.float32(2)), "wrong"),
        (1, np.nextafter(ONE, np.float32(0)), "pass"),
        (1, np.float32(np.inf), "wrong"),
        (1, np.float32(np.nan), "wrong"),
    ],
)
def test_a_unit_in_the_last_place_more_is_wrong(ulp: int, given: np.float32, verdict: str) -> None:
    found = judge(of(Expected(np.array([ONE]), "f32", "ulp", ulp)), [np.array([given])])
    assert found.verdict == verdict
    assert found.ulp > 0


def test_bounds_belong_to_what_is_allowed() -> None:
    low, high = np.array([0.5, -0.0]), np.array([2.0, 0.0])
    case = of(Expected(np.float32([1, 0]), "f32", "bounds", low=low, high=high))
    for values, verdict in (
        ([0.5, 0.0], "pass"),
        ([2.0, -0.0], "pass"),
        ([np.nextafter(np.float32(0.5), ONE * 0), 0.0], "wrong"),
        ([np.nextafter(np.float32(2), np.float32(3)), 0.0], "wrong"),
        ([1.0, TINY], "wrong"),
        ([1.0, -TINY], "wrong"),
    ):
        assert judge(case, [np.float32(values)]).verdict == verdict, values


def test_bounds_of_random_numbers_hold_a_value_and_leave_room_for_sums() -> None:
    bounded = [
        (case.name, each)
        for case in cases(Choice(ops=("rng", "rng_bit_generator")))
        for each in case.expected
        if each.rule == "bounds" and each.low is not None and each.high is not None
    ]
    assert len(bounded) > 50
    for name, each in bounded:
        assert (each.low <= each.value).all(), f"{name}: the lowest allowed, {each.low}, is above {each.value}"
        assert (each.value <= each.high).all(), f"{name}: the highest allowed, {each.high}, is below {each.value}"
        assert each.value.ndim or each.low < each.high, f"{name}: no other sum than {each.low} is allowed"


def test_random_numbers_are_drawn_from_every_range_that_a_type_has() -> None:
    uniform, normal = {(0, 1), (3, 9), (-4, 4)}, {(0, 1), (10, 2)}
    found: dict[str, set[tuple[str, tuple[float, ...]]]] = {}
    for case in cases(Choice(ops=("rng",))):
        kind = "UNIFORM" if "distribution = UNIFORM" in case.module else "NORMAL"
        found.setdefault(case.type, set()).add((kind, tuple(each.item() for each in case.inputs)))
    wanted = {("UNIFORM", pair) for pair in uniform}
    for element in ("i32", "i64"):
        assert found.pop(element) == wanted
    assert found.pop("ui8") == {("UNIFORM", pair) for pair in uniform if pair[0] >= 0}
    assert {"f32", "f64"} <= set(found)
    for element, pairs in found.items():
        assert pairs == wanted | {("NORMAL", pair) for pair in normal}, element


def test_results_in_any_order_are_permuted_alike_along_their_dimension() -> None:
    keys = Expected(np.array([[1, 1], [2, 3]], np.float32), "f32", "any order", dimension=0)
    values = Expected(np.array([[5, 6], [7, 8]], np.float32), "f32", "any order", dimension=0)
    case = of(keys, values)
    flipped = [keys.value[::-1], values.value[::-1]]
    assert judge(case, [keys.value, values.value]).verdict == judge(case, flipped).verdict == "pass"
    assert judge(case, [keys.value[::-1], values.value]).verdict == "wrong"
    assert judge(case, [keys.value[:, ::-1], values.value[:, ::-1]]).verdict == "wrong"
    assert judge(case, [-keys.value, values.value]).verdict == "wrong"


def test_a_message_has_the_result_the_operands_and_the_first_elements() -> None:
    right = Expected(np.arange(8, dtype=np.float32), "f32")
    two = replace(of(right), expected=(right, right))
    message = judge(two, [right.value, right.value + (np.arange(8) > 2)]).message
    assert message.startswith("result 1: 5 of 8 elements are wrong (")
    assert message.count("expected") < 5
    assert "4.0, expected 3.0" in message
    assert "(3.0)" not in message  # operands are named where there is one result
    assert "of (7.0), expected 7.0" in judge(of(right), [np.where(right.value < 7, right.value, 9)]).message
    assert judge(of(right), [right.value[:4]]).message == "result 0 is f32[4], expected tensor<8xf32>"
    assert judge(of(right), [right.value.astype(ml_dtypes.bfloat16)]).verdict == "wrong"
    assert judge(of(right), [right.value] * 2).message == "2 results, expected 1"
    scalar = of(Expected(np.array(2, np.float32), "f32"))
    assert "3.0 of (2.0), expected 2.0" in judge(scalar, [np.array(3, np.float32)]).message


@pytest.mark.parametrize(("x", "y", "larger"), [(0.0, -0.0, 0.0), (-0.0, 0.0, 0.0), (-0.0, -0.0, -0.0), (-1, -2, -1)])
def test_the_larger_of_two_zeros_is_the_positive_one(x: float, y: float, larger: float) -> None:
    assert str(float(scalars.maximum(x, y))) == str(float(larger))
    assert str(float(scalars.minimum(-x, -y))) == str(-float(larger))
    assert np.isnan(float(scalars.maximum(np.nan, x)))
    assert np.isnan(float(scalars.minimum(x, np.nan)))


@pytest.mark.parametrize(
    ("number", "element", "result"),
    [
        (65519.999, "f16", 65504.0),
        (65520.0, "f16", np.inf),
        (-65520.0, "f16", -np.inf),
        (2.0**-25, "f16", 0.0),
        (-(2.0**-25), "f16", -0.0),
        (2.0**-25 * 1.0001, "f16", 2.0**-24),
        (2.0**-24 * 1.5, "f16", 2.0**-23),
        (2.0**-24 * 2.5, "f16", 2.0**-23),
        (1 + 2.0**-11, "f16", 1.0),
        (1 + 3 * 2.0**-11, "f16", 1 + 2.0**-9),
        (-0.0, "f32", -0.0),
        (57344.0, "f8E5M2", 57344.0),
        (61439.0, "f8E5M2", 57344.0),
        (61440.0, "f8E5M2", np.inf),
        (448.0, "f8E4M3FN", 448.0),
        (464.0, "f8E4M3FN", 448.0),
        (np.inf, "f32", np.inf),
    ],
)
def test_rounding_at_the_ends_of_a_type(number: float, element: str, result: float) -> None:
    assert str(float(rounded(number, element))) == str(float(result))


def entry(number: int, verdict: str, message: str = "", op: str = "add", ulp: float = 0.0) -> Score:
    return Score(op, "f32", "ordinary", "IEEE", "https://spec", f"{op}.f32.{number}", verdict, message, ulp)  # type: ignore


def report(*entries: Score) -> Report:
    return Report("mine", {"mine": "1.0", "python": "3"}, Choice(level="full", seed=7), "1.0.0", entries, 12.6)


FAILING = [entry(number, "wrong", "x" * 300) for number in range(21)]
MIXED = (
    entry(0, "pass", ulp=1.5),
    entry(1, "wrong", "1 of 2\x01 <wrong>", ulp=9.0),
    entry(2, "unsupported", "no such op"),
    entry(0, "crash", "signal 11", "sort"),
    entry(1, "timeout", "20 s", "sort"),
    entry(0, "pass", op="tan"),
)
KNOWN = [reports.Known("sort.f32.0", "its <cause>"), reports.Known("tan.*", "was bad"), reports.Known("a.*", "none")]


def test_the_text_has_a_line_for_each_op_and_the_first_twenty_failures() -> None:
    lines = reports.text(report(*MIXED), KNOWN).splitlines()
    assert lines[0] == "mine (mine 1.0, python 3), artifacts of 1.0.0: level full, seed 7"
    assert lines[1].split() == ["op", "pass", "wrong", "unsupported", "crash", "timeout", "ULP"]
    assert [line.split() for line in lines[2:5]] == [
        ["add", "1", "1", "1", ".", ".", "1.5"],
        ["sort", ".", ".", ".", "1", "1", "0"],
        ["tan", "1", ".", ".", ".", ".", "0"],
    ]
    assert lines[5:] == [
        "wrong: add.f32.1: 1 of 2\x01 <wrong>",
        "timeout: sort.f32.1: 20 s",
        "6 cases in 13 s: 2 pass, 1 wrong, 1 unsupported, 1 crash, 1 timeout",
        "2 failures that are not known, 1 known",
    ]
    long = reports.text(report(*FAILING), []).splitlines()
    assert [line for line in long if line.startswith("wrong")] == [
        f"wrong: add.f32.{n}: {'x' * 200}" for n in range(20)
    ]
    assert "… and 1 more" in long
    assert "more" not in reports.text(report(*FAILING[:20]), [])


def test_known_failures_that_pass_are_mended_and_others_are_regressions() -> None:
    assert reports.mended(report(*MIXED), KNOWN) == [KNOWN[1]]
    assert reports.mended(report(MIXED[0], replace(MIXED[1], case="add.f32.0b")), [reports.Known("add.*", "")]) == []
    assert [each.case for each in reports.regressions(report(*MIXED), KNOWN)] == ["add.f32.1", "sort.f32.1"]


def test_files_of_a_report_tell_failures_errors_and_what_is_skipped() -> None:
    suites = ElementTree.fromstring(reports.junit(report(*MIXED), KNOWN))
    counts = [[suite.get(name) for name in ("name", "tests", "failures", "errors", "skipped")] for suite in suites]
    assert counts == [["add", "3", "1", "0", "1"], ["sort", "2", "0", "1", "1"], ["tan", "1", "0", "0", "0"]]
    messages = [each.get("message") for each in suites.iter() if each.get("message")]
    assert messages == ["1 of 2? <wrong>", "no such op", "known: its <cause>", "20 s"]
    found = json.loads(reports.as_json(report(*MIXED, entry(9, "wrong", ulp=np.inf)), KNOWN))
    assert [case["known"] for case in found["cases"]] == ["", "", "", "its <cause>", "", "was bad", ""]
    assert (found["cases"][-1]["ulp"], found["cases"][0]["ulp"], found["target"], found["seed"]) == (
        "inf",
        1.5,
        "1.0.0",
        7,
    )
    assert found["counts"] == {"pass": 2, "wrong": 2, "crash": 1, "timeout": 1, "unsupported": 1}
    page = shown_by(reports.html(report(*MIXED), KNOWN))
    assert page["columns"] == ["f32"]
    assert page["rows"] == [
        {"name": "add", "cells": [cell(1, 3, "wrong", "1 pass, 1 wrong, 1 unsupported")], "parts": []},
        {"name": "sort", "cells": [cell(0, 2, "crash", "1 crash, 1 timeout")], "parts": []},
        {"name": "tan", "cells": [cell(1, 1, "pass", "1 pass")], "parts": []},
    ]
    assert [(group["cause"], [case["name"] for case in group["cases"]]) for group in page["causes"]] == [
        ("not known: wrong, ordinary", ["add.f32.1"]),
        ("not known: unsupported, ordinary", ["add.f32.2"]),
        ("known: its <cause>", ["sort.f32.0"]),
        ("not known: timeout, ordinary", ["sort.f32.1"]),
    ]
    assert page["causes"][0]["cases"][0]["message"] == "1 of 2\x01 <wrong>"
    more = shown_by(reports.html(report(*MIXED, entry(9, "timeout"), entry(10, "timeout")), KNOWN))
    counts = [len(group["cases"]) for group in more["causes"]]
    assert counts == sorted(counts, reverse=True), "the cause of most cases comes first"
    assert counts[0] > counts[-1]
    table = reports.markdown(report(*MIXED), KNOWN).decode().splitlines()
    assert "| `add` | 1 | 1 | 0 | 0 | 1 | f32 |" in table
    assert "| `sort` | 0 | 0 | 1 | 1 | 0 | f32 |" in table
    assert "Every case passes: `tan`." in table
    assert table[-3:] == [
        "| 1 | not explained: add.f32.1 |",
        "| 1 | its <cause> |",
        "| 1 | not explained: sort.f32.1 |",
    ]


def shown_by(page: bytes) -> dict:
    """What a page shows."""
    return json.loads(page.decode().partition('id="data">')[2].partition("</script>")[0])


def cell(passing: int, count: int, worst: str, title: str) -> dict:
    return {"pass": passing, "all": count, "worst": worst, "title": title}


def test_a_file_of_known_failures_has_patterns_and_causes(tmp_path: Path) -> None:
    path = tmp_path / "known"
    path.write_text("# all\n\na.*   # why # more\nb.f32.0\n", encoding="utf-8")
    assert reports.read_known(str(path)) == [reports.Known("a.*", "why # more"), reports.Known("b.f32.0", "")]
    assert reports.cause_of(entry(0, "wrong"), [reports.Known("add.f32.?", "first"), reports.Known("*", "")]) == "first"


@pytest.mark.parametrize("about", [{"engine": "b"}, {"engine": "a", "versions": {"x": "2"}, "target": ""}])
def test_scores_of_another_engine_version_or_target_are_refused(about: dict[str, str], tmp_path: Path) -> None:
    own = {"engine": "a", "versions": {"x": "1"}, "target": ""}
    case, other = of(Expected(np.float32([1]), "f32")), of(Expected(np.float32([2]), "f32"))
    kept = Kept(tmp_path / "log", own)
    assert kept.score_of(case) is None
    kept.add(case, scored(case, "wrong", "said", np.inf))
    again = Kept(tmp_path / "log", own)
    assert again.score_of(case) == scored(case, "wrong", "said", np.inf)
    assert again.score_of(other) is None
    with pytest.raises(UsageError, match="and this run is of"):
        Kept(tmp_path / "log", about)


@pytest.mark.parametrize(
    "line", ['{"case": "add.f32.0"}', "7", '{"case": "a", "hash": "b", "verdict": "pass", "ulp": "0"}']
)
def test_a_line_of_kept_scores_without_all_its_fields_is_an_error_with_its_place(line: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(f'{{"engine": "a"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError, match="not an entry of this log") as caught:
        Kept(tmp_path / "log", {"engine": "a"})
    assert caught.value.location == f"{tmp_path / 'log'}:2:1"


def verdicts(entries: Sequence[Score]) -> list[str]:
    return [each.verdict for each in entries]


def test_failures_are_wrong_results_and_engines_that_end() -> None:
    assert verdicts(reports.failures(MIXED)) == ["wrong", "crash", "timeout"]
    assert report(*MIXED).count("pass") == 2


def test_smoke_takes_the_first_case_of_each_kind_for_a_few_types() -> None:
    for op in ("abs", "uniform_quantize", "sort"):
        whole, few = (list(cases(Choice(ops=(op,), level=level))) for level in ("full", "smoke"))
        kinds = [(case.type, case.kind) for case in few]
        assert len(set(kinds)) == len(kinds) > 0
        assert {case.number for case in few} == {0}
        first = {(case.type, case.kind): case for case in reversed(whole)}
        assert all(case.module == first[case.type, case.kind].module for case in few)
    only = list(cases(Choice(ops=("abs", "negate"), types=("f64",), level="smoke")))
    assert {(case.op, case.type) for case in only} == {("abs", "f64"), ("negate", "f64")}


@pytest.mark.parametrize(
    ("types", "smoke", "asked", "found"),
    [
        ((), False, ["f64", "f32"], ["f64", "f32"]),
        (("f64", "i4"), False, ["f64", "f32"], ["f64"]),
        ((), True, ["f64", "f32", "i1"], ["f32", "i1"]),
        ((), True, ["f64", "i64"], ["f64"]),
        (("i64",), True, ["f64", "i64"], ["i64"]),
        (("i64",), True, ["f64"], []),
    ],
)
def test_types_that_are_asked_for(types: tuple[str, ...], smoke: bool, asked: list[str], found: list[str]) -> None:
    assert Draw(0, types, smoke).only(asked) == found
    each = list(Draw(0, types, smoke).each("op", asked, ("a", "b")))
    assert [(element, kind) for element, kind, _ in each] == [(element, kind) for element in found for kind in "ab"]
    assert len({chance.random() for *_, chance in each}) == len(each)


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    first, path = report(*MIXED, entry(9, "wrong", ulp=np.inf)), tmp_path / "report.json"
    path.write_bytes(reports.as_json(first, KNOWN))
    read = board.read_report(str(path))
    assert read == replace(first, choice=read.choice)
    assert (read.choice.level, read.choice.seed) == ("full", 7)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cases": [{}]}', '{"cases": []}'])
def test_other_files_are_no_reports(text: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(InputError, match="is no report of stablehlo conformance --json"):
        board.read_report(str(path))


def test_the_board_has_each_engine_and_the_cases_that_none_passes() -> None:
    other = replace(
        report(entry(0, "wrong"), entry(1, "crash", "died"), entry(2, "wrong"), entry(0, "pass", op="sort")),
        engine="<b>",
    )
    found = [report(*MIXED), other]
    lines = board.text(found).splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["engine", "cases", "pass", "wrong", "unsupported", "crash", "timeout"],
        ["mine", "6", "2", "1", "1", "1", "1"],
        ["<b>", "4", "1", "2", "0", "1", "0"],
    ]
    # Number 0 passes in one, number 2 is unsupported in the other, and sorts are not in both or pass.
    assert lines[4:] == [
        "1 cases that every engine runs and none passes",
        "add.f32.1: wrong, crash",
        "  mine: 1 of 2\x01 <wrong>",
        "  <b>: died",
    ]
    assert board.fail_everywhere(found[:1]) == []
    page = shown_by(board.html(found))
    assert page["columns"] == ["mine", "<b>"]
    assert [row["name"] for row in page["rows"]] == ["add", "sort", "tan"]
    assert [[part["name"] for part in row["parts"]] for row in page["rows"]] == [["f32"]] * 3
    assert page["rows"][0]["cells"] == page["rows"][0]["parts"][0]["cells"]
    assert [len(row["cells"]) for row in page["rows"]] == [2, 2, 2]
    (alike,) = page["causes"]
    assert [(case["name"], case["verdict"], case["message"]) for case in alike["cases"]] == [
        ("add.f32.1", "wrong, crash", "mine: 1 of 2\x01 <wrong>\n<b>: died")
    ]
    assert shown_by(board.html(found[:1]))["causes"] == []


def test_the_board_is_written_as_a_page_if_it_is_asked_for(tmp_path: Path) -> None:
    path, page = tmp_path / "report.json", tmp_path / "board.html"
    path.write_bytes(reports.as_json(report(*MIXED), KNOWN))
    read = board.read_report(str(path))
    for words in ([], [f"--html={page}"]):
        assert not page.exists()
        ended = CliRunner().invoke(stablehlo, ["conformance", "board", str(path), *words], standalone_mode=False)
        assert (ended.exception, ended.output) == (None, f"{board.text([read])}\n".replace("\n\n\n", "\n\n"))
    is_the_board = page.read_bytes() == board.html([read])
    assert is_the_board, f"{page} has another page than board.html makes"

"""Rows of a trace: behind an op that an engine lacks, the first and the worst ones, and what the text shows of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.debug.allowed.measures import EXACT, Difference, difference
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.programs.subject import OpLocation, examine
from stablehlo_py.debug.tracing.rows import Inner, Trace, TraceRow, trace_text
from stablehlo_py.debug.tracing.trace import has_nonfinite, largest, relative_error, trace
from stablehlo_py.engines import Outcome

F = np.float32
CHAIN = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  %1 = stablehlo.cbrt %0 : tensor<4xf32>
  %2 = stablehlo.floor %1 : tensor<4xf32>
  %3 = stablehlo.negate %1 : tensor<4xf32>
  %4 = stablehlo.abs %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}"""


class Planted(Local):
    """The reference with an op that it lacks, and one in whose place it computes the cosine."""

    def __init__(self, lacks: str, wrong: str) -> None:
        super().__init__()
        self.name, self.lacks, self.wrong = "planted", lacks, wrong

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        text = str(parsed(module))
        if self.lacks and self.lacks in text:
            return Outcome("unsupported", message=f"lacks {self.lacks}")
        return super().run(text.replace(self.wrong, "stablehlo.cosine").encode() if self.wrong else module, arguments)


def traced(lacks: str = "", wrong: str = "") -> Trace:
    subject = examine(parsed(CHAIN))
    return trace(subject, [F([0.25, 0.5, 0.75, 1])], Local(), Planted(lacks, wrong), cuts=0)


def rows(found: Trace) -> dict[str, TraceRow]:
    return {row.place.op.removeprefix("stablehlo."): row for row in found.rows}


def test_an_engine_that_is_right_has_rows_without_errors() -> None:
    found = traced()
    assert list(rows(found)) == ["sine", "cbrt", "floor", "negate", "abs"]
    assert all(row.local is not None and row.local.same and not row.wrong for row in found.rows)
    assert (found.first, found.culprit, found.parting, found.exit_code) == (None, None, None, 0)
    assert str(found).endswith("no op is wrong by itself")


def test_rows_behind_an_op_that_is_lacking_are_measured() -> None:
    found = traced(lacks="stablehlo.cbrt")
    by_name = rows(found)
    assert by_name["cbrt"].failure == "unsupported: lacks stablehlo.cbrt"
    assert by_name["cbrt"].wrong
    assert by_name["cbrt"].local is None
    for name in ("sine", "floor", "negate", "abs"):
        measured = by_name[name].local, by_name[name].accumulated
        assert [found is not None and found.same for found in measured] == [True, True], name
        assert not by_name[name].wrong
        assert not by_name[name].failure
    assert (found.first, found.exit_code) == (by_name["cbrt"], 1)
    assert found.program is not None
    assert "stablehlo.cbrt" in str(found.program)


def test_an_error_stays_with_its_op_and_is_carried_on() -> None:
    found = traced(wrong="stablehlo.negate")
    by_name = rows(found)
    assert [name for name, row in by_name.items() if row.wrong] == ["negate"]
    assert by_name["abs"].local is not None
    assert by_name["abs"].local.same
    assert by_name["abs"].accumulated is not None
    assert not by_name["abs"].accumulated.same
    assert found.parting is by_name["negate"]
    assert [row.place.op for row in found.worst()] == ["stablehlo.negate"]
    assert {row.place.op for row in found.worst("accumulated")} == {"stablehlo.negate", "stablehlo.abs"}
    assert f"first wrong op: {by_name['negate'].place}" in str(found)


def test_a_wrong_op_behind_one_that_is_lacking_is_wrong_too() -> None:
    found = traced(lacks="stablehlo.cbrt", wrong="stablehlo.floor")
    assert [name for name, row in rows(found).items() if row.wrong] == ["cbrt", "floor"]
    assert found.program is not None
    assert "stablehlo.floor" in str(found.program)  # a wrong result says more than a failure


def off(units: float) -> Difference:
    return difference(np.array([1 + units * np.spacing(F(1))], F), F([1]), EXACT)


def spot(number: int, op: str = "stablehlo.add") -> OpLocation:
    return OpLocation(number=number, op=op, location=f"f:{number}", name_stack="")


def made(number: int, local: float | None, accumulated: float | None = None, **fields: object) -> TraceRow:
    values = [None if each is None else off(each) for each in (local, accumulated)]
    return TraceRow(spot(number), *values, **fields)  # type: ignore[arg-type]


def test_the_worst_rows_are_the_largest_and_rows_without_errors_are_none_of_them() -> None:
    found = Trace("e", "r", tuple(made(number, units) for number, units in enumerate((0, 3, 1, None, 8, 2, 5, 4))))
    assert [row.place.number for row in found.worst()] == [4, 6, 7, 1, 5]
    assert [row.place.number for row in found.worst("local", 2)] == [4, 6]
    assert found.worst("accumulated") == []
    assert found.first_by("local") is found.rows[1]
    shown = [line for line in trace_text(found).splitlines() if "f:" in line and "first" not in line]
    assert len(shown) == 5
    everything = [
        line for line in trace_text(found, show_all=True).splitlines() if "f:" in line and "first" not in line
    ]
    assert len(everything) == 8
    assert everything[3].split()[:3] == ["-", "-", "-"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, 0),
        ({"note": "left out"}, 2),
        ({"rows": (made(1, 1, wrong=True),)}, 1),
        ({"rows": (made(1, 1, wrong=True),), "note": "left out"}, 1),
        ({"apart": "differ"}, 1),
        ({"rows": (made(1, 0, 4),)}, 0),
        ({"rows": (made(1, 0, 4),), "matched": "5 ops"}, 1),
        ({"rows": (made(1, 0, 0),), "matched": "5 ops"}, 0),
    ],
)
def test_exit_codes(fields: dict[str, object], code: int) -> None:
    assert Trace("e", "r", **{"rows": (), **fields}).exit_code == code  # type: ignore[arg-type]


def test_the_text_has_what_is_wrong_and_at_most_ten_changes() -> None:
    inside = Inner(spot(7, "stablehlo.sine"), off(3), parsed(""), ())
    wrong = made(2, 9, 9, wrong=True, inside=inside)
    lines = trace_text(
        Trace("e", "r", (made(1, 0, 0), wrong, made(3, None, None, failure="crash", wrong=True)),
              {"e": spot(3)}, note="some left out", matched="2 of 3", changes=tuple(f"c{n}" for n in range(11)),
              apart="results differ", cause="c3")
    ).splitlines()  # fmt: skip
    assert lines[0] == "e measured against r"
    assert lines[2].split()[:4] == ["!", "9", "9", "-"]
    assert lines[3].endswith(f"{spot(3)}: crash")
    assert f"first beyond its tolerance, local: {inside.place}" in lines
    assert f"first NaN or infinity in e: {spot(3)}" in lines
    assert [line for line in lines if line.startswith("note: ")] == ["note: 2 of 3", "note: some left out"]
    assert [line for line in lines if line.startswith("changed: ")] == [f"changed: c{n}" for n in range(10)]
    assert "and 1 more changes, which --all shows" in lines
    assert lines[-3:] == [f"first wrong op: {inside.place}", "results differ", "likeliest cause: c3"]
    found = Trace("e", "r", (made(1, 0, 0), wrong)).as_dict()
    assert (found["culprit"]["number"], found["first"]["local"], found["worst"]["accumulated"]) == (7, 2, 2)
    assert [row["wrong"] for row in found["rows"]] == [False, True]
    assert found["rows"][1]["inside"]["op"] == "stablehlo.sine"


def test_one_result_that_is_wrong_matters_more_than_a_larger_error_that_is_allowed() -> None:
    small, large = off(2), replace(off(5), mismatches=0)
    assert largest([large, small]) is small
    assert largest([off(1), off(3)]).max_ulp == 3  # type: ignore[union-attr]
    many, far = replace(off(2), mismatches=9), replace(off(7), mismatches=1)
    assert largest([many, far, large]) is largest([large, far, many]) is far  # how many are wrong does not matter
    assert largest([]) is None


@pytest.mark.parametrize(
    ("value", "exact", "error"),
    [
        ([3.0, 4.0], [3.0, 4.0], 0.0),
        ([3.5, 4.0], [3.0, 4.0], 0.1),
        ([np.nan, 4.0], [3.0, 4.0], np.inf),
        ([np.nan, 5.0], [np.nan, 4.0], 0.25),
        ([np.inf], [np.inf], 0.0),
        ([0.0], [0.0], 0.0),
        ([1.0], [0.0], np.inf),
        ([], [], 0.0),
    ],
)
def test_relative_errors(value: list[float], exact: list[float], error: float) -> None:
    assert relative_error(F(value), np.array(exact)) == pytest.approx(error)
    assert relative_error(F(value), None) == 0.0


def test_only_values_that_are_known_and_floats_are_looked_at() -> None:
    values = {"a": F([np.inf]), "b": np.int32([1]), "c": F([1])}
    assert has_nonfinite(["a"], values)  # type: ignore[list-item, arg-type]
    assert not has_nonfinite(["b", "c", "d"], values)  # type: ignore[list-item, arg-type]


class Shortening(Local):
    """The reference, with one element fewer in the result of a program with a cubic root."""

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        outcome = super().run(module, arguments)
        if "stablehlo.cbrt" not in str(parsed(module)):
            return outcome
        return replace(outcome, results=tuple([each[:-1] for each in outcome.results]))


def test_a_result_of_another_shape_is_an_error_of_its_op() -> None:
    subject = examine(parsed(CHAIN))
    first = trace(subject, [np.linspace(0.5, 2, 4, dtype=F)], Local(), Shortening(), cuts=2).first
    assert first is not None
    assert first.place.op == "stablehlo.cbrt"
    assert first.failure == "error: a result has shape [3], expected tensor<4xf32>"


@pytest.mark.parametrize("show_all", [False, True])
@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 25])
def test_how_many_changes_are_left_out_is_told_if_there_are_any(count: int, show_all: bool) -> None:
    found = Trace("e", "r", (), changes=tuple(f"c{number}" for number in range(count)))
    lines = trace_text(found, show_all=show_all).splitlines()
    shown = count if show_all else min(count, 10)
    more = [f"and {count - shown} more changes, which --all shows"] if shown < count else []
    assert lines[2:] == [*(f"changed: c{number}" for number in range(shown)), *more, "no op is wrong by itself"]


@pytest.mark.parametrize(
    ("wrong", "value", "numbers"),
    [
        ("", 0.5, {"reference": 1, "planted": 1}),
        ("stablehlo.negate", 0.5, {"reference": 1, "planted": 2}),
        ("stablehlo.negate", -0.5, {"reference": 2, "planted": 2}),
        ("stablehlo.log", 0.5, {"reference": 1}),
        ("", -1.5, {}),
    ],
)
def test_the_first_op_without_finite_results_is_told_of_the_reference_first(
    wrong: str, value: float, numbers: dict[str, int]
) -> None:
    lines = ("%0 = stablehlo.negate %x", "%1 = stablehlo.log %0", "%2 = stablehlo.sqrt %1", "%3 = stablehlo.abs %2")
    body = "\n".join(f"{line} : tensor<4xf32>" for line in lines)
    text = f"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n{body}\nreturn %3 : tensor<4xf32> }}"
    subject = examine(parsed(text))
    found = trace(subject, [np.full(4, value, F)], Local(), Planted("", wrong), cuts=0)
    assert [(name, place.number) for name, place in found.first_nonfinite.items()] == list(numbers.items())
    told = [line for line in str(found).splitlines() if line.startswith("first NaN")]
    assert [line.partition(" at ")[0] for line in told] == [
        f"first NaN or infinity in {name}: #{number} {subject.ops[number].name}" for name, number in numbers.items()
    ]


def test_the_first_five_wrong_ops_are_shown_unless_all_are() -> None:
    rows = [TraceRow(OpLocation(n, "stablehlo.abs", "", ""), failure="crash", wrong=n > 0) for n in range(8)]
    found = Trace("e", "r", tuple(rows))
    for show_all, numbers in ((False, range(1, 6)), (True, range(1, 8))):
        marked = [line for line in trace_text(found, show_all=show_all).splitlines() if line.startswith("!")]
        assert [line.partition("#")[2][0] for line in marked] == [str(n) for n in numbers]

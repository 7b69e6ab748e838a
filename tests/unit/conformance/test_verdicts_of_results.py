"""Verdicts over tables: equal bits, distances of several results, and cases that no engine passes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.types import element_type
from stablehlo_py.conformance.case import Case, Expected, single
from stablehlo_py.conformance.catalog import Choice
from stablehlo_py.conformance.generate.values import every_value
from stablehlo_py.conformance.score import board, export, reports
from stablehlo_py.conformance.score.run import Kept, Report, _scored, artifact_of
from stablehlo_py.conformance.score.scoring import VERDICTS, Score, judge, same_bits, score
from stablehlo_py.engines import Engine, Outcome


@pytest.mark.parametrize("element", ["i1", "i4", "ui8", "f4E2M1FN", "f8E5M2", "f8E4M3FN", "f8E8M0FNU"])
def test_values_are_alike_in_all_bits_or_both_no_numbers(element: str) -> None:
    every = every_value(element)
    first, second = np.repeat(every, every.size), np.tile(every, every.size)
    bits = every.view(np.uint8)
    alike = np.repeat(bits, every.size) == np.tile(bits, every.size)
    if element.startswith("f"):
        with np.errstate(invalid="ignore"):
            is_nan = np.isnan(every.astype(np.float64))
        alike |= np.repeat(is_nan, every.size) & np.tile(is_nan, every.size)
    wrong = np.flatnonzero(same_bits(first, second) != alike)[:5]
    assert [(first[at], second[at], bool(alike[at])) for at in wrong] == []


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers_are_alike_in_both_parts(dtype: type) -> None:
    parts = [0.0, -0.0, 1.0, np.nan, np.inf]
    pairs = list(itertools.product(parts, repeat=2))
    numbers = [np.array(pair, np.float64).view(np.complex128)[0] for pair in pairs]

    def same(x: float, y: float) -> bool:
        return str(x) == str(y)  # which tells zeros apart, and no NaN

    for (one, first), (other, second) in itertools.product(zip(pairs, numbers, strict=True), repeat=2):
        wanted = same(one[0], other[0]) and same(one[1], other[1])
        found = same_bits(np.array([first], dtype), np.array([second], dtype))
        assert found.tolist() == [wanted], (first, second)


def case_of(*expected: Expected) -> Case:
    given = single("negate", "f32", "ordinary", [np.float32([1])], list(expected[:1]), source="IEEE")
    return replace(given, expected=expected)


def steps(value: float, count: int) -> np.ndarray:
    """The number so many values above another one."""
    return (np.float32([value]).view(np.uint32) + np.uint32(count)).view(np.float32)


@pytest.mark.parametrize("order", [*itertools.permutations((0, 3, 1))])
def test_the_distance_of_a_case_is_the_largest_of_its_results(order: tuple[int, ...]) -> None:
    case = case_of(*[Expected(np.float32([1]), "f32", "ulp", 3)] * 3)
    found = judge(case, [steps(1, count) for count in order])
    assert (found.verdict, found.ulp, found.message) == ("pass", 3, "")
    short = judge(case_of(*[Expected(np.float32([1]), "f32", "ulp", 2)] * 3), [steps(1, count) for count in order])
    seen = max(order[: order.index(3) + 1])
    assert (short.verdict, short.ulp) == ("wrong", seen)
    assert short.message.startswith(f"result {order.index(3)}: 1 of 1 elements are wrong (2 ULP): ")


@pytest.mark.parametrize(
    ("rule", "ulp"), [("exact", 2.0), ("ulp", 2.0), ("bounds", 0.0), ("anything", 0.0), ("any order", 0.0)]
)
def test_distances_are_measured_where_a_rule_speaks_of_values(rule: str, ulp: float) -> None:
    low, high = np.float64([0.0]), np.float64([9.0])
    expected = Expected(np.float32([1]), "f32", rule, 2, low, high)  # type: ignore[arg-type]
    found = judge(case_of(expected), [steps(1, 2)])
    wrong = {"exact": "wrong", "any order": "wrong"}.get(rule, "pass")
    assert (found.verdict, found.ulp) == (wrong, ulp)


def test_a_number_in_place_of_none_is_infinitely_far_away() -> None:
    for rule in ("exact", "ulp"):
        case = case_of(Expected(np.float32([np.nan, 1]), "f32", rule, 3), Expected(np.float32([2]), "f32"))  # type: ignore[arg-type]
        found = judge(case, [np.float32([1, 1]), np.float32([2])])
        assert (found.verdict, found.ulp) == ("wrong", np.inf)
        assert judge(case, [np.float32([np.nan, 1]), np.float32([2])]).verdict == "pass"
    whole = case_of(Expected(np.int32([5]), "i32"))
    assert judge(whole, [np.int32([7])]).ulp == 0, "integers have no such distance"


@pytest.mark.parametrize(
    ("status", "verdict"),
    [("unsupported", "unsupported"), ("rejected", "unsupported"), ("timeout", "timeout"), ("error", "crash"),
     ("crash", "crash"), ("memory", "crash")],
)  # fmt: skip
def test_how_a_run_ended_is_a_verdict_with_what_was_said(status: str, verdict: str) -> None:
    case = case_of(Expected(np.float32([1]), "f32"))
    found = score(case, Outcome(status, (np.float32([1]),), "why"))  # type: ignore[arg-type]
    assert found == Score(
        "negate", "f32", "ordinary", "IEEE", case.reference, case.name, verdict, f"{status}: why"  # type: ignore[arg-type]
    )  # fmt: skip


def report(engine: str, verdicts: dict[str, str]) -> Report:
    entries = [
        Score("add", "f32", "k", "s", "r", name, verdict, f"{engine} {name}") for name, verdict in verdicts.items()
    ]  # type: ignore[arg-type]
    return Report(engine, {}, Choice(), "", tuple(entries), 1.0)


def test_cases_that_fail_everywhere_are_those_that_no_engine_passes_or_lacks() -> None:
    bad = {"wrong", "crash", "timeout"}
    pairs = {f"{one} {other}": (one, other) for one, other in itertools.product(VERDICTS, repeat=2)}
    first = report("a", {"only here": "wrong", **{name: one for name, (one, _) in pairs.items()}})
    second = report("b", {name: other for name, (_, other) in reversed(pairs.items())} | {"only there": "wrong"})
    rows = board.fail_everywhere([first, second])
    assert [row[0].case for row in rows] == [name for name, pair in pairs.items() if bad.issuperset(pair)]
    assert all(row[0].case == row[1].case for row in rows)
    assert [[each.message.split()[0] for each in row] for row in rows] == [["a", "b"]] * 9
    assert board.fail_everywhere([first]) == []
    third = report("c", {name: "pass" if name == "wrong wrong" else "crash" for name in pairs})
    assert len(board.fail_everywhere([first, second, third])) == 8


class Counting(Engine):
    """Gives the wanted results, and notes the programs that it was given."""

    def __init__(self, result: np.ndarray) -> None:
        super().__init__("counting", "none:none")
        self.result, self.asked = result, list[bytes]()

    def run(self, module: bytes, arguments: object) -> Outcome:
        self.asked.append(module)
        return Outcome("ok", (self.result,))


@pytest.mark.parametrize("element", ["f32", "f8E3M4"])
@pytest.mark.parametrize("target", ["", "current", "1.0.0"])
def test_programs_are_handed_over_as_artifacts_of_a_version_that_can_say_them(
    element: str, target: str, tmp_path: Path
) -> None:
    """The type f8E3M4 is younger than version 1.0.0."""
    value = np.ones(1, element_type(element).dtype)
    case = single("negate", element, "ordinary", [value], [-value], source="IEEE")
    engine, context = Counting(-value), make_context()
    kept = Kept(tmp_path / "log", {"engine": "counting"})
    found = _scored(case, engine, kept, target, context)
    if element == "f8E3M4" and target == "1.0.0":
        assert (found, engine.asked) == (None, [])
        assert artifact_of(case, target, context) is None
        return
    assert found is not None
    assert found.verdict == "pass"
    assert engine.asked == [case.module.encode() if not target else artifact_of(case, target, context)]
    again = Kept(tmp_path / "log", {"engine": "counting"})
    assert _scored(case, engine, again, target, context) == found
    assert len(engine.asked) == 1, "it is kept"
    assert _scored(replace(case, module=case.module + "\n"), engine, again, target, context) == found
    assert len(engine.asked) == 2, "another program is another case"
    assert _scored(case, engine, None, target, context) == found
    assert len(engine.asked) == 3


def test_bfloat_has_one_value_of_each_bits() -> None:
    every = every_value("bf16")
    assert (every.dtype, every.size) == (ml_dtypes.bfloat16, 1 << 16)
    assert np.array_equal(every.view(np.uint16), np.arange(1 << 16))


@pytest.mark.parametrize("count", range(1, 6))
def test_a_message_shows_the_first_three_wrong_elements(count: int) -> None:
    wanted = np.arange(6, dtype=np.int32)
    case = single("negate", "i32", "ordinary", [wanted], [wanted], source="")
    given = np.where(wanted >= 6 - count, wanted + 10, wanted).astype(np.int32)
    shown = [f"{n + 10} of ({n}), expected {n}" for n in range(6 - count, 6)][:3]
    head = f"result 0: {count} of 6 elements are wrong (exact): "
    assert judge(case, [given]).message == head + "; ".join(shown)


WORST = ("crash", "timeout", "wrong", "unsupported", "pass")


def test_a_cell_tells_the_worst_verdict() -> None:
    def entry(verdict: str) -> Score:
        return Score("abs", "f32", "ordinary", "", "", "abs.f32", verdict)  # type: ignore[arg-type]

    assert sorted(WORST) == sorted(VERDICTS)
    assert reports.cell([]) is None
    for chosen in itertools.product([0, 1, 2], repeat=len(WORST)):
        counts = dict(zip(WORST, chosen, strict=True))
        found = reports.cell([entry(verdict) for verdict, count in counts.items() for _ in range(count)])
        if found is None:
            assert not any(chosen)
            continue
        title = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
        worst = next(verdict for verdict in WORST if counts[verdict])
        assert found == {"pass": counts["pass"], "all": sum(chosen), "worst": worst, "title": title}


@pytest.mark.parametrize("length", [199, 200, 201, 2500])
def test_long_messages_are_shown_by_their_beginning(length: int) -> None:
    said = "x" * (length - 1) + "y"
    entry = Score("abs", "f32", "ordinary", "", "", "abs.f32", "wrong", said)
    found = [Report(name, {"provider": "1"}, Choice(), "", (entry,), 0.0) for name in ("one", "two")]
    assert board.text(found).splitlines()[-2:] == [f"  one: {said[:200]}", f"  two: {said[:200]}"]
    assert f"wrong: abs.f32: {said[:200]}" in reports.text(found[0], []).splitlines()


def test_exported_expectations_are_read_back_whole(tmp_path: Path) -> None:
    """Each field has another value than its default somewhere."""
    value = np.arange(6, dtype=np.float32).reshape(2, 3)
    expected = (
        Expected(value, "f32"),
        Expected(value + 1, "f32", "ulp", 2.5),
        Expected(value, "f32", "bounds", low=value - 0.5, high=value + 0.25),
        *[Expected(value + n, "f32", "any order", dimension=n) for n in range(2)],
        Expected(value.astype(np.int8), "i8", "anything"),
        Expected(value.astype(ml_dtypes.bfloat16), "bf16", "ulp", 1.0),
    )
    case = replace(
        single("negate", "f32", "a kind", [value], expected[:1], source="the sum"), expected=expected, number=7
    )
    files = export.files_of(case, None)
    record = export._record(case, files)
    (tmp_path / case.op).mkdir()
    for end, data in files.items():
        (tmp_path / case.op / f"{case.name}{end}").write_bytes(data)
    found = export.read_case(tmp_path, record)
    assert (found.name, found.module, found.source, found.reference) == (
        case.name, case.module, case.source, case.reference)  # fmt: skip
    for mine, its in zip(expected, found.expected, strict=True):
        assert (its.element, its.rule, its.ulp, its.dimension, its.type) == (
            mine.element, mine.rule, mine.ulp, mine.dimension, mine.type)  # fmt: skip
        for name in ("value", "low", "high"):
            before, after = getattr(mine, name), getattr(its, name)
            assert (after is None) == (before is None), name
            assert before is None or (after.tobytes(), after.dtype) == (before.tobytes(), before.dtype), name

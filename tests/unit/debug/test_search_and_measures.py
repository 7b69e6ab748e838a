"""Differences at their bounds, what makes two errors the same, and a search whose candidates fail in some runs only."""

from __future__ import annotations

import json
import math
import signal
import sys
from dataclasses import dataclass, field, replace

import ml_dtypes
import numpy as np
import pytest

from stablehlo_py.debug.allowed.measures import (
    EXACT,
    Tolerance,
    beyond,
    brief,
    check_tolerances,
    difference,
    half_the_digits,
    mismatches,
    read_tolerances,
    tolerance_for,
)
from stablehlo_py.debug.allowed.spread import Local, narrower, perturbed, tolerance_of
from stablehlo_py.debug.reduction.predicates import Command, Disagreement, Failure, kinds, relaxed, same_error, shows
from stablehlo_py.engines import Limits, Outcome
from stablehlo_py.errors import UsageError

F = np.float32
ABOVE = np.nextafter(F(1), F(2))


def off(units: int) -> np.ndarray:
    return np.array([F(1) + units * np.spacing(F(1)), 1], F)


@pytest.mark.parametrize(
    ("tolerance", "units", "same"),
    [
        (Tolerance(ulp=2), 2, True),
        (Tolerance(ulp=2), 3, False),
        (Tolerance(absolute=float(np.spacing(F(1)))), 1, True),
        (Tolerance(absolute=float(np.spacing(F(1)))), 2, False),
        (Tolerance(relative=2**-22), 2, True),
        (Tolerance(relative=2**-22.1), 2, False),
        (EXACT, 0, True),
        (EXACT, 1, False),
    ],
)
def test_the_very_bound_is_allowed(tolerance: Tolerance, units: int, same: bool) -> None:
    expected = off(0)
    assert difference(off(units), expected, tolerance).same == same, f"{units} units off, allowed: {tolerance}"
    assert beyond(off(units), expected, tolerance).tolist() == [not same, False]
    assert [len(each) for each in mismatches(off(units), expected, tolerance)] == [int(not same)] * 2


def test_a_difference_counts_what_is_special_and_shows_the_worst_first() -> None:
    given = np.array([[1, 2, np.nan, np.inf], [-np.inf, 5, 6.5, 9]], F)
    wanted = np.array([[1, 2.5, 3, np.inf], [np.inf, 5, 6, np.nan]], F)
    found = difference(given, wanted, Tolerance(absolute=0.5))
    assert (found.count, found.mismatches, found.nans, found.infinities) == (8, 3, (1, 1), (2, 2))
    assert (found.max_absolute, found.max_ulp) == (np.inf, np.inf)
    assert {index for index, *_ in found.worst} == {(0, 2), (1, 0), (1, 3)}
    exact = difference(given[:, 1:3], wanted[:, 1:3], EXACT)
    assert [index for index, *_ in exact.worst] == [(0, 1), (0, 0), (1, 1)]
    assert exact.worst[1][1:] == ("2.0", "2.5")
    assert exact.histogram[0] == 1
    assert sum(exact.histogram) == 4
    assert "NaN: 1, expected 0; infinities: 0, expected 0" in exact.lines()
    many = difference(np.arange(9, dtype=F), np.zeros(9, F), EXACT)
    assert [int(index[0]) for index, *_ in many.worst] == [8, 7, 6, 5, 4]


@pytest.mark.parametrize(
    ("units", "bucket"), [(0, 0), (1, 2), (2, 3), (3, 4), (4, 4), (5, 5), (16, 5), (17, 6), (256, 6), (257, 7)]
)
def test_buckets_of_the_histogram_hold_their_upper_ends(units: int, bucket: int) -> None:
    found = difference(off(units)[:1], off(0)[:1], EXACT)
    assert found.histogram.index(1) == bucket
    assert found.quantiles == (units,) * 4
    assert found.amount == f"{units} ULP"
    assert brief(found.amount) == f"{units}"


@pytest.mark.parametrize(("ulp", "amount"), [(1e6, "1e+06 ULP"), (1e6 + 1, "0.5 relative"), (np.inf, "inf ULP")])
def test_more_than_a_million_ulp_say_nothing(ulp: float, amount: str) -> None:
    found = replace(difference(F([1]), F([2]), EXACT), max_ulp=ulp)
    assert found.amount == amount
    assert ("ULP at 50" in "\n".join(found.lines())) == amount.endswith("ULP")


def test_words_for_amounts() -> None:
    assert difference(F([2]), F([1]), EXACT).amount == "1 relative"
    assert difference(F([1e-40]), F([0]), EXACT).amount == "denormal numbers"
    assert difference(F([1e-40]), F([0]), EXACT).same  # engines may flush it
    smallest = np.finfo(F).smallest_normal
    assert not difference(F([2 * smallest]), F([0]), EXACT).same
    assert difference(F([2 * smallest]), F([0]), EXACT).denormal is False
    assert difference(np.int32([3]), np.int32([1]), Tolerance(ulp=9)).same is False
    assert [brief(text) for text in ("1 relative", "denormal numbers", "3 ULP")] == ["1 rel", "denormal", "3"]
    assert str(Tolerance(2, 0.5)) == "2 ulp or 0.5 relative"
    assert str(EXACT) == "exact"
    assert json.dumps(difference(F([np.nan]), F([1]), EXACT).as_dict()).count('"inf"') == 7
    assert difference(np.zeros(0, F), np.zeros(0, F), EXACT).same
    complex_ = difference(np.array([1 + 2j]), np.array([1 + 2.5j]), EXACT)
    assert (complex_.count, complex_.mismatches, complex_.max_absolute) == (1, 1, 0.5)
    assert half_the_digits(np.dtype(np.int8)) is EXACT
    assert half_the_digits(np.dtype(F)).relative == pytest.approx(2**-12)


@pytest.mark.parametrize(
    ("text", "key", "tolerance"),
    [
        ("f32=1e-3rel", "f32", Tolerance(relative=1e-3)),
        ("2=4ulp", "2", Tolerance(ulp=4)),
        ("1e-5abs", "", Tolerance(absolute=1e-5)),
        ("f64=2.75ulp|0.25rel", "f64", Tolerance(2.75, 0.25)),
        ("0.5", "", Tolerance(relative=0.5)),
        ("bf16=1ulp|2.e+1abs | 3rel", "bf16", Tolerance(1, 3, 20)),
    ],
)
def test_tolerances_are_read(text: str, key: str, tolerance: Tolerance) -> None:
    assert read_tolerances(["1ulp", text])[key] == tolerance
    assert len(read_tolerances(["i8=1ulp", text])) == 2


@pytest.mark.parametrize("text", ["", "f32=", "-1ulp", "1 ulp", "1ulps", "e3abs", "1ulp|", "1ulp,2abs"])
def test_what_is_no_tolerance_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a tolerance"):
        read_tolerances([text])


def test_the_nearest_tolerance_is_taken() -> None:
    by_number, by_type, all_ = Tolerance(1), Tolerance(2), Tolerance(3)
    tolerances = {"0": by_number, "f32": by_type, "": all_}
    assert tolerance_for(0, np.dtype(F), tolerances) is by_number
    assert tolerance_for(1, np.dtype(F), tolerances) is by_type
    assert tolerance_for(1, np.dtype(np.int8), tolerances) is all_
    assert tolerance_for(1, np.dtype(np.int8), {"0": by_number}) is None
    check_tolerances(tolerances, 1)
    with pytest.raises(UsageError, match="for result 1, but the program has 1"):
        check_tolerances({"1": all_}, 1)
    with pytest.raises(UsageError, match="'f31', which is no element type"):
        check_tolerances({"f31": all_}, 1)


@pytest.mark.parametrize(
    ("values", "wanted", "found"),
    [
        ([np.nan, 1], [1, 1], ["NaN in place of numbers"]),
        ([1, 1], [np.nan, 1], ["numbers in place of NaN"]),
        ([np.inf, 1], [1, 1], ["infinity in place of numbers"]),
        ([1, 1], [-np.inf, 1], ["numbers in place of infinity"]),
        ([np.inf, 1], [-np.inf, 1], ["infinities differ in sign"]),
        ([np.nan, 1], [np.inf, 1], ["NaN in place of numbers"]),
        ([-1, 1], [1, 1], ["values differ in sign"]),
        ([-1, 2], [1, -1], ["values differ in sign"]),
        ([-1, 2], [1, 1], ["values differ in digit 1"]),
        ([1.02, 1], [1, 1], ["values differ in digit 3"]),
        ([np.nan, 1.02], [1, 1], ["NaN in place of numbers", "values differ in digit 3"]),
        ([1, 1], [1, 1], []),
    ],
)
def test_kinds_of_differences(values: list[float], wanted: list[float], found: list[str]) -> None:
    assert kinds(F(values), F(wanted), Tolerance(ulp=1)) == found


def test_kinds_of_what_is_no_float() -> None:
    assert kinds(np.int32([1]), np.int32([2]), EXACT) == ["integers differ"]
    assert kinds(np.array([True]), np.array([False]), EXACT) == ["booleans differ"]
    assert kinds(np.int32([1]), np.int32([1]), EXACT) == []
    assert kinds(np.int32([1, 2]), np.int32([1]), EXACT) == ["a result of another shape"]


@pytest.mark.parametrize(
    ("signature", "wanted", "is_shown"),
    [
        ("values differ in digit 3", "values differ in digit 3", True),
        ("values differ in digit 4", "values differ in digit 3", True),
        ("values differ in digit 2", "values differ in digit 3", True),
        ("values differ in digit 5", "values differ in digit 3", False),
        ("values differ in sign", "values differ in digit 2", True),
        ("values differ in sign", "values differ in digit 3", False),
        ("values differ in digit 1", "values differ in sign", False),
        ("values differ in digit 9", "values differ", True),
        ("NaN in place of numbers", "values differ", False),
        ("a\nb", "b", True),
        ("", "b", False),
        ("", "", True),
    ],
)
def test_an_error_may_change_by_a_digit(signature: str, wanted: str, is_shown: bool) -> None:
    assert shows(signature, wanted) == is_shown, f"{signature!r} for {wanted!r}"


def test_an_error_without_its_digit() -> None:
    assert relaxed("values differ in digit 4") == "values differ"
    assert relaxed("integers differ") == "integers differ"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (([2.0, 1], [1.0, 1]), ([2.0, 1], [1.0, 1]), True),
        (([2.0, 1], [1.0, 1]), ([2.25, 1], [1.0, 1]), True),
        (([2.0, 1], [1.0, 1]), ([2.26, 1], [1.0, 1]), False),
        (([2.0, 1], [1.0, 1]), ([2.0, 1.26], [1.0, 1]), False),
        (([np.nan, 1], [1.0, 1]), ([np.nan, 1], [1.0, 1]), True),
        (([np.nan, 1], [1.0, 1]), ([1, np.nan], [1.0, 1]), False),
        (([np.inf, 1], [1.0, 1]), ([-np.inf, 1], [1.0, 1]), False),
        (([np.inf, 1], [1.0, 1]), ([np.inf, 1], [np.inf, 1]), False),
        (([2.0], [1.0]), ([2.0, 1], [1.0, 1]), False),
    ],
)
def test_results_that_are_wrong_by_the_same(first: tuple, second: tuple, same: bool) -> None:
    pairs = [(np.array(a, F), np.array(b, np.float64)) for a, b in (first, second)]
    assert same_error(*pairs) == same, f"given and expected {first}, and {second}"


@dataclass
class Engine:
    """Gives outcomes in turn, the last one from then on."""

    outcomes: list[Outcome]
    name: str = "mine"
    limits: Limits = field(default_factory=lambda: Limits(60.0))
    seconds: float = 60.0

    def run(self, module: bytes, arguments: object) -> Outcome:
        return self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]

    def close(self) -> None: ...


def ok(*values: float) -> Outcome:
    return Outcome("ok", (F(values),))


@pytest.mark.parametrize(
    ("expected", "given", "signature"),
    [
        (ok(1), ok(1), ""),
        (ok(1), ok(-1), "values differ in sign"),
        (Outcome("error"), ok(1), ""),
        (ok(1), Outcome("crash", message="SIGSEGV: here"), "mine: crash: SIGSEGV"),
        (ok(1), Outcome("error", message="SIGSEGV: here"), "mine: error"),
    ],
)
def test_what_is_interesting_in_two_engines(expected: Outcome, given: Outcome, signature: str) -> None:
    predicate = Disagreement(Engine([expected]), Engine([given]), Tolerance(1))  # type: ignore[arg-type]
    assert predicate.signature(b"", []) == signature


@pytest.mark.parametrize(
    ("status", "pattern", "outcome", "signature"),
    [
        ("", "", Outcome("error", message="at 3"), "error"),
        ("crash", "", Outcome("error", message="at 3"), ""),
        ("", "at [0-9]", Outcome("error", message="it is at 3"), "error: at [0-9]"),
        ("", "^at", Outcome("error", message="it is at 3"), ""),
        ("", "", ok(1), ""),
        ("timeout", "", Outcome("timeout"), "timeout"),
    ],
)
def test_failures_are_of_a_status_and_a_message(status: str, pattern: str, outcome: Outcome, signature: str) -> None:
    engine = Engine([outcome])
    predicate = Failure(engine, status, pattern)  # type: ignore[arg-type]
    assert predicate.signature(b"", []) == signature
    predicate.limit(7.0)
    assert engine.limits.seconds == (60.0 if status == "timeout" else 7.0)


@pytest.mark.parametrize(
    ("code", "exit_code", "pattern", "signature"),
    [
        ("sys.exit(0)", "0", "", "exit code 0"),
        ("sys.exit(3)", "0", "", ""),
        ("sys.exit(3)", "3", "", "exit code 3"),
        ("sys.exit(3)", "any", "", "exit code 3"),
        ("print('out'); sys.exit(3)", "3", "^out$", "exit code 3"),
        ("print('err', file=sys.stderr); sys.exit(3)", "3", "err", "exit code 3"),
        ("sys.exit(3)", "3", "out", ""),
        ("os.kill(os.getpid(), 9)", "crash", "", f"exit code {128 + signal.SIGKILL}"),
        ("os.kill(os.getpid(), 9)", "3", "", ""),
        ("sys.exit(128)", "crash", "", ""),
        ("sys.exit(129)", "crash", "", "exit code 129"),
        ("time.sleep(60)", "any", "", ""),
    ],
)
def test_a_command_decides_by_its_code_and_its_output(code: str, exit_code: str, pattern: str, signature: str) -> None:
    program = f"import os, sys, time; assert 'func.func' in open(sys.argv[1]).read(); {code}"
    command = f'{sys.executable} -S -c "{program}" {{module}}'
    predicate = Command(command, exit_code, pattern, 1.0 if "sleep" in code else 60.0)
    predicate.limit(30.0)
    assert predicate.seconds == (1.0 if "sleep" in code else 30.0)
    assert predicate.signature(b"func.func @main() { return }", []) == signature


def test_nudged_numbers_are_a_unit_off_at_most_and_integers_stay() -> None:
    array = np.array([1.0, -1.0, 0.0, np.inf, np.nan, 3.0] * 20, F)
    moved = perturbed(array, 1)
    apart = np.abs(moved[np.isfinite(array)].astype(float) - array[np.isfinite(array)])
    assert 0 < apart.max() <= 2 * np.spacing(F(3))
    assert len({float(number) for number in moved[array == 1]}) == 3
    np.testing.assert_array_equal(moved[~np.isfinite(array)], array[~np.isfinite(array)])
    assert perturbed(np.int32([1, 2]), 1).tolist() == [1, 2]
    assert perturbed(array, 1).tobytes() == moved.tobytes() != perturbed(array, 2).tobytes()


def test_the_spread_of_other_runs_is_allowed_sixteen_times() -> None:
    expected = F([1, 1, 1, 1])
    allowed = tolerance_of(expected, [F([1.5, 1, 1, np.nan]), F([1, 1.25, 1, np.inf])]).absolute
    assert allowed.reshape(-1).tolist() == [8, 6, 6, 6]  # type: ignore[union-attr]  # 0.375 is typical
    whole = tolerance_of(np.int32([1, 2]), [np.int32([1, 3])]).absolute
    assert whole.reshape(-1).tolist() == [0, np.inf]  # type: ignore[union-attr]


def test_the_narrower_type_of_an_engine() -> None:
    bf16 = np.zeros(1, ml_dtypes.bfloat16)
    assert narrower([bf16], [F([0])]) == "bf16"
    assert narrower([F([0])], [bf16]) == ""
    assert narrower([F([0]), bf16], [F([0]), F([0])]) == "bf16"
    assert narrower([np.int8([0])], [F([0])]) == ""


def test_programs_of_the_interpreter_are_kept_a_few_at_a_time() -> None:
    engine = Local()
    constant = "%0 = stablehlo.constant dense<{}> : tensor<i32> return %0 : tensor<i32>"
    texts = [f"func.func @main() -> tensor<i32> {{ {constant.format(number)} }}" for number in range(6)]
    for _ in range(2):
        found = [engine.run(text.encode(), []) for text in texts]
        assert [int(outcome.results[0]) for outcome in found] == list(range(6))
        assert len(engine.programs) == 4
    assert engine.run(b"nonsense", []).status == "unsupported"
    assert engine.run(b"nonsense", []).status == "unsupported"


def test_likeness_of_whole_arrays():
    second = np.array([1.0, 2.0, 3.0, np.inf], np.float32)
    found = difference(second * np.float32(2), second, EXACT).likeness
    assert found is not None
    assert np.allclose(found, (1.0, 1.0, 1.0))
    shifted = difference(second + np.float32(10), second, EXACT).likeness
    assert shifted is not None
    assert shifted.pearson == pytest.approx(1.0)
    assert shifted.cosine == pytest.approx((11 + 24 + 39) / math.sqrt((121 + 144 + 169) * 14))
    assert shifted.relative_l2 == pytest.approx(math.sqrt(300 / 14))
    assert difference(np.zeros(0, np.float32), np.zeros(0, np.float32), EXACT).same
    assert difference(np.arange(3), np.arange(3) + 1, EXACT).likeness is None
    constant = difference(np.ones(3), np.ones(3), EXACT).as_dict()["likeness"]
    assert constant == {"pearson": "nan", "cosine": pytest.approx(1.0), "relative_l2": 0.0}
    assert "Pearson 1, cosine 1, relative L2 1" in difference(second * np.float32(2), second, EXACT).lines()

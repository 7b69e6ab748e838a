"""Element and tensor types at their bounds, what errors say, and the order of tasks in a pool."""

from __future__ import annotations

import errno
import os
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import ml_dtypes
import numpy as np
import pytest

import stablehlo_py
from stablehlo_py import errors
from stablehlo_py.bindings.types import Kind, TensorType, element_type
from stablehlo_py.errors import Diagnostic, DiagnosticsError, InputError, ResourceError, StablehloError, UsageError
from stablehlo_py.isolation import calls, pool
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.testing.checks import workflow_command
from stablehlo_py.testing.golden import golden

F32 = element_type("f32")
NARROW = ["f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E3M4", "f8E8M0FNU", "f6E2M3FN",
          "f6E3M2FN", "f4E2M1FN", "f8E4M3B11FNUZ", "bf16", "f16"]  # fmt: skip


@pytest.mark.parametrize("name", NARROW)
def test_facts_about_floats_are_those_of_all_their_values(name: str) -> None:
    type_ = element_type(name)
    bits = np.arange(1 << type_.bits, dtype=np.uint16 if type_.bits == 16 else np.uint8)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        values = bits.view(type_.dtype).astype(np.float64)
    real = values[~np.isnan(values)]
    finite = real[np.isfinite(real)]
    assert type_.has_infinity == bool(np.isinf(real).any())
    assert type_.bounds == (real.min(), real.max())
    assert type_.has_sign == bool((finite < 0).any())
    assert type_.has_zero == bool((finite == 0).any())
    assert type_.has_negative_zero == bool((np.signbit(real) & (real == 0)).any())


@pytest.mark.parametrize(
    ("name", "bounds", "kind"),
    [
        ("i1", (0, 1), Kind.BOOLEAN),
        ("i2", (-2, 1), Kind.SIGNED),
        ("ui2", (0, 3), Kind.UNSIGNED),
        ("i4", (-8, 7), Kind.SIGNED),
        ("ui4", (0, 15), Kind.UNSIGNED),
        ("i32", (-(2**31), 2**31 - 1), Kind.SIGNED),
        ("ui32", (0, 2**32 - 1), Kind.UNSIGNED),
        ("i64", (-(2**63), 2**63 - 1), Kind.SIGNED),
        ("ui64", (0, 2**64 - 1), Kind.UNSIGNED),
    ],
)
def test_bounds_of_integers(name: str, bounds: tuple[int, int], kind: Kind) -> None:
    type_ = element_type(name)
    assert (type_.bounds, type_.kind) == (bounds, kind)
    assert type_.has_sign == (kind is Kind.SIGNED)
    assert (type_.is_integer, type_.is_integral, type_.is_real) == (kind is not Kind.BOOLEAN, True, type_.is_integer)


def test_texts_sizes_and_values_of_tensor_types() -> None:
    bounded = TensorType((None, 2, None), F32, (4, None, None))
    assert str(bounded) == "tensor<?x2x?xf32, #stablehlo.bounds<4, ?, ?>>"
    assert str(F32[3, "n"]) == "tensor<3x?xf32>"
    assert (F32[3].shape, F32[()].shape, F32[None].shape) == ((3,), (), (None,))
    assert (bounded.bounded, bounded.largest.shape) == ({0: 4}, (4, 2, None))
    for shape, is_fit in (
        ((4, 2, 9), True),
        ((5, 2, 9), False),
        ((0, 2, 0), True),
        ((4, 3, 9), False),
        ((4, 2), False),
    ):
        assert bounded.accepts(shape, np.dtype(np.float32)) == is_fit, shape
    assert not F32[2].accepts((2,), np.dtype(np.float64))
    assert (F32[2, 0].is_static, F32[2, None].is_static) == (True, False)
    with pytest.raises(StablehloError, match="unknown before running"):
        _ = F32[2, None].static_shape


def test_an_error_is_said_with_its_place_op_and_notes() -> None:
    error = InputError("is wrong", location="a:1:2", op="stablehlo.add", notes=["why", "how"])
    assert str(error) == "a:1:2: error: 'stablehlo.add' op is wrong\na:1:2: note: why\na:1:2: note: how"
    assert str(InputError("is wrong")) == "error: is wrong"
    (said,) = errors.as_diagnostics(error)
    assert str(said) == str(error)
    error.exit_code = 7
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.exit_code, again.notes) == (InputError, str(error), 7, ("why", "how"))
    assert InputError.exit_code == 1


def test_errors_of_the_compiler_hold_all_that_it_said() -> None:
    both = [Diagnostic("warning", "a:1:1", "w"), Diagnostic("error", "b:2:2", "e", (Diagnostic("note", "", "n"),))]
    error = DiagnosticsError(both)
    assert (error.message, error.location, str(error)) == ("w", "a:1:1", "a:1:1: warning: w\nb:2:2: error: e\nnote: n")
    assert errors.as_diagnostics(error) == tuple(both)
    assert str(DiagnosticsError([])) == "error: failed without a diagnostic"
    assert [each.severity for each in errors.as_diagnostics(DiagnosticsError([]))] == ["error"]
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("error", "limited", "free"),
    [
        (MemoryError(), True, True),
        (OSError(errno.ENOMEM, "x"), True, True),
        (OSError(errno.ENOENT, "Cannot allocate memory"), False, False),
        (ImportError("x: failed to map segment from y"), True, False),
        (SystemError("returned NULL without setting an exception"), True, False),
        (ImportError("no module"), False, False),
        (RuntimeError("Cannot allocate memory"), False, False),
    ],
)
def test_a_lack_of_memory_is_known(error: Exception, limited: bool, free: bool) -> None:
    assert (errors.is_out_of_memory(error, is_limited=True), errors.is_out_of_memory(error, is_limited=False)) == (
        limited,
        free,
    )


@pytest.mark.parametrize(
    ("raised", "kind", "text"),
    [
        (RecursionError("deep"), ResourceError, "error: the program or a value is nested too deeply"),
        (MemoryError(), ResourceError, "error: out of memory"),
        (MemoryError("9 GiB"), ResourceError, "error: out of memory: 9 GiB"),
        (RuntimeError("str(): conversion error"), InputError, "error: a name in the program is not UTF-8"),
        (RuntimeError("other"), RuntimeError, "other"),
        (UnicodeError("x"), InputError, "error: a name or text is not UTF-8: x"),
        (UsageError("own"), UsageError, "error: own"),
    ],
)
def test_errors_of_python_at_its_limits_become_documented_ones(raised: Exception, kind: type, text: str) -> None:
    with pytest.raises(kind) as found, errors.documented_errors():
        raise raised
    assert (type(found.value), str(found.value)) == (kind, text)


def test_parameters_of_other_types_are_named() -> None:
    errors.require_type(int | str, a=1, b="x")
    with pytest.raises(UsageError, match=r"parameter 'b' takes int, found str"):
        errors.require_type(int, a=1, b="x")
    with pytest.raises(UsageError, match=r"parameter 'c' takes int \| str, found float"):
        errors.require_type(int | str, c=1.0)


class LostError(Exception):
    pass


@dataclass(frozen=True)
class Doubling:
    """Work that loses its workers at some tasks, each as often as it says."""

    log: list[object]
    number: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Doubling) and other.number == self.number

    def __hash__(self) -> int:
        return self.number

    @contextmanager
    def open(self) -> Iterator[Callable[[list[int]], int]]:
        self.log.append(f"open {self.number}")

        def perform(task: list[int]) -> int:
            self.log.append(task[0])
            if task[1]:
                task[1] -= 1
                raise LostError
            return 2 * task[0]

        yield perform
        self.log.append(f"close {self.number}")

    def lost(self, task: list[int], why: str) -> int:
        assert why == "its workers ended: LostError"
        return -task[0]


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[pool.Pool]:
    monkeypatch.setattr(pool, "_all", [])
    with ThreadPoolExecutor(1) as executor:
        yield pool.Pool(executor, 1, (LostError,))


def test_a_task_whose_workers_ended_is_tried_once_more_by_itself(workers: pool.Pool) -> None:
    log: list[object] = []
    tasks = [[1, 0], [2, 1], [3, 2], [4, 0]]
    assert sorted(workers.results(Doubling(log), tasks)) == [-3, 2, 4, 8]
    assert log == ["open 0", 1, 2, 3, 4, 2, 3]
    assert workers.submit(Doubling(log), [5, 1])() == 10
    assert workers.submit(Doubling(log), [6, 2])() == -6


@pytest.mark.parametrize(("size", "ahead", "asked"), [(1, 0, 1), (1, 1, 2), (3, 0, 3), (2, 3, 5)])
def test_tasks_are_asked_for_when_a_worker_is_free(size: int, ahead: int, asked: int, workers: pool.Pool) -> None:
    given: list[int] = []

    def tasks() -> Iterator[list[int]]:
        for number in range(9):
            given.append(number)
            yield [number, 0]

    results = pool.Pool(workers.executor, size).results(Doubling([]), tasks(), ahead)
    first = next(results)
    assert len(given) == asked
    assert sorted([first, *results]) == list(range(0, 18, 2))


def test_a_thread_keeps_what_four_kinds_of_work_opened(workers: pool.Pool) -> None:
    log: list[object] = []
    for number in (0, 1, 2, 3, 0, 4, 0, 1):
        workers.submit(Doubling(log, number), [9, 0])()
    opened = [each for each in log if each != 9]
    assert opened == ["open 0", "open 1", "open 2", "open 3", "close 1", "open 4", "close 2", "open 1"]
    assert len(pool._all) == 4


def test_no_pool_is_opened_without_a_task() -> None:
    def refuse() -> object:
        raise AssertionError("a pool is opened")

    assert list(pool.perform_all(Doubling([]), [], refuse)) == []
    found = pool.perform_all(Doubling([]), [[1, 0], [2, 0]], lambda: pool.open_pool("", 1))
    assert sorted(found) == [2, 4]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (("error", "a%b\nc\r", "d,e:f%.mlir", 2, 8), "::error file=d%2Ce%3Af%25.mlir,line=2,col=8::a%25b%0Ac%0D"),
        (("warning", "a,b:c", None, None, None), "::warning ::a,b:c"),
        (("remark", "m", "f", 0, 0), "::notice file=f::m"),
        (("note", "m", "f", 1, None), "::notice file=f,line=1::m"),
    ],
)
def test_annotations_of_workflows(given: tuple, line: str) -> None:
    assert workflow_command(*given) == line


def test_golden_values_refuse_what_is_not_permitted() -> None:
    one = golden("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.abs %x : tensor<2xf32>\n"
                 "  return %0 : tensor<2xf32>\n}", [np.array([-1.0, -0.0], np.float32)])  # fmt: skip
    one.check(np.array([1.0, 0.0], np.float32))
    assert len(one.allowed) == 1
    with pytest.raises(
        AssertionError,
        match=r"result 0: 1 of 2 elements are not permitted \(.+\), the largest at \[1\]: 3\.0, expected 0\.0",
    ):
        one.check(np.array([1.0, 3.0], np.float32))
    for wrong in (np.zeros(3, np.float32), np.zeros(2), np.zeros(2, ml_dtypes.bfloat16)):
        with pytest.raises(AssertionError, match="instead of"):
            one.check(wrong)
    with pytest.raises(AssertionError, match="instead of"):
        one.check()
    two = golden(lambda x: stablehlo_py.ops.abs(stablehlo_py.ops.negate(x)), [np.ones(2, np.float32)])
    assert two.allowed == ()
    two.check(np.ones(2, np.float32))
    with pytest.raises(AssertionError, match="result 0: 2 of 2"):
        two.check(np.zeros(2, np.float32))


class FakeServer:
    """Answers what it was made with, in order, and notes how long it was waited for."""

    def __init__(self, is_new: bool, *answers: Outcome) -> None:
        self.start, self.answers, self.asked = (lambda: is_new), list(answers), []

    def ask(self, request: tuple, seconds: float | None) -> Outcome:
        self.asked.append((request[0], seconds))
        return self.answers.pop(0)


ANSWER = Outcome(value=Outcome(value=7))


@pytest.mark.parametrize(
    ("seconds", "is_new", "can_fork", "waited"),
    [
        (5.0, False, True, 35.0),  # a server that forks keeps the time itself
        (5.0, True, False, 35.0),  # one that has to start first
        (5.0, False, False, 5.0),
        (None, False, True, None),
        (None, True, False, None),
    ],
)
def test_a_server_has_time_to_start_and_to_answer(
    seconds: float | None, is_new: bool, can_fork: bool, waited: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = FakeServer(is_new, ANSWER)
    monkeypatch.setattr(calls, "_server", lambda: server)
    monkeypatch.setattr(calls.policy, "CAN_FORK", can_fork)
    monkeypatch.setattr(calls.policy, "fork_is_safe", lambda: False)
    assert calls.call(len, Limits(seconds)) == Outcome(value=7)
    ((request, asked),) = server.asked
    assert (request.args, asked) == ((os.getcwd(), len), waited)


def test_a_server_that_crashes_or_is_late_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    crash, late = Outcome(cause="crash", crash="x"), Outcome(cause="timeout", crash="y")
    monkeypatch.setattr(calls.policy, "fork_is_safe", lambda: False)
    for answer, found in ((crash, crash), (late, Outcome(cause="timeout", crash="it did not end within 5 s"))):
        monkeypatch.setattr(calls, "_server", lambda answer=answer: FakeServer(False, answer))
        assert calls.call(len, Limits(5.0)) == found

"""Errors that accumulate: each engine goes on from its own values, as far apart as other runs of the program are."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from parsed import parsed
from swapped_engine import Swapped, program

from stablehlo_py.bindings import ir
from stablehlo_py.debug import Tolerance, examine, trace
from stablehlo_py.debug.allowed.measures import Difference, difference
from stablehlo_py.debug.allowed.spread import Local, tolerance_of, ways
from stablehlo_py.debug.programs.slices import run_until
from stablehlo_py.debug.programs.subject import Subject
from stablehlo_py.debug.tracing.trace import Tracer, relative_error
from stablehlo_py.engines import Outcome

F = np.float32
T = "tensor<4xf32>"
X, Y = F([1.1, 1.7, 2.3, 2.9]), F([3.004, 5.474, 9.974, 18.17])
CANCELS = ("%e = stablehlo.exponential %x", "%d = stablehlo.subtract %e, %y", "%s = stablehlo.sine %d",
           "%q = stablehlo.multiply %s, %s", "%r = stablehlo.divide %q, %d")  # fmt: skip


def subject_of(*ops: str, **more: str) -> Subject:
    return examine(program(*ops, x=T, y=T, **more))


def values_up_to(engine: Local, subject: Subject, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [run_until(engine, subject, number, arguments).results[0] for number in range(len(subject.ops))]


def told(found: Difference | None) -> str:
    return "nothing" if found is None else f"{found.mismatches} of {found.count} wrong, {found.amount} apart"


@pytest.mark.parametrize(
    ("engine", "narrow"),
    [(Local("bf16"), "bf16"), (Swapped({"exponential": "exponential_minus_one"}), "")],
    ids=["bf16", "wrong"],
)
@pytest.mark.parametrize("cap", [16, 1 << 20])
def test_values_may_be_as_far_apart_as_runs_of_the_program_up_to_them(engine: Local, narrow: str, cap: int) -> None:
    subject, arguments = subject_of(*CANCELS), [X, Y]
    found = trace(subject, arguments, Local(), engine, cuts=0, cap=cap)
    expected, own = (values_up_to(one, subject, arguments) for one in (Local(), engine))
    others = [values_up_to(Local(element), subject, values) for element, values in ways(arguments, narrow, 1)]
    for number, row in enumerate(found.rows):
        wanted = difference(own[number], expected[number],
                            tolerance_of(expected[number], [one[number] for one in others]))  # fmt: skip
        assert told(row.accumulated) == told(wanted), f"at {row}"
    assert (found.parting is None) == bool(narrow)


def test_rounding_that_a_cancellation_shows_is_no_parting() -> None:
    """Without the other runs the difference would be too large."""
    subject, arguments = subject_of(*CANCELS), [X, Y]

    class Rounding(Local):
        """Is a unit off in each exponential, which is permitted."""

        def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
            outcome = super().run(module, arguments)
            if b"exponential" in module:
                return Outcome("ok", tuple([one + np.spacing(one) for one in outcome.results]))
            return outcome

    found = trace(subject, arguments, Local(), Rounding(), cuts=0, cap=16)
    assert found.exit_code == 0, str(found)
    far = [row.accumulated.max_ulp for row in found.rows if row.accumulated is not None]
    assert far[0] == 1
    assert max(far[1:]) > 8, far


def test_a_tolerance_of_users_is_for_ops_alone() -> None:
    subject = subject_of("%e = stablehlo.exponential %x", "%r = stablehlo.sine %e")
    engine = Swapped({"sine": "cosine"})
    for absolute, wrong in ((3.0, []), (1e-3, [1])):
        found = trace(subject, [X, Y], Local(), engine, tolerance=Tolerance(absolute=absolute), cuts=0)
        assert [row.place.number for row in found.rows if row.wrong] == wrong
        assert found.parting is not None
        assert found.parting.place.number == 1


def own_tracer(engine: Local, subject: Subject, arguments: Sequence[np.ndarray]) -> Tracer:
    tracer = Tracer(subject, Local(), engine, own_operands=True)
    tracer.found = tracer.run(arguments)  # type: ignore[attr-defined]
    return tracer


def test_on_the_engines_own_operands_nothing_accumulates_and_growth_is_told() -> None:
    subject, arguments = subject_of(*CANCELS), [X, Y]
    engine = Local("bf16")
    rows = own_tracer(engine, subject, arguments).found.rows  # type: ignore[attr-defined]
    assert all(row.accumulated is None for row in rows)
    expected, own = (values_up_to(one, subject, arguments) for one in (Local(), engine))
    errors: dict[ir.Value, float] = dict.fromkeys(subject.block.arguments, 0.0)
    for op, row, a, b in zip(subject.ops, rows, own, expected, strict=True):
        errors[op.results[0]] = relative_error(a, b)
        before = max(errors[operand] for operand in op.operands)
        assert row.growth == pytest.approx(errors[op.results[0]] / before if before else 0.0), str(row)
    assert max(row.growth for row in rows) > 2


class Fused(Local):
    """Is wrong about the sine of an exponential that it has computed itself, and right about each alone."""

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        text = str(parsed(module))
        text = re.sub(r"(?s)(%(\w+) = stablehlo.exponential.*stablehlo\.)sine( %\2 )", r"\1tan\3", text)
        return super().run(text.encode(), arguments)


def test_an_op_that_is_wrong_only_among_others_is_told_apart() -> None:
    subject = subject_of("%e = stablehlo.exponential %x", "%r = stablehlo.sine %e", "%n = stablehlo.negate %r")
    rows = own_tracer(Fused(), subject, [X, Y]).found.rows  # type: ignore[attr-defined]
    assert [row.wrong for row in rows] == [False] * 3
    assert [row.differs_in_context for row in rows] == [False, True, False]
    right = own_tracer(Local(), subject, [X, Y]).found.rows  # type: ignore[attr-defined]
    assert not any(row.differs_in_context for row in right)


def test_progress_tells_the_ops_that_are_done_and_all() -> None:
    subject, said = subject_of(*CANCELS), list[tuple[int, int]]()
    trace(subject, [X, Y], Local(), Local(), cuts=0, cap=32, progress=lambda *each: said.append(each))
    assert said == [(2, 5), (4, 5), (5, 5)]


def test_values_are_let_go_after_the_slice_of_their_last_use() -> None:
    subject = subject_of(*CANCELS)
    tracer = Tracer(subject, Local(), Local("bf16"), cap=16)
    tracer.run([X, Y])
    left = set(subject.results)
    for values in (tracer.expected, tracer.own, *(values for _, values in tracer.reruns)):
        assert set(values) == left
    assert len(tracer.reruns) == 3

"""Errors as compiled: of which ops of a trace they are measured, and that each is that of the program up to the op."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.debug import Tolerance, examine, trace, trace_against
from stablehlo_py.debug.allowed.measures import Difference, difference
from stablehlo_py.debug.allowed.spread import Local, tolerances
from stablehlo_py.debug.programs.slices import until
from stablehlo_py.debug.programs.subject import Subject
from stablehlo_py.debug.tracing.rows import Trace
from stablehlo_py.engines import Outcome

F = np.float32
NAMES = ("sine", "exponential", "negate", "tanh", "cosine")
X = F([0.25, 0.5, 0.75, 1])


def chain(names: Sequence[str] = NAMES, element: str = "f32") -> Subject:
    type_ = f"tensor<4x{element}>"
    lines = [f"%{n} = stablehlo.{name} {f'%{n - 1}' if n else '%x'} : {type_}" for n, name in enumerate(names)]
    text = f"func.func @main(%x: {type_}) -> {type_} {{ {' '.join(lines)} return %{len(names) - 1} : {type_} }}"
    return examine(parsed(text))


def names_of(module: bytes) -> list[str]:
    subject = examine(parsed(module))
    return [op.name for op in subject.ops]


class Other(Local):
    """The reference with an op in place of another one; it refuses programs of more than `most` ops."""

    def __init__(self, before: str = "nothing", after: str = "", most: int = 99) -> None:
        super().__init__()
        self.name, self.before, self.after, self.most = "other", f"stablehlo.{before} ", f"stablehlo.{after} ", most

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        if len(names_of(module)) > self.most:
            return Outcome("unsupported", message="too long")
        text = str(parsed(module)).replace(self.before, self.after)
        return super().run(text.encode(), arguments)


def compiled(found: Trace) -> list[int]:
    return [row.place.number for row in found.rows if row.compiled is not None]


def chosen(found: Trace, cuts: int) -> list[int]:
    rows = [row for kind in ("local", "accumulated") for row in found.worst(kind, cuts)]
    rows += [row for row in (found.first, found.parting) if row is not None]
    return sorted({row.place.number for row in rows}) if cuts else []


@pytest.mark.parametrize(
    ("engine", "cuts"),
    [(Local("bf16"), 0), (Local("bf16"), 1), (Local("bf16"), 3), (Other("tanh", "logistic"), 1), (Other(), 1)],
    ids=["none", "one", "three", "wrong", "right"],
)
def test_the_worst_of_each_kind_and_the_first_wrong_ones_are_measured(engine: Local, cuts: int) -> None:
    found = trace(chain(), [X], Local(), engine, cuts=cuts)
    assert compiled(found) == chosen(found, cuts)
    if engine.name != "other" and cuts == 1:
        assert len(compiled(found)) == 2  # the worst of each kind are not the same
    assert [row.place.number for row in found.rows] == list(range(len(NAMES)))


def test_two_of_each_kind_are_measured_by_default() -> None:
    found = trace(chain(NAMES * 2), [X], Local(), Local("bf16"))
    assert compiled(found) == chosen(found, 2)
    assert len({tuple(chosen(found, cuts)) for cuts in range(4)}) == 4


@pytest.mark.parametrize("engine", [Local("bf16"), Other("tanh", "logistic")], ids=["bf16", "tanh"])
def test_the_error_is_that_of_the_program_up_to_the_op(engine: Local) -> None:
    subject, reference = chain(), Local()
    rows = [row for row in trace(subject, [X], reference, engine, cuts=3).rows if row.compiled is not None]
    assert rows, "no op was measured in the whole program"
    for row in rows:
        code = until(subject, row.place.number).bytecode()
        given, wanted = (one.run(code, [X]).results for one in (engine, reference))
        (allowance,) = tolerances(code, [X], given, wanted)
        expected = difference(given[0], wanted[0], allowance)
        assert (row.compiled.max_ulp, row.compiled.mismatches) == (expected.max_ulp, expected.mismatches), str(row)
        assert row.compiled.worst == expected.worst, str(row)


def test_the_other_columns_stay_as_they_were() -> None:
    without, found = (trace(chain(), [X], Local(), Other("tanh", "logistic"), cuts=cuts) for cuts in (0, 2))
    assert [replace(row, compiled=None) for row in found.rows] == list(without.rows)
    assert (found.first, found.engine, found.note) == (found.rows[3], without.engine, without.note)
    assert [one.tolist() for one in found.arguments] == [one.tolist() for one in without.arguments] != []


@pytest.mark.parametrize("most", [2, 4])
def test_cuts_that_the_engine_does_not_run_are_left_out(most: int) -> None:
    found = trace(chain(), [X], Local(), Other("tanh", "logistic", most), cuts=9)
    assert all(number < most for number in compiled(found)), compiled(found)
    assert (most <= 3) == (3 not in compiled(found))


def test_without_a_reference_for_a_cut_nothing_is_measured() -> None:
    found = trace(chain(), [X], Other(most=3), Other("tanh", "logistic"), cuts=2)
    assert compiled(found) == []


class Shorter(Local):
    """The reference without the last element of results of programs of more than two ops."""

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        outcome = super().run(module, arguments)
        if len(names_of(module)) < 3:
            return outcome
        return replace(outcome, results=tuple([one[:-1] for one in outcome.results]))


def test_results_of_another_shape_as_compiled_are_left_out() -> None:
    engine = Shorter()
    engine.name = "shorter"
    found = trace(chain(["sine", "cosine", "tanh"]), [X], Local(), engine, cuts=3, cap=16, tolerance=Tolerance(ulp=9))
    assert 2 not in compiled(found)


@pytest.mark.parametrize("cuts", [0, 1])
def test_two_programs_are_cut_at_the_same_ops(cuts: int) -> None:
    subject, other, reference = chain(element="bf16"), chain(element="f32"), Local()
    (bf16,) = [type_.dtype for type_ in subject.tensor_types()]
    arguments = [X.astype(bf16)]
    found = trace_against(subject, other, arguments, reference, reference, cuts=cuts)
    assert compiled(found) == chosen(found, cuts)
    for row in found.rows:
        if row.compiled is not None:
            ours, theirs = (reference.run(until(one, row.place.number).bytecode(), [X.astype(dtype)]).results[0]
                            for one, dtype in ((subject, bf16), (other, F)))  # fmt: skip
            expected: Difference = difference(ours, theirs, Tolerance())
            assert row.compiled.max_ulp == expected.max_ulp, str(row)


def test_cuts_that_one_of_two_programs_does_not_run_are_left_out() -> None:
    subject, other = chain(), chain()
    for engine, reference in ((Other("tanh", "logistic", 4), Local()), (Other("tanh", "logistic"), Other(most=4))):
        found = trace_against(subject, other, [X], reference, engine, cuts=9)
        assert 3 in compiled(found)
        assert max(compiled(found)) == 3, compiled(found)

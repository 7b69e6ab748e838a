"""Searches of reductions: which candidates run, how often, and what is left."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsed import parsed

from stablehlo_py.bindings.walk import operations
from stablehlo_py.debug.reduction.search import Candidate, FlakyError, NotInterestingError, Search, minimize
from stablehlo_py.debug.reduction.simplifying import _replaced, fewer_values, region_candidates

F = np.float32


PROGRAM = "func.func @main(%x: tensor<f32>) {{ {} return }}"


def candidate(*ops: str, value: float = 0.0) -> Candidate:
    body = " ".join(f"%{number} = stablehlo.{op} %x : tensor<f32>" for number, op in enumerate(ops))
    return Candidate(parsed(PROGRAM.format(body)), (F([value]),))


@dataclass
class Says:
    """Answers by the ops of the program, one answer for each run in turn."""

    answers: dict[str, list[str]]
    seconds: list[float] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def signature(self, module: bytes, arguments: Sequence[np.ndarray]) -> str:
        name = next(name for name in self.answers if name.encode() in module)
        self.asked.append(name)
        answers = self.answers[name]
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def limit(self, seconds: float) -> None:
        self.seconds.append(seconds)

    def close(self) -> None: ...


@pytest.mark.parametrize("answers", [["bad", "bad", ""], ["bad", "", "bad"], ["bad", "other", "bad"], ["", "bad", ""]])
def test_a_first_program_whose_verdict_changes_is_refused(answers: list[str]) -> None:
    with pytest.raises(FlakyError, match="the verdict differs from run to run: "):
        Search([Says({"negate": answers})]).start(candidate("negate"))


def test_a_first_program_that_is_right_is_refused() -> None:
    with pytest.raises(NotInterestingError):
        Search([Says({"negate": [""]})]).start(candidate("negate"))


@pytest.mark.parametrize(("answers", "found"), [(["bad"], True), (["bad", ""], False), (["bad", "bad", ""], False)])
def test_a_candidate_has_to_fail_in_every_run(answers: list[str], found: bool) -> None:
    says = Says({"floor": answers, "negate": ["bad"]})
    search = Search([says])
    search.start(candidate("negate"))
    chosen = candidate("floor")
    assert (search.first([None, chosen]) is chosen) == found, f"answers {answers} of a candidate"
    assert (search.accepted, search.unstable) == ((1, 0) if found else (0, 1)), f"answers {answers}"
    assert search.first([chosen]) is (chosen if found else None)  # as before, without another run
    assert says.asked.count("floor") == 3


def test_verdicts_are_kept_by_program_and_arguments(tmp_path: Path) -> None:
    says = Says({"floor": ["bad\nmore"], "tanh": [""], "negate": ["bad"]})
    search = Search([says], tmp_path, keep=True)
    search.start(candidate("negate", "negate"))
    assert (search.signature, search.removable) == ("bad", 1)
    assert search.first([candidate("tanh"), candidate("floor"), candidate("floor", value=1.0)]) is not None
    assert [path.name for path in sorted(tmp_path.glob("step*"))] == ["step-0001.mlir"]
    again = Search([Says({"negate": ["bad"]})], tmp_path)
    again.start(candidate("negate", "negate"))
    assert again.first([candidate("tanh"), candidate("floor")]) is not None  # no predicate knows them
    assert (again.tests, again.removed) == (0, 1)
    with pytest.raises(StopIteration):
        again.first([candidate("floor", value=1.0)])
    with pytest.raises(StopIteration):
        again.first([candidate("floor", value=-0.0)])
    log = tmp_path / "verdicts.jsonl"
    log.write_text(log.read_text() + '["half')
    assert Search([Says({"negate": ["bad"]})], tmp_path)._verdicts == {}
    third = Search([Says({"negate": ["bad"]})], tmp_path)
    third.start(candidate("negate", "negate"))
    assert third.first([candidate("floor")]) is not None


def test_only_candidates_with_a_suspect_are_run() -> None:
    says = Says({"floor": ["bad"], "tanh": ["bad"], "negate": ["bad\nworse"]})
    search = Search([says])
    search.start(candidate("negate"))
    search.settle(candidate("negate"), ["stablehlo.tanh"])
    wanted = candidate("tanh")
    assert search.first([candidate("floor"), wanted]) is wanted
    assert "floor" not in says.asked


def test_runs_are_limited_by_the_first_one_unless_it_takes_its_time() -> None:
    for text, limits in (("bad", 1), ("mine: timeout", 0)):
        says = Says({"negate": [text]})
        Search([says]).start(candidate("negate"))
        assert len(says.seconds) == limits
        assert all(seconds >= 5.0 for seconds in says.seconds)
    search = Search([Says({"negate": ["bad"]})], end=time.monotonic() - 1)
    search.start(candidate("negate"))
    assert search.predicates[0].asked == ["negate"]  # type: ignore[attr-defined]
    assert search.first([candidate("negate")]) is None
    assert search.stopped


@given(st.sets(st.integers(0, 19), min_size=1))
def test_what_is_needed_is_left(needed: set[int]) -> None:
    def shows_error(parts: Iterable[list[int]]) -> list[int] | None:
        return next((part for part in parts if needed <= set(part)), None)

    assert minimize(range(20), shows_error) == sorted(needed)


def test_progress_is_the_ops_of_the_first_program_that_the_best_candidate_lacks() -> None:
    """One op is left in the end; of a candidate with more ops than the first program none are gone."""
    told: list[tuple[int, int]] = []
    search = Search([Says({"abs": ["bad"]})], progress=lambda done, total: told.append((done, total)))
    search.start(candidate(*["abs"] * 4))
    for count in (3, 5, 1, 2):
        search.first([candidate(*["abs"] * count)])
        assert (search.removed, search.removable) == (max(4 - count, 0), 3), count
    search.first([candidate("abs", value=1.0)])
    assert told == [(0, 3), (1, 3), (0, 3), (3, 3), (2, 3)]


@pytest.mark.parametrize("needed", [set[int](), {0}, {1}, {0, 1}])
def test_of_two_items_each_is_looked_at_once(needed: set[int]) -> None:
    asked: list[list[int]] = []

    def shows_error(parts: Iterable[list[int]]) -> list[int] | None:
        for part in parts:
            asked.append(part)
            if needed <= set(part):
                return part
        return None

    left = minimize(range(2), shows_error)
    assert asked == ([[0], [1]] if 1 in needed else [[0]]), needed
    assert left == (sorted(needed) if needed else [0]), needed


BRANCHES = """func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %i = "stablehlo.if"(%p) ({
    %s = stablehlo.sine %x : tensor<2xf32>
    stablehlo.return %s : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %o = stablehlo.tanh %i : tensor<2xf32>
  return %o : tensor<2xf32>
}"""


def test_an_op_with_regions_goes_with_all_inside_and_those_behind_it_go_too() -> None:
    first = Candidate(parsed(BRANCHES), (F([0.5, 1]), np.array(True)))
    search = Search([Says({"": ["bad"]})])
    search.start(first)
    found = fewer_values(first, search)
    assert [op.name for op in operations(found.module.operation)] == [
        "builtin.module", "func.func", "stablehlo.constant", "func.return"]  # fmt: skip


@pytest.mark.parametrize("kept", [set(), {2}, {9}, {2, 4}, {2, 17, 3}, {*range(2, 20)} - {9, 16}, {*range(2, 20)}])
def test_values_take_the_place_of_ops_from_the_first_on_in_programs_of_any_length(kept: set[int]) -> None:
    """Each op has the operand of those before it that are gone."""
    lines = [f"%{n + 1} = stablehlo.negate %{n} : tensor<2xf32>" for n in range(18)]
    text = f"func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {{ {' '.join(lines)} return %18 : tensor<2xf32> }}"
    given = Candidate(parsed(text), (F([1, 2]),))
    found = _replaced(given, range(2, 20), sorted(kept), by_operands=True)
    if not kept:  # nothing is left to look at
        assert found is None
        return
    assert found is not None
    names = [op.name for op in operations(found.module.operation)]
    assert names == ["builtin.module", "func.func", *["stablehlo.negate"] * len(kept), "func.return"]
    zeros = _replaced(given, range(2, 20), sorted(kept), by_operands=False)
    assert zeros is not None
    lasts = sum(number in kept for number in range(19, 1, -1))
    assert sum(op.name == "stablehlo.negate" for op in operations(zeros.module.operation)) <= lasts


def test_the_ops_of_a_region_take_the_place_of_the_op_around_them() -> None:
    first = Candidate(parsed(BRANCHES), (F([0.5, 1]), np.array(True)))
    found = [one for one in region_candidates(first) if one is not None]
    names = [[op.name.partition(".")[2] for op in operations(one.module.operation)][2:] for one in found]
    assert names == [["sine", "tanh", "return"], ["tanh", "return"]]


def test_arguments_of_other_types_or_shapes_are_other_candidates() -> None:
    arguments = [np.zeros(shape, dtype) for shape in ((4,), (2, 2)) for dtype in (np.int32, F)]
    module = candidate("abs").module
    assert len({Candidate(module, (each,)).digest(b"") for each in arguments}) == 4

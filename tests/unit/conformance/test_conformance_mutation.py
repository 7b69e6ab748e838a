"""Mutants of the reference: what is changed, that some are caught, and what the kit exercises."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from kernels import Mutation, Reach, Verdict, mutate
from mutants import ROOT, choose, files, mutants_of, no_errors, reason_of, source_of

from stablehlo_py.conformance.case import Case
from stablehlo_py.conformance.catalog import Choice, cases
from stablehlo_py.conformance.coverage import coverage, edges, text
from stablehlo_py.dialect.catalog import constraints
from stablehlo_py.errors import InputError
from stablehlo_py.isolation.outcome import Outcome


def test_mutants_are_the_same_for_a_seed_and_differ_from_the_source() -> None:
    chosen, _ = choose(300, 0, {})
    assert chosen == choose(300, 0, {})[0]
    assert len(chosen) == len({mutant.name for mutant in chosen}) == 300
    assert len({mutant.file for mutant in chosen}) > 20
    for mutant in chosen[::20]:
        original = (ROOT / mutant.file).read_text(encoding="utf-8")
        assert ast.dump(source_of(mutant)) != ast.dump(ast.parse(original))
        assert mutant.before != mutant.after


def test_errors_and_annotations_are_not_mutated() -> None:
    assert mutants_of(ROOT / "ops" / "slicing.py")
    for mutant in mutants_of(ROOT / "ops" / "slicing.py"):
        line = (ROOT / mutant.file).read_text(encoding="utf-8").splitlines()[mutant.lines[0] - 1]
        assert "raise" not in line
        assert not line.lstrip().startswith("@")


def test_most_mutants_that_are_listed_as_no_errors_can_still_be_made() -> None:
    listed = {name for name in no_errors() if not name.startswith("stablehlo_py/")}
    used = {name for path in files() for each in mutants_of(path) for name in (each.name, each.whole)} & listed
    assert len(used) > 0.9 * len(listed)  # a line that is gone from a kernel is drawn no more, and does no harm here


def test_listed_mutants_are_not_tried_and_others_take_their_place(tmp_path: Path) -> None:
    first, _ = choose(5, 0, {})
    path = tmp_path / "listed.txt"
    path.write_text(f"# a comment\n{first[0].name} # it only saves time\n", encoding="utf-8")
    chosen, others = choose(5, 0, no_errors(path))
    assert len(chosen) == 5
    assert others == [first[0]]
    assert reason_of(first[0], no_errors(path)) == "it only saves time"
    path.write_text("ops/sorting.py sort: *\n", encoding="utf-8")
    with pytest.raises(InputError, match="REASON"):
        no_errors(path)


def test_mutants_are_caught_by_the_cases_that_get_to_them() -> None:
    told: list[Verdict] = []
    found = mutate(6, 0, Choice(ops=("sort",), types=("i32", "f32")), told.append)
    assert found.verdicts == tuple(told)
    assert {verdict.by.partition(".")[0] for verdict in told} <= {"", "sort"}


def test_cases_that_get_to_a_mutant_come_first_and_then_those_like_them() -> None:
    mutant = replace(mutants_of(ROOT / "ops" / "slicing.py")[0], lines=(7, 8))
    every = [Case(op, "i32", "ordinary", "", (), (), "") for op in ("add", "slice", "slice", "iota")]
    every[3] = replace(every[3], type="f32")
    reach = Reach({mutant.file: {7: [1], 9: [3]}}, [0.0] * 4)
    assert reach.of(mutant, every)[0] == 1
    assert sorted(reach.of(mutant, every)) == [0, 1, 2]
    assert reach.of(replace(mutant, lines=(1, 2)), every) == []


def test_a_verdict_says_what_it_is_about() -> None:
    mutant = mutants_of(ROOT / "ops" / "slicing.py")[0]
    caught, missed = Verdict(mutant, "add.i32.ordinary.0", 3), Verdict(mutant, "", 0)
    assert "(add.i32.ordinary.0)" in str(caught)
    assert str(missed).startswith("MISSED ops/slicing.py ")
    slower = replace(missed, is_slower=True)
    assert str(slower).startswith("slower ops/slicing.py ")
    text = str(Mutation((caught, missed, slower), 7))
    assert text.startswith("1 of 2 mutants caught, 50.0%; 1 more are slower, 7 more")


def test_factors_of_bounds_of_errors_are_not_mutated_but_their_signs_are() -> None:
    found = [
        each for each in mutants_of(ROOT / "element_types" / "exponentials.py") if each.before.startswith("error[")
    ]
    assert {each.kind for each in found} == {"a wrong sign"}
    reshaped = [each for path in files() for each in mutants_of(path) if "reshape(-2" in each.after]
    assert not reshaped


def test_mutants_of_a_function_stay_the_same_where_another_one_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [each for each in choose(2000, 0, {})[0] if each.file == "ops/slicing.py"]
    slicing = [path for path in files() if path.name == "slicing.py"]
    monkeypatch.setattr("mutants.files", lambda: slicing)
    assert before == [each for each in choose(2000, 0, {})[0] if each in before]


@pytest.mark.parametrize("op", ["gather", "dot_general"])
def test_coverage_counts_types_kinds_and_constraints(op: str) -> None:
    (found,) = coverage(cases(Choice(ops=(op,), types=("i8", "i32"))))
    assert found.cases == sum(found.types.values()) == sum(found.kinds.values())
    assert "C1" in found.constraints
    assert f"`{op}`" in text([found])


@pytest.mark.parametrize("op", ["slice", "pad", "reverse"])
def test_cases_are_at_the_edge_of_every_constraint_of_a_small_op(op: str) -> None:
    chosen = list(cases(Choice(ops=(op,), types=("f32",), level="smoke")))
    assert edges(chosen) == {each.number for each in constraints()[op]}
    assert edges([]) == set()


def test_constraints_that_hold_for_all_numbers_have_no_edge() -> None:
    (found,) = coverage(cases(Choice(ops=("cholesky", "iota"), types=("i32",), level="smoke")))
    assert (found.op, found.constraints, found.others) == ("iota", ["C1"], [])
    (found,) = coverage(cases(Choice(ops=("add",), types=("i32",), level="smoke")))
    assert found.others == ["C3", "C4", "C5", "C6", "C7"]  # about quantized types alone


def test_a_verifier_that_ends_its_process_is_told(monkeypatch):
    monkeypatch.setattr(
        "stablehlo_py.conformance.coverage.run_in_child", lambda *_: Outcome(cause="crash", crash="SIGABRT")
    )
    with pytest.raises(RuntimeError, match="the verifier ended its process: SIGABRT"):
        edges([])

"""Runs of the kit in engines of the test: how many, within which limits, and what a file of scores keeps of them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.conformance.catalog import Choice, cases
from stablehlo_py.conformance.score import reports
from stablehlo_py.conformance.score import run as runs
from stablehlo_py.conformance.score.export import check, export, exported_cases
from stablehlo_py.conformance.score.profile import profile_toml
from stablehlo_py.conformance.score.run import Report, run
from stablehlo_py.conformance.score.scoring import Score, scored
from stablehlo_py.engines import Limits, Outcome
from stablehlo_py.errors import UsageError

CHOICE = Choice(ops=("abs", "not"), types=("i8", "i1"), level="smoke", seed=3)
CASES = list(cases(CHOICE))


class Answering:
    """An engine that passes no case: it lacks `not`, and its answer to others is wrong."""

    def __init__(self, versions: dict[str, str]) -> None:
        self.versions, self.asked, self.open = versions, list[bytes](), 0

    def __enter__(self) -> Answering:
        self.open += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.open -= 1

    def run(self, module: bytes, arguments: Any) -> Outcome:
        assert self.open == 1, "an engine is closed when its work is done"
        self.asked.append(module)
        text = str(parsed(module)) if module.startswith(b"func") else ""
        return Outcome("unsupported", message="lacks it") if "stablehlo.not" in text else Outcome("ok")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[tuple[str, Limits, Answering]]]:
    """Returns the engines that were opened since the last time."""
    made = list[tuple[str, Limits, Answering]]()
    release = {"engine": "1"}

    def open_engine(name: str, limits: Limits) -> Answering:
        made.append((name, limits, Answering(release)))
        return made[-1][2]

    def taken() -> list[tuple[str, Limits, Answering]]:
        found = made[:]
        made.clear()
        return found

    monkeypatch.setattr(runs, "open_engine", open_engine)
    return taken


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("limits", [None, Limits(2.0, 1 << 20)])
def test_each_job_has_an_engine_within_the_limits_and_the_report_tells_the_run(
    jobs: int, limits: Limits | None, opened: Callable[[], list[tuple[str, Limits, Answering]]]
) -> None:
    told = list[Score]()
    report = run("mine:a", CHOICE, jobs=jobs, limits=limits, finished=told.append)
    engines = opened()
    assert [(name, bounds) for name, bounds, _ in engines] == [("mine:a", limits or Limits(20.0))] * jobs
    assert [engine.open for *_, engine in engines] == [0] * jobs
    asked = [module for *_, engine in engines for module in engine.asked]
    assert sorted(asked) == sorted(case.module.encode() for case in CASES)
    assert [each.case for each in report.entries] == [case.name for case in CASES]
    assert sorted(told, key=lambda each: each.case) == sorted(report.entries, key=lambda each: each.case)
    assert (report.engine, report.versions, report.choice, report.target) == ("mine:a", {"engine": "1"}, CHOICE, "")
    for case, entry in zip(CASES, report.entries, strict=True):
        wrong = (
            ("unsupported", "unsupported: lacks it")
            if case.op == "not"
            else ("wrong", f"0 results, expected {len(case.expected)}")
        )
        assert (entry.verdict, entry.message) == wrong


def test_scores_that_are_kept_are_not_asked_for_again(
    opened: Callable[[], list[tuple[str, Limits, Answering]]], tmp_path: Path
) -> None:
    path = tmp_path / "scores"
    first = run("mine", CHOICE, work=path)
    assert len(opened()[0][2].asked) == len(CASES)
    about, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert about == {"engine": "mine", "versions": {"engine": "1"}, "target": ""}
    assert {(line["case"], line["verdict"], line["message"]) for line in lines} == {
        (each.case, each.verdict, each.message) for each in first.entries
    }
    text = path.read_text().splitlines(keepends=True)
    path.write_text("".join(text[:-1]))
    second = run("mine", CHOICE, work=path)
    assert second.entries == first.entries
    (last,) = opened()[0][2].asked
    assert last.decode() == next(case.module for case in CASES if case.name == lines[-1]["case"])
    assert run("mine", CHOICE, work=path).entries == first.entries
    assert opened()[0][2].asked == []
    for other in ({"engine": "others"}, {"engine": "mine", "target": "current"}):
        with pytest.raises(UsageError, match="and this run is of"):
            run(choice=CHOICE, work=path, **other)


@pytest.mark.parametrize(
    ("verdict", "taken"),
    [("pass", True), ("wrong", True), ("unsupported", False), ("crash", False), ("timeout", None), ("", None)],
)
def test_a_profile_has_what_an_engine_takes_right_or_wrong(verdict: str, taken: bool | None) -> None:
    """Cases that took too long, or that were not run, tell nothing."""
    entries = tuple(scored(case, verdict) for case in CASES if verdict)  # type: ignore[arg-type]
    report = Report("mine", {"a": "1", "b": "2"}, CHOICE, "", entries, 1.0)
    found = tomllib.loads(profile_toml(report, []).decode())
    about = {"engine": "mine", "versions": "a 1 b 2", "cases": f"{len(entries)} of level smoke, seed 3"}
    assert found["about"].items() >= about.items()
    ranks, types = ["1", "0", "2", "3"], {"abs": ["i8"], "not": ["i8", "i1"]}
    all_taken = {f"stablehlo.{op}": {"takes": {"element types": types[op], "rank": ranks}} for op in types}
    nothing = {op: {"takes": {}} for op in all_taken}
    assert found.get("ops", {}) == (all_taken if taken else nothing if taken is False else {})


def test_cases_of_an_exported_kit_are_those_that_were_exported(tmp_path: Path) -> None:
    """Also those with a number other than 0, with bounds, and with several results."""
    choice = Choice(ops=("abs", "rng", "sort"), types=("i8", "f32"))
    count = export(str(tmp_path), choice)
    found, wanted = list(exported_cases(str(tmp_path))), list(cases(choice))
    assert [case.name for case in found] == [case.name for case in wanted]
    assert len(wanted) == count
    assert max(case.number for case in wanted) > 1
    for case, original in zip(found, wanted, strict=True):
        fields = ("op", "type", "kind", "number", "module", "source", "reference")
        assert [getattr(case, name) for name in fields] == [getattr(original, name) for name in fields]
        for one, other in zip(case.expected, original.expected, strict=True):
            assert (one.type, one.rule, one.ulp, one.dimension) == (other.type, other.rule, other.ulp, other.dimension)
            for array, given in ((one.value, other.value), (one.low, other.low), (one.high, other.high)):
                assert (array is None) == (given is None)
                assert array is None or given is None or array.tobytes() == given.tobytes()
        assert {each.rule for each in case.expected} == {each.rule for each in original.expected}


def test_ops_whose_cases_all_pass_are_named_apart_from_those_that_lack_some() -> None:
    def entry(op: str, verdict: str) -> Score:
        return Score(op, "f32", "k", "s", "r", f"{op}.{verdict}", verdict)  # type: ignore[arg-type]

    entries = (entry("a", "pass"), entry("b", "pass"), entry("b", "unsupported"), entry("c", "unsupported"),
               entry("d", "timeout"), entry("e", "pass"))  # fmt: skip
    lines = reports.markdown(Report("mine", {}, CHOICE, "", entries, 1.0), []).decode().splitlines()
    assert [line for line in lines if line.startswith("| `")] == [
        "| `b` | 1 | 0 | 0 | 0 | 1 |  |",
        "| `c` | 0 | 0 | 0 | 0 | 1 |  |",
        "| `d` | 0 | 0 | 0 | 1 | 0 | f32 |",
    ]
    assert "Every case passes: `a`, `e`." in lines


def test_results_of_a_runner_have_the_numbers_of_the_results_as_names(tmp_path: Path) -> None:
    kit, results = tmp_path / "kit", tmp_path / "results"
    results.mkdir()
    export(str(kit), Choice(ops=("abs",), types=("i8",), level="smoke"))
    case = next(exported_cases(str(kit)))
    value = case.expected[0].value
    for names, message in (
        (["0"], ""),
        (["arr_0"], "the results are arr_0, expected 0 to 0"),
        (["1"], "the results are 1, expected 0 to 0"),
        (["1", "0"], "the results are 0, 1, expected 0 to 0"),
        ([], "the results are , expected 0 to 0"),
    ):
        np.savez(results / f"{case.name}.npz", **dict.fromkeys(names, value))
        first = check(str(kit), str(results)).entries[0]
        assert (first.case, first.verdict, first.message) == (case.name, "wrong" if message else "pass", message)
    others = check(str(kit), str(results)).entries[1:]
    assert {(each.verdict, each.message) for each in others} == {("unsupported", "there is no result")}

"""Sessions of the search: causes and their folders, what is written once, and findings that show in some runs only."""

from __future__ import annotations

import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from parsed import parsed

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.conformance.fuzz import session
from stablehlo_py.conformance.fuzz.builder import BlockWriter, DrawnValue, ProgramOptions
from stablehlo_py.conformance.fuzz.session import (
    Finding,
    Session,
    Tally,
    Tried,
    _limits_kept,
    as_flags,
    cause_of,
    options_from,
)
from stablehlo_py.conformance.fuzz.steps import gather, scatter
from stablehlo_py.conformance.fuzz.structures import reduce
from stablehlo_py.conformance.oracle import scalars
from stablehlo_py.engines import Limits, Outcome
from stablehlo_py.errors import StablehloError, UsageError

PROGRAM = """func.func @main(%x: tensor<2x?xf32>, %z: tensor<complex<f64>>, %q: tensor<3xi8>) -> tensor<2x?xf32> {
  %0 = stablehlo.sine %x : tensor<2x?xf32>
  %1 = stablehlo.abs %0 : tensor<2x?xf32>
  %2 = stablehlo.abs %1 : tensor<2x?xf32>
  return %2 : tensor<2x?xf32>
}"""


@pytest.mark.parametrize(
    ("signature", "message", "values", "cause"),
    [
        ("differs", "", [1.0], "differs: abs, sine on complex<f64>, f32, i8"),
        ("differs", "", [1e-40], "denormal numbers: differs: abs, sine on complex<f64>, f32, i8"),
        ("error 12", "line 3: bad\nmore", [1e-40], "error N: abs, sine on complex<f64>, f32, i8: line N: bad"),
        ("crash", "x" * 81, [], f"crash: abs, sine on complex<f64>, f32, i8: {'x' * 80}"),
    ],
)
def test_a_cause_leaves_numbers_and_later_lines_out(
    signature: str, message: str, values: list[float], cause: str
) -> None:
    program = parsed(PROGRAM)
    assert cause_of(signature, message, program, [np.float32(values)]) == cause


def finding(seed: int, program: str, cause: str = "a: b/c") -> Finding:
    return Finding(seed, cause, program, b"arrays" + program.encode(), f"issue of {program}")


def test_a_group_keeps_the_smallest_program_and_all_seeds(tmp_path: Path) -> None:
    work = Session(SimpleNamespace(), tmp_path)  # type: ignore[arg-type]
    for seed, program in [(5, "bbb"), (3, "cccc"), (4, "bba"), (9, "bbb"), (1, "zz")]:
        work._remember(Tried(seed, "differs", 1.00049, finding(seed, program)))
    work._remember(Tried(2, "same", 2.0))
    work._remember(Tried(7, "differs in some runs only", 0.5))
    (group,) = (tmp_path / "groups").iterdir()
    assert group.name == finding(0, "").group
    assert group.name.startswith("a-b-c-")
    assert finding(0, "", "a: b/d").group != group.name
    assert len(finding(0, "", "word " * 30).group) <= 67
    assert (group / "program.mlir").read_text() == "zz"
    assert (group / "program.npz").read_bytes() == b"arrayszz"
    assert (group / "issue.md").read_text() == "issue of zz"
    assert (group / "seeds.txt").read_text().split() == ["5", "3", "4", "9", "1"]
    lines = [json.loads(line) for line in (tmp_path / "seeds.jsonl").read_text().splitlines()]
    assert [line["cause"] for line in lines] == ["a: b/c"] * 5 + ["", ""]
    assert lines[0] == {"seed": 5, "answer": "differs", "cause": "a: b/c", "seconds": 1.0}
    again = Session(SimpleNamespace(), tmp_path)  # type: ignore[arg-type]
    assert again._load() == {1, 2, 3, 4, 5, 7, 9}
    again.tally.sort()
    assert again.tally.groups == {"a: b/c": [1, 3, 4, 5, 9]}
    assert again.tally.answers == {"differs": 5, "same": 1, "differs in some runs only": 1}
    assert again.tally.seconds == pytest.approx(7.5)


def test_a_program_of_the_same_length_that_comes_first_replaces_another(tmp_path: Path) -> None:
    for program in ("b", "a", "c"):
        session._write(tmp_path, finding(1, program))
    assert (tmp_path / "program.mlir").read_text() == "a"
    session._write(tmp_path, replace(finding(2, "a"), arguments=b"others"))
    assert (tmp_path / "program.npz").read_bytes() == b"arraysa"  # the first ones stay


def test_the_text_of_a_tally_has_the_most_frequent_first() -> None:
    tally = Tally(seconds=2.6)
    for answer, count in (("same", 2), ("differs", 3)):
        tally.answers[answer] = count
    tally.groups = {"late": [9], "early": [8, 2]}
    tally.sort()
    assert str(tally).splitlines() == [
        "5 programs in 3 s: 3 differs, 2 same",
        "3 findings with 2 causes",
        "  2 x early (seed 2)",
        "  1 x late (seed 9)",
    ]
    assert list(tally.groups) == ["early", "late"]


def test_what_shows_in_some_runs_only_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine is wrong in its first run, and right whenever it is asked again."""
    asked: dict[str, int] = {"reference": 0, "engine": 0}

    class Once:
        name, versions = "once", {"once": "1"}

        def __init__(self, kind: str) -> None:
            self.kind, self.limits = kind, Limits(60)

        def __enter__(self) -> Once:
            return self

        def __exit__(self, *_: object) -> None: ...

        def run(self, module: bytes, arguments: Any) -> Outcome:
            asked[self.kind] += 1
            wrong = self.kind == "engine" and asked[self.kind] == 1
            return Outcome("ok", (np.int32([2 if wrong else 1]),))

    drawn = SimpleNamespace(text="func.func @main(%x: tensor<1xi32>) -> tensor<1xi32> { return %x : tensor<1xi32> }",
                            arguments=(np.int32([1]),))  # fmt: skip
    monkeypatch.setattr(session, "draw_program", lambda *_: drawn)
    trial = session.Trial(lambda: (Once("reference"), Once("engine")), ProgramOptions(), "again --seed={seed}")  # type: ignore
    with trial.open() as attempt:
        first, second = attempt((3, 60.0)), attempt((4, 60.0))
    assert (first.seed, first.answer, first.finding) == (3, "differs in some runs only", None)
    assert (second.seed, second.answer, second.finding) == (4, "same", None)


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        ({"types": "", "weights": "", "tame": False}, ""),
        ({"types": "", "weights": ",", "tame": False, "size": ProgramOptions().size}, ""),
        (
            {"types": "i8,,f32", "weights": "sort=0,loop=12", "tame": True},
            " --types=i8,f32 --weights=sort=0,loop=12 --tame",
        ),
        ({"types": "", "weights": "", "tame": False, "size": 3, "depth": 1}, " --size=3 --depth=1"),
        ({"types": "", "weights": "", "tame": False, "undefined": True, "dynamic": True}, " --undefined --dynamic"),
    ],
)
def test_options_are_written_as_the_flags_that_give_them(words: dict[str, Any], flags: str) -> None:
    assert as_flags(options_from(**words)) == flags


@pytest.mark.parametrize("weights", ["sort", "sort=", "sort=-1", "sort=1.5", "=3", "other=1", "sort=1,other=1"])
def test_weights_are_steps_and_whole_numbers(weights: str) -> None:
    with pytest.raises(UsageError, match="not a weight"):
        options_from("", weights, False)


def test_engines_of_a_search_are_two() -> None:
    with pytest.raises(UsageError, match="two engines"):
        session.Engines("xla,", "", "", 1.0)()
    first, second = session.Engines("reference,reference", "", "", 7.0)()
    assert [first.limits.seconds, second.limits.seconds] == [7.0, 7.0]


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        (Outcome("ok", (np.float32([0.0]),)), "same"),
        (Outcome("ok", (np.float32([1.0]),)), "differs"),
        (Outcome("ok", (np.float32([[0.0]]),)), "differs"),
        (Outcome("ok", (np.float64([0.0]),)), "differs"),
        (Outcome("ok", (np.float32([0.0]),) * 2), "differs"),
        (Outcome("unsupported"), "unsupported"),
        (Outcome("timeout"), "timeout"),
        (Outcome("memory"), "memory"),
    ],
)
def test_an_answer_is_about_types_too(given: Outcome, answer: str) -> None:
    program = b"func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> { return %x : tensor<1xf32> }"
    arguments = (np.float32([0.0]),)
    for rejects in (False, True):
        assert session.answer_of(program, arguments, Outcome("ok", arguments), given, rejects=rejects) == answer


@pytest.mark.parametrize("rejects", [False, True])
def test_a_refusal_is_an_error_only_where_programs_are_not_to_be_refused(rejects: bool) -> None:
    fine = Outcome("ok", (np.float32([0.0]),))
    found = session.answer_of(b"", (), fine, Outcome("rejected", message="no"), rejects=rejects)
    assert found == ("rejected" if rejects else "unsupported")
    assert session.answer_of(b"", (), Outcome("rejected"), fine, rejects=rejects) == "reference: rejected"


class Refusing:
    """An engine that fails on every program."""

    name, versions = "refusing", {"engine": "1"}

    def __init__(self) -> None:
        self.limits = Limits(5.0)

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        return Outcome("error", message="it is refused")


@pytest.mark.parametrize("signature", ["", "error: it is refused"])
def test_a_program_that_cannot_be_reduced_is_told_as_it_is(signature: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reference, engine = Refusing(), Refusing()
    said: list[Any] = []

    def reduce(program: ir.Module, arguments: Any, given: Any, search: Any) -> Any:
        said.append((given, search.end))
        reference.limits = engine.limits = Limits(0.1)
        search.signature = signature
        raise StablehloError("it does not get smaller")

    monkeypatch.setattr(session, "reduce", reduce)
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.abs %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    program = parsed(text)
    arguments = (np.float32([1, -2]),)
    pair: Any = (reference, engine)
    found = session.investigate(7, program, arguments, *pair, "stablehlo fuzz", 99.0)
    assert said == [(reference, 99.0)]
    assert (reference.limits, engine.limits) == (Limits(5.0), Limits(5.0))
    if not signature:
        assert found is None
        return
    assert found is not None
    assert (found.seed, found.program) == (7, str(program.operation))
    assert found.cause == "error: it is refused: abs on f32: error: it does not get smaller"
    assert found.issue == f"{found.cause}\n\n```\nerror: it does not get smaller\n```\n"
    with np.load(io.BytesIO(found.arguments)) as arrays:
        assert [arrays[name].tolist() for name in arrays.files] == [[1, -2]]


def test_a_tally_tells_the_causes_with_the_most_seeds_first() -> None:
    tally = Tally(Counter(same=5, differs=3), {"rare": [9], "often": [3, 4, 7], "twice": [5, 6], "once": [1]}, 12.4)
    assert str(tally).splitlines() == [
        "8 programs in 12 s: 5 same, 3 differs",
        "7 findings with 4 causes",
        "  3 x often (seed 3)",
        "  2 x twice (seed 5)",
        "  1 x rare (seed 9)",
        "  1 x once (seed 1)",
    ]
    tally.sort()
    assert [*tally.groups] == ["once", "often", "twice", "rare"]


def test_each_engine_gets_its_own_limits_back() -> None:
    engines = [SimpleNamespace(limits=name) for name in ("first", "second", "third")]
    with suppress(ZeroDivisionError), _limits_kept(*engines):  # type: ignore[arg-type]
        for engine in engines:
            engine.limits = "shorter"
        raise ZeroDivisionError
    assert [engine.limits for engine in engines] == ["first", "second", "third"]


@pytest.mark.parametrize("seed", range(8))
def test_sums_of_floats_are_inexact_and_other_folds_are_exact(seed: int) -> None:
    build = BlockWriter(Random(seed), make_context(), ProgramOptions(elements=("f32", "i32")))
    for _ in range(12):
        reduce(build)
    for line, value in zip(build.lines, build.pool, strict=True):
        if '"stablehlo.reduce"' in line:
            assert value.exact == (value.element != "f32" or "stablehlo.add" not in line), line
    assert any('"stablehlo.reduce"' in line for line in build.lines)


@pytest.mark.parametrize("step", [gather, scatter])
@pytest.mark.parametrize("seed", range(8))
def test_positions_are_the_same_for_all_implementations(step: Callable[[BlockWriter], None], seed: int) -> None:
    """Other values of the type and the shape of the positions are passed over."""
    shapes = [shape for rank in range(4) for shape in product(range(4), repeat=rank)]
    for number in range(12):
        build = BlockWriter(Random(100 * seed + number), make_context(), ProgramOptions(elements=("i32",)))
        build.pool += [DrawnValue(f"%inexact{n}", shape, "i32", exact=False) for n, shape in enumerate(shapes)]
        step(build)
        (line,) = [line for line in build.lines if f'"stablehlo.{step.__name__}"' in line]
        assert re.search(r"\(%\w+, %v\d+[,)]", line), line


@pytest.mark.parametrize("zero", [0.0, -0.0])
@pytest.mark.parametrize("exponent", [-0.5, -1.0, -2.0, -2.5, -3.0, -4.0, -1e300, -math.inf])
def test_powers_of_zero_have_the_sign_of_the_zero_for_odd_numbers_alone(zero: float, exponent: float) -> None:
    is_odd = exponent in (-1.0, -3.0)
    expected = math.copysign(math.inf, zero) if is_odd else math.inf
    assert scalars.power(zero, exponent) == expected

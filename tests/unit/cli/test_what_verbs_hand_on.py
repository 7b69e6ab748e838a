"""What a verb asks of the package for each of its options, and what it asks where an option is left out."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

from stablehlo_py.artifacts.versions import resolve_version
from stablehlo_py.bindings import ir
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.conformance.catalog import Choice
from stablehlo_py.conformance.fuzz.session import Engines, options_from
from stablehlo_py.debug.allowed.measures import Tolerance
from stablehlo_py.debug.allowed.spread import Local
from stablehlo_py.debug.allowed.widths import profile
from stablehlo_py.debug.corpus.run import TaskLimits
from stablehlo_py.debug.programs.inputs import Distribution
from stablehlo_py.engines import Engine, Limits, with_options

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
GIVEN = np.float32([0.5, -1, 1.5, 2])
RUN = Limits(600.0, None)


class AskedError(Exception):
    """Ends a verb once it has asked."""


def plain(value: Any) -> Any:
    """A value that can be compared: an engine by its name, a program by the op of `main`, arrays as lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return [plain(each) for each in value]
    if isinstance(value, (ir.Module, ir.Operation)):
        main = str(value).partition("@main(")[2].partition("return")[0]
        return "tanh" if "stablehlo.tanh" in main else "negate"
    if isinstance(value, Engine):
        return value.name
    return plain(value.module) if hasattr(value, "module") else value


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Mapping[str, Any]]:
    """Runs a verb beside programs until it calls a function of the package, and returns what that one was given."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("a", PROGRAM), ("b", PROGRAM.replace("%0", "%1"))):
        Path(f"{name}.mlir").write_text(text)
    np.savez("x.npz", GIVEN)

    def open_engine(name: str, *_: object) -> Local:
        found = Local()
        found.name = name
        return found

    def run(line: str, target: str) -> Mapping[str, Any]:
        room, _, name = f"stablehlo_py.{target}".rpartition(".")
        try:
            owner: Any = importlib.import_module(room)
        except ModuleNotFoundError:  # a method
            above, _, class_name = room.rpartition(".")
            owner = getattr(importlib.import_module(above), class_name)
        signature, found = inspect.signature(getattr(owner, name)), dict[str, Any]()

        def record(*given: Any, **options: Any) -> None:
            bound = signature.bind(*given, **options)
            bound.apply_defaults()
            found.update({key: plain(value) for key, value in bound.arguments.items()})
            raise AskedError

        if target != "engines.open_engine":
            monkeypatch.setattr("stablehlo_py.engines.open_engine", open_engine)
        monkeypatch.setattr(owner, name, record)
        ended = CliRunner().invoke(stablehlo, line.split(), standalone_mode=False)
        assert isinstance(ended.exception, AskedError), (line, ended.exception, ended.output)
        return found

    return run


STRICT, DEFAULT = profile("strict"), profile("default")
DRAWING: dict[str, dict[str, Any]] = {
    "--seed=7": {"seed": 7},
    "--input-distribution=log": {"distributions": {None: Distribution("log")}},
    "--input-distribution=0=uniform(1,2)": {"distributions": {0: Distribution("uniform", 1.0, 2.0)}},
}
LIMITS: dict[str, dict[str, Any]] = {
    "--timeout=5": {"limits": Limits(5.0, None)},
    "--max-memory=99": {"limits": Limits(600.0, 99)},
}
ASKED: list[tuple[str, str, dict[str, Any], dict[str, dict[str, Any]]]] = [
    (
        "equiv a.mlir b.mlir",
        "debug.equivalence.equivalent",
        {
            "a": "negate", "b": "negate", "arguments": None, "samples": 2, "seed": 0,
            "distributions": {}, "limits": RUN, "keeps_rounding": False,
        },
        {
            **DRAWING,
            **LIMITS,
            "--samples=1": {"samples": 1},
            "--samples=5": {"samples": 5},
            "--keep-rounding": {"keeps_rounding": True},
            "--inputs=x.npz": {"arguments": [GIVEN.tolist()]},
            "--function=other": {"a": "tanh", "b": "tanh"},
        },
    ),
    (
        "compare a.mlir",
        "debug.compare.compare",
        {
            "module": "negate", "engines": ["reference", "xla"], "arguments": None, "samples": 1, "seed": 0,
            "distributions": {}, "tolerances": {}, "profile": DEFAULT, "explains": False,
        },
        {
            **DRAWING,
            "--samples=3": {"samples": 3},
            "--profile=strict": {"profile": STRICT},
            "--tolerance=4ulp": {"tolerances": {"": Tolerance(ulp=4)}},
            "--tolerance=0=3ulp --tolerance=f32=1ulp": {"tolerances": {"0": Tolerance(ulp=3), "f32": Tolerance(ulp=1)}},
            "--inputs=x.npz": {"arguments": [[GIVEN.tolist()]]},
            "--function=other": {"module": "tanh"},
            "--engine=one": {"engines": ["reference", "one"]},
            "--engine=one --engine=two": {"engines": ["one", "two"]},
            "--engines=one,two --engine=three": {"engines": ["one", "two", "three"]},
            "--engines=one,,two": {"engines": ["one", "two"]},
            "--xla=a=b": {"engines": ["reference", with_options("xla", ("a=b",))]},
            "--engine=xla@p --xla=a=b --xla=c=d": {"engines": ["reference", "xla:a=b,c=d@p"]},
            "--engine=xla:e=f@p --engine=one --xla=a=b": {"engines": ["xla:e=f,a=b@p", "one"]},
            "b.mlir": {"engines": ["reference", "b.mlir"]},
            "b.mlir --engines=one,two": {"engines": ["one", "b.mlir"]},
        },
    ),
    (
        "compare a.mlir b.mlir --engines=reference",
        "debug.equivalence.equivalent",
        {"a": "negate", "b": "negate", "seed": 0, "limits": RUN, "arguments": None},
        {
            **LIMITS,
            "--seed=7": {"seed": 7},
            "--inputs=x.npz": {"arguments": [GIVEN.tolist()]},
            "--function=other": {"a": "tanh", "b": "tanh"},
        },
    ),
    (
        "judge a.mlir --inputs=x.npz",
        "debug.judge.judge",
        {
            "module": "negate", "engines": ["xla"], "reference": "reference", "arguments": [GIVEN.tolist()],
            "profile": DEFAULT, "say": click.echo, "progress": None,
        },
        {
            "--profile=xla": {"profile": profile("xla")},
            "--engine=one --engine=two": {"engines": ["one", "two"]},
            "--reference=right": {"reference": "right"},
            "--json": {"say": None},
        },
    ),
    (
        "bisect a.mlir --inputs=x.npz",
        "debug.bisect.bisect",
        {
            "subject": "negate", "reference": "reference", "engine": "xla", "arguments": [GIVEN.tolist()],
            "tolerance": None, "profile": DEFAULT,
        },
        {
            "--engine=one --reference=two": {"engine": "one", "reference": "two"},
            "--tolerance=2ulp": {"tolerance": Tolerance(ulp=2)},
            "--profile=strict": {"profile": STRICT},
        },
    ),
    (
        "bisect-passes a.mlir --inputs=x.npz --pass-pipeline=cse,canonicalize",
        "debug.bisect_passes.bisect_pipeline",
        {
            "subject": "negate", "pipeline": "cse,canonicalize", "arguments": [GIVEN.tolist()],
            "engine": "reference", "tolerance": None,
        },
        {"--engine=one": {"engine": "one"}, "--tolerance=2ulp": {"tolerance": Tolerance(ulp=2)}},
    ),
    (
        "bisect-passes a.mlir --inputs=x.npz --xla",
        "debug.bisect_passes.bisect_xla",
        {
            "subject": "negate", "arguments": [GIVEN.tolist()], "reference": "reference", "tolerance": None,
            "limits": RUN, "xla": "xla",
        },
        {**LIMITS, "--engine=one": {"reference": "one"}, "--tolerance=2ulp": {"tolerance": Tolerance(ulp=2)}},
    ),
    (
        "numerics a.mlir --inputs=x.npz",
        "debug.tracing.numerics.numerics",
        {"subject": "negate", "arguments": [GIVEN.tolist()], "program": "reference", "shadow": "reference:f64"},
        {f"--as={element}": {"program": f"reference:{element}"} for element in ("bf16", "f16", "f8E4M3FN")},
    ),
    ("trace a.mlir --against=b.mlir", "debug.tracing.against.trace_against", {"subject": "negate", "other": "negate"},
     {"--function=other": {"subject": "tanh", "other": "tanh"}}),
    ("numerics a.mlir --plot=p.svg", "debug.tracing.numerics.plot", {"path": "p.svg"}, {}),
    ("numerics a.mlir", "debug.tracing.numerics.numerics_text", {"top": 10}, {"--top=3": {"top": 3}}),
    *[
        (
            f"{words} a.mlir",
            "debug.compare.draw_samples",
            {"subject": "negate", "samples": 1, "seed": 0, "distributions": {}},
            {**DRAWING, "--function=other": {"subject": "tanh"}},
        )
        for words in ("run", "judge", "trace", "bisect", "bisect-passes --xla", "reduce", "numerics", "simulate")
    ],
    ("steps a.mlir cse", "debug.steps.PassSteps", {"module": "negate", "title": "a.mlir", "seconds": 5.0},
     {"--timeout=2": {"seconds": 2.0}}),
    (
        "corpus a.mlir b.mlir --output=rows.jsonl --jobs=1",
        "debug.corpus.check_corpus",
        {
            "modules": ["a.mlir", "b.mlir"], "checks": ["verify"], "limits": TaskLimits(60.0, None, 1),
            "jobs": 1, "cluster": "", "show": None,
        },
        {
            "--check=interpret --check=verify --check=interpret": {"checks": ["interpret", "verify"]},
            "--timeout=5": {"limits": TaskLimits(5.0, None, 1)},
            "--max-memory=9": {"limits": TaskLimits(60.0, 9, 1)},
            "--retries=0": {"limits": TaskLimits(60.0, None, 0)},
            "--jobs=3": {"jobs": 3},
            "--cluster=local": {"cluster": "local"},
        },
    ),
    ("corpus a.mlir --output=rows.jsonl", "debug.corpus.Results", {"path": "rows.jsonl", "resume": False},
     {"--resume": {"resume": True}}),
    (
        "fuzz",
        "conformance.fuzz.session.Engines",
        {"engines": "reference,xla", "passes": "", "through": "", "seconds": 30.0},
        {
            "--engines=one,two": {"engines": "one,two"},
            "--passes=cse": {"passes": "cse"},
            "--through=1.0.0": {"through": "1.0.0"},
            "--timeout=3": {"seconds": 3.0},
        },
    ),
    (
        "fuzz --engines=reference,official",
        "conformance.fuzz.session.options_from",
        {
            "types": "", "weights": "", "tame": False,
            "others": {"sign_sensitive": True, "size": 14, "depth": 2, "undefined": False, "dynamic": False},
        },
        {
            "--types=f32,i8": {"types": "f32,i8"},
            "--weights=while=3": {"weights": "while=3"},
            "--tame": {"tame": True},
            "--passes=cse --size=3 --depth=0 --undefined --dynamic": {
                "others": {"sign_sensitive": False, "size": 3, "depth": 0, "undefined": True, "dynamic": True}
            },
        },
    ),
    *[
        (
            f"fuzz {words}",
            "conformance.fuzz.session.Trial",
            {
                "open_engines": Engines(*engines, 30.0),
                "options": options_from("", "", False, sign_sensitive=not engines[1]),
                "command": f"stablehlo fuzz {said} --seed={{seed}} --count=1",
                "rejects": rejects,
                "reduction_seconds": 120.0,
            },
            {"--reduce-seconds=4": {"reduction_seconds": 4.0}},
        )
        for words, engines, said, rejects in (
            ("--engines=reference,official", ("reference,official", "", ""), "--engines=reference,official", False),
            ("--passes=cse", ("reference,xla", "cse", ""), "--passes=cse", True),
            ("--passes=func.func(cse)", ("reference,xla", "func.func(cse)", ""), "--passes='func.func(cse)'", True),
            ("--through=1.0.0", ("reference,xla", "", "1.0.0"), "--through=1.0.0", True),
        )
    ],
    ("fuzz --passes=cse", "conformance.fuzz.session.Session", {"folder": None}, {"--work=w": {"folder": Path("w")}}),
    (
        "fuzz --passes=cse",
        "conformance.fuzz.session.Session.run",
        {"seconds": None, "jobs": 1, "cluster": ""},
        {"--seconds=2": {"seconds": 2.0}, "--jobs=4": {"jobs": 4}, "--cluster=local": {"cluster": "local"}},
    ),
    (
        "partition a.mlir --mesh=x=2",
        "spmd.partition",
        {"module": "negate", "mesh": {"x": 2}, "in_shardings": {}, "out_shardings": {}, "after_step": None},
        {
            '--in-sharding=0=[{"x"}]': {"in_shardings": {0: '[{"x"}]'}},
            "--mesh=x=1": {"mesh": {"x": 1}},
            "--mesh=y=3,x=1,z=16": {"mesh": {"y": 3, "x": 1, "z": 16}},
            "--in-sharding=2=[] --in-sharding=0=[{}]": {"in_shardings": {2: "[]", 0: "[{}]"}},
            "--in-sharding=0=[] --in-sharding=0=[{}]": {"in_shardings": {0: "[{}]"}},
            '--out-sharding=0=[{"x"}] --out-sharding=1=[]': {"out_shardings": {0: '[{"x"}]', 1: "[]"}},
        },
    ),
    (
        "partition a.mlir --mesh=x=2 --json",
        "spmd.Links",
        {"bandwidth": 1e11, "latency": 1e-6},
        {"--bandwidth=5": {"bandwidth": 5.0}, "--latency=0": {"latency": 0.0}},
    ),
    ("cost a.mlir", "analysis.cost", {"module": "negate", "function": "main"},
     {"--function=other": {"function": "other"}}),
    ("cost a.mlir", "analysis.cost.cost_text", {"top": 10, "each": False},
     {"--top=2": {"top": 2}, "--ops": {"each": True}}),
    ("hash a.mlir", "analysis.identity.program_hash", {"module": "negate"}, {"--function=other": {"module": "tanh"}}),
    ("hash a.mlir --by=function", "debug.equivalence.function_hash", {"module": "negate", "samples": 2},
     {"--function=other": {"module": "tanh"}}),
    ("view a.mlir --output=a.html", "analysis.view.view",
     {"module": "negate", "title": "a.mlir", "function": "main", "overlays": []},
     {"--function=other": {"function": "other"}}),
    (
        "explain a.mlir --target=1.0.0",
        "artifacts.explanation.explain",
        {"module": "negate", "target": resolve_version("1.0.0"), "allow_other_dialects": False},
        {
            "--target=current": {"target": resolve_version("current")},
            "--allow-other-dialects": {"allow_other_dialects": True},
        },
    ),
    ("minimum a.mlir", "artifacts.explanation.minimum", {"module": "negate", "allow_other_dialects": False},
     {"--allow-other-dialects": {"allow_other_dialects": True}}),
    ("matrix a.mlir", "artifacts.matrix.compatibility_matrix", {"allow_other_dialects": False},
     {"--allow-other-dialects": {"allow_other_dialects": True}}),
    (
        "downgrade a.mlir --target=1.0.0",
        "artifacts.artifact.serialize",
        {
            "module": "negate", "target": resolve_version("1.0.0"), "allow_other_dialects": False,
            "strip_debuginfo": False,
        },
        {
            "--allow-other-dialects": {"allow_other_dialects": True},
            "--strip-debuginfo": {"strip_debuginfo": True},
            "--target=minimum": {"target": resolve_version("minimum")},
        },
    ),
    (
        "roundtrip a.mlir --target=1.0.0",
        "artifacts.roundtrip.round_trip",
        {
            "module": "negate", "target": resolve_version("1.0.0"), "allow_other_dialects": False,
            "inputs": None, "evaluate": None, "reader": None,
        },
        {"--allow-other-dialects": {"allow_other_dialects": True}},
    ),
    (
        "conformance export kit",
        "conformance.score.export.export",
        {"folder": "kit", "choice": Choice([], [], "full", 0, False), "target": "current"},
        {
            "--target=1.0.0": {"target": "1.0.0"},
            "--ops=stablehlo.add --types=f32,i8": {"choice": Choice(["add"], ["f32", "i8"], "full", 0, False)},
            "--level=smoke --seed=4 --verify-spec": {"choice": Choice([], [], "smoke", 4, True)},
        },
    ),
    ("conformance check kit out", "conformance.score.export.check", {"folder": "kit", "results": "out"}, {}),
    (
        "conformance coverage",
        "conformance.catalog.cases",
        {"choice": Choice([], [], "full", 0, False)},
        {"--ops=tanh --level=smoke": {"choice": Choice(["tanh"], [], "smoke", 0, False)}},
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "target", "usual", "words", "changed"),
    [
        pytest.param(line, target, usual, words, changed, id=f"{line} {words}".strip())
        for line, target, usual, cases in ASKED
        for words, changed in {"": {}, **cases}.items()
    ],
)
def test_an_option_changes_what_it_is_about_and_nothing_else(
    line: str, target: str, usual: dict[str, Any], words: str, changed: dict[str, Any], asked: Callable[..., Any]
) -> None:
    found = asked(f"{line} {words}", target)
    assert {name: found[name] for name in usual} == {**usual, **changed}


@pytest.mark.parametrize(
    ("words", "given"),
    [("", (".", False, 600.0)), ("--folder=x", ("x", False, 600.0)), ("--allow-commands", (".", True, 600.0)),
     ("--seconds=2", (".", False, 2.0))],
)  # fmt: skip
def test_verbs_are_served_as_the_options_say(words: str, given: tuple[Any, ...], asked: Callable[..., Any]) -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    assert tuple(asked(f"mcp {words}", "cli.mcp_server.main").values()) == given


@pytest.mark.parametrize(
    ("line", "target", "name", "title"),
    [
        ("judge a.mlir", "debug.judge.judge", "progress", "ops"),
        ("trace a.mlir", "debug.tracing.trace.trace", "progress", "ops"),
        ("trace a.mlir --against=b.mlir", "debug.tracing.against.trace_against", "progress", "ops"),
        ("bisect a.mlir", "debug.bisect.bisect", "progress", "cuts"),
        ("reduce a.mlir --jobs=1", "debug.reduction.search.Search", "progress", "ops removed"),
        ("corpus a.mlir --output=rows.jsonl", "debug.corpus.check_corpus", "show", "checks"),
    ],
)
def test_long_work_has_a_bar_with_its_title(
    line: str, target: str, name: str, title: str, asked: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stablehlo_py.cli.progress.progress_bar", lambda title: nullcontext(f"a bar of {title}"))
    assert asked(line, target)[name] == f"a bar of {title}"

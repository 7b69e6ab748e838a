"""Options of verbs that exclude each other or have other values than they can, and the values of those left out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from test_options_of_verbs import Verb, verb

from stablehlo_py.cli import stablehlo as entry
from stablehlo_py.cli.completion_values import values_of
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.errors import StablehloError

__all__ = ["verb"]

RUN: dict[str, Any] = {"--function": "main", "--timeout": 600.0, "--seed": 0}
PAIR = {"--engine": "xla", "--reference": "reference"}
DEFAULTS: dict[str, dict[str, Any]] = {
    "run": {**RUN, "--engine": "reference"},
    "compare": {**RUN, "--samples": 1, "--profile": "default", "--jobs": os.cpu_count()},
    "equiv": {**RUN, "--samples": 2},
    "judge": {**RUN, "--reference": "reference", "--profile": "default"},
    "trace": {**RUN, **PAIR, "--memory": 256, "--compiled": 2, "--profile": "default"},
    "bisect": {**RUN, **PAIR, "--profile": "default"},
    "bisect-passes": {**RUN, "--engine": "reference"},
    "steps": {"--timeout": 5.0},
    "reduce": {**RUN, **PAIR, "--output": "reduced.mlir", "--interesting-if-exit": "0", "--jobs": os.cpu_count()},
    "numerics": {**RUN, "--top": 10},
    "fuzz": {
        "--engines": "reference,xla",
        "--size": 14,
        "--depth": 2,
        "--timeout": 30.0,
        "--reduce-seconds": 120.0,
        "--jobs": 1,
    },
    "conformance run": {"--engine": "reference", "--level": "full", "--jobs": os.cpu_count(), "--timeout": 20.0},
    "conformance export": {"--level": "full", "--target": "current"},
    "corpus": {"--check": ["verify"], "--jobs": os.cpu_count(), "--timeout": 60.0, "--retries": 1},
    "partition": {"--output": "-", "--bandwidth": 1e11, "--latency": 1e-6},
    "simulate": {**RUN, "--grid": "local"},
    "view": {"--function": "main"},
    "cost": {"--function": "main", "--top": 10},
    "hash": {"--by": "ops", "--function": "main"},
    "upgrade": {"--output": "-"},
    "downgrade": {"--output": "-"},
    "mcp": {"--folder": ".", "--seconds": 600.0},
}


def command_of(words: str) -> click.Command:
    command: click.Command = stablehlo
    for word in words.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None, f"there is no verb {words}"
        command = found
    return command


@pytest.mark.parametrize("words", DEFAULTS)
def test_options_that_are_left_out_have_the_values_of_the_manual(words: str) -> None:
    command = command_of(words)
    found: dict[str, Any] = {}
    for parameter in command.params:
        name = parameter.opts[-1]
        if name in DEFAULTS[words]:
            value = parameter.get_default(click.Context(command))
            found[name] = list(value) if isinstance(value, (list, tuple)) else value
    assert found == DEFAULTS[words]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        *[(f"{name} a.mlir --timeout=0", "0 is not in the range") for name in ("run", "compare", "equiv", "reduce")],
        *[(f"{name} a.mlir --max-memory=0", "0 is not in the range x>=1") for name in ("run", "trace", "simulate")],
        *[(f"{name} a.mlir --jobs=0", "0 is not in the range 1<=x<=65536") for name in ("compare", "reduce", "corpus")],
        ("reduce a.mlir --jobs=65537", "65537 is not in the range 1<=x<=65536"),
        *[(f"{name} a.mlir --seed=-1", "-1 is not in the range x>=0") for name in ("run", "compare", "judge")],
        ("run static.mlir --args=\udcff", "--args:1:1: unexpected character"),
        ("partition static.mlir --mesh=x\udcff=2", r'#sdy.mesh<["x\xff"=2]>'),
        ("compare a.mlir --samples=0", "0 is not in the range x>=1"),
        ("equiv a.mlir b.mlir --samples=0", "0 is not in the range x>=1"),
        ("trace a.mlir --memory=0", "0 is not in the range x>=1"),
        ("trace a.mlir --compiled=-1", "-1 is not in the range x>=0"),
        ("numerics a.mlir --top=0", "0 is not in the range x>=1"),
        ("fuzz --size=0", "0 is not in the range x>=1"),
        ("fuzz --depth=-1", "-1 is not in the range x>=0"),
        ("fuzz --passes=cse --through=cse", "--passes and --through exclude each other"),
        ("corpus a.mlir --retries=-1", "-1 is not in the range x>=0"),
        ("partition a.mlir --bandwidth=0", "0.0 is not in the range x>0"),
        ("partition a.mlir --latency=-1", "-1.0 is not in the range x>=0"),
        ("partition static.mlir --why --compare=static.mlir", "'--why' and '--compare' or"),
        ("partition static.mlir --why --mlir-print-ir-after-all", "do not go together"),
        (
            "partition static.mlir --compare=static.mlir --report",
            "'--compare' and '--report' or '-o' do not go together",
        ),
        ("partition static.mlir --compare=static.mlir -o new.mlir", "do not go together"),
        ("roundtrip static.mlir --target=1.0.0 --args=[] --inputs=x.npz", "--args and --inputs exclude each other"),
        ("partition static.mlir --mesh=x", "--mesh takes AXIS=N,…, each axis once, found 'x'"),
        ("partition static.mlir --mesh=x=2,x=4", "--mesh takes AXIS=N,…, each axis once, found 'x=2,x=4'"),
        ("partition static.mlir --mesh=x=0", "--mesh takes AXIS=N,…, each axis once, found 'x=0'"),
        ("partition static.mlir --mesh=x=²", "--mesh takes AXIS=N,…, each axis once, found 'x=²'"),
        ("partition static.mlir --mesh=x=2 --in-sharding=²=[]", "a sharding is given as NUMBER=[…], found '²=[]'"),
        ("reduce static.mlir --interesting-if-exit=²", "takes a number, crash or any, not '²'"),
        ("partition static.mlir --mesh==2", "--mesh takes AXIS=N,…, each axis once, found '=2'"),
        ("partition static.mlir --mesh=x=2 --in-sharding=a=[]", "a sharding is given as NUMBER=[…], found 'a=[]'"),
        ("partition static.mlir --mesh=x=2 --out-sharding=0", "a sharding is given as NUMBER=[…], found '0'"),
        (
            "simulate static.mlir --grid=mpi --trace=t.json",
            "--trace is for the grid of one machine, not for --grid=mpi",
        ),
        ("bisect-passes static.mlir", "one of --pass-pipeline and --xla is needed"),
        ("bisect-passes static.mlir --xla --pass-pipeline=cse", "one of --pass-pipeline and --xla is needed"),
        ("reduce static.mlir --keep", "--keep needs --work"),
        ("reduce static.mlir --json --output=-", "--json and -o - both write to standard output"),
        ("reduce static.mlir --interesting-if-exit=x", "takes a number, crash or any, not 'x'"),
        ("reduce static.mlir --interesting-if-exit=-1", "takes a number, crash or any, not '-1'"),
        ("reduce static.mlir --match=(", "--match takes a regular expression, not '('"),
        ("reduce static.mlir --output=static.mlir", "'static.mlir' would be replaced by the output"),
        ("run static.mlir --args=[] --inputs=x.npz", "--args and --inputs exclude each other"),
        ("run static.mlir --xla=a=b", "--xla is for the engine xla, not for reference"),
        ("run static.mlir --engine=xla --xla=a", "--xla takes KEY=VALUE, not 'a'"),
        ("run static.mlir --engine=xla --xla=a=b --xla=c --xla=d=e", "--xla takes KEY=VALUE, not 'c'"),
        ("judge static.mlir --engine=one --xla=a=b", "--xla is for the engine xla, not for reference and one"),
        ("run static.mlir --engine=refrence", "reference"),
        ("judge static.mlir --profile=lax", "'lax' is not one of 'strict', 'default', 'xla'"),
        ("steps", "Missing argument"),
        ("mcp --seconds=0", "0.0 is not in the range x>0"),
    ],
)
def test_mistakes_are_told_before_any_work(words: str, said: str, verb: Verb) -> None:
    code, output = verb(*words.split())
    assert (code, said in output) == (2, True), f"{words} ends with {code}: {output[:500]}"
    assert not Path("new.mlir").exists()


@pytest.mark.parametrize("passes", ["cse,no-such-pass", "cse,symbol-dce{x=1}", "no-such-pass,cse"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_mistake_in_passes_is_told_before_any_of_them(passes: str, form: tuple[str, ...], verb: Verb) -> None:
    found = CliRunner().invoke(stablehlo, ["steps", "static.mlir", passes, *form], standalone_mode=False)
    assert isinstance(found.exception, StablehloError), found.exception
    assert found.output == ""
    assert verb("steps", "static.mlir", passes, *form) == (2, str(found.exception))


def test_axes_and_shardings_are_read_with_their_spaces(verb: Verb) -> None:
    words = ["partition", "static.mlir", "--mesh= x=2, y=2", '--in-sharding= 0 = [{"x"}]', '--out-sharding=0=[{"y"}]']
    code, output = verb(*words)
    assert code == 0, output
    assert "tensor<2xf32>" in output
    report = verb(*words, "--report")[1]
    assert report != output
    assert "collective" in report


@pytest.mark.parametrize(
    ("kind", "typed", "among", "not_among"),
    [
        ("OP", "tan", ["tan", "tanh"], ["sine"]),
        ("op,…", "add,ta", ["add,tan", "add,tanh"], ["tan", "add,add"]),
        ("OP,…", "", ["tan", "add"], []),
        ("PASS,…", "cse,symb", ["cse,symbol-dce"], ["cse,cse"]),
        ("PIPELINE", "builtin.module(func.func(cs", ["builtin.module(func.func(cse"], []),
        ("PASSES", "cse,symb", ["cse,symbol-dce"], []),
        ("OP", "add,ta", [], ["add,tan"]),
        ("ENGINE", "ref", ["reference"], ["xla"]),
        ("ENGINE,…", "reference,x", ["reference,xla"], ["xla"]),
        ("VERSION", "cur", ["current"], ["minimum"]),
        ("VERSION", "1.0.", ["1.0.0"], ["0.9.0"]),
        ("TYPE", "f3", ["f32"], ["f64", "i32"]),
        ("TYPE,…", "f32,bf", ["f32,bf16"], ["bf16"]),
        ("FILE", "a", [], ["a"]),
    ],
)
def test_values_that_complete_what_is_typed(kind: str, typed: str, among: list[str], not_among: list[str]) -> None:
    found = dict(values_of(kind, typed))
    assert [name for name in among if name not in found] == [], f"{kind} {typed} has {sorted(found)[:20]}"
    assert [name for name in not_among if name in found] == [], f"{kind} {typed} has {sorted(found)[:20]}"
    assert all(value.startswith(typed) and meaning for value, meaning in found.items())
    if kind == "FILE":
        assert not found


def test_the_version_is_told_by_each_tool() -> None:
    found = CliRunner().invoke(stablehlo, ["--version"], standalone_mode=False)
    assert found.exit_code == 0, found.output
    assert found.output.startswith("stablehlo-py "), found.output
    assert callable(entry.stablehlo)


@pytest.mark.parametrize("ending", ["html", "json"])
def test_reports_count_the_function_that_is_asked_for(ending: str, verb: Verb) -> None:
    for name, words in (("one", ()), ("two", ("--function=other",))):
        code, output = verb("view", "a.mlir", "-o", f"{name}.{ending}", *words)
        assert code == 0, output
    texts = ["".join(path.read_text() for path in sorted(Path().glob(f"{name}*{ending}"))) for name in ("one", "two")]
    is_same = texts[0] == texts[1]
    assert not is_same, "the costs of two functions are the same"

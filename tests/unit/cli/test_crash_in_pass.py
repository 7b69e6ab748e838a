"""A crash inside a pass names the op, and leaves a reproducer where one is asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from installed import needs
from warm_tools import tool

from stablehlo_py.bindings import make_context
from stablehlo_py.syntax import Printing, Source, parse_source, print_text
from stablehlo_py.syntax.value_names import print_with_names

# Found in docs/spec-gaps.md: the pass makes a bitcast of complex numbers that arith does not have.
GUILTY = """func.func @fine(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %operand : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @guilty(%operand: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = stablehlo.negate %operand : tensor<4xcomplex<f32>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %2 = stablehlo.negate %1 : tensor<4xcomplex<f32>>
  return %2 : tensor<4xcomplex<f32>>
}
"""


def run(*flags: str, text: str = GUILTY, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tool("stablehlo-opt"), *flags], input=text, capture_output=True, text=True, check=False, timeout=120, env=env
    )


@pytest.fixture(scope="module", autouse=True)
def _crashes():
    if "crashed" not in run("--stablehlo-legalize-to-linalg").stderr:
        pytest.skip("the pass does not crash with these bindings")


def test_the_op_is_named():
    done = run("--cse", "--stablehlo-legalize-to-linalg")
    assert done.returncode == 1, done.stderr
    assert "<stdin>:7:8: note: it crashes on this 'stablehlo.bitcast_convert' op" in done.stderr


@pytest.mark.parametrize(
    "pipeline",
    [
        "builtin.module(cse,stablehlo-legalize-to-linalg,canonicalize,symbol-dce)",
        "builtin.module(func.func(cse,stablehlo-aggressive-folder,canonicalize),stablehlo-legalize-to-linalg)",
    ],
)
def test_the_pass_is_named(pipeline):
    done = run(f"--pass-pipeline={pipeline}")
    assert done.returncode == 1, done.stderr
    assert "<stdin>:7:8: note: it crashes on this 'stablehlo.bitcast_convert' op" in done.stderr
    assert "stablehlo-opt: note: it crashes in the pass stablehlo-legalize-to-linalg\n" in done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_the_pass_is_named_by_the_api():
    code = (
        "import sys, stablehlo_py\nmodule = stablehlo_py.parse(sys.stdin.read())\n"
        "try: stablehlo_py.run_passes(module, 'cse,stablehlo-legalize-to-linalg,canonicalize')\n"
        "except stablehlo_py.PassError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], input=GUILTY, capture_output=True, text=True, check=True).stdout
    assert "a pass of cse,stablehlo-legalize-to-linalg,canonicalize fails: SIG" in said
    assert "note: it crashes in the pass stablehlo-legalize-to-linalg" in said


def test_the_op_is_named_where_a_process_cannot_fork(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import os\ndel os.fork\n")
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    forked, started = (
        run("--cse", "--stablehlo-legalize-to-linalg", env=environment)
        for environment in (None, {**os.environ, "PYTHONPATH": paths})
    )
    assert (started.returncode, started.stderr) == (forked.returncode, forked.stderr)


def test_a_reproducer_is_written_and_crashes_again(tmp_path):
    path = tmp_path / "with a space" / "crash.mlir"
    path.parent.mkdir()
    done = run("--cse", "--stablehlo-legalize-to-linalg", f"--mlir-pass-pipeline-crash-reproducer={path}")
    assert f"note: a reproducer was written to '{path}'" in done.stderr
    assert "builtin.module(cse,stablehlo-legalize-to-linalg" in path.read_text()
    again = run("--run-reproducer", text=path.read_text())
    assert "crashed (SIGSEGV)" in again.stderr
    assert "'stablehlo.bitcast_convert' op" in again.stderr


def test_the_op_is_named_in_json():
    lines = run("--stablehlo-legalize-to-linalg", "--error-format=json").stderr.splitlines()
    crash, place, of_the_pass = map(json.loads, lines)
    assert of_the_pass["message"] == "it crashes in the pass stablehlo-legalize-to-linalg"
    assert (crash["severity"], crash["file"]) == ("error", None)
    assert (place["severity"], place["line"], place["column"]) == ("note", 7, 8)


def test_sarif_of_a_crash_is_one_document():
    document = json.loads(run("--stablehlo-legalize-to-linalg", "--error-format=sarif").stderr)
    assert [result["level"] for result in document["runs"][0]["results"]] == ["error", "note", "note"]


@needs("location-setters")
def test_names_take_linear_time():
    """A chain of 10,000 ops whose operands repeat, and a nest of 1,000."""
    body = "\n".join(f"  %{i} = stablehlo.add %{i - 1}, %{i - 1} : tensor<f32>" for i in range(1, 10_000))
    chain = f"func.func @f(%x: tensor<f32>) {{\n  %0 = stablehlo.abs %x : tensor<f32>\n{body}\n  return\n}}"
    depth = 1_000
    nest = (
        "func.func @g(%p: i1) {\n"
        + "\n".join("scf.if %p {" for _ in range(depth))
        + "\n%t = arith.constant 1 : i1\n"
        + "\n".join("}" for _ in range(depth))
        + "\nreturn\n}"
    )
    for text in (chain, nest):
        module = parse_source(Source("x.mlir", text.encode()), make_context())
        printed = print_with_names(module.operation, Printing(), unique=True, users=True)
        comments = "\n".join(
            line.partition("//")[0].rstrip() for line in printed.splitlines() if line.strip()[:2] != "//"
        )
        again = parse_source(Source("y.mlir", comments.encode()), make_context())
        assert print_text(again) == print_text(module)

"""What runs in other people's continuous integration: the Action's script, the hooks, the plugin, the template."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stablehlo_py.testing import assert_programs_agree
from stablehlo_py.testing.checks import main, workflow_command

ROOT = Path(__file__).parents[2]
WRONG = """func.func @main(%x: tensor<2xf32>) {
  %0 = "stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}
"""
TAN = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tan %x : tensor<f32>
  return %0 : tensor<f32>
}
"""


@pytest.fixture
def project(tmp_path):
    return Path(shutil.copytree(ROOT / "examples" / "lit-project", tmp_path / "my-project"))


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )  # fmt: skip


def test_the_template_runs_in_shards(project):
    script = ("-m", "stablehlo_py.testing.checks", "--annotate", "lit", "tests", "--shards=2")
    first, second = (run(*script, f"--shard={shard}", folder=project) for shard in (1, 2))
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Passed: 1" in first.stdout
    assert "Passed: 1" not in second.stdout
    (project / "tests" / "mean.mlir").write_text("// RUN: not stablehlo-opt %s\n" + TAN)
    failed = run(*script, "--shard=1", folder=project)
    assert failed.returncode == 1
    assert "::error file=tests/mean.mlir,line=1::FAIL" in failed.stdout


def test_pytest_runs_the_template_and_files_without_a_configuration(project, tmp_path):
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "good.mlir").write_text("// RUN: stablehlo-opt %s | FileCheck %s\n// CHECK: stablehlo.tan\n" + TAN)
    (alone / "bad.mlir").write_text("// RUN: stablehlo-opt %s | FileCheck %s\n// CHECK: stablehlo.cosine\n" + TAN)
    (alone / "data.mlir").write_text(TAN)
    (alone / "test_fixtures.py").write_text(
        "def test_it(interpret, assert_programs_agree):\n"
        "    text = 'func.func @main() -> tensor<i32> { %0 = stablehlo.constant dense<3> : tensor<i32> '"
        " 'return %0 : tensor<i32> }'\n"
        "    assert interpret(text)[0] == 3\n"
        "    assert_programs_agree(text, text)\n"
    )
    plugin = ("-m", "pytest", "-q", "-p", "stablehlo_py.testing.pytest", "-p", "no:cacheprovider")
    assert "1 passed" in run(*plugin, str(project / "tests"), folder=tmp_path).stdout
    done = run(*plugin, str(alone), folder=tmp_path)
    assert "1 failed, 2 passed" in done.stdout, done.stdout
    assert "expected string not found" in done.stdout
    assert "Traceback" not in done.stdout


def test_programs_that_differ_are_told_apart():
    assert_programs_agree(TAN, TAN)
    with pytest.raises(AssertionError, match="differ"):
        assert_programs_agree(TAN, TAN.replace("tan", "sine"))


def test_a_wrong_file_is_annotated(tmp_path, capsys):
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG)
    assert main(["--annotate", "verify", str(path)]) == 1
    assert f"::error file={path},line=2,col=8::'stablehlo.add' op requires" in capsys.readouterr().out
    path.write_text(TAN)
    assert main(["verify", str(path)]) == 0
    assert main(["--annotate", "minimum", "--version=1.3.0", str(path)]) == 1
    assert f"::error file={path},line=2,col=8::the op tan needs StableHLO 1.4.0" in capsys.readouterr().out
    assert main(["minimum", "--version=1.4.0", str(path)]) == 0


def test_annotations_escape_what_ends_them():
    assert workflow_command("error", "50%\nmore", "a,b:c", 1, 2) == "::error file=a%2Cb%3Ac,line=1,col=2::50%25%0Amore"


def linter(name: str) -> str:
    found = shutil.which(name, path=os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]))
    if found is None:
        pytest.skip(f"{name} is not installed (it is in the extra `test`)")
    return found


WORKFLOWS = [*ROOT.glob(".github/workflows/*.yml"), *ROOT.glob("examples/*/.github/workflows/*.yml")]


@pytest.mark.parametrize(
    ("schema", "files"), [("github-workflows", WORKFLOWS), ("github-actions", [ROOT / "action.yml"])], ids=str
)
def test_the_workflows_are_what_github_reads(schema, files):
    command = [linter("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflows_are_safe():
    assert len(WORKFLOWS) >= 2
    settings = ["--offline", "--no-progress", "--config", str(ROOT / ".github" / "zizmor.yml")]
    command = [linter("zizmor"), *settings, str(ROOT / "action.yml"), *map(str, WORKFLOWS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

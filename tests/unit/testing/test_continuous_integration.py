"""What runs in other people's continuous integration: the Action's script, the hooks, the plugin, the template."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from speeds import later

from stablehlo_py.testing import assert_programs_agree
from stablehlo_py.testing.checks import main, workflow_command
from stablehlo_py.testing.filecheck import find_filechecks
from stablehlo_py.testing.lit import make_tool_folder

ROOT = Path(__file__).parents[3]
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


@pytest.mark.release
def test_the_template_runs_in_shards(project):
    script = ("-m", "stablehlo_py.testing.checks", "--annotate", "lit", "tests", "--shards=2")
    first, second = (run(*script, f"--shard={shard}", folder=project) for shard in (1, 2))
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Passed: 1" in first.stdout
    assert "Passed: 1" not in second.stdout
    (project / "tests" / "mean.mlir").write_text("// RUN: not stablehlo-opt %s\n" + TAN)
    failed = run(*script, "--shard=1", folder=project)
    assert failed.returncode == 1, failed.stderr
    assert "::error file=tests/mean.mlir,line=1::FAIL" in failed.stdout


@pytest.mark.release
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


def read_yaml(path: Path) -> Any:
    """A file of YAML, by the library that comes with the linter of workflows."""
    return pytest.importorskip("ruamel.yaml").YAML(typ="safe").load(path.read_text(encoding="utf-8"))


@pytest.fixture
def repository(tmp_path) -> tuple[Path, dict[str, str]]:
    """A repository with one program in it, and the variables in which the tools are found."""
    make_tool_folder(str(tmp_path / "tools"), *find_filechecks())
    (tmp_path / "tools" / "python").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    (tmp_path / "tools" / "python").chmod(0o755)
    folder = Path(shutil.copytree(ROOT / "examples" / "lit-project", tmp_path / "repository"))
    (folder / "program.mlir").write_text(TAN)
    for arguments in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    paths = os.pathsep.join([str(tmp_path / "tools"), os.environ["PATH"]])
    return folder, {**os.environ, "PATH": paths, "PYTHONPATH": str(ROOT)}


HOOKS = {
    "stablehlo-verify": (WRONG, "'stablehlo.add' op requires"),
    "stablehlo-format": (TAN.replace("  %0", "%0"), ""),
    "stablehlo-minimum-version": (TAN, "the op tan needs StableHLO 1.4.0"),
}


@pytest.mark.parametrize("name", HOOKS)
def test_hooks_accept_and_reject(name, repository):
    """Each is run as pre-commit runs it: the entry, its arguments, the files; a file that changes fails, too."""
    (hook,) = [one for one in read_yaml(ROOT / ".pre-commit-hooks.yaml") if one["id"] == name]
    folder, environment = repository
    text, message = HOOKS[name]
    good, bad = folder / "good.mlir", folder / "bad.mlir"
    good.write_text("func.func @main() {\n  return\n}\n")
    bad.write_text(text)
    command = [*shlex.split(hook["entry"]), *hook.get("args", [])]
    assert re.search(hook["files"], "folder/bad.mlir")
    ended = [
        subprocess.run([*command, file.name], cwd=folder, env=environment, capture_output=True, text=True, check=False)
        for file in (good, bad)
    ]
    assert ended[0].returncode == 0, ended[0]
    assert good.read_text() == "func.func @main() {\n  return\n}\n"
    assert ended[1].returncode == 1 or bad.read_text() != text, ended[1]
    assert message in ended[1].stdout + ended[1].stderr


def test_the_page_about_ci_names_what_is_there():
    page = (ROOT / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")
    yaml = pytest.importorskip("ruamel.yaml").YAML(typ="safe")
    workflow, hooks = (
        yaml.load(text)
        for text in re.findall(r"^```\{code-block\} yaml\n:caption: [^\n]*\n(.*?)^```$", page, re.M | re.S)
    )
    used = [step["with"] for step in workflow["jobs"]["check"]["steps"] if "with" in step]
    assert used
    assert set().union(*used) <= read_yaml(ROOT / "action.yml")["inputs"].keys()
    ours = {one["id"] for one in read_yaml(ROOT / ".pre-commit-hooks.yaml")}
    assert {one["id"] for repository in hooks["repos"] for one in repository["hooks"]} == ours


@pytest.mark.skipif(shutil.which("bash") is None, reason="GitHub runs these steps by bash")
@pytest.mark.parametrize(
    ("inputs", "fails", "said"),
    [
        ({"tests": "tests", "verify": "*.mlir"}, False, "Passed: 1"),
        later({"verify": "program.mlir", "minimum-version": "1.4.0"}, False, ""),
        (
            {"verify": "program.mlir", "minimum-version": "1.3.0"},
            1,
            "::error file=program.mlir,line=2",
        ),
        later({"tests": "tests", "shards": "2", "shard": "2"}, False, ""),
    ],
)
def test_the_script_of_the_action_runs(inputs, fails, said, repository):
    """The steps of the Action that are ours, one after the other; pip installs what is there already."""
    action, (folder, environment) = read_yaml(ROOT / "action.yml"), repository
    values = {name: one.get("default", "") for name, one in action["inputs"].items()} | {"version": "click"} | inputs
    ended = None
    for step in action["runs"]["steps"]:
        condition = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) != '' \}\}", step.get("if", "${{ inputs.version != '' }}"))
        assert condition
        if "run" not in step or not values[condition[1]]:
            continue
        given = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: values[m[1]], text)
            for name, text in step["env"].items()
        }
        ended = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=folder,
            env={**environment, **given, "PIP_DRY_RUN": "1", "PIP_NO_INDEX": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode:
            break
    assert ended is not None
    assert (bool(ended.returncode), said in ended.stdout) == (fails, True), ended

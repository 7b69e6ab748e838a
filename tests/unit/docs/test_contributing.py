"""Whoever follows the recipes in CONTRIBUTING.md arrives: each is followed in a copy of the tree.

A recipe that adds what the tree has already is taken back first, so that the copy lacks it. Its commands have to fail
then, and to pass once the recipe is followed.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from stablehlo_py.testing.filecheck import find_filecheck
from stablehlo_py.testing.lit import make_tool_folder

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NEEDED = ("stablehlo_py", "tests/lit", "tests/support", "tests/unit", "third_party", "tools", "docs", "pyproject.toml")
EXISTING = {"Add an op", "Add an element type", "Add a version of StableHLO"}  # these add what the tree has already
WRITTEN = {  # what a recipe's commands write again, byte for byte
    "Add a version of StableHLO": (
        *("tests/lit/vhlo/compendium.1_19_0.mlir", "tests/lit/vhlo/compendium.1_19_0.mlir.bc"),
        *("tests/lit/vhlo/early_collective_reduce.mlir", "tests/lit/vhlo/artifacts.sha256"),
    )
}
OF_OPS = (  # the tests that know each op
    *("abstract_cases", "architecture", "conformance", "constraints", "contracts", "cost", "op_coverage"),
    *("op_facts", "fuzzing", "import_rule", "ops", "partition_rules", "public_api", "rewriting", "speculatability"),
)
MOST_FILES = {"Add an op": 5, "Add an element type": 4, "Add a pass": 3, "Add a version of StableHLO": 2}


@dataclass(frozen=True)
class Change:
    """What a recipe does to one file: for a new one `text` is all of it, else parts are replaced."""

    path: str
    language: str
    text: str

    def parts(self) -> list[tuple[str, str]]:
        """The lines that have to be there and those that take their place."""
        found: list[tuple[str, str]] = []
        for part in self.text.split(" @@\n"):
            lines = part.splitlines(keepends=True)
            found.append(tuple("".join(line[1:] for line in lines if line[0] != sign) for sign in "+-"))
        return found

    def apply(self, tree: Path, *, backwards: bool = False) -> None:
        """Change the file, or take the change back. What has to be there is there exactly once."""
        file = tree / self.path
        if self.language != "diff":
            file.unlink(missing_ok=True)
            if not backwards:
                file.write_text(self.text, encoding="utf-8")
            return
        text = file.read_text(encoding="utf-8")
        for before, after in self.parts():
            old, new = (after, before) if backwards else (before, after)
            assert f"\n{text}".count(f"\n{old}") == 1, f"{self.path}: {old!r}"
            text = f"\n{text}".replace(f"\n{old}", f"\n{new}")[1:]
        file.write_text(text, encoding="utf-8")


def recipes() -> dict[str, tuple[list[Change], list[str]]]:
    """The changes and the commands of each recipe, by its title."""
    found: dict[str, tuple[list[Change], list[str]]] = {}
    for section in PAGE.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        changes = re.findall(r"^`([^`\n]+)`\n\n```(\w+)\n(.*?)^```$", body, re.MULTILINE | re.DOTALL)
        commands = re.findall(r"^```sh\n(.*?)^```$", body, re.MULTILINE | re.DOTALL)
        found[title] = [Change(*change) for change in changes], "".join(commands).splitlines()
    return found


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    copy = tmp_path / "tree"
    for name in NEEDED:
        source = ROOT / name
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__", "Output", ".*_cache"))
        else:
            shutil.copyfile(source, copy / name)
    return copy


def run(command: str, tree: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the page in a tree, with this interpreter's tools."""
    folder = tree.parent / "tools"
    make_tool_folder(str(folder), find_filecheck())
    path = os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    variables |= {"PATH": path, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, shell=True, cwd=tree, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def forget(op: str, tree: Path, kept: set[str]) -> int:
    """Take an op's short name out of a tree but for some files: as a decorator's argument, with the function where it
    is the only one, and as a table's key. Lit files with the op go. Return the number of places."""
    found = 0
    for file in sorted((tree / "stablehlo_py").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if f'"{op}"' not in text or str(file.relative_to(tree)) in kept or "engines" in file.parts:
            continue
        gone: list[ast.stmt | ast.expr] = []  # nodes whose lines go
        names: list[ast.expr] = []
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                for call in (each for each in node.decorator_list if isinstance(each, ast.Call)):
                    strings = [each for each in call.args if isinstance(each, ast.Constant)]
                    mine = [each for each in strings if each.value == op]
                    gone += [node] if mine and len(strings) == 1 else []
                    names += mine if len(strings) > 1 else []
            elif isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                gone += [value for key, value in pairs if isinstance(key, ast.Constant) and key.value == op]
        lines = text.splitlines(keepends=True)
        for node in names:
            lines[node.lineno - 1] = lines[node.lineno - 1].replace(f', "{op}"', "")
        for node in gone:
            decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
            first = min(each.lineno for each in (node, *decorators))
            lines[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or first) - first + 1)
        file.write_text("".join(lines), encoding="utf-8")
        found += len(gone) + len(names)
    for file in sorted((tree / "tests" / "lit").rglob("*.mlir")):
        if f"stablehlo.{op}" in file.read_text(encoding="utf-8") and str(file.relative_to(tree)) not in kept:
            file.unlink()
            found += 1
    return found


@pytest.mark.release
def test_the_files_of_the_recipe_are_all_that_an_op_needs(tree):
    changes, _ = recipes()["Add an op"]
    generated = {"stablehlo_py/interpreter/chlo.py"}  # it makes such ops
    assert forget("reverse", tree, {change.path for change in changes} | generated) > 10
    for name in ("examples", "tests/differential", "tests/external"):
        shutil.copytree(ROOT / name, tree / name)
    checks = [
        "lit -q --filter-out=cli/verbs tests/lit",
        f"pytest -q -m 'not release' -p no:cacheprovider {' '.join(f'tests/unit/*/test_{name}.py' for name in OF_OPS)}",
    ]
    for command in ("python tools/generate/contracts.py", "python tools/generate/architecture.py", *checks):
        completed = run(command, tree)
        assert completed.returncode == 0, f"{command}\n{completed.stdout[-8000:]}"


@pytest.mark.release
@pytest.mark.parametrize("title", recipes())
def test_a_recipe_leads_where_it_says(title, tree):
    changes, commands = recipes()[title]
    assert len(changes) <= MOST_FILES[title]
    if title in EXISTING:
        for change in changes:
            change.apply(tree, backwards=True)
    for path in WRITTEN.get(title, ()):
        (tree / path).unlink()
    assert any(run(command, tree).returncode != 0 for command in commands)
    for path in WRITTEN.get(title, ()):
        (tree / path).unlink(missing_ok=True)  # the commands wrote what they could without the changes
    for change in changes:
        change.apply(tree)
    for command in commands:
        completed = run(command, tree)
        assert completed.returncode == 0, f"{command}\n{completed.stdout[-4000:]}"
    for path in WRITTEN.get(title, ()):
        assert (tree / path).read_bytes() == (ROOT / path).read_bytes(), path


def test_the_checks_name_an_op_that_is_missing(tree):
    changes, _ = recipes()["Add an op"]
    for change in changes:
        change.apply(tree, backwards=True)
    found = run("pytest -q tests/unit/dialect/test_op_facts.py tests/unit/dialect/test_op_coverage.py", tree)
    assert "stablehlo.reverse" in re.findall(r"^E .*stablehlo\.reverse", found.stdout, re.MULTILINE)[0]


def test_every_recipe_has_a_command_and_a_limit():
    assert set(recipes()) == set(MOST_FILES)
    assert all(changes and commands for changes, commands in recipes().values())

"""Errors that are planted in the package: which can be made, which are drawn, and how a verdict is found."""

from __future__ import annotations

import ast
import itertools
import os
import signal
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
import rooms
from changes import ROOT, File, drawn
from forks import Forks
from mutants import no_errors
from speeds import later

TEXT = '''"""Docstrings with 1 number stay."""
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LIMIT = 7
_known: dict[tuple[int, ...], int] = {}

@cache(maxsize=3)
def é(first: int, last: int = 5, *, quick: bool = False) -> tuple[int, str]:
    """Nor does this one (2)."""
    key = (first, last, quick)
    if key in _known and not quick:
        return _known[first, last], "é"
    for number in range(first, min(last, 9)):
        if number < 3:
            continue
        log(f"{number + 1} of 9", name="é", wait=True)
    assert first < 4
    text = sorted(["b"] + ["a"])
    return -1, "c"
'''
KEPT = ("with 1 number", "LIMIT = 7", "(maxsize=3)", "dict[tuple[int, ...], int]", "assert first < 4", "(2)")


@pytest.fixture
def file(tmp_path: Path) -> File:
    (tmp_path / "a.py").write_text(TEXT, encoding="utf-8")
    return File(tmp_path / "a.py", tmp_path)


def test_errors_are_made_in_code_and_nowhere_else(file: File) -> None:
    made = {(change.kind, file.mutant(change).after) for change in file.changes}
    assert made >= {
        ("a number is off by one", "6"),
        ("a switch is turned round", "True"),
        ("a field of a key is missing", "key = (first, None, quick)"),
        ("a field of a key is missing", 'return _known[None, last], "é"'),
        ("a condition is turned round", "key in _known and (quick)".replace("(quick)", "quick")),
        ("a condition is dropped", "(not quick)"),
        ("and and or are exchanged", "(key in _known or not quick)"),
        ("a case is missing", "False"),
        ("a clamp is missing", "range(first, last)"),
        ("two arguments are exchanged", "range(min(last, 9), first)"),
        ("a bound is off by one", "(number <= 3)"),
        ("break and continue are exchanged", "break"),
        ("a step is missing", "pass"),
        ("an option is ignored", "log(f'{number + 1} of 9', name='é')"),
        ("a wrong sign", 'log(f"{(number - 1)} of 9", name="é", wait=True)'),
        ("an order is missing", "text = list(['b'] + ['a'])"),
        ("a sign is lost", 'return 1, "c"'),
    }
    texts = [file.with_change(change).decode() for change in file.changes]
    assert len(set(texts)) == len(texts)
    for text in texts:
        ast.parse(text)
        assert all(kept in text for kept in KEPT)
        assert len(text.splitlines()) == len(TEXT.splitlines())
    assert not any("['b'] -" in text or '["b"] -' in text for text in texts)


def test_an_error_shows_where_its_line_runs_or_its_name_is_used(tmp_path: Path) -> None:
    text = """MOST = 3

def first(x, quick=False):
    if x > MOST:
        return 1
    return x

class Kept:
    size: int = 4

    def full(self):
        return self.size < 9
"""
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    file = File(tmp_path / "a.py", tmp_path)
    places = {
        file.mutant(change).before + " => " + file.mutant(change).after: file.places(change) for change in file.changes
    }
    bodies = {4, 5, 6, 12}
    assert places["MOST = 3 => MOST = 4"] == [{4}, bodies]
    assert places["False => True"] == [{4, 5, 6}, bodies]
    assert places["x > MOST => (x >= MOST)"] == [{4}, {4, 5, 6}, bodies]
    assert places["size: int = 4 => size: int = 5"] == [{12}, {12}, bodies]
    assert places["return self.size < 9 => return self.size < 10"] == [{12}, {12}, bodies]


@pytest.mark.release
def test_runs_of_pytest_are_forked_from_one_process(tmp_path: Path) -> None:
    (tmp_path / "kept.py").write_text("VALUE = 1", encoding="utf-8")
    test = "import time, kept\n\ndef test_it():\n    assert kept.VALUE == 1\n\ndef test_long():\n    time.sleep(60)\n"
    (tmp_path / "test_it.py").write_text(test, encoding="utf-8")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH", "")])]
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    output, test = tmp_path / "output", ["-q", "-rf", "-p", "no:cacheprovider", "test_it.py"]
    with closing(Forks(tmp_path, variables, lambda: None)) as forks:
        for value, code in ((2, 1), (1, 0)):
            (tmp_path / "kept.py").write_text(f"VALUE = {value}", encoding="utf-8")
            assert forks.start([*test, "-k", "not long"], output).wait(60) == code
            assert ("FAILED test_it.py::test_it" in output.read_text(encoding="utf-8")) == bool(code)
        long = forks.start([*test, "-k", "long"], output)
        with pytest.raises(subprocess.TimeoutExpired):
            long.wait(0.01)
        os.kill(long.process, signal.SIGKILL)
        assert long.wait(60) == -signal.SIGKILL


def test_each_file_has_its_turn_and_a_seed_draws_the_same() -> None:
    files = [File(path) for path in sorted((ROOT / "stablehlo_py" / "spmd").glob("*.py"))]
    files = [file for file in files if file.changes]

    def names(seed: int) -> list[str]:
        return [file.mutant(change).name for file, change in itertools.islice(drawn(files, seed), 2 * len(files))]

    first = names(3)
    assert first == names(3) != names(4)
    assert sorted(name.partition(" ")[0] for name in first[: len(files)]) == sorted(file.name for file in files)


@pytest.mark.parametrize("step", [4, later(1)])
def test_most_errors_that_are_listed_as_none_can_still_be_made(step: int) -> None:
    paths = sorted({name.partition(" ")[0] for name in no_errors() if name.startswith("stablehlo_py/")})[::step]
    listed = {name for name in no_errors() if name.partition(" ")[0] in paths}
    files = [File(ROOT / path) for path in paths if (ROOT / path).exists()]
    mutants = [file.mutant(change) for file in files for change in file.changes]
    assert len(listed & {name for each in mutants for name in (each.name, each.whole)}) > 0.9 * len(listed)


def test_every_file_of_the_package_is_in_one_room() -> None:
    package = ROOT / "stablehlo_py"
    folders = [folder for names in rooms.ROOMS.values() for folder in names]
    assert sorted(folders) == sorted({"", *[path.parent.name for path in package.glob("*/__init__.py")]})


@pytest.mark.parametrize(
    ("command", "code", "output", "by"),
    [
        (["-m", "pytest", "tests/unit"], 0, "", ""),
        (["-m", "pytest", "tests/unit"], None, "", ""),
        (["-m", "pytest", "tests/unit"], 5, "no tests ran", ""),
        (["-m", "pytest"], 1, "..F\nFAILED tests/unit/a/test_a.py::test_b[1] - x\n", "tests/unit/a/test_a.py::test_b"),
        (["-m", "pytest"], 2, "ERROR tests/unit/a/test_a.py - NameError\n", "tests/unit/a/test_a.py"),
        (["-c", "lit", "tests/lit"], 1, "FAIL: stablehlo-py :: cli/a.mlir (3 of 4)\n", "tests/lit/cli/a.mlir"),
        (["-c", "lit", "tests/lit"], -9, "", "exit code -9 with tests/lit"),
    ],
)
def test_the_test_that_failed_is_named(command: list[str], code: int | None, output: str, by: str) -> None:
    assert rooms.failure(command, code, output) == by


def test_the_table_has_a_line_for_each_room(file: File) -> None:
    mutant = file.mutant(file.changes[0])
    verdicts = [rooms.Verdict(mutant, "tests/a", 2.0), rooms.Verdict(mutant, "", 60.0), rooms.Verdict(mutant, "x", 1.0)]
    lines = rooms.table([("shapes", verdicts), ("spmd", [])], markdown=True).splitlines()
    assert lines[2:] == ["| shapes | 2 | 3 | 67% | 21 |", "| spmd | 0 | 0 | 0% | 0 |"]
    assert str(verdicts[0]).startswith("caught by tests/a (2 s) a.py")
    assert str(verdicts[1]).startswith("MISSED (60 s) a.py")

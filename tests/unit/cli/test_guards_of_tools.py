"""What the guard of a tool is told of each step: the words for a crash, the program to search, and the limits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import stablehlo_py
from stablehlo_py.cli import driver, opt_passes, opt_tool, translation
from stablehlo_py.isolation.limits import MEMORY_VARIABLE, TIMEOUT_VARIABLE, Limits
from stablehlo_py.isolation.tool import GUARD_OPTIONS

PROGRAM = b"""func.func @main() -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  return %c : tensor<i32>
}
"""
PIPELINE = "builtin.module(canonicalize,cse)"
TWICE = PROGRAM + b"// -----\n" + PROGRAM
SIZE = len(PROGRAM)
GIB = 1 << 30
TEXT = ("a.mlir", "", PROGRAM)
Told = list[tuple[str, tuple[str, str, bytes], Limits | None, tuple[str, str]]]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    """What the guard is told while tools run beside some files."""
    found: Told = []

    def doing(
        activity: str,
        subject: tuple[str, str, bytes] = ("", "", b""),
        *,
        limit: Limits | None = None,
        options: tuple[str, str] = GUARD_OPTIONS,
    ) -> None:
        found.append((activity, subject, limit, options))

    for module in (driver, opt_passes, opt_tool, translation):
        monkeypatch.setattr(module, "doing", doing)
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_bytes(PROGRAM)
    Path("two.mlir").write_bytes(TWICE)
    Path("a.mlirbc").write_bytes(stablehlo_py.serialize(PROGRAM, "current"))
    return found


def _reading(size: int) -> Limits:
    """By default ten seconds, and one for a MB; 1 GiB, and 256 bytes for a byte."""
    return Limits(10 + size / 1e6, GIB + 256 * size)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "a.mlir",
            [
                ("reading a.mlir", ("", "", b""), Limits(None)),
                ("reading a.mlir", TEXT, _reading(SIZE)),
                ("printing a.mlir", TEXT, _reading(SIZE)),
            ],
        ),
        (
            "a.mlir --canonicalize --cse",
            [
                ("reading a.mlir", ("", "", b""), Limits(None)),
                ("reading a.mlir", TEXT, _reading(SIZE)),
                (f"running {PIPELINE} on a.mlir", ("a.mlir", PIPELINE, PROGRAM), Limits()),
                ("printing a.mlir", ("", "", b""), _reading(SIZE)),
            ],
        ),
    ],
)
def test_steps_of_opt(words: str, expected: list[Any], told: Told) -> None:
    assert opt_tool.run([*words.split(), "-o", "out"]) == 0
    assert told == [(*each, GUARD_OPTIONS) for each in expected]


@pytest.mark.parametrize("limits", [Limits(3.0, None), Limits(None, 2 * GIB), Limits(3.0, 2 * GIB)])
@pytest.mark.parametrize("run", [opt_tool.run, translation.run])
def test_the_guards_limits_hold_for_each_step(
    limits: Limits, run: Callable[[list[str]], int], told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds, memory = limits
    for variable, value in ((TIMEOUT_VARIABLE, seconds), (MEMORY_VARIABLE, memory)):
        monkeypatch.delenv(variable, raising=False)
        if value is not None:
            monkeypatch.setenv(variable, str(value))
    words = ["--canonicalize"] if run is opt_tool.run else ["--serialize", "--target=current"]
    assert run(["a.mlir", *words, "-o", "out"]) == 0
    ways = {activity.split()[0] for activity, *_ in told}
    assert {"reading", "running" if run is opt_tool.run else "serializing"} <= ways
    first, *others = [limit for _, _, limit, _ in told]
    assert first == Limits(seconds)
    allowed = _reading(SIZE)
    read = Limits(allowed.seconds if seconds is None else seconds, allowed.memory_bytes if memory is None else memory)
    assert set(others) <= {limits, read}, others
    assert others[0] == read


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("--serialize --target=current a.mlir", ("serializing a.mlir and reading it back", Limits(), GUARD_OPTIONS)),
        ("--interpret a.mlir", ("interpreting a.mlir", None, ("--timeout", GUARD_OPTIONS[1]))),
        ("--interpret a.mlir --timeout=3", ("interpreting a.mlir", Limits(4.0), ("--timeout", GUARD_OPTIONS[1]))),
        ("--deserialize a.mlirbc", ("printing a.mlirbc", None, GUARD_OPTIONS)),
    ],
)
def test_the_last_step_of_translate(words: str, last: tuple[str, Limits | None, Any], told: Told) -> None:
    assert translation.run([*words.split(), "-o", "out"]) == 0
    activity, subject, limit, options = told[-1]
    size = Path("a.mlirbc").stat().st_size
    expected = (last[0], _reading(size), last[2]) if "--deserialize" in words else last
    assert (activity, limit, options) == expected
    assert subject == ("", "", b"")


def test_chunks_are_told_apart(told: Told) -> None:
    assert opt_tool.run(["two.mlir", "--split-input-file", "-o", "out"]) == 0
    assert len({activity for activity, *_ in told if activity.startswith("printing")}) == 2, told

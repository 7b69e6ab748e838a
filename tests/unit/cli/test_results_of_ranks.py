"""What an interpretation prints or writes on one machine, and on each rank of several."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from stablehlo_py.bindings import make_context
from stablehlo_py.bindings.types import TensorType, TokenType, element_type
from stablehlo_py.cli import crash_report, interpret
from stablehlo_py.cli.command_line import read_command_line
from stablehlo_py.cli.options import TRANSLATE
from stablehlo_py.errors import InterpreterError
from stablehlo_py.isolation.outcome import Outcome
from stablehlo_py.isolation.tool import Step

TYPES = [TensorType((2,), element_type("i32"))]
ROWS: list[list[Any]] = [[np.int32([1, 2])], [np.int32([3, 4])]]
PRINTED = "tensor<2xi32> {\n  [1, 2]\n}\ntensor<2xi32> {\n  [3, 4]\n}\n"


@pytest.fixture
def ranks(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Two ranks, of which this process is the first; the other one has the same results."""
    found = SimpleNamespace(rank=0, share=lambda count: range(0, count, 2))
    found.at_first = lambda parts: [] if found.rank else [parts, parts]
    monkeypatch.setattr(interpret, "_ranks", lambda: found)
    return found


@pytest.mark.parametrize(
    ("words", "rank", "printed"),
    [
        ([], 0, PRINTED),
        (["--grid=local"], 1, PRINTED),
        (["--grid=mpi", "--num-replicas=2"], 0, PRINTED * 2),
        (["--grid=mpi", "--num-replicas=2"], 1, ""),
        (["--interpreter-print-dense"], 0, "dense<[1, 2]> : tensor<2xi32>\ndense<[3, 4]> : tensor<2xi32>\n"),
    ],
)
def test_the_first_rank_prints_the_results_of_all(
    words: list[str], rank: int, printed: str, ranks: SimpleNamespace
) -> None:
    ranks.rank = rank
    options = read_command_line(TRANSLATE, ["--interpret", *words])
    assert interpret._deliver(ROWS, TYPES, options, make_context()) == printed


@pytest.mark.parametrize(
    ("words", "rank", "arrays"),
    [
        ([], 0, [[1, 2], [3, 4]]),
        (["--grid=local"], 1, [[1, 2], [3, 4]]),
        (["--grid=mpi", "--num-replicas=2"], 0, [[1, 2], [3, 4], [1, 2], [3, 4]]),
        (["--grid=mpi", "--num-replicas=2"], 1, None),
    ],
)
@pytest.mark.parametrize("mark", ["", "@"])
def test_the_first_rank_writes_the_results_of_all(
    mark: str, words: list[str], rank: int, arrays: list[list[int]] | None, ranks: SimpleNamespace, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    ranks.rank = rank
    options = read_command_line(TRANSLATE, ["--interpret", *words, f"--output={mark}out.npz"])
    assert interpret._deliver(ROWS, TYPES, options, make_context()) == ""
    assert Path("out.npz").exists() == (arrays is not None)
    if arrays is not None:
        with np.load("out.npz") as archive:
            assert [archive[name].tolist() for name in archive.files] == arrays


def test_what_is_no_array_is_not_written(ranks: SimpleNamespace) -> None:
    options = read_command_line(TRANSLATE, ["--interpret", "--output=out.npz"])
    with pytest.raises(InterpreterError, match="only tensors can be written to a numpy file"):
        interpret._deliver([[object()]], [TokenType()], options, make_context())


@pytest.mark.parametrize(
    ("names", "words", "expected"),
    [
        ({"main": 0, "f": 0}, [], ["main"]),
        ({"f": 2}, [], ["f"]),
        ({"f": 0, "g": 1, "h": 0}, [], ["f", "h"]),
        ({"f": 1, "g": 1}, [], ["first"]),
        ({"f": 0, "g": 0}, ["--function=g"], ["g"]),
        ({"f": 0, "g": 0}, ["--args=[]"], ["main"]),
        ({"f": 0, "g": 0}, ["--input=a.npy"], ["main"]),
        ({"f": 0, "g": 0}, ["--inputs=a.npz"], ["main"]),
        ({"f": 0, "g": 0}, ["--output=a.npz"], ["main"]),
        ({"f": 0, "g": 0}, ["--profile"], ["f", "g"]),
    ],
)
def test_which_functions_run(names: dict[str, int], words: list[str], expected: list[str]) -> None:
    """A module of several functions without `main` runs each that takes nothing, if nothing is asked for."""

    def entry_function(name: str = "first") -> str:
        return next(iter(names)) if name == "main" and len(names) == 1 else name

    program: Any = SimpleNamespace(
        functions=names, entry_function=entry_function, parameter_types=lambda name: [None] * names[name]
    )
    options = read_command_line(TRANSLATE, ["--interpret", *words])
    assert interpret._entry_functions(program, options) == expected


@pytest.mark.skipif(os.name != "posix", reason="mpich's descriptors are those of POSIX")
@pytest.mark.parametrize("looks", [0, 1, 3, None])
def test_other_ranks_are_ended_once_the_message_is_read_or_a_second_is_over(
    looks: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`looks` says how often the pipe with the message is looked at until somebody reads it; None for nobody."""
    said, asked = os.pipe(), os.pipe()
    waits, clock = list[float](), count()

    def wait(seconds: float) -> None:
        assert not os.get_blocking(asked[0])
        with pytest.raises(BlockingIOError):
            os.read(asked[0], 100)  # they are asked after that
        waits.append(seconds)
        if len(waits) == looks:
            os.read(said[0], 100)

    os.set_blocking(asked[0], False)
    os.write(said[1], b"" if looks == 0 else b"message")
    ticks = SimpleNamespace(monotonic=lambda: next(clock) / 100, sleep=wait)
    monkeypatch.setattr(crash_report, "time", ticks)
    monkeypatch.setenv("PMI_FD", str(asked[1]))
    before = os.dup(2)
    try:
        os.dup2(said[1], 2)
        code = crash_report.report_death(7, Outcome(cause="timeout"), Step("reading"))
    finally:
        os.dup2(before, 2)
        found = os.read(asked[0], 100)
        for descriptor in (*said, *asked, before):
            os.close(descriptor)
    assert (code, found) == (7, b"cmd=abort exitcode=7\n")
    assert len(waits) == (99 if looks is None else looks)


@pytest.mark.parametrize("value", ["", "x", "99999"])
def test_nobody_is_asked_where_mpich_gives_no_descriptor(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMI_FD", value)
    assert crash_report.report_death(3, Outcome(cause="timeout"), Step("reading")) == 3

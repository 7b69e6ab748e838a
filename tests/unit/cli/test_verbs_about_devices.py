"""`partition` and `simulate` in this process: what options print and write, exit codes, limits of runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

import stablehlo_py
from stablehlo_py.cli import ranks
from stablehlo_py.cli.stablehlo import stablehlo
from stablehlo_py.debug.equivalence import Equivalence
from stablehlo_py.interpreter.settings import Settings, physical_memory
from stablehlo_py.spmd import simulation

SHARDED = """sdy.mesh @m = <["x"=2]>
func.func @main(%x: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""  # noqa: E501
PLAIN = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}\n"
TALKING = """sdy.mesh @m = <["x"=2]>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    %1 = "stablehlo.all_reduce"(%a) ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.maximum %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""  # noqa: E501
GIVEN = "--args=[dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>]"
Verb = Callable[..., tuple[int, str]]


@pytest.fixture
def verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Verb:
    """Runs a verb beside the programs: its exit code and output, or -1 and the message of its error."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("a", SHARDED), ("plain", PLAIN), ("whole", SHARDED.replace('[{"x"}, {}]', "[{}, {}]"))):
        Path(f"{name}.mlir").write_text(text)

    def run(*words: str) -> tuple[int, str]:
        found = CliRunner().invoke(stablehlo, [*words], standalone_mode=False)
        error = found.exception
        if isinstance(error, click.ClickException):
            return -1, error.format_message()
        if isinstance(error, stablehlo_py.StablehloError):
            return -1, str(error)
        assert error is None, (words, error, found.output)
        return found.return_value or 0, found.output

    return run


CHECKED = """1 result of 2 devices agrees with the global program
cut along x: 1 argument, 0 results and 0 other values
the same function but for rounding
"""


def test_results_are_printed_written_or_checked(verb: Verb) -> None:
    words = ("simulate", "a.mlir", GIVEN)
    assert verb(*words) == (0, "tensor<2xf32> {\n  [1.600000e+01, 2.000000e+01]\n}\n")
    assert verb(*words, "--check") == (0, CHECKED)
    assert verb(*words, "-o", "out.npy") == (0, "")
    assert np.load("out.npy").tolist() == [16, 20]
    assert verb(*words, "-o", "more.npz", "--check") == (0, CHECKED)
    assert [array.tolist() for array in np.load("more.npz").values()] == [[16, 20]]
    cut = {"arguments": 1, "results": 0, "values": 0, "axes": ["x"]}
    told = {"devices": 2, "results": [{"shape": [2], "values": [16.0, 20.0]}], "cut": cut}
    code, output = verb(*words, "--json")
    assert (code, json.loads(output)) == (0, {**told, "differing_results": None, "function": None})
    code, output = verb(*words, "--json", "--check")
    found = json.loads(output)
    assert found.pop("function")["verdict"] == "the same function but for rounding"
    assert (code, found) == (0, {**told, "differing_results": []})


def test_a_check_of_what_is_not_sharded_fails(verb: Verb) -> None:
    said = "nothing is sharded: each of 2 devices ran the global program, which checks nothing\n"
    assert verb("simulate", "plain.mlir", "--mesh=x=2", "--check") == (1, said)
    assert verb("simulate", "whole.mlir", GIVEN, "--check") == (1, said)
    assert verb("simulate", "plain.mlir", "--mesh=x=2", "--args=[dense<0.0> : tensor<2xf32>]")[0] == 0
    assert "no mesh" in verb("simulate", "plain.mlir")[1]


def test_a_check_of_devices_that_hold_everything_but_talk_is_a_check(verb: Verb) -> None:
    Path("talking.mlir").write_text(TALKING)
    code, output = verb("simulate", "talking.mlir", "--check")
    assert (code, output.splitlines()[:2]) == (
        0,
        [CHECKED.splitlines()[0], "cut along no axis: 0 arguments, 0 results and 0 other values"],
    ), output


def test_results_that_differ_are_numbered(verb: Verb, monkeypatch: pytest.MonkeyPatch) -> None:
    right = simulation.simulate

    def wrong(*given: Any, **options: Any) -> simulation.Simulation:
        found = right(*given, **options)
        return replace(
            found, results=tuple([result + 1 if result.dtype == np.float32 else result for result in found.results])
        )

    monkeypatch.setattr("stablehlo_py.spmd.simulate", wrong)
    words = ("simulate", "a.mlir", GIVEN)
    assert verb(*words)[0] == 0
    assert verb(*words, "--check") == (1, "results 0 of 2 devices differ from the global program's\n")
    code, output = verb(*words, "--check", "--json")
    assert (code, json.loads(output)["differing_results"]) == (1, [0])


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        ("the same function but for rounding", 0),
        ("the same function but for roundings of constants", 0),
        ("cannot tell", 0),
        ("different functions", 1),
    ],
)
def test_a_check_fails_where_the_devices_surely_compute_another_function(
    verdict: Any, code: int, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the function is may stay open: the results agree."""
    found = Equivalence(verdict, message="why")
    monkeypatch.setattr("stablehlo_py.debug.equivalence.same_function", lambda _: found)
    assert verb("simulate", "a.mlir", GIVEN) == (0, "tensor<2xf32> {\n  [1.600000e+01, 2.000000e+01]\n}\n")
    assert verb("simulate", "a.mlir", GIVEN, "--check") == (code, f"{CHECKED.rpartition('the same')[0]}{found}\n")
    ended, output = verb("simulate", "a.mlir", GIVEN, "--check", "--json")
    assert (ended, json.loads(output)["function"]) == (code, found.as_dict())


def test_a_time_line_has_each_device(verb: Verb) -> None:
    assert verb("simulate", "a.mlir", GIVEN, "--trace=line.json", "--check") == (0, CHECKED)
    events = json.loads(Path("line.json").read_text())["traceEvents"]
    assert {event["tid"] for event in events} == {0, 1}
    assert "stablehlo.reduce" in {event["name"] for event in events}
    message = "--trace is for the grid of one machine, not for --grid=mpi"
    assert verb("simulate", "a.mlir", GIVEN, "--trace=line.json", "--grid=mpi") == (-1, message)


@pytest.mark.parametrize("rank", [0, 1])
def test_ranks_simulate_together_and_the_first_one_prints(
    rank: int, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = list[tuple[int, int | None]]()
    monkeypatch.setattr("stablehlo_py.spmd.ranks.ranks", lambda: SimpleNamespace(rank=rank, all=list))
    monkeypatch.setattr(ranks, "ranks", lambda: SimpleNamespace(rank=rank, all=lambda _: []))
    made = list[str]()
    monkeypatch.setattr(ranks, "MpiGrid", lambda *given, note: (made.append(note), Settings().make_grid(*given))[1])

    def run_on_ranks(work: Callable[[], int], failed: int) -> None:
        ended.append((work(), failed))
        raise click.exceptions.Exit(0)

    monkeypatch.setattr(ranks, "run_on_ranks", run_on_ranks)
    code, output = verb("simulate", "a.mlir", GIVEN, "--grid=mpi", "--check")
    assert (code, output) == (0, "" if rank else CHECKED)
    assert ended == [(0, 2)]
    assert len(made) >= 1, "the devices are not those of the ranks"


@pytest.mark.parametrize(
    "word", ["", "--grid=mpi", "--trace=line.json", "--mesh=x=2", '--in-sharding=0=[{"x"}]', '--out-sharding=0=[{"x"}]']
)
def test_programs_of_several_meshes_take_none_of_the_options_about_meshes(
    word: str, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_on_ranks(work: Callable[[], int], _failed: int) -> None:
        work()

    def simulate_meshes(_program: Any, arguments: list[np.ndarray], settings: Settings) -> SimpleNamespace:
        given.append(settings)
        return SimpleNamespace(results=arguments, devices=8, steps=dict)

    given = list[Settings]()
    monkeypatch.setattr(ranks, "ranks", lambda: SimpleNamespace(rank=0, all=lambda _: []))
    monkeypatch.setattr(ranks, "run_on_ranks", run_on_ranks)
    monkeypatch.setattr("stablehlo_py.spmd.mpmd.has_fragments", lambda _: True)
    monkeypatch.setattr("stablehlo_py.spmd.mpmd.simulate_meshes", simulate_meshes)
    code, output = verb("simulate", "plain.mlir", "--timeout=5", "--json", *([word] if word else []))
    if word:
        said = "an MPMD program says its meshes and shardings, and has no --trace and no --grid=mpi"
        assert (code, output, given) == (-1, said, [])
        assert not Path("line.json").exists()
    else:
        found = json.loads(output[output.index("{") :])
        assert (code, found["devices"], found["cut"]) == (0, 8, None)
        assert given == [Settings(max_memory=physical_memory(), timeout=5.0)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), Settings(max_memory=physical_memory(), timeout=600.0)),
        (("--timeout=7", "--max-memory=99999999"), Settings(max_memory=99999999, timeout=7.0)),
    ],
)
def test_the_limits_of_runs_reach_the_devices(
    words: tuple[str, ...], expected: Settings, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, settings = simulation.simulate, list[Settings]()

    def noted(partition: Any, arguments: Any, given: Settings) -> Any:
        settings.append(given)
        return right(partition, arguments, given)

    monkeypatch.setattr("stablehlo_py.spmd.simulate", noted)
    assert verb("simulate", "a.mlir", GIVEN, *words)[0] == 0
    assert settings == [expected]


REPORT = """mesh: x=2 (2 devices)
steps: inline,symbol-dce, sdy-propagation-pipeline, localize
shardings:
  argument 0 tensor<4x2xf32>: [{"x"}, {}] (given)
  result 0 tensor<2xf32>: on every device (propagated)
  sdy.constant tensor<f32>: on every device (propagated)  a.mlir:3:8
  stablehlo.reduce tensor<2xf32>: on every device (propagated)  a.mlir:4:8
collectives:
  stablehlo.all_reduce: 1 group of 2, 8 B a device  a.mlir:4:8
each device sends 8 B in all; loops of unknown length count once
"""


def test_reports_of_a_partition(verb: Verb) -> None:
    code, output = verb("partition", "a.mlir", "--report")
    last = "the collectives take 2.0 us on a ring of links of 100 GB/s and 1 us\n"
    assert (code, output.replace("4:24", "4:8")) == (0, REPORT + last)
    slow = verb("partition", "a.mlir", "--report", "--bandwidth=8e3", "--latency=0.5")[1].splitlines()[-1]
    assert slow == "the collectives take 1,001,000.0 us on a ring of links of 8 kB/s and 500000 us"
    found = json.loads(verb("partition", "a.mlir", "--json", "--bandwidth=8e3", "--latency=0.5")[1])
    assert (found["seconds"], found["bytes_sent"], "why" in found) == (1.001, 8, False)
    code, output = verb("partition", "a.mlir", "--why")
    assert (code, output.startswith("where axes come from:\n")) == (0, True)
    assert "func.func" not in output
    assert json.loads(verb("partition", "a.mlir", "--why", "--json")[1])["why"]


def test_the_program_of_one_device_is_printed_or_written(verb: Verb) -> None:
    code, program = verb("partition", "a.mlir")
    assert (code, program.count("stablehlo.all_reduce"), ": tensor<2x2xf32>" in program) == (0, 1, True), program
    for words in ((), ("--report",), ("--json",), ("--why",)):
        code, output = verb("partition", "a.mlir", "-o", "out.mlir", *words)
        assert (code, bool(output), Path("out.mlir").read_text()) == (0, bool(words), program), words
        Path("out.mlir").unlink()
    found = CliRunner().invoke(stablehlo, ["partition", "a.mlir", "--mlir-print-ir-after-all"], standalone_mode=False)
    assert (found.stdout, found.stderr.count("IR Dump After")) == (program, 3)


LINKS = ("--bandwidth=8e3", "--latency=0.5")


@pytest.mark.parametrize("first", ["a.mlir", "whole.mlir"])
@pytest.mark.parametrize(
    ("links", "seconds", "shown"), [((), 2.00008e-6, "2.0 us"), (LINKS, 1.001, "1,001,000.0 us")], ids=["usual", "slow"]
)
def test_two_ways_to_partition_are_compared(
    first: str, links: tuple[str, ...], seconds: float, shown: str, verb: Verb
) -> None:
    """Each has its own column or key, and both are timed on the links that are asked for."""
    (second,) = {"a.mlir", "whole.mlir"} - {first}
    columns = {"a.mlir": ["8", "1", shown, f"8 B, {shown}"], "whole.mlir": ["0", "0", "0.0 us", "-"]}
    code, output = verb("partition", first, f"--compare={second}", *links)
    head, *rows = [re.split(r"  +", line.strip()) for line in output.splitlines()]
    assert (code, head) == (0, [first, second]), output
    assert [row[-2:] for row in rows] == [list(row) for row in zip(columns[first], columns[second], strict=True)]
    found = json.loads(verb("partition", first, f"--compare={second}", "--json", *links)[1])
    values = {name: (each["bytes_sent"], each["seconds"]) for name, each in found.items()}
    assert values == {"a.mlir": (8, pytest.approx(seconds)), "whole.mlir": (0, 0)}


def test_partitions_are_not_explained_and_compared_at_once(verb: Verb) -> None:
    for words in (("--compare=whole.mlir",), ("--mlir-print-ir-after-all",)):
        assert "do not go together" in verb("partition", "a.mlir", "--why", *words)[1]

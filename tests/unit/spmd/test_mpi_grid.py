"""Grids over ranks of MPI: the same bits as on one machine, and every way to fail ends all ranks."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from speeds import later

from stablehlo_py.cli.stablehlo import stablehlo

pytest.importorskip("mpi4py", reason="a grid over MPI needs the extra mpi")

FOLDER = Path(__file__).parents[2] / "support"
SUITES = FOLDER.parent / "lit" / "interpret"
MPIEXEC = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
if MPIEXEC is None:
    pytest.skip("mpiexec is not installed", allow_module_level=True)
TOOL = "from stablehlo_py.cli import stablehlo_translate as tool; tool()"

REDUCE = """
func.func @main(%count: tensor<i64>, %operand: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %half = stablehlo.constant dense<0.25> : tensor<2xf32>
  %result:2 = stablehlo.while(%i = %zero, %x = %operand) : tensor<i64>, tensor<2xf32>
    cond {
      %more = stablehlo.compare LT, %i, %count : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %sum = "stablehlo.all_reduce"(%x) ({
      ^bb0(%left: tensor<f32>, %right: tensor<f32>):
        %both = stablehlo.add %left, %right : tensor<f32>
        stablehlo.return %both : tensor<f32>
      }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      %next = stablehlo.multiply %sum, %half : tensor<2xf32>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %next : tensor<i64>, tensor<2xf32>
    }
  %checked = func.call @check(%result#1) : (tensor<2xf32>) -> tensor<2xf32>
  return %checked : tensor<2xf32>
}
func.func private @check(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
"""


started_processes = []


@pytest.fixture(autouse=True)
def _end_processes():
    """Nothing of a test that failed is left to the tests after it."""
    yield
    while started_processes:
        with started_processes.pop() as process:
            process.kill()


def start(count, *command):
    command = [MPIEXEC, "-n", str(count), sys.executable, *map(str, command)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    started_processes.append(process)
    return process


def interpret(count, path, counts):
    arguments = ", ".join(f"dense<{n}> : tensor<i64>, dense<{i}.0> : tensor<2xf32>" for i, n in enumerate(counts))
    flags = ["--interpret", "--grid=mpi", "--num-replicas=4", f"--args=[{arguments}]"]
    return start(count, "-c", TOOL, *flags, path)


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "reduce.mlir"
    path.write_text(REDUCE)
    return path


@pytest.mark.parametrize("count", [later(1), 2, later(4)])
def test_the_suites_of_collectives_pass_on_ranks(count):
    left_out = ("REQUIRES", "RUN: not", "infeed")
    texts = {path: path.read_text() for path in sorted(SUITES.glob("*.mlir"))}
    files = [
        path
        for path, text in texts.items()
        if "interpreter.run_parallel" in text and not any(word in text for word in left_out)
    ]
    assert len(files) > 9
    process = start(count, FOLDER / "mpi_programs.py", "suite", *files)
    output, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors
    assert {line.split()[1] for line in output.splitlines()} == {path.name for path in files}


@pytest.mark.parametrize("count", [2, later(4)])
def test_values_that_are_combined_in_parts_have_the_same_bits(count):
    process = start(count, FOLDER / "mpi_programs.py", "large")
    output, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors
    assert output == "same f32\nsame bf16\nsame f64\n"


@pytest.mark.parametrize("count", [later(1), 3])
def test_results_come_in_the_order_of_processes(program, count):
    process = interpret(count, program, [1, 1, 1, 1])
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert output == "tensor<2xf32> {\n  [1.500000e+00, 1.500000e+00]\n}\n" * 4


@pytest.mark.release  # threads for ranks show the same in milliseconds
def test_a_deadlock_names_the_processes_of_all_ranks(program):
    process = interpret(2, program, [2, 3, 2, 3])
    started = time.monotonic()
    output, errors = process.communicate(timeout=120)
    assert time.monotonic() - started < 100
    assert process.returncode != 0
    assert output == ""
    assert errors.count("deadlock: no process can continue") == 1
    waiting = re.findall(r"process \(replica (\d), partition 0\) waits in stablehlo.all_reduce at \S+:11:14", errors)
    assert waiting == ["1", "3"]


def test_an_error_of_one_process_ends_all_ranks(program):
    text = program.read_text()
    check = "  check.expect_eq_const %x, dense<1.5> : tensor<2xf32>\n  return %x : tensor<2xf32>\n}\n"
    before, _, _ = text.rpartition("  return %x")
    program.write_text(before.replace("%result#1)", "%operand)") + check)
    arguments = ["1", "1", "1", "1"]
    process = interpret(2, program, arguments)
    _, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    assert errors.count("'check.expect_eq_const' op") == 1
    assert "note: in process (replica 0, partition 0)" in errors


def descendants(pid):
    children = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, pending = [], [pid]
    while pending:
        below = children.get(pending.pop(), [])
        found += below
        pending += below
    return found


def worker_of_rank(pid, rank):
    """The process of this rank that computes: the last one of those that have the rank in their environment."""
    wanted = f"PMI_RANK={rank}".encode()
    found = []
    for child in descendants(pid):
        try:
            environment = Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if wanted in environment:
            found.append(child)
    return max(found) if len(found) == 2 else None


def kill_worker(process, rank):
    """Kill the process of this rank that computes, and return what the ranks say when they have ended."""
    victim = None
    while victim is None:
        time.sleep(0.01)
        victim = worker_of_rank(process.pid, rank)
    os.kill(victim, signal.SIGKILL)
    started = time.monotonic()
    _, errors = process.communicate(timeout=120)
    assert time.monotonic() - started < 60
    assert process.returncode != 0
    return errors


needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in Linux's /proc")
# It prints when all processes have been in its loop, and goes there again.
TWO_LOOPS = """
func.func @main(%count: tensor<i64>, %operand: tensor<2xf32>) -> tensor<2xf32> {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %first = func.call @loop(%one, %operand) : (tensor<i64>, tensor<2xf32>) -> tensor<2xf32>
  interpreter.print %first : tensor<2xf32>
  %result = func.call @loop(%count, %first) : (tensor<i64>, tensor<2xf32>) -> tensor<2xf32>
  return %result : tensor<2xf32>
}
"""


@needs_proc
def test_a_killed_rank_ends_all_ranks_and_says_where_it_was(program):
    program.write_text(REDUCE.replace("@main", "@loop") + TWO_LOOPS)
    process = interpret(2, program, [10**9] * 4)
    assert process.stdout.readline()
    errors = kill_worker(process, 1)
    assert re.search(
        r"the tool was killed \(SIGKILL\) while interpreting .*, last process \(replica [23], partition 0\) in "
        r"stablehlo.all_reduce at \S+:11:14",
        errors,
    ), errors


@needs_proc
@pytest.mark.parametrize("rank", [later(0), 1])
def test_a_rank_that_is_killed_before_it_joins_the_others_ends_all_ranks(program, rank):
    assert "the tool was killed (SIGKILL)" in kill_worker(interpret(2, program, [10**9] * 4), rank)


SHARDED = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(
  %x: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
) -> (tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<8x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %sum : tensor<2xf32>
}
"""
VERBS = "from stablehlo_py.cli.stablehlo import main; main()"


def test_a_simulation_on_ranks_agrees_with_the_global_program(tmp_path):
    path = tmp_path / "sum.mlir"
    path.write_text(SHARDED)
    process = start(2, "-c", VERBS, "simulate", "--grid=mpi", "--check", path)
    output, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors
    assert output.startswith("1 result of 4 devices agrees with the global program\ncut along x: 1 argument, ")


@pytest.mark.release  # the results above come in their order, too
def test_a_simulation_on_ranks_prints_what_one_prints(tmp_path):
    path = tmp_path / "sum.mlir"
    path.write_text(SHARDED)
    printed = start(2, "-c", VERBS, "simulate", "--grid=mpi", path)
    assert printed.communicate(timeout=100)[0] == CliRunner().invoke(stablehlo, ["simulate", str(path)]).output


def test_an_error_of_a_simulation_is_said_once_by_all_ranks(tmp_path):
    process = start(2, "-c", VERBS, "simulate", "--grid=mpi", tmp_path / "none.mlir")
    output, errors = process.communicate(timeout=100)
    assert process.returncode == 2
    assert output == ""
    assert errors.count("No such file or directory") == 1


INFEED = """
func.func @program(%token: !stablehlo.token) -> (tensor<i64>, tensor<i64>) {
  %first, %next = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
  %second, %last = "stablehlo.infeed"(%next) : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
  return %first, %second : tensor<i64>, tensor<i64>
}
FEEDS
func.func @main() -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) {
  %token = stablehlo.create_token : !stablehlo.token
  %results:6 = "interpreter.run_parallel"(%token, %token, %token) {
    infeed = [@feed0, @feed1, @feed2, @feed3, @feed4, @feed5], programs = [[@program], [@program], [@program]]
  } : (!stablehlo.token, !stablehlo.token, !stablehlo.token)
    -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>)
  return %results#0, %results#1, %results#2, %results#3, %results#4, %results#5
    : tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>
}
"""
FEED = """func.func @feedN() -> tensor<i64> {
  %value = stablehlo.constant dense<N> : tensor<i64>
  return %value : tensor<i64>
}
"""


@pytest.mark.release  # threads for ranks show the same in milliseconds
@pytest.mark.parametrize("count", [later(1), 2, later(3)])
def test_the_infeed_goes_to_processes_in_their_order(tmp_path, count):
    path = tmp_path / "infeed.mlir"
    path.write_text(INFEED.replace("FEEDS", "".join(FEED.replace("N", str(number)) for number in range(6))))
    process = start(count, "-c", TOOL, "--interpret", "--grid=mpi", path)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert [int(digit) for digit in re.findall(r"(?<![\w.])\d(?![\w.])", output)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.release  # threads for ranks show the same in milliseconds
def test_an_infeed_that_is_empty_is_an_error_of_the_process_that_reads_it(tmp_path):
    path = tmp_path / "infeed.mlir"
    text = INFEED.replace("FEEDS", "".join(FEED.replace("N", str(number)) for number in range(6)))
    path.write_text(text.replace(", @feed4, @feed5]", "]"))
    process = start(3, "-c", TOOL, "--interpret", "--grid=mpi", path)
    _, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    assert errors.count("'stablehlo.infeed' op the infeed is empty") == 1
    assert "note: in process (replica 2, partition 0)" in errors


COMPUTING = """
func.func @main(%count: tensor<i64>, %operand: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %end = stablehlo.while(%i = %zero) : tensor<i64>
    cond {
      %more = stablehlo.compare LT, %i, %count : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j : tensor<i64>
    }
  check.expect_eq_const %operand, dense<7.0> : tensor<2xf32>
  return %operand : tensor<2xf32>
}
"""


@pytest.mark.release  # threads for ranks show the same in milliseconds
def test_an_error_ends_ranks_that_are_computing(tmp_path):
    path = tmp_path / "computing.mlir"
    path.write_text(COMPUTING)
    process = interpret(2, path, [0, 10**12, 10**12, 10**12])
    line = process.stderr.readline()
    while "'check.expect_eq_const' op" not in line:
        assert line, "the error is not said"
        line = process.stderr.readline()
    started = time.monotonic()
    process.communicate(timeout=120)
    assert time.monotonic() - started < 60  # of which five are for the others to take notice
    assert process.returncode != 0

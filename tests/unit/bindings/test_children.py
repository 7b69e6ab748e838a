"""What a child does for its parent, and how it ends."""

import os
import signal
import time

import pytest

import stablehlo_py
from stablehlo_py.artifacts.artifact import (
    deserialize,
)
from stablehlo_py.bindings import make_context
from stablehlo_py.errors import InputError
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.policy import CAN_FORK
from stablehlo_py.isolation.process import run_in_child

needs_fork = pytest.mark.skipif(not CAN_FORK, reason="this system has no fork")


@needs_fork
def test_a_crash_in_the_child_is_described():
    assert run_in_child(lambda: os.kill(os.getpid(), signal.SIGSEGV)).crash.startswith("SIGSEGV")


@needs_fork
@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_an_exit_in_the_child_is_described(code):
    found = run_in_child(lambda: os._exit(code))
    assert (found.cause, found.code) == ("crash", code)
    assert found.crash == f"it ended the process with exit code {code}"


@needs_fork
def test_what_the_child_prints_is_shown_where_it_dies():
    def dies():
        os.write(1, b"to nobody")
        os.write(2, b"other\nLLVM ERROR: so\n")
        os.kill(os.getpid(), signal.SIGKILL)

    found = run_in_child(dies)
    assert (found.printed, found.notes) == (b"other\nLLVM ERROR: so\n", ("LLVM ERROR: so",))
    assert run_in_child(lambda: os.write(2, b"LLVM ERROR: not at all")).printed == b""


@needs_fork
@pytest.mark.parametrize("size", [0, 1, 1 << 16, (1 << 20) + 1])
def test_results_of_any_size_come_back(size):
    """Pipes hold 64 KiB."""
    assert run_in_child(lambda: b"x" * size).value == b"x" * size


@needs_fork
def test_a_child_that_does_not_end_is_ended():
    outcome = run_in_child(lambda: time.sleep(60), Limits(0.2))
    assert outcome.crash == "it did not end within 0.2 s"


def test_what_the_child_returns_and_raises_comes_back():
    assert run_in_child(lambda: 6 * 7).value == 42

    def fail() -> None:
        raise InputError("no such thing", location="a.mlir:1:2", notes=["a note"])

    error = run_in_child(fail).error
    assert isinstance(error, InputError)
    assert str(error) == "a.mlir:1:2: error: no such thing\na.mlir:1:2: note: a note"


@needs_fork
def test_the_guard_costs_milliseconds():
    artifact, context = stablehlo_py.serialize(stablehlo_py.parse("func.func @main() { return }")), make_context()
    guarded = min(_cpu_seconds(lambda: deserialize(artifact, context=context)) for _ in range(9))
    trusted = min(_cpu_seconds(lambda: deserialize(artifact, context=context, trusted=True)) for _ in range(9))
    assert guarded - trusted < 0.2  # a new interpreter that imports the bindings takes more


def _cpu_seconds(call) -> float:
    """The processor's time for a call and the children that it waits for: what else runs here makes no difference."""
    before = os.times()
    call()
    return sum(os.times()[:4]) - sum(before[:4])

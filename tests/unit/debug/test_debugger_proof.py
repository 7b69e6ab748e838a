"""A small part of what `tests/fuzz/debugger_proof.py` measures, and the reproducers under examples/debug."""

from __future__ import annotations

from pathlib import Path

import debugger_proof
import long_programs
import ml_dtypes
import numpy as np
import pytest
from speeds import later

import stablehlo_py
from stablehlo_py.debug import compare
from stablehlo_py.engines import open_engine
from stablehlo_py.interpreter.storage import from_stored, load_arrays

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "debug"
KINDS = list(debugger_proof.PLANTED)


@pytest.fixture(scope="module")
def engines():
    with debugger_proof.planted_engines() as pair:
        yield pair


@pytest.mark.parametrize("planted", [*KINDS[:4], *map(later, KINDS[4:])])
def test_every_kind_of_planted_error_is_named(planted, engines):
    found = debugger_proof.look(planted, 24, 3, *engines)
    assert found.by_trace
    assert found.reaches_results
    assert found.by_bisect


def test_programs_without_an_error_are_the_same(engines):
    module = stablehlo_py.parse(debugger_proof.program("", 30, 5))
    assert compare(module, engines, arguments=[debugger_proof.arguments()]).verdict == "same"


def reproducer(name):
    module = stablehlo_py.parse(EXAMPLES / f"{name}.mlir")
    stored = load_arrays(str(EXAMPLES / f"{name}.npz"))
    return module, [from_stored(array, np.dtype(ml_dtypes.int2)) for array in stored]


@pytest.mark.release
def test_xla_still_sorts_two_bit_integers_wrongly():
    module, arguments = reproducer("xla_sort")
    found = compare(
        module, ["reference", "xla"], arguments=[arguments] * 5
    )  # what it reads there changes from run to run
    assert found.verdict == "differs"


@pytest.mark.release
def test_the_official_interpreter_still_crashes_on_a_remainder_by_zero():
    module, arguments = reproducer("official_remainder")
    with open_engine("official") as official:
        (outcomes,) = compare(module, ["reference", official], arguments=[arguments]).outcomes
    assert [outcome.status for outcome in outcomes] == ["ok", "crash"]


@pytest.mark.parametrize("seed", range(12))
def test_programs_drawn_at_random_are_valid(seed):
    assert stablehlo_py.parse(long_programs.Writer(seed).write(60)).operation.verify()

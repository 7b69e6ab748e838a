"""Drawn programs with loops, branches and calls do after refinement and with guards what they did before, whatever
sizes their arguments have; the sizes in refined types are those of every run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from sized_programs import program

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.walk import body_of, functions
from stablehlo_py.errors import PassError, StablehloError
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.pipeline import run_pipeline

PASSES = {
    "refined": "stablehlo-shape-refinement-pipeline",
    "refined in few rounds": "stablehlo-shape-refinement-pipeline{max-iterations=2}",
    "refined step by step": "stablehlo-shape-refinement-pipeline{steps=true}",
    "guarded": "stablehlo-insert-shape-guards",
}
GIVEN = [(2, 1, 3, True), (3, 2, 3, False), (1, 0, 0, False)]


def outcome(module: ir.Module, given: tuple[int, int, int, bool]) -> tuple[object, ...]:
    """The number and the vector that a run returns, or the name of the error."""
    n, m, size, p = given
    arguments = [np.int32(n), np.int32(m), np.arange(size, dtype=np.float32), np.bool_(p)]
    try:
        number, vector = interpret(module, arguments)
    except StablehloError:
        return ("fails",)
    return int(number), *map(float, np.asarray(vector)[:50]), np.asarray(vector).shape


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


@pytest.mark.parametrize("seed", range(16))
def test_drawn_programs_do_as_before(seed: int) -> None:
    text = program(seed)
    runs = [outcome(ir.Module.parse(text), given) for given in GIVEN]
    names = ["refined in few rounds", ("refined", "refined step by step")[seed % 2], "guarded"]
    for name in names:
        passes = PASSES[name]
        module = ir.Module.parse(text)
        try:
            run_pipeline(module, f"builtin.module({passes})", sink=lambda _: None)
        except PassError:  # a part of it cannot run, though it may be one that these runs do not get to
            continue
        assert module.operation.verify()
        assert [outcome(module, given) for given in GIVEN] == runs, (name, text, str(module))
        (_, returned) = body_of(functions(module.operation)["main"]).operations[-1].operands
        sizes = ir.RankedTensorType(returned.type).shape
        for run in runs:
            assert run == ("fails",) or sizes[0] < 0 or run[-1] == tuple(sizes), (name, run, str(returned.type), text)

"""What refinement makes of drawn programs, and what it says of them, is what it was."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from sessions import newest_bindings
from sized_programs import program

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import Diagnostic, StablehloError
from stablehlo_py.passes.abstract_reports import symbolic_shapes, why_dynamic
from stablehlo_py.passes.pipeline import run_pipeline

FILE = Path(__file__).with_name("kept_refinements.txt")
PASSES = (
    "stablehlo-shape-refinement-pipeline",
    "stablehlo-shape-refinement-pipeline{max-iterations=2}",
    "stablehlo-shape-refinement-pipeline{steps=true}",
    "stablehlo-insert-shape-guards",
    "stablehlo-reify-shape-calculations,stablehlo-inline-calculations,stablehlo-simplify-shape-calculations",
)
PROGRAMS = {f"{word} {seed}": (seed, word == "recursive") for word in ("drawn", "recursive") for seed in range(12)}


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(), ir.Location.unknown():
        yield


def made(text: str) -> Iterator[str]:
    """The program after each of the passes with what they say, and the reports on it."""
    for passes in PASSES:
        module, said = ir.Module.parse(text), list[Diagnostic]()
        try:
            run_pipeline(module, f"builtin.module({passes})", sink=said.append)
        except StablehloError as error:
            yield str(error)
        else:
            yield str(module)
        yield from map(str, said)
    for report in (symbolic_shapes, why_dynamic):
        try:
            yield report(ir.Module.parse(text).operation)
        except StablehloError as error:
            yield str(error)


def digest(name: str) -> str:
    seed, recursive = PROGRAMS[name]
    return hashlib.sha256("\0".join(made(program(seed, recursive=recursive))).encode()).hexdigest()[:10]


@newest_bindings
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_drawn_program_becomes_what_it_became(name: str) -> None:
    kept = dict(line.rsplit(" ", 1) for line in FILE.read_text(encoding="utf-8").splitlines())
    assert digest(name) == kept[name], f"if this is meant, {FILE.name} has to have the new digest of '{name}'"

"""What refinement makes of drawn programs, and what it says of them, is what it was."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from kept_passes import loosened
from moving_programs import counts, dynamic_programs, movements
from programs_at_edges import reductions
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
DRAWN = {f"{word} {seed}": (seed, word == "recursive") for word in ("drawn", "recursive") for seed in range(12)}
FAMILIES = (reductions, movements, counts, dynamic_programs)


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(), ir.Location.unknown():
        yield


@cache
def modules(name: str) -> list[str]:
    """A drawn program, or some programs of a family in few modules, with unknown sizes wherever these are valid."""
    if name in DRAWN:
        seed, recursive = DRAWN[name]
        return [program(seed, recursive=recursive)]
    (family,) = (each for each in FAMILIES if each.__name__ == name)
    found = list[str]()
    for number, each in enumerate(islice(family(), 0, None, 4)):
        with suppress(ir.MLIRError):
            module = loosened(ir.Module.parse(each.function(f"p{number}")))
            found.append(str(module.body.operations[0]))
    return ["\n".join(some) for some in (found[first : first + 40] for first in range(0, len(found), 40))]


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
    parts = [part for text in modules(name) for part in made(text)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:10]


NAMES = (*DRAWN, *[family.__name__ for family in FAMILIES])


@newest_bindings
@pytest.mark.parametrize("name", NAMES)
def test_a_drawn_program_becomes_what_it_became(name: str) -> None:
    kept = dict(line.rsplit(" ", 1) for line in FILE.read_text(encoding="utf-8").splitlines())
    found = digest(name)
    assert found == kept[name], f"if this is meant, {FILE.name} has to have the line '{name} {found}'"

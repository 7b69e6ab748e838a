"""Each pattern alone leaves drawn programs at its edges what they compute, bit by bit, and fires where it did."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from random import Random

import numpy as np
import pytest
from moving_programs import conversions, counts, dynamic_programs, movements
from programs_at_edges import (
    UNKNOWN,
    Program,
    binary_ops,
    chains_of_unary_ops,
    comparisons,
    reductions,
    selections,
)
from sessions import newest_bindings

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.diagnostics import file_location
from stablehlo_py.bindings.elements import dtype_of
from stablehlo_py.bindings.walk import functions
from stablehlo_py.errors import StablehloError
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.folding import FOLDS
from stablehlo_py.passes.report import PassReport
from stablehlo_py.passes.rewriting import RewriteOptions, apply_patterns
from stablehlo_py.passes.simplification import SIMPLIFICATIONS
from stablehlo_py.passes.snapshot.parts import Op

FILE = Path(__file__).with_name("each_pattern_alone.txt")
FAMILIES = (
    chains_of_unary_ops,
    binary_ops,
    comparisons,
    selections,
    reductions,
    movements,
    counts,
    conversions,
    dynamic_programs,
)
PATTERNS = tuple(dict.fromkeys((*SIMPLIFICATIONS, *FOLDS)))
EXACT = RewriteOptions(optimize_float=False, fold_op_element_limit=4)
FLOATS = (0.0, -0.0, 1.0, -1.0, 3.5, -2.5, np.nan, np.inf, -np.inf)


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with make_context(), ir.Location.unknown():
        yield


def array(random: Random, type_: ir.RankedTensorType, shape: list[int]) -> np.ndarray:
    """An array of special numbers."""
    dtype = dtype_of(type_.element_type)
    found = np.empty(shape, dtype)
    for index in np.ndindex(*shape):
        if dtype.kind in "iu":
            found[index] = random.choice((0, 1, 2, np.iinfo(dtype).min, np.iinfo(dtype).max, 7))
        elif dtype.kind == "b":
            found[index] = random.random() < 0.5
        elif dtype.kind == "c":
            found[index] = complex(random.choice(FLOATS), random.choice(FLOATS))
        else:
            found[index] = np.asarray(random.choice(FLOATS)).astype(dtype)
    return found


def inputs(program: Program, function: ir.Operation) -> list[np.ndarray]:
    """Arrays for the arguments, of two elements along sizes that nothing says."""
    random = Random(str(program))
    found = list[np.ndarray]()
    for value, argument in zip(program.arguments, function.regions[0].blocks[0].arguments, strict=True):
        type_ = ir.RankedTensorType(argument.type)
        if value.name in program.numbers:
            found.append(np.array(program.numbers[value.name], dtype_of(type_.element_type)))
        else:
            sizes = program.sizes.get(value.name, [2 if size == UNKNOWN else size for size in value.type.shape])
            found.append(array(random, type_, sizes))
    return found


def computed(function: ir.Operation, given: list[np.ndarray]) -> list[tuple[object, ...]] | str:
    """The results with all bits but those of NaN, or why there are none."""
    module = ir.Module.create()
    module.body.append(function.clone(ip=False))
    (name,) = functions(module.operation)
    try:
        found = interpret(module, given, function=name)
    except StablehloError as error:
        return error.message
    return [(each.dtype, each.shape, _bits(each)) for each in map(np.asarray, found)]


def _bits(found: np.ndarray) -> bytes:
    if found.dtype.kind in "biu":
        return found.tobytes()
    return np.where(np.isnan(found), np.array(np.nan).astype(found.dtype), found).tobytes()


class Fired(PassReport):
    """A report that knows the lines of the ops that changed."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: set[int] = set()

    def fire(self, pattern: str, op: Op) -> None:
        self.lines.add(int(file_location(op.location).split(":")[-2]))


@dataclass(eq=False)
class Drawn:
    """A program that verifies."""

    program: Program
    text: str

    @cached_property
    def module(self) -> ir.Module:
        return ir.Module.parse(self.text)

    @property
    def function(self) -> ir.Operation:
        return self.module.body.operations[0].operation

    @cached_property
    def given(self) -> list[np.ndarray]:
        return inputs(self.program, self.function)

    @cached_property
    def results(self) -> list[tuple[object, ...]] | str:
        return computed(self.function, self.given)


@cache
def drawn(family: Callable[[], Iterator[Program]]) -> list[Drawn]:
    """The programs of a family that verify: some ops do not have some elements."""
    found = list[Drawn]()
    for number, program in enumerate(family()):
        text = program.function(f"p{number}")
        with suppress(ir.MLIRError):
            ir.Module.parse(text)
            found.append(Drawn(program, text))
    return found


@cache
def outcomes(family: Callable[[], Iterator[Program]]) -> dict[str, tuple[ir.Module, dict[Drawn, ir.Operation]]]:
    """What each pattern makes of the programs of a family with an op that it is for: those that it changes."""
    found = dict[str, tuple[ir.Module, dict[Drawn, ir.Operation]]]()
    for pattern in PATTERNS:
        is_for = cache(pattern.is_for)
        chosen = [each for each in drawn(family) if any(is_for(name) for name in each.program.ops)]
        module = ir.Module.parse("\n".join(each.text for each in chosen))
        report = Fired()
        apply_patterns(module.operation, [pattern], EXACT, report, tidies=False)
        owners = [each for each in chosen for _ in each.text.splitlines()]
        changed = {owners[line - 1] for line in report.lines}
        pairs = zip(chosen, functions(module.operation).values(), strict=True)
        found[pattern.name] = module, {each: op for each, op in pairs if each in changed}
    return found


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_results_stay(family: Callable[[], Iterator[Program]]) -> None:
    for pattern, (module, changed) in outcomes(family).items():
        assert module.operation.verify(), pattern
        for each, function in changed.items():
            if not isinstance(each.results, str):
                found = computed(function, each.given)
                assert found == each.results, f"{pattern} makes of\n{each.text}\n{function}"


def lines(family: Callable[[], Iterator[Program]]) -> Iterator[str]:
    """For each pattern that fires: of how many programs it makes something else, and a digest of what."""
    for pattern, (_, changed) in outcomes(family).items():
        if changed:
            text = "".join([f"{each.text}\n{function}\n" for each, function in changed.items()])
            digest = hashlib.sha256(text.encode()).hexdigest()[:10]
            yield f"{family.__name__} {pattern} {len(changed)} {digest}"


@newest_bindings
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_patterns_make_of_programs_what_they_made(family: Callable[[], Iterator[Program]]) -> None:
    kept = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line.startswith(family.__name__)]
    found = list(lines(family))
    changed = "\n".join([line for line in found if line not in kept])
    assert found == kept, f"if this is meant, {FILE.name} has to have these lines:\n{changed}"

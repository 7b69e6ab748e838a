"""Programs of the lit suites compute after an optimization what they computed before, and so with unknown sizes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.build import refresh_type
from stablehlo_py.bindings.bytecode import copy_of
from stablehlo_py.bindings.elements import dtype_of
from stablehlo_py.bindings.walk import functions, has_body, operations
from stablehlo_py.errors import StablehloError
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.passes.folding import FOLDS
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.report import collect
from stablehlo_py.passes.simplification import SIMPLIFICATIONS

LIT = Path(__file__).parents[2] / "lit" / "passes"
FAMILIES = ("simplify", "fold", "keeps", "edges", "aggressive")
FILES = sorted(path.name for family in FAMILIES for path in LIT.glob(f"{family}_*.mlir"))
EXACT = "optimize-float=false"
PASSES = (
    f"stablehlo-aggressive-simplification{{{EXACT}}}",
    f"stablehlo-aggressive-folder{{{EXACT} assume-no-undeclared-side-effects=true}}",
    f"stablehlo-target-independent-optimization{{{EXACT}}}",
    "stablehlo-fold-constants",
)
LIMITED = Settings(max_steps=20_000)  # some loops never end
CONTEXT = make_context(allow_unregistered_dialects=True)


def loosened(module: ir.Module) -> ir.Module:
    """The program with unknown sizes in the results of its ops and functions, wherever it is valid with them."""
    changed = copy_of(module)
    for function in functions(changed.operation).values():
        for op in operations(function)[1:]:
            for result in op.results:
                before = result.type
                if not isinstance(before, ir.RankedTensorType) or before.encoding is not None:
                    continue
                unknown = [ir.ShapedType.get_dynamic_size()] * before.rank
                result.set_type(ir.RankedTensorType.get(unknown, before.element_type, loc=op.location))
                refresh_type(function)
                try:
                    changed.operation.verify()
                except ir.MLIRError:
                    result.set_type(before)
                    refresh_type(function)
    return changed


@cache
def programs(file: str) -> list[ir.Module]:
    """The modules of a file that the bindings can read, and the same with unknown sizes."""
    found = list[ir.Module]()
    for text in (LIT / file).read_text(encoding="utf-8").split("// -----"):
        try:
            module = ir.Module.parse(text, CONTEXT)
        except ir.MLIRError:  # tests of what is not valid
            continue
        found += [module, loosened(module)]
    return found


def arguments(function: ir.Operation) -> list[np.ndarray] | None:
    """Small numbers for all tensors, of two elements along unknown sizes; None for what is no tensor."""
    types = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value).inputs
    tensors = [ir.RankedTensorType(type_) for type_ in types if isinstance(type_, ir.RankedTensorType)]
    if len(tensors) < len(types):
        return None
    numbers = np.random.default_rng(1)
    shapes = [[2 if size < 0 else size for size in tensor.shape] for tensor in tensors]
    return [
        np.asarray(numbers.integers(0, 4, shape)).astype(dtype_of(tensor.element_type))
        for shape, tensor in zip(shapes, tensors, strict=True)
    ]


def results(module: ir.Module) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    """The results of each function that runs on such arguments, with their types and bits but those of NaN."""
    for name, function in functions(module.operation).items():
        given = arguments(function) if has_body(function) else None
        if given is None:
            continue
        try:
            found = interpret(module, given, function=name, settings=LIMITED)
        except StablehloError:  # sizes that do not fit, custom calls, and loops without end
            continue
        yield name, [(each.dtype, each.shape, _bits(each)) for each in found if isinstance(each, np.ndarray)]


def _bits(array: np.ndarray) -> bytes:
    if array.dtype.kind not in "fc":
        return array.tobytes()
    return np.where(np.isnan(array), np.array(np.nan, array.dtype), array).tobytes()


Outcome = tuple[str, ir.Module, ir.Module, set[str]]


@cache
def outcomes(file: str) -> list[Outcome]:
    """Each pass, each program before and after it, and the patterns that fired."""
    found = list[Outcome]()
    for name in PASSES:
        for module in programs(file):
            changed = copy_of(module)
            with collect() as collection:
                run_pipeline(changed, f"builtin.module(func.func({name}))")
            reports = collection.reports.values()
            fired = {pattern for each in reports for pattern, record in each.patterns.items() if record.fired}
            found.append((name, module, changed, fired))
    return found


# Its functions wait for hosts and other processes.
WITHOUT_RESULTS = "aggressive_effects.mlir"


@pytest.mark.parametrize("file", [file for file in FILES if file != WITHOUT_RESULTS])
def test_results_are_those_of_before(file: str) -> None:
    before = {module: dict(results(module)) for module in programs(file)}
    assert any(before.values()), f"no function of {file} has results"
    for name, module, changed, _ in outcomes(file):
        after = dict(results(changed))
        for function, wanted in before[module].items():
            assert after.get(function) == wanted, f"@{function} of {file} after {name}:\n{changed}"


def test_each_pattern_fires_somewhere() -> None:
    fired = set[str]().union(*[each[3] for file in FILES for each in outcomes(file)])
    for module in programs("simplify_optimize_float.mlir"):
        with collect() as collection:
            run_pipeline(copy_of(module), "builtin.module(func.func(stablehlo-aggressive-simplification))")
        (report,) = collection.reports.values()
        fired |= {pattern for pattern, record in report.patterns.items() if record.fired}
    assert {each.name for each in (*SIMPLIFICATIONS, *FOLDS)} - fired == set()

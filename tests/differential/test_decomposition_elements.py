"""Every decomposition on every element type: over all values of the small types and the edges of the others."""

from __future__ import annotations

import ml_dtypes
import numpy as np
from agreement import edges_of
from rewrites import CONTEXT
from structures import bits

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.types import Kind, element_type, element_type_names
from stablehlo_py.bindings.walk import operations
from stablehlo_py.conformance.generate.texts import tensor, typed_program
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.decomposition import built_in as built_in  # registers what the test counts
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.registry import BUILT_IN

N = 0  # stands for the number of values
IMAGE, VECTOR = [4, 3, 2], [3]
NORM = "epsilon = 1.0e-2 : f32, feature_index = 1 : i64"
# The shapes of operands and results, attributes, and by how many epsilons of the element type a result may differ.
PROGRAMS = {
    "stablehlo.batch_norm_grad": ([IMAGE, VECTOR, VECTOR, VECTOR, IMAGE], [IMAGE, VECTOR, VECTOR], NORM, 8),
    "stablehlo.batch_norm_inference": ([IMAGE, VECTOR, VECTOR, VECTOR, VECTOR], [IMAGE], NORM, 0),
    "stablehlo.batch_norm_training": ([IMAGE, VECTOR, VECTOR], [IMAGE, VECTOR, VECTOR], NORM, 8),
    "stablehlo.broadcast": ([VECTOR], [[2, 4, 3]], "broadcast_sizes = array<i64: 2, 4>", 0),
    "stablehlo.clamp": ([[N], [N], [N]], [[N]], "", 0),
    "stablehlo.dot": ([[2, 3], [3, 4]], [[2, 4]], "", 0),
    "stablehlo.einsum": ([[2, 3], [3, 4]], [[2, 4]], 'einsum_config = "ij,jk->ik"', 0),
    "stablehlo.logistic": ([[N]], [[N]], "", 1),
    "stablehlo.tan": ([[N]], [[N]], "", 4),
}
INTEGRAL = ("broadcast", "clamp", "dot", "einsum")
ELEMENTS = [name for name in element_type_names() if name != "index" and not name.startswith("si")]


def program(op: str, element: str, count: int) -> ir.Module | None:
    """A program of one op, if the op takes elements of the type."""
    operands, results, attributes, _ = PROGRAMS[op]
    types = [[tensor([size or count for size in shape], element) for shape in shapes] for shapes in (operands, results)]
    names = ", ".join(f"%{index}" for index in range(len(operands)))
    try:
        return ir.Module.parse(typed_program(*types, f'"{op}"({names}) {{{attributes}}}'), CONTEXT)
    except ir.MLIRError:
        return None


def is_near(found: np.ndarray, expected: np.ndarray, epsilons: int) -> bool:
    """Whether an array is another one, but for some roundings. What is rounded up to infinity counts as the largest."""
    if epsilons == 0:
        return bits(found) == bits(expected)
    info = ml_dtypes.finfo(expected.real.dtype)
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    limits = {"nan": 0.0, "posinf": float(info.max), "neginf": float(info.min)}
    left, right = (np.nan_to_num(array.astype(wide), **limits) for array in (found, expected))
    allowed = epsilons * float(info.eps) * np.maximum(np.abs(right), 1)
    if expected.dtype.kind == "c":  # near a pole the quotient enlarges the rounding of its denominator by the result
        allowed *= np.maximum(np.abs(right), 1)
    return np.array_equal(np.isnan(found), np.isnan(expected)) and bool(np.all(np.abs(left - right) <= allowed))


def operands_of(op: str, element: str, generator: np.random.Generator) -> list[np.ndarray]:
    """All values for one vector, random ones for several; numbers near one where sums are rounded on the way."""
    values = edges_of(element)
    shapes, _, _, epsilons = PROGRAMS[op]
    if shapes == [[N]]:
        return [values]
    if epsilons:
        return [generator.uniform(0.5, 1.5, shape).astype(values.dtype) for shape in shapes]
    return [generator.choice(values, [size or 4096 for size in shape]) for shape in shapes]


def test_every_decomposition_has_a_program() -> None:
    found = {op for kind, op, _ in BUILT_IN.registrations if kind == "decomposition"}
    assert found == set(PROGRAMS)


def test_no_decomposition_changes_a_value_but_by_rounding() -> None:
    wrong: list[str] = []
    seen: set[tuple[str, Kind]] = set()
    generator = np.random.default_rng(1)
    for op, element in ((op, element) for op in PROGRAMS for element in ELEMENTS):
        operands = operands_of(op, element, generator)
        module = program(op, element, len(operands[0]))
        if module is None:
            continue
        run_pipeline(module, "builtin.module(stablehlo-decompose)")
        if any(inner.name == op for inner in operations(module.operation)):
            continue
        seen.add((op, element_type(element).kind))
        reference = program("stablehlo.dot" if op == "stablehlo.einsum" else op, element, len(operands[0]))
        assert reference is not None
        for found, expected in zip(interpret(module, operands), interpret(reference, operands), strict=True):
            if not is_near(np.asarray(found), np.asarray(expected), PROGRAMS[op][3]):
                wrong.append(f"{op} on {element}: {expected} became {found}")
    assert not wrong, "\n".join(wrong)
    assert {op for op, kind in seen if kind is Kind.FLOAT} == set(PROGRAMS)
    assert {op for op, kind in seen if kind is Kind.SIGNED} == {f"stablehlo.{name}" for name in INTEGRAL}

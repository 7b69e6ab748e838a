"""The cases beside the library functions, as Python, compiled, and as programs for the official verifier and
inference."""

from __future__ import annotations

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.op_signatures import op_names
from stablehlo_py.passes.hlo_test.infer import inferred_types
from stablehlo_py.shapes.library import library
from stablehlo_py.shapes.refinement.reification import STRUCTURAL
from stablehlo_py.shapes.registry import ErrorInvocation, Invocation
from stablehlo_py.shapes.signatures import SHAPE
from stablehlo_py.testing.cases import failures, program_text

WITHOUT_RESULTS = {"stablehlo.return"}
# No case can be written as a lone op: the future's type and the started computation depend on each other.
WITHOUT_CASES = {"stablehlo.async_start", "stablehlo.async_done"}
WITHOUT_FUNCTIONS = WITHOUT_RESULTS | STRUCTURAL  # refinement walks the regions of structural ops
OPS = [name for dialect in ("stablehlo", "chlo") for name in op_names(dialect) if name not in WITHOUT_FUNCTIONS]


@pytest.fixture(scope="module")
def context() -> ir.Context:
    return make_context()


def invocations(op: str) -> tuple[Invocation, ...]:
    library_function = library().find(SHAPE, op)
    return () if library_function is None else library_function.registration.cases


def test_every_op_has_both_functions():
    assert [(op, kind) for op in OPS for kind in ("shape", "dtype") if library().find(kind, op) is None] == []


@pytest.mark.parametrize("op", sorted(STRUCTURAL))
def test_no_function_that_nothing_would_call(op):
    assert library().functions(op=op) == []


def test_every_op_has_a_case():
    without = {op for op in OPS if all(isinstance(case, ErrorInvocation) for case in invocations(op))}
    assert without <= set(WITHOUT_CASES)


def test_every_case_that_is_accepted_says_what_comes_out():
    accepted = [(op, case) for op in OPS for case in invocations(op) if not isinstance(case, ErrorInvocation)]
    assert [(op, case.operands) for op, case in accepted if not case.returns] == []


@pytest.mark.parametrize("op", OPS)
def test_cases_hold_in_python_and_compiled(op, context):
    with context, ir.Location.unknown():
        found = [
            text
            for library_function in library().functions(op=op)
            for text in failures(library(), library_function, context)
        ]
    assert found == []


def is_refined(ours: ir.Type, official: ir.Type) -> bool:
    """Whether our type is the official one, or the official one with unknown sizes filled in."""
    if ours == official or not isinstance(official, ir.RankedTensorType):
        return ours == official
    ours = ir.RankedTensorType(ours)
    dynamic = ir.ShapedType.get_dynamic_size()
    pairs = zip(ours.shape, official.shape, strict=True)
    return ours.element_type == official.element_type and all(theirs in (dynamic, mine) for mine, theirs in pairs)


ACCEPTED = [
    pytest.param(op, case, id=f"{op}-{i}")
    for op in OPS
    for i, case in enumerate(invocations(op))
    if not isinstance(case, ErrorInvocation)
]
REJECTED = [
    pytest.param(op, case, id=f"{op}-{i}")
    for op in OPS
    for i, case in enumerate(invocations(op))
    if isinstance(case, ErrorInvocation)
]


@pytest.mark.parametrize(("op", "case"), ACCEPTED)
def test_the_official_verifier_accepts_what_a_case_says(op, case, context):
    with context, ir.Location.unknown():
        module = ir.Module.parse(program_text(op, case))
        function = module.body.operations[1]
        operation = next(
            view.operation for view in function.regions[0].blocks[0].operations if view.operation.name == op
        )
        official = inferred_types(operation)
        if official is not None:
            pairs = zip(official, operation.results, strict=True)
            assert all(is_refined(result.type, type_) for type_, result in pairs), [str(type_) for type_ in official]


@pytest.mark.parametrize(("op", "case"), REJECTED)
def test_the_official_verifier_rejects_what_an_error_case_says(op, case, context):
    if case.accepted_officially:
        with context:
            ir.Module.parse(program_text(op, case))
        return
    with context, pytest.raises(ir.MLIRError):
        ir.Module.parse(program_text(op, case))

"""What is told of library functions that do not do what their cases say, and golden values of other types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from parsed import shared_context

from stablehlo_py import ops
from stablehlo_py.bindings import ir
from stablehlo_py.shapes.language import DType, Shape
from stablehlo_py.shapes.library import Library, LibraryFunction, library
from stablehlo_py.shapes.registry import ErrorInvocation, Invocation, collecting, dtype_function, shape_function
from stablehlo_py.shapes.registry import cases as registered_cases
from stablehlo_py.testing import cases
from stablehlo_py.testing.golden import golden


def of_kind(op: str, kind: str) -> LibraryFunction:
    (found,) = [one for one in library().functions(op=f"stablehlo.{op}") if one.registration.kind == kind]
    return found


def told(
    op: str, kind: str, monkeypatch: pytest.MonkeyPatch, python: Callable[..., Any], compiled: Callable[..., Any]
) -> list[str]:
    """What is told where a function answers so as Python and compiled."""
    monkeypatch.setattr(cases.CaseOp, "run_python", python)
    monkeypatch.setattr(cases.CaseOp, "run_compiled", compiled)
    context = shared_context()
    with context, ir.Location.unknown():
        return list(cases.failures(library(), of_kind(op, kind), context))


def right(case: Any) -> Any:
    return case.expected()


def rejects(case: Any) -> Any:
    raise AssertionError("no such thing")


@pytest.mark.parametrize("op", ["transpose", "cholesky", "batch_norm_training"])
@pytest.mark.parametrize("kind", ["shape", "dtype"])
def test_each_case_is_held_against_what_it_says(op: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = of_kind(op, kind)
    known = of_kind(op, "shape").registration.cases
    errors = [case for case in known if isinstance(case, ErrorInvocation)]
    sound = [case for case in known if not isinstance(case, ErrorInvocation)]
    assert errors
    assert sound
    counted = len(errors) if kind == "shape" else 0  # only shape functions reject
    lines = told(op, kind, monkeypatch, right, right)
    compiled = [line for line in lines if line.startswith(f"{function.symbol} (compiled): ")]
    assert len(compiled) == counted, lines
    assert all(" is accepted and gives [" in line for line in lines)
    for line, case in zip(compiled, errors, strict=False):
        assert line.startswith(f"{function.symbol} (compiled): {case.operands} {dict(case.attributes)} is accepted")
    lines = told(op, kind, monkeypatch, rejects, rejects)
    compiled = [line for line in lines if "(compiled)" in line]
    assert len(compiled) == len(sound) + counted
    for line in compiled:
        case = next(one for one in known if f"{one.operands} {dict(one.attributes)} is rejected" in line)
        if isinstance(case, ErrorInvocation):
            assert line.endswith(f"is rejected with 'no such thing', not '{case.match}'")
        else:
            assert line.endswith("is rejected: no such thing")
    assert {line.partition(" (")[0] for line in lines} == {function.symbol}


@pytest.mark.parametrize("wrong", ["python", "compiled"])
@pytest.mark.parametrize("op", ["abs", "concatenate", "pad"])
def test_the_world_that_is_wrong_is_named(op: str, wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def nine(_: Any) -> Any:
        return [[9]]

    worlds = (nine, right) if wrong == "python" else (right, nine)
    lines = [line for line in told(op, "shape", monkeypatch, *worlds) if " gives [[9]], not [[" in line]
    assert lines
    assert all(line.startswith(f"stablehlo.{op}.shape ({wrong}): ") for line in lines)
    known = of_kind(op, "shape").registration.cases
    sound = [case for case in known if not isinstance(case, ErrorInvocation)]
    assert len(lines) == len(sound) if wrong == "compiled" else 0 < len(lines) <= len(sound)


@pytest.mark.parametrize(
    "op", ["abs", "batch_norm_training", "rng_bit_generator", "batch_norm_grad", "cholesky", "concatenate"]
)
@pytest.mark.parametrize("allows", [True, False])
def test_the_op_of_a_case_has_all_its_results_and_leaves_the_context_as_it_is(op: str, allows: bool) -> None:
    function, context = of_kind(op, "shape"), shared_context()
    before = context.allow_unregistered_dialects
    try:
        context.allow_unregistered_dialects = allows
        with context, ir.Location.unknown():
            for case in function.registration.cases:
                made = cases.CaseOp(library(), function, case, context)
                assert context.allow_unregistered_dialects == allows
                count = len(case.returns) if case.returns else max(len(function.type.parts), 1)
                assert len(made.expected()) == count, case.operands
    finally:
        context.allow_unregistered_dialects = before


@pytest.mark.parametrize("op", ["abs", "all_gather", "set_dimension_size", "concatenate", "iota", "dynamic_iota"])
def test_a_case_is_static_where_all_its_sizes_are_known(op: str) -> None:
    function, context = of_kind(op, "shape"), shared_context()
    with context, ir.Location.unknown():
        for case in function.registration.cases:
            written = str((case.operands, case.returns))
            assert cases.CaseOp(library(), function, case, context).is_static == ("?" not in written), written


def own_library(shape: Callable[..., Any], dtype: Callable[..., Any]) -> Library:
    """A library with functions of a custom call `mine`, and a function of custom calls without cases."""
    with collecting() as found:
        for target in ("mine", "other"):
            shape_function("stablehlo.custom_call", target=target)(shape if target == "mine" else without_cases)
            dtype_function("stablehlo.custom_call", target=target)(dtype)
    return Library.of([found])


def without_cases(x: Shape) -> Shape:
    return x


@registered_cases(
    Invocation("4x3xf32", rows=2, returns="2x3xf32"),
    ErrorInvocation("1x3xf32", rows=2, match="has [01] row"),
)
def first_rows(x: Shape, rows: int) -> Shape:
    assert rows <= x[0], f"the operand has {x[0]} rows"
    return [rows, x[1]]


@registered_cases(
    Invocation("4x3xf32", rows=2, returns="2x2xf32"),
    ErrorInvocation("1x3xf32", rows=2, match="^has 1 row"),
)
def wrong_rows(x: Shape, rows: int) -> Shape:
    assert rows <= x[0], f"the operand has {x[0]} rows"
    return [rows, x[1]]


def same_element(x: DType) -> DType:
    return x


def other_element(x: DType) -> DType:
    return x + 1


def test_functions_of_a_target_are_held_against_the_cases_of_that_target() -> None:
    context = shared_context()

    def told_of(shape: Callable[..., Any], dtype: Callable[..., Any], target: str = "mine") -> list[str]:
        own = own_library(shape, dtype)
        with context, ir.Location.unknown():
            found = [own.find(kind, "stablehlo.custom_call", target) for kind in ("shape", "dtype")]
            return [line for one in found if one is not None for line in cases.failures(own, one, context)]

    assert told_of(first_rows, same_element) == []
    assert told_of(first_rows, other_element, "other") == []
    worlds = ("python", "compiled")
    call = "stablehlo.custom_call"
    lines = [line.replace("\nassert 2 <= 1", "") for line in told_of(wrong_rows, same_element)]
    assert lines == [
        *[f"{call}.shape.mine ({w}): ('4x3xf32',) {{'rows': 2}} gives [[2, 3]], not [[2, 2]]" for w in worlds],
        *[
            f"{call}.shape.mine ({w}): ('1x3xf32',) {{'rows': 2}} is rejected with 'the operand has 1 rows', not "
            "'^has 1 row'"
            for w in worlds
        ],
    ]  # fmt: skip
    lines = told_of(first_rows, other_element)
    assert [line.partition(" gives ")[0] for line in lines] == [
        f"{call}.dtype.mine ({w}): ('4x3xf32',) {{'rows': 2}}" for w in worlds
    ]


@pytest.mark.parametrize(
    ("function", "arguments", "off"),
    [
        (lambda x: ops.convert(x, result_type="f64"), [np.float32([0.5, 1])], 1e-12),
        (lambda x: ops.convert(x, result_type="f32"), [np.float64([0.1, 1])], 1e-6),
        (lambda p, x, y: ops.select(p, x, y), [np.array([True, False]), np.float32([1, 2]), np.float32([3, 4])], 1e-6),
        (lambda x, y: ops.compare(x, y, comparison_direction="LT"), [np.float32([1, 2]), np.float32([2, 1])], None),
        (lambda x: ops.real(x), [np.complex64([1 + 2j, 3])], 1e-6),
    ],
)
def test_golden_values_are_of_the_types_of_results(
    function: Any, arguments: list[np.ndarray], off: float | None
) -> None:
    found = golden(function, arguments)
    (value,) = found.values
    assert len(found.allowed) == 1
    found.check(value)
    wrong = ~value if off is None else (value + off).astype(value.dtype)
    with pytest.raises(AssertionError, match=r"result 0: [12] of 2 elements are not permitted"):
        found.check(wrong)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return %a : tensor<2xf32>", [1, 2]),
        ("%c = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32> return %c : tensor<2xf32>", [3, 4]),
        ("%c = stablehlo.constant dense<3.0> : tensor<2xf32> %0 = stablehlo.add %a, %c : tensor<2xf32> "
         "%1 = stablehlo.add %0, %c : tensor<2xf32> return %1 : tensor<2xf32>", [7, 8]),
    ],
)  # fmt: skip
def test_golden_values_of_no_op_and_of_several_are_held_against_rounding(body: str, expected: list[float]) -> None:
    found = golden(f"func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {{ {body} }}", [np.float32([1, 2])])
    assert (found.allowed, [value.tolist() for value in found.values]) == ((), [expected])
    found.check(np.float32(expected))
    with pytest.raises(AssertionError, match=r"^result 0: 2 of 2 elements are not permitted \("):
        found.check(np.float32(expected) + 1)

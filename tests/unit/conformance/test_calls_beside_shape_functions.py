"""Cases that are made of the calls beside a shape function: which calls, of which operands, with which results."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from stablehlo_py.conformance.cases import derived
from stablehlo_py.conformance.catalog import Draw
from stablehlo_py.interpreter.program import Program
from stablehlo_py.shapes.registry import ErrorInvocation, Invocation
from stablehlo_py.syntax import parse

TAKEN = Invocation("2x3xf32"), Invocation("f32"), Invocation("?x2xf64", "0xbf16"), Invocation()
LEFT = (
    Invocation("!stablehlo.token"),
    Invocation("f32", "!stablehlo.token"),
    Invocation(["2xf32", "2xf32"]),
    Invocation("2x?x!quant.uniform<i8:f32, 2.0>"),
    Invocation("2xcomplex<f32>"),
    ErrorInvocation("2xf32", match="no"),
)


def given(monkeypatch: pytest.MonkeyPatch, *calls: Invocation) -> None:
    """Let these be the calls beside the shape function of every op that starts with `s`."""
    found = SimpleNamespace(registration=SimpleNamespace(cases=calls))
    known = SimpleNamespace(
        find=lambda kind, op: found if (kind, op[:11]) == ("shape", "stablehlo.s") else None,
    )
    monkeypatch.setattr(derived, "library", lambda: known)


def test_calls_on_tensors_that_are_accepted_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, LEFT[0], *TAKEN, *LEFT[1:])
    assert derived._calls("sine") == [*TAKEN]
    assert derived._calls("tanh") == []
    assert list(derived.derived("tanh", Draw())) == []


def test_each_call_is_made_of_each_element_type_that_the_op_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Invocation("2x?xf32"), Invocation("f32"), Invocation("0x3xi1"))
    found = list(derived.derived("sine", Draw(types=("f32", "i8", "f64"))))
    assert [(case.type, case.inputs[0].shape, case.parameters) for case in found] == [
        ("f32", (2, 2), ("tensor<2x2xf32>",)),
        ("f64", (2, 2), ("tensor<2x2xf64>",)),
        ("f32", (), ("tensor<f32>",)),
        ("f64", (), ("tensor<f64>",)),
        ("f32", (0, 3), ("tensor<0x3xf32>",)),
        ("f64", (0, 3), ("tensor<0x3xf64>",)),
    ]
    for case in found:
        assert (case.op, case.kind, case.source) == ("sine", "call", "the definition of this package")
        (expected,), (argument,) = case.expected, case.inputs
        assert expected.element == case.type
        assert expected.value is not None
        (result,) = Program(parse(case.module)).run([argument])
        assert np.asarray(result).tobytes() == expected.value.tobytes()
        with np.errstate(invalid="ignore"):  # of infinities
            sines = np.sin(argument)
        np.testing.assert_allclose(expected.value, sines, rtol=1e-5, atol=1e-300)


def test_attributes_of_a_call_are_those_of_the_op(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Invocation("3x4xf32", start_indices=[1, 0], limit_indices=[3, 4], strides=[1, 2]))
    (case,) = derived.derived("slice", Draw(types=("i32",)))
    assert case.expected[0].value is not None
    assert case.expected[0].value.tolist() == case.inputs[0][1:3, 0:4:2].tolist()
    given(monkeypatch, Invocation("3x4xf32", start_indices=[1, 0], limit_indices=[3, 5], strides=[1, 2]))
    assert list(derived.derived("slice", Draw(types=("i32",)))) == [], "the verifier refuses it"


def test_several_operands_are_drawn_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Invocation("8xi32", "8xi32"))
    ((one,), (again,), (other,)) = (
        list(derived.derived("subtract", Draw(seed=seed, types=("i32",)))) for seed in (1, 1, 2)
    )
    first, second = one.inputs
    assert first.tolist() != second.tolist()
    assert one.parameters == ("tensor<8xi32>",) * 2
    assert one.expected[0].value is not None
    assert one.expected[0].value.tolist() == (first - second).tolist()
    assert [each.tolist() for each in again.inputs] == [each.tolist() for each in one.inputs]
    assert [each.tolist() for each in other.inputs] != [each.tolist() for each in one.inputs]


@pytest.mark.parametrize("element", ["i8", "f32", "f4E2M1FN"])
def test_calls_of_the_library_itself(element: str) -> None:
    (case,) = derived.derived("transpose", Draw(types=(element,)))
    (call,) = derived._calls("transpose")
    (argument,) = case.inputs
    assert argument.shape == (2, 3, 2)
    assert case.expected[0].value is not None
    assert np.array_equal(
        case.expected[0].value, np.transpose(argument, call.attributes["permutation"]), equal_nan=True
    )

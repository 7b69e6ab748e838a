"""IREE as an engine: arrays of all kinds pass through, what it lacks is unsupported, and it is named if missing."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from stablehlo_py.engines import open_engine
from stablehlo_py.engines.iree import _first_error, backend
from stablehlo_py.errors import UsageError

HAS_IREE = importlib.util.find_spec("iree") is not None
needs_iree = pytest.mark.skipif(not HAS_IREE, reason="IREE is not installed (the extra `iree`)")


@pytest.mark.skipif(HAS_IREE, reason="IREE is installed")
def test_the_extra_is_named():
    with pytest.raises(UsageError, match="IREE is not installed") as caught:
        backend()
    assert "stablehlo-py[iree]" in caught.value.notes[0]


@pytest.mark.parametrize("option", ["target", "what=1"])
@needs_iree
def test_unknown_options_are_refused(option):
    with pytest.raises(UsageError, match=r"expected KEY=VALUE|unknown option"):
        backend(option)


def test_the_first_error_is_shown_without_the_temporary_file():
    printed = (
        "warning: slow\n/tmp/x/module.mlir:4:10: error: failed to legalize operation 'a.b'\n  %0 = a.b\nerror: more"
    )
    assert _first_error(printed) == "failed to legalize operation 'a.b'"
    assert _first_error("\nAssertion failed.\n #0 a stack") == "Assertion failed."
    assert _first_error("") == "nothing was printed"


@needs_iree
def test_arrays_of_all_kinds_pass_through():
    types = {"i4": "int4", "ui8": "uint8", "i1": "bool", "f32": "float32", "complex<f32>": "complex64"}
    arguments = [np.array([0, 1, 3, 2]).astype(dtype) for dtype in types.values()]
    parameters = ", ".join(f"%{n}: tensor<4x{name}>" for n, name in enumerate(types))
    results, values = (", ".join(each) for each in ([f"tensor<4x{name}>" for name in types],
                                                    [f"%{n}" for n in range(len(types))]))  # fmt: skip
    text = f"func.func @main({parameters}) -> ({results}) {{ return {values} : {results} }}"
    with open_engine("iree") as engine:
        outcome = engine.run(text.encode(), arguments)
        unknown = engine.run(b"func.func @main(%a: tensor<f32>) -> tensor<f32> {"
                             b" %0 = stablehlo.custom_call @none(%a) : (tensor<f32>) -> tensor<f32>"
                             b" return %0 : tensor<f32> }", [np.float32(1)])  # fmt: skip
    assert outcome.ok, outcome
    for given, result in zip(arguments, outcome.results, strict=True):
        assert result.dtype == given.dtype
        assert np.array_equal(result, given)
    assert unknown.status == "unsupported"

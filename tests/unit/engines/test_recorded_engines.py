"""Outcomes that are kept in a folder are the same when they are taken from there."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from speeds import later

from stablehlo_py.engines import open_engine

TEXT = b"""func.func @main(%a: tensor<2x3x{e}>, %b: tensor<{e}>) -> (tensor<3x2x{e}>, tensor<{e}>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3x{e}>) -> tensor<3x2x{e}>
  return %0, %b : tensor<3x2x{e}>, tensor<{e}>
}"""


@pytest.mark.parametrize(
    ("element", "dtype"),
    [("bf16", ml_dtypes.bfloat16), later("f32", np.float32), later("i4", ml_dtypes.int4), later("i1", bool)],
)
def test_what_is_kept_comes_back(tmp_path, element, dtype):
    module = TEXT.replace(b"{e}", element.encode())
    arguments = [np.arange(6).reshape(2, 3).astype(dtype), np.asarray(1, dtype)]
    with open_engine("reference", folder=tmp_path) as engine:
        first = engine.run(module, arguments)
        (file,) = tmp_path.iterdir()
        second = engine.run(module, arguments)
        assert [file] == list(tmp_path.iterdir())
        other = engine.run(module, [arguments[0], np.asarray(0, dtype)])
    assert len(list(tmp_path.iterdir())) == 2
    assert first.run_seconds == second.run_seconds
    for a, b, type_ in zip(first.results, second.results, (dtype, dtype), strict=True):
        assert a.dtype == b.dtype == type_
        np.testing.assert_array_equal(a, b)
    assert other.results[1] == 0


def test_a_failure_is_kept(tmp_path):
    with open_engine("reference", folder=tmp_path) as engine:
        first = engine.run(b"not a program", [])
        assert first == engine.run(b"not a program", [])
    assert first.status == "rejected"
    assert len(list(tmp_path.iterdir())) == 1

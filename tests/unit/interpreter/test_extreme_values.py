"""The index of the largest value found at once is the one that a body finds pair by pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bits import assert_same_bits
from parsed import parsed
from speeds import later

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter.fast import reduction
from stablehlo_py.interpreter.program import Program
from stablehlo_py.interpreter.settings import Settings

BODIES = {
    "first largest, as JAX has it": (
        """%g = stablehlo.compare GT, %a, %b : (V, V) -> tensor<i1>
        %n = stablehlo.compare NE, %a, %a : (V, V) -> tensor<i1>
        %p = stablehlo.or %g, %n : tensor<i1>
        %e = stablehlo.compare EQ, %a, %b : (V, V) -> tensor<i1>
        %l = stablehlo.compare LT, %i, %j : (I, I) -> tensor<i1>
        %s = stablehlo.and %e, %l : tensor<i1>
        %q = stablehlo.or %p, %s : tensor<i1>
        %v = stablehlo.select %p, %a, %b : tensor<i1>, V
        %k = stablehlo.select %q, %i, %j : tensor<i1>, I""",
        True,
    ),
    "first smallest": (
        """%p = stablehlo.compare LE, %a, %b : (V, V) -> tensor<i1>
        %v = stablehlo.select %p, %a, %b : tensor<i1>, V
        %e = stablehlo.compare EQ, %a, %b : (V, V) -> tensor<i1>
        %l = stablehlo.compare LT, %i, %j : (I, I) -> tensor<i1>
        %m = stablehlo.select %l, %i, %j : tensor<i1>, I
        %c = stablehlo.select %p, %i, %j : tensor<i1>, I
        %k = stablehlo.select %e, %m, %c : tensor<i1>, I""",
        True,
    ),
    "last largest": (
        """%p = stablehlo.compare GT, %a, %b : (V, V) -> tensor<i1>
        %v = stablehlo.select %p, %a, %b : tensor<i1>, V
        %k = stablehlo.select %p, %i, %j : tensor<i1>, I""",
        False,
    ),
    "indices that are computed": (
        """%p = stablehlo.compare GE, %a, %b : (V, V) -> tensor<i1>
        %v = stablehlo.select %p, %a, %b : tensor<i1>, V
        %m = stablehlo.or %i, %j : I
        %k = stablehlo.select %p, %i, %m : tensor<i1>, I""",
        False,
    ),
}


def program(body: str, shape: str, element: str) -> str:
    v, i, lanes = f"tensor<{element}>", "tensor<i32>", shape.partition("x")[2]
    reduced = f"tensor<{lanes}{element}>", f"tensor<{lanes}i32>"
    t = f"tensor<{shape}{element}>", f"tensor<{shape}i32>"
    return f"""func.func @main(%x: {t[0]}, %y: {t[1]}, %f: {v}, %o: {i}) -> ({reduced[0]}, {reduced[1]}) {{
      %r:2 = "stablehlo.reduce"(%x, %y, %f, %o) ({{^bb0(%a: {v}, %i: {i}, %b: {v}, %j: {i}):
        {body.replace("V", v).replace("I", i)}
        stablehlo.return %v, %k : {v}, {i}
      }}) {{dimensions = array<i64: 0>}} : ({t[0]}, {t[1]}, {v}, {i}) -> ({reduced[0]}, {reduced[1]})
      return %r#0, %r#1 : {reduced[0]}, {reduced[1]}
    }}"""


@pytest.mark.parametrize("element", ["f32", later("f16"), "i8", later("ui32")])
@pytest.mark.parametrize("name", BODIES)
def test_places(name: str, element: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of values of which many are equal, with zeros of both signs and NaN, and of indices in any order."""
    body, is_known = BODIES[name]
    random, dtype, found_at_once = np.random.default_rng(0), element_type(element).dtype, 0
    at_extreme = reduction.at_extreme

    def counted(*operands: Any) -> Any:
        nonlocal found_at_once
        result = at_extreme(*operands)
        found_at_once += result is not None
        return result

    monkeypatch.setattr(reduction, "at_extreme", counted)
    for shape in ((50,), (1,), (33, 4), (2, 3)):
        text = program(body, "".join(f"{size}x" for size in shape), element)
        for case in range(12):
            values = random.integers(0, 9 if case < 6 else 3, shape).astype(dtype)
            if dtype.kind == "f":
                values = np.negative(values) if case % 3 == 0 else values
                values[random.random(shape) < (0.1 if case % 4 == 0 else 0)] = np.nan
            indices = np.indices(shape)[0].astype(np.int32)
            indices = random.permutation(indices) if case % 5 == 4 else indices
            arguments = [values, indices, np.array(0, dtype), np.array(0, np.int32)]
            results = []
            for fast in (True, False):
                results.append(Program(parsed(text), Settings(fast=fast)).run(arguments))
            for fast, slow in zip(*results, strict=True):
                assert_same_bits(fast, slow, f"of {arguments[0].tolist()} at {arguments[1].tolist()}")
    assert found_at_once > 10 if is_known else not found_at_once

"""Shape and dtype functions on sizes from the specification: what each bound lets through, and what it refuses.

The file beside this one has a call on each line. `=>` stands before the result, `!!` before what is said.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from stablehlo_py.bindings.dimension_numbers import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    RaggedDotDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablehlo_py.shapes.element_types import CODES, QUANTIZED, UNKNOWN

# The words of the file: codes of element types, and dimension numbers.
NAMES: dict[str, Any] = {name.upper(): code for name, code in CODES.items() if name.isalnum()}
NAMES |= {"C64": CODES["complex<f32>"], "C128": CODES["complex<f64>"], "TOKEN": CODES["!stablehlo.token"]}
NAMES |= {"QUANTIZED": QUANTIZED, "UNKNOWN": UNKNOWN, "Q": QUANTIZED + CODES["i8"] * 64 + CODES["f32"]}
NAMES |= {
    "Dot": DotDimensionNumbers,
    "Ragged": RaggedDotDimensionNumbers,
    "Gather": GatherDimensionNumbers,
    "Scatter": ScatterDimensionNumbers,
    "NHWC": ConvDimensionNumbers(0, 3, [1, 2], 2, 3, [0, 1], 0, 3, [1, 2]),
    "NCW": ConvDimensionNumbers(0, 1, [2], 1, 0, [2], 1, 2, [0]),
    "EMBED": GatherDimensionNumbers([1], [0], [], [], [0], 1),
    "BATCHED": GatherDimensionNumbers([2], [1], [0], [1], [1], 2),
    "ADDED": ScatterDimensionNumbers([1], [0], [], [], [0], 1),
    "ADDED_BATCH": ScatterDimensionNumbers([2], [1], [0], [1], [1], 2),
}
LINES = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", [line for line in LINES if line and not line.startswith("#")])
def test_a_function_returns_or_refuses(line: str) -> None:
    call, arrow, said = line.rpartition(" => ") if " => " in line else line.partition(" !! ")
    module, _, expression = call.partition(".")
    names = {**vars(import_module(f"stablehlo_py.shapes.functions.{module}")), **NAMES}
    if arrow == " => ":
        assert eval(expression, names) == eval(said, names)
        return
    with pytest.raises(AssertionError) as raised:
        eval(expression, names)
    assert str(raised.value).startswith(said)

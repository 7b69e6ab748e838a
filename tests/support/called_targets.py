"""Programs of one custom call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from parsed import parsed

from stablehlo_py.interpreter.program import Program

ELEMENTS = {"f": "f32", "d": "f64", "F": "complex<f32>", "D": "complex<f64>", "i": "i32", "B": "ui8", "I": "ui32"}


def type_of(array: Any) -> str:
    element = ELEMENTS[array.dtype.char]
    return "tensor<" + "".join(f"{size}x" for size in array.shape) + element + ">"


def layout(array: Any) -> str:
    """Column-major matrices for batches of them, row-major vectors."""
    rank = array.ndim
    order = [rank - 2, rank - 1, *range(rank - 3, -1, -1)] if rank > 2 else [*range(rank - 1, -1, -1)]
    return f"dense<{order or ''}> : tensor<{rank}xindex>"


def call(
    target: str, operands: Sequence[Any], results: Sequence[Any], attributes: str = "", layouts: bool = True
) -> list[Any]:
    """What the call returns; `results` are arrays of the results' types."""
    operands = [np.asarray(operand) for operand in operands]
    arguments = ", ".join(f"%{index}: {type_of(operand)}" for index, operand in enumerate(operands))
    types = ", ".join(type_of(operand) for operand in operands)
    outputs = ", ".join(type_of(result) for result in results)
    if layouts:
        inputs, outs = [", ".join(map(layout, arrays)) for arrays in (operands, results)]
        attributes += f", operand_layouts = [{inputs}], result_layouts = [{outs}]"
    names = ", ".join(f"%r#{index}" for index in range(len(results)))
    values = ", ".join(f"%{index}" for index in range(len(operands)))
    text = f"""
    func.func @main({arguments}) -> ({outputs}) {{
      %r:{len(results)} = stablehlo.custom_call @{target}({values})
        {{{attributes.lstrip(", ")}}} : ({types}) -> ({outputs})
      return {names} : {outputs}
    }}"""
    return Program(parsed(text)).run(operands)

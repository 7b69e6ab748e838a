"""Programs in double precision: every float becomes f64, every complex number complex<f64>.

Integers, booleans and quantized types stay. Constants keep the values that they have in their own type. Ops whose
meaning is tied to the bits of a narrower type (`bitcast_convert`, random bits) cannot be widened.
"""

from __future__ import annotations

import re

import numpy as np

from ..bindings import ir
from ..bindings.types import Kind, dtype_name, element_type
from ..errors import UnsupportedOpError

_TENSOR = re.compile(r"tensor<((?:[\d?]+x)*)(complex<(?:f32|f64)>|f\d\w*|bf16|tf32)(?=[,>])")
_CONSTANT = re.compile(r'^(\s*)(%\w+) = "stablehlo\.constant"\(\)(.*) : \(\) -> (\S.*)$')
_TIED_TO_BITS = re.compile(r'"(stablehlo\.(?:bitcast_convert|rng|rng_bit_generator|custom_call|reduce_precision))"')
_TRAILING_LOCATION = re.compile(r" loc\((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\([^()]*\))*\)$")


def widen_array(array: np.ndarray) -> np.ndarray:
    """An argument of the program before, as one of the widened program."""
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    is_float = element_type(dtype_name(array.dtype)).kind is Kind.FLOAT
    return array.astype(np.float64) if is_float else array


def _widened_types(text: str) -> str:
    def wide(found: re.Match[str]) -> str:
        element = "complex<f64>" if found[2].startswith("complex") else "f64"
        return f"tensor<{found[1]}{element}"

    return _TENSOR.sub(wide, text)


def _widened_line(line: str) -> str:
    constant = _CONSTANT.match(line)
    if constant is None:
        return _widened_types(line)
    indent, name, attributes, type_ = constant.groups()
    wide = _widened_types(type_)
    if wide == type_:
        return line
    return (
        f'{indent}%narrow_{name[1:]} = "stablehlo.constant"(){attributes} : () -> {type_}\n'
        f'{indent}{name} = "stablehlo.convert"(%narrow_{name[1:]}) : ({_TRAILING_LOCATION.sub("", type_)}) -> {wide}'
    )


def widened(module: ir.Module) -> ir.Module:
    """Return the module in double precision, in the same context.

    Raises:
        UnsupportedOpError: An op is tied to the bits of its type.
    """
    text: str = module.operation.get_asm(print_generic_op_form=True)  # pyright: ignore[reportAssignmentType]
    tied = _TIED_TO_BITS.search(text)
    if tied is not None:
        raise UnsupportedOpError("is tied to the bits of its type and cannot be widened to f64", op=tied[1])
    lines = map(_widened_line, text.split("\n"))
    try:
        return ir.Module.parse("\n".join(lines), module.context)
    except ir.MLIRError as error:
        raise UnsupportedOpError(f"the program cannot be widened to f64: {error}") from None

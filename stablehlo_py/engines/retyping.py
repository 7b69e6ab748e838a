"""Programs in another float type: every float becomes, say, f64 or bf16, and complex numbers complex<f64> with f64.

Integers, booleans and quantized types stay. Constants are converted from the values that they have in their own type.
Ops whose meaning is tied to the bits of a type (`bitcast_convert`, random bits) cannot be retyped.
"""

from __future__ import annotations

import re
from functools import partial

import numpy as np

from ..bindings import ir
from ..bindings.types import Kind, dtype_name, element_type
from ..errors import UnsupportedOpError

_TENSOR = re.compile(r"tensor<((?:[\d?]+x)*)(complex<(?:f32|f64)>|f\d\w*|bf16|tf32)(?=[,>])")
_CONSTANT = re.compile(r'^(\s*)(%\w+) = "stablehlo\.constant"\(\)(.*) : \(\) -> (\S.*)$')
_TIED_TO_BITS = re.compile(r'"(stablehlo\.(?:bitcast_convert|rng|rng_bit_generator|custom_call|reduce_precision))"')
_TRAILING_LOCATION = re.compile(r" loc\((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\([^()]*\))*\)$")


def float_types() -> tuple[str, ...]:
    """The names of the float types that programs can be put into."""
    return ("f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3", "f8E3M4")


def retyped_array(array: np.ndarray, name: str) -> np.ndarray:
    """Return an argument of the program before, as one of the retyped program."""
    if array.dtype.kind == "c":
        return array.astype(np.complex128) if name == "f64" else array
    is_float = element_type(dtype_name(array.dtype)).kind is Kind.FLOAT
    return array.astype(element_type(name).dtype) if is_float else array


def _retyped_types(text: str, name: str) -> str:
    def other(found: re.Match[str]) -> str:
        is_complex = found[2].startswith("complex")
        element = ("complex<f64>" if name == "f64" else found[2]) if is_complex else name
        return f"tensor<{found[1]}{element}"

    return _TENSOR.sub(other, text)


def _retyped_line(line: str, name: str) -> str:
    constant = _CONSTANT.match(line)
    if constant is None:
        return _retyped_types(line, name)
    indent, value, attributes, type_ = constant.groups()
    other = _retyped_types(type_, name)
    if other == type_:
        return line
    own = f"%own_{value[1:]}"
    return (
        f'{indent}{own} = "stablehlo.constant"(){attributes} : () -> {type_}\n'
        f'{indent}{value} = "stablehlo.convert"({own}) : ({_TRAILING_LOCATION.sub("", type_)}) -> {other}'
    )


def retyped(module: ir.Module, name: str) -> ir.Module:
    """Return the module with floats of another type, in the same context.

    Args:
        module: The program.
        name: One of `float_types()`.

    Raises:
        UnsupportedOpError: An op is tied to the bits of its type, or does not take the other type.
    """
    text: str = module.operation.get_asm(print_generic_op_form=True)  # pyright: ignore[reportAssignmentType]
    tied = _TIED_TO_BITS.search(text)
    if tied is not None:
        raise UnsupportedOpError(f"is tied to the bits of its type and cannot be put into {name}", op=tied[1])
    lines = map(partial(_retyped_line, name=name), text.split("\n"))
    try:
        return ir.Module.parse("\n".join(lines), module.context)
    except ir.MLIRError as error:
        raise UnsupportedOpError(f"the program cannot be put into {name}: {error}") from None

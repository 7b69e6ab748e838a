"""Programs in another float type: every float becomes, say, f64 or bf16, and complex numbers complex<f64> with f64.

Integers, booleans and quantized types stay. Constants, and ops whose meaning is tied to the bits of a type
(`bitcast_convert`, random bits, quantization), work on the values in their own types.
"""

from __future__ import annotations

import re
from functools import partial

import numpy as np

from ..bindings import ir
from ..bindings.types import Kind, dtype_name, element_type
from ..errors import UnsupportedOpError
from ..syntax.scanner import TextCursor

_TENSOR = re.compile(r"tensor<((?:[\d?]+x)*)(complex<(?:f32|f64)>|f\d\w*|bf16|tf32)(?=[,>])")
_TIED_TO_BITS = re.compile(
    r"^(\s*)(?:(%\w+)(?::\d+)? = )?"
    r'"(stablehlo\.(?:constant|bitcast_convert|rng|rng_bit_generator|custom_call|reduce_precision|uniform_\w+))"'
    r"\(([^()]*)\)(.*) : (\(.*)$"
)


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
    tied = _TIED_TO_BITS.match(line)
    return _retyped_types(line, name) if tied is None else _in_own_types(tied, name)


def _in_own_types(tied: re.Match[str], name: str) -> str:
    """Return an op on operands that are converted back to their own types, and its result converted again."""
    indent, result, op, operands, attributes, signature = tied.groups()
    cursor = TextCursor(signature)
    given, made = _read_types(cursor), _read_types(cursor) if cursor.accept("->") else []
    own = f"%own_{str(result)[1:]}"
    lines, used = list[str](), list[str]()
    for number, (operand, type_) in enumerate(zip(operands.split(", ") if given else [], given, strict=True)):
        other = _retyped_types(type_, name)
        used.append(operand if other == type_ else f"{own}_{number}")
        if other != type_:
            lines.append(f'{indent}{used[-1]} = "stablehlo.convert"({operand}) : ({other}) -> {type_}')
    others = [_retyped_types(type_, name) for type_ in made]
    head = tied[0][: tied.start(3) - 1].rstrip()
    rest = f'"{op}"({", ".join(used)}){attributes} : {signature}'
    if others == made:
        return "\n".join([*lines, f"{head} {rest}"])
    if len(made) > 1:
        raise UnsupportedOpError(f"is tied to the bits of its types and cannot be put into {name}", op=op)
    widened = f'{indent}{result} = "stablehlo.convert"({own}) : ({made[0]}) -> {others[0]}'
    return "\n".join([*lines, f"{indent}{own} = {rest}", widened])


def _read_types(cursor: TextCursor) -> list[str]:
    if not cursor.accept("("):
        return [cursor.read_type()]
    types = list[str]()
    while not cursor.accept(")"):
        types.append(cursor.read_type())
        cursor.accept(",")
    return types


def retyped(module: ir.Module, name: str) -> ir.Module:
    """Return the module with floats of another type, in the same context.

    Args:
        module: The program.
        name: One of `float_types()`.

    Raises:
        UnsupportedOpError: An op does not take the other type.
    """
    text: str = module.operation.get_asm(print_generic_op_form=True)  # pyright: ignore[reportAssignmentType]
    lines = map(partial(_retyped_line, name=name), text.split("\n"))
    try:
        return ir.Module.parse("\n".join(lines), module.context)
    except ir.MLIRError as error:
        reason = "; ".join(diagnostic.message for diagnostic in error.error_diagnostics)
        raise UnsupportedOpError(f"the program cannot be put into {name}: {reason}") from None

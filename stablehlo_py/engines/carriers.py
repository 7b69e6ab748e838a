"""Arrays on their way to devices and back, also of element types that numpy and DLPack lack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from ..bindings import ir
from ..bindings.types import TensorType, ValueType, decode_type, element_type
from ..errors import UnsupportedOpError

_ALIGNMENT = 64


@dataclass(frozen=True)
class Carrier:
    """A type that arrays have on their way to a device: element type, data type, and the op that converts them."""

    element: str
    dtype: DTypeLike
    op: str


def carrier_of(type_: TensorType) -> Carrier | None:
    """Return a carrier for arrays of a type that DLPack lacks; None for other types."""
    dtype = type_.dtype
    if dtype.isbuiltin == 1:  # ml_dtypes says that its float8_e5m2 is of numpy's kind for floats
        return None
    bits = type_.element_type.bits
    if bits == 8 * dtype.itemsize:
        return Carrier(f"ui{bits}", f"u{dtype.itemsize}", "bitcast_convert")
    if type_.element_type.is_integer:
        is_signed = dtype.name.startswith("int")
        return Carrier("i8", np.int8, "convert") if is_signed else Carrier("ui8", np.uint8, "convert")
    return Carrier("f32", np.float32, "convert")


def carried(array: np.ndarray, carrier: Carrier | None) -> np.ndarray:
    """Return the array as its carrier holds it; as it is where it needs none."""
    if carrier is None:
        return array
    return array.view(carrier.dtype) if carrier.op == "bitcast_convert" else array.astype(carrier.dtype)


def restored(array: np.ndarray, type_: TensorType, carrier: Carrier | None) -> np.ndarray:
    """Return the array that a carrier holds."""
    if carrier is None:
        return array
    return array.view(type_.dtype) if carrier.op == "bitcast_convert" else array.astype(type_.dtype)


def shareable(array: np.ndarray) -> np.ndarray:
    """Return a copy in memory that a device can share: writable, nobody else's, and aligned; plugins do not copy it."""
    memory = np.empty(array.nbytes + _ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def carried_type(type_: TensorType, carrier: Carrier | None) -> str:
    """Return the type that arrays have on their way."""
    return str(type_ if carrier is None else TensorType(type_.shape, element_type(carrier.element)))


def signature(function: ir.Operation) -> list[list[ValueType]]:
    """Return the types of a function's arguments and of its results."""
    signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    return [list(map(decode_type, types)) for types in (signature.inputs, signature.results)]


def tensors(types: Sequence[ValueType]) -> list[TensorType]:
    """Return the types of values that devices take and give. Raises UnsupportedOpError for other types."""
    found = [type_ for type_ in types if isinstance(type_, TensorType)]
    if len(found) < len(types):
        raise UnsupportedOpError("devices take and give tensors")
    return found


def main_on_carriers(program: str, inputs: Sequence[TensorType], outputs: Sequence[TensorType]) -> str:
    """Return a `main` that calls the program with the carriers' values, and returns its results in carriers."""

    def converted(types: Sequence[TensorType], given: str, made: str, *, inwards: bool) -> tuple[list[str], list[str]]:
        lines, outside = list[str](), list[str]()
        for number, type_ in enumerate(types):
            carrier = carrier_of(type_)
            outside.append(carried_type(type_, carrier))
            ends = (outside[-1], str(type_)) if inwards else (str(type_), outside[-1])
            op = "convert" if carrier is None else carrier.op
            lines.append(f"  %{made}{number} = stablehlo.{op} %{given}{number} : ({ends[0]}) -> {ends[1]}")
        return lines, outside

    before, parameters = converted(inputs, "a", "b", inwards=True)
    after, results = converted(outputs, "r#", "c", inwards=False)
    signature = ", ".join(f"%a{number}: {type_}" for number, type_ in enumerate(parameters))
    operands = ", ".join(f"%b{number}" for number in range(len(inputs)))
    names, types = ", ".join(f"%c{number}" for number in range(len(outputs))), ", ".join(results)
    call = f"  %r:{len(outputs)} = func.call @{program}({operands}) : ({', '.join(map(str, inputs))}) -> "
    call += f"({', '.join(map(str, outputs))})"
    body = "\n".join([*before, call, *after])
    return f"func.func @main({signature}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"

"""Dense attributes to numpy arrays and back, bit by bit, for every StableHLO element type.

The bindings exchange buffers with numpy for the types that numpy itself has. Values of other types (complex, bf16, and
all types smaller than a byte or with few exponent bits) are written through the same buffers as raw bits. They are read
from the attribute's text: hexadecimal for more than a hundred elements, decimal otherwise, once for a splat.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from .build import create_value, tensor_type
from .completion import takes_boolean_bytes
from .mapped import large_resource
from .provider import ir
from .python_numbers import is_plain, native, numbers, rounded
from .types import LARGEST_RANK, dtype_name, element_type

if TYPE_CHECKING:
    import numpy.typing as npt

Array = np.ndarray[Any, np.dtype[Any]]

_BUFFERED = frozenset(np.dtype(code) for code in "?bhilqBHILQefd")  # what the bindings can show as a buffer
_ARRAY_ATTRIBUTES: dict[type, np.dtype[Any]] = {
    ir.DenseBoolArrayAttr: np.dtype(np.bool_),
    ir.DenseI8ArrayAttr: np.dtype(np.int8),
    ir.DenseI16ArrayAttr: np.dtype(np.int16),
    ir.DenseI32ArrayAttr: np.dtype(np.int32),
    ir.DenseI64ArrayAttr: np.dtype(np.int64),
    ir.DenseF32ArrayAttr: np.dtype(np.float32),
    ir.DenseF64ArrayAttr: np.dtype(np.float64),
}


def dtype_of(element: ir.Type) -> np.dtype[Any]:
    """Return the numpy data type for elements of this type; for a quantized type, that of its storage.

    `index` is int64, `i1` is bool, and ml_dtypes has the types that numpy lacks. Raises StablehloError for a type that
    is not a StableHLO element type.
    """
    return element_type(str(element)).dtype


def element_type_of(dtype: npt.DTypeLike) -> ir.Type:
    """Return the element type whose values `dtype` holds, in the current context; signed integers become signless ones.

    Raises StablehloError for a data type that no StableHLO element type corresponds to.
    """
    return ir.Type.parse(element_type(dtype_name(np.dtype(dtype))).name)


def _floats(words: Sequence[str], dtype: np.dtype[Any]) -> Array:
    """Return floats as MLIR prints them: decimals that determine the value, or its bits in hexadecimal."""
    from decimal import Decimal

    decimals = ["nan" if word.startswith("0x") else word for word in words]
    values = rounded([Decimal(word) for word in decimals], dtype)
    bits = values.view(f"u{dtype.itemsize}")
    for index, word in enumerate(words):
        if word.startswith("0x"):
            bits[index] = int(word, 16)
    return values


def _values_from_words(words: Sequence[str], dtype: np.dtype[Any]) -> Array:
    if dtype.kind == "c":
        return _floats(words, np.dtype(f"f{dtype.itemsize // 2}")).view(dtype)
    if dtype == np.bool_ or dtype.kind in "iu" or dtype.name.startswith(("int", "uint")):
        truth = {"true": 1, "false": 0}
        numbers = [truth[word] if word in truth else int(word, 0) for word in words]
        return np.array(numbers, dtype=np.object_).astype(dtype)
    return _floats(words, dtype)


def _array_from_text(text: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
    """Return the values in `text`, an attribute's printed form: `dense<…> : type`, or `…  : type` for a scalar."""
    start = text.index("<") + 1 if text.startswith("dense<") else 0
    if text.startswith('"0x', start):
        end = text.index('"', start + 1)
        flat = np.frombuffer(bytes.fromhex(text[start + 3 : end]), dtype=dtype)
    else:
        body = text[start : text.rindex(" : ")] if " : " in text else text
        flat = _values_from_words(re.findall(r"[^\s\[\](),]+", body.removesuffix(">")), dtype)
    return _shaped(flat, shape)


def _shaped(flat: Array, shape: tuple[int, ...]) -> Array:
    """Return the values in a shape; a single value is the value of all elements."""
    return flat.reshape(shape) if flat.size == math.prod(shape) else np.broadcast_to(flat[0], shape)


def _resource_array(attribute: ir.DenseResourceElementsAttr, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
    """The values of a resource. The bindings give no access to them, but write them with a module that uses them."""
    size = dtype.itemsize * math.prod(shape)
    large = large_resource(attribute, size, dtype.alignment)
    if large is not None:
        return np.frombuffer(large, dtype).reshape(shape)
    with attribute.context, ir.Location.unknown():
        module = ir.Module.create()
        module.operation.attributes["stablehlo_py.resource"] = attribute
        text = str(module)
    start = text.rfind(': "0x')
    if start < 0:
        raise InputError(f"the program holds no data for the resource of {attribute}")
    blob = bytes.fromhex(text[start + 5 : text.index('"', start + 3)])
    data = blob[4:]  # the first four bytes are the alignment
    if len(data) not in (dtype.itemsize, size):
        raise InputError(f"the resource of {attribute} holds {len(data)} bytes, which do not fit its type")
    return _shaped(np.frombuffer(data, dtype=dtype), shape)


def _static_shape(shaped_type: ir.ShapedType) -> tuple[int, ...]:
    if not shaped_type.has_rank or not shaped_type.has_static_shape:
        raise InputError(f"a dense value requires a static shape, found {shaped_type}")
    if shaped_type.rank > LARGEST_RANK:
        raise InputError(f"a dense value of rank {shaped_type.rank}: arrays have at most {LARGEST_RANK} dimensions")
    return tuple(shaped_type.shape)


def _read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _dense_array(attribute: ir.DenseElementsAttr) -> Array:
    shaped_type = ir.ShapedType(attribute.type)
    dtype = dtype_of(shaped_type.element_type)
    shape = _static_shape(shaped_type)
    if 0 in shape:
        return np.empty(shape, dtype)
    # Old bindings read on behind the one byte of a splat, where they find anything.
    if dtype in _BUFFERED and (dtype.kind != "b" or takes_boolean_bytes() or not attribute.is_splat):
        return np.asarray(attribute)
    return _array_from_text(str(attribute), dtype, shape)


def to_numpy(attribute: ir.Attribute) -> Array:
    """Return the values of a dense, resource, array (`array<i64: …>`), integer, float or boolean attribute.

    The array has the attribute's shape (`()` for a scalar attribute) and the data type `dtype_of` its element type, and
    every bit of it, NaN payloads included. It is read-only: it may be a view of the attribute's own memory, and a splat
    is one element broadcast. Raises InputError for an attribute that holds no numbers.
    """
    if isinstance(attribute, ir.DenseElementsAttr):
        return _read_only(_dense_array(attribute))
    array_dtype = _ARRAY_ATTRIBUTES.get(type(attribute))
    if array_dtype is not None:
        return _read_only(np.array(list(attribute), dtype=array_dtype))  # pyright: ignore[reportArgumentType]
    if isinstance(attribute, ir.IntegerAttr | ir.FloatAttr | ir.BoolAttr):
        return _read_only(_array_from_text(str(attribute), dtype_of(attribute.type), ()))
    try:
        resource = ir.DenseResourceElementsAttr(attribute)
    except ValueError:
        raise InputError(f"not an attribute that holds an array: {attribute}") from None
    shaped_type = ir.ShapedType(resource.type)
    return _read_only(_resource_array(resource, dtype_of(shaped_type.element_type), _static_shape(shaped_type)))


def constant_value(op: ir.Operation | ir.OpView) -> Array:
    """Return the value of a `stablehlo.constant` or `arith.constant`, shaped and typed as its result; see `to_numpy`.

    A constant of quantized type gives its storage values.
    """
    return value_of(op.attributes["value"], op.results[0].type)


def value_of(attribute: ir.Attribute, result_type: ir.Type) -> Array:
    """Return the value of a constant of this type that holds `attribute`; see `constant_value`."""
    array = to_numpy(attribute)
    dtype = dtype_of(ir.ShapedType(result_type).element_type if isinstance(result_type, ir.ShapedType) else result_type)
    return array if array.dtype == dtype else array.view(dtype)


def _as_array(value: npt.ArrayLike, type: ir.Type | None) -> Array:  # noqa: A002 (the bindings' own name)
    if isinstance(value, (np.ndarray, np.generic)) or (type is None and not is_plain(value)):
        return native(value)
    if type is None:
        return numbers(value)
    return numbers(value, element_type(str(type.element_type if isinstance(type, ir.ShapedType) else type)))


def _value_type(array: Array, type: ir.Type | None) -> ir.ShapedType:  # noqa: A002
    if isinstance(type, ir.ShapedType):
        return type
    return tensor_type(array.shape, element_type_of(array.dtype) if type is None else type)


def _is_broadcast(array: Array) -> bool:
    return array.size > 1 and not any(
        stride for stride, size in zip(array.strides, array.shape, strict=True) if size > 1
    )


def _as_bits(flat: Array) -> Array:
    """The booleans as old bindings take them, eight in a byte; a byte of one value is that value, however often."""
    return np.where(flat, np.uint8(255), np.uint8(0)) if flat.size == 1 else np.packbits(flat, bitorder="little")


def _dense_attribute(array: Array, value_type: ir.ShapedType) -> ir.DenseElementsAttr:
    if array.shape != _static_shape(value_type):
        raise InputError(f"an array of shape {array.shape} does not match {value_type}")
    dtype = dtype_of(value_type.element_type)
    if array.dtype != dtype:
        raise InputError(f"an array of {array.dtype} does not match {value_type}, whose elements are {dtype}")
    if _is_broadcast(array):
        array = array[(0,) * array.ndim]
    flat = np.ascontiguousarray(array).reshape(-1)
    if dtype not in _BUFFERED and dtype.kind != "c":
        flat = flat.view(f"u{dtype.itemsize}")
    if dtype.kind == "b" and not takes_boolean_bytes():
        flat = _as_bits(flat)
    element = element_type(str(value_type.element_type))
    if element.quantization is not None:  # stored as integers
        value_type = tensor_type(value_type.shape, ir.IntegerType.get_signless(element.bits))
    return ir.DenseElementsAttr.get(flat.data, type=value_type)


def from_numpy(array: npt.ArrayLike, type: ir.Type | None = None) -> ir.DenseElementsAttr:  # noqa: A002
    """Return the dense attribute that holds `array`, in the context of `type` or else the current one.

    `type` is the tensor type, or its element type; without it the element type is `element_type_of` the array's data
    type. A quantized type stands for its storage. numpy arrays and scalars must have that type's data type; other
    values (numbers, lists) are converted to it. An array broadcast from one element becomes a splat at no cost.
    Raises InputError where shape or data type disagree.
    """
    with nullcontext() if type is None else type.context:
        values = _as_array(array, type)
        return _dense_attribute(values, _value_type(values, type))


def build_constant(array: npt.ArrayLike, type: ir.Type | None = None) -> ir.Value:  # noqa: A002
    """Return the result of a new `stablehlo.constant` that holds `array`, at the current insertion point and location.

    `array`, `type` and errors as in `from_numpy`; the constant of a quantized type has that type.
    """
    values = _as_array(array, type)
    value_type = _value_type(values, type)
    attribute = _dense_attribute(values, value_type)
    return create_value("stablehlo.constant", (), value_type, {"value": attribute})

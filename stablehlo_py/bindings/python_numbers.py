"""Numbers that come from Python, as elements of a type: the one rule for all places that take such numbers.

A float type takes the nearest of its values, rounded once from the exact number; of two equally near ones, the even. It
refuses a number that would be rounded past its range, and a NaN or an infinity that it lacks. Integers, booleans and
stored integers of quantized types are taken if the type has this very number. A real type refuses complex numbers.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from contextlib import suppress
from numbers import Number, Rational
from typing import Any

import numpy as np

from ..errors import InputError, NumberError
from .types import ElementType, Kind, element_type

Array = np.ndarray[Any, np.dtype[Any]]

_DOUBLE = np.dtype(np.float64)
_EXACT = 1 << 53  # the integers up to here are doubles
_GATHERED = frozenset((bool, int, float, complex))  # what numpy reads without loss where all are of one type
_DEFAULTS = {"b": "i1", "i": "i64", "u": "ui64", "f": "f64", "c": "complex<f64>"}


def is_number(value: object) -> bool:
    """Whether a value is a number of Python, and no scalar of numpy."""
    return isinstance(value, Number) and not isinstance(value, np.generic)


def is_plain(value: object) -> bool:
    """Whether a value is a number of Python or a list."""
    return isinstance(value, list) or is_number(value)


def number_key(value: Any) -> object:
    """Return what a number is found by: a negative zero is none of the others."""
    return type(value).__name__, value if isinstance(value, Rational) else repr(value)


def native(value: Any) -> Array:
    """Return an array, or what numpy takes for one, in this machine's byte order. Raises `InputError` for a mask."""
    if "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray):  # np.ma imports it, 10 ms
        raise InputError("a masked array has no values where it is masked; fill them in first: array.filled(value)")
    array = np.asarray(value)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def numbers(value: Any, element: ElementType | None = None) -> Array:
    """Return a number, nested lists of numbers or an array as an array of elements; the module's head has the rule.

    Without an element type they become those of numpy: i1, i64 (ui64 from 2^63 on), f64 or complex<f64>.

    Raises:
        NumberError: A value is no number or not of the type, or lists differ in length.
    """
    given = _gathered(value)
    if element is not None and not element.is_quantized and given.dtype == element.dtype:
        return given
    given = _exact(given)
    element = _default(given) if element is None else element
    wrong = [n for n in (given.flat if given.dtype == object else given.flat[:1]) if _is_of_another_kind(n, element)]
    if not wrong:
        convert = {Kind.COMPLEX: _complexes, Kind.FLOAT: _floats}.get(element.kind, _integers)
        result, held = convert(given, element)
        if held.all():
            return result
        wrong = given[~held]
    raise NumberError(f"{_shown(wrong[0])} is not a value of {element if element.is_quantized else element.dtype}")


def rounded(given: Sequence[Any] | Array, dtype: np.dtype[Any]) -> Array:
    """Return real numbers as the nearest values of a float type. Past its range they become what `convert` gives."""
    return _nearest(_doubles(np.asarray(given), dtype), dtype)


def _nearest(doubles: Array, dtype: np.dtype[Any]) -> Array:
    with np.errstate(all="ignore"):
        if dtype.isbuiltin == 1:
            return doubles.astype(dtype)
        single = to_odd_single(doubles)
        if dtype.name == "float8_e8m0fnu":  # it has no zero, and ml_dtypes rounds up to its second value
            least = np.float32(2.0**-127)
            single = np.where((single >= 0) & (single < 1.5 * least), least, single)
        return single.astype(dtype)


def to_odd_single(values: Any) -> Any:
    """Return doubles rounded to odd floats: an inexact one becomes the neighbour whose last bit is set.

    Rounding these again, to a type with two bits less, gives the correctly rounded doubles. ml_dtypes would take the
    nearest float in between, which rounds twice.
    """
    single = np.asarray(values, np.float32)
    wide = single.astype(np.float64)
    bits = single.view(np.uint32)
    inexact = (wide != values) & (values == values)
    bits = (bits - (inexact & (np.abs(wide) > np.abs(values)))) | inexact
    return bits.astype(np.uint32).view(np.float32)


def _gathered(value: Any) -> Array:
    """Return an array as it is, and numbers in the array that numpy has for them, or as objects."""
    try:
        array = native(value) if hasattr(value, "__array__") else np.array(value, object)
    except ValueError:
        raise NumberError("lists of different lengths are no array") from None
    if not array.dtype.hasobject:
        return array
    types: set[Any] = set(map(type, array.flat))
    with suppress(OverflowError):  # by integers of more than 64 bits
        if len(types) == 1 and types <= _GATHERED:
            return array.astype(types.pop())
    return array


def _exact(array: Any) -> Array:
    """Return the numbers as booleans, integers, doubles, complex numbers, or objects of Python, whichever hold them."""
    dtype = array.dtype
    if dtype.isbuiltin == 2:  # of ml_dtypes
        return array.astype(np.int64 if dtype.name.startswith(("int", "uint")) else _DOUBLE)
    if dtype.kind == "f":
        return array.astype(_DOUBLE if dtype.itemsize <= _DOUBLE.itemsize else object)
    if dtype.kind in "biuc":
        return array
    if not dtype.hasobject:
        raise NumberError(f"values of type {dtype} are no numbers")
    for number in array.flat:
        if not isinstance(number, (Number, np.bool_)):
            is_list = isinstance(number, (list, tuple, np.ndarray))
            raise NumberError("lists of different lengths are no array" if is_list else f"{number!r:.60} is no number")
    plain: list[Any] = [number.item() if isinstance(number, np.generic) else number for number in array.flat]
    return np.array(plain, object).reshape(array.shape)


def _is_of_another_kind(number: Any, element: ElementType) -> bool:
    """Whether this is a boolean for a type of numbers, or a complex number for a real type."""
    if isinstance(number, (bool, np.bool_)):
        return element.kind is not Kind.BOOLEAN
    return np.iscomplexobj(number) and element.kind is not Kind.COMPLEX


def _default(given: Array) -> ElementType:
    """Return the element type of numbers that are given none."""
    kind = given.dtype.kind
    if given.dtype.hasobject:
        types = set[type](map(type, given.flat))
        kind = "c" if complex in types else "u" if types == {int} else "f"
    return element_type(_DEFAULTS[kind])


def _doubles(given: Array, dtype: np.dtype[Any]) -> Array:
    """Return real numbers as doubles that become the nearest values of a float type when they are rounded to it."""
    if given.dtype != object and (given.dtype.itemsize < 8 or given.dtype.kind == "f"):
        return given.astype(_DOUBLE)
    if given.dtype != object and ((given >= -_EXACT) & (given <= _EXACT)).all():
        return given.astype(_DOUBLE)
    doubles = [_double(number, is_odd=dtype != _DOUBLE) for number in given.astype(object).flat]
    return np.array(doubles, _DOUBLE).reshape(given.shape)


def _double(number: Any, *, is_odd: bool) -> float:
    """Return the double nearest to a number; with `is_odd`, an inexact one is the neighbour with an odd last bit."""
    try:
        value = float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
    except ValueError:
        raise NumberError(f"{number} is no number") from None  # a decimal's signalling NaN
    if not is_odd or not math.isfinite(value) or value == number or math.frexp(value)[0] * _EXACT % 2:
        return value
    return math.nextafter(value, math.inf if number > value else -math.inf)


def _floats(given: Array, element: ElementType) -> tuple[Array, Array]:
    """Return the numbers in a float type, and which of them it has room for."""
    doubles = _doubles(given, element.dtype)
    result = _nearest(doubles, element.dtype)
    held = np.equal(np.isnan(result), np.isnan(doubles)) & np.equal(np.isinf(result), np.isinf(doubles))
    held &= ~np.isinf(doubles) | (given == doubles).astype(np.bool_)
    if element.bits < 8:  # these types have neither NaN nor infinities
        from ml_dtypes import finfo

        limits = finfo(element.dtype)
        held &= np.abs(doubles) < (float(limits.max) + 2.0**limits.maxexp) / 2
    return result, held


def _complexes(given: Any, element: ElementType) -> tuple[Array, Array]:
    """Return the numbers in a type of complex numbers, and which of them it has room for."""
    if given.dtype.hasobject:
        parts = np.array([[number.real, number.imag] for number in given.flat], object).reshape(*given.shape, 2)
    else:
        parts = np.stack([given.real, given.imag], -1)
    result, held = _floats(_exact(parts), element_type(f"f{element.bits // 2}"))
    return result.view(element.dtype)[..., 0], np.all(held, -1)


def _integers(given: Array, element: ElementType) -> tuple[Array, Array]:
    """Return the numbers in a type of integers or booleans, and which of them it has."""
    low, high = map(int, element.bounds)
    if given.dtype == object:
        held = np.array([_is_integer(number, low, high) for number in given.flat], np.bool_).reshape(given.shape)
        given = np.array([int(n) if is_held else 0 for n, is_held in zip(given.flat, held.flat, strict=True)], object)
        given = given.reshape(held.shape)
    elif given.dtype.kind == "f":
        held = (given >= low) & (given < high + 1) & (given == np.trunc(given))
    else:
        held = (given >= low) & (given <= high)
    return np.where(held, given, given.dtype.type(0)).astype(element.dtype), held


def _is_integer(number: Any, low: int, high: int) -> bool:
    try:
        return bool(low <= number <= high and int(number) == number)
    except (TypeError, ArithmeticError):  # a complex number, or a decimal's NaN
        return False


def _shown(number: Any) -> str:
    try:
        return f"{number!s:.60}"
    except ValueError:  # Python writes no integers of thousands of digits
        return "a number of thousands of digits"

"""Numbers of Python in every place that takes them: each is the nearest element of its type, or refused.

The oracle is arithmetic of fractions, with the widths of a type's fields as the only facts.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from fuzzing import WrongError

import stablehlo_py
from stablehlo_py import ops
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import ElementType, Kind, TensorType, element_type
from stablehlo_py.cli.interpret import fitted

_TYPES = (
    *("i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64", "f16", "f32", "f64"),
    *("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2"),
    *("f8E5M2FNUZ", "f8E8M0FNU", "bf16", "complex<f32>", "complex<f64>"),
    *("!quant.uniform<i8<-127:127>:f32, 5.000000e-01>", "!quant.uniform<u4:f32, 5.000000e-01:3>"),
)
_LIMITS = {
    "!quant.uniform<i8<-127:127>:f32, 5.000000e-01>": (-127, 127),
    "!quant.uniform<u4:f32, 5.000000e-01:3>": (0, 15),
}
_STRANGE = ("nan", "inf", "-inf", "-0.0", "true", "false", "text", "none")
_OFFSETS = (1, 5, 20, 29, 30, 40, 52, 60, 100, 300)  # how many bits below the last one a tie is broken


@cache
def _floats(name: str) -> tuple[int, int, int, Fraction]:
    """The digits of a float type, its least and greatest exponent, and its greatest number."""
    info = ml_dtypes.finfo(element_type(name).dtype)
    least = -127 if name == "f8E8M0FNU" else int(info.minexp)
    return int(info.nmant) + 1, least, int(info.maxexp), Fraction(float(info.max))


def _integer_limits(element: ElementType) -> tuple[int, int]:
    if element.name in _LIMITS:
        return _LIMITS[element.name]
    if element.name == "i1":
        return 0, 1
    bits = int(element.name.lstrip("ui"))
    return (0, 2**bits - 1) if element.name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


# Drawing.


def _near_a_float(generator: random.Random, name: str) -> Fraction:
    """A number with a bit more than the type has, or beside one: in its range, below and above."""
    digits, least, greatest, _ = _floats(name)
    unit = Fraction(2) ** (generator.randint(least - digits - 4, greatest + 2) - digits)
    number = generator.getrandbits(digits + 1) * unit
    if generator.random() < 0.6:
        number += generator.choice((-1, 1)) * unit / 2 ** generator.choice(_OFFSETS)
    return generator.choice((-1, 1, 1)) * number


def _near_an_integer(generator: random.Random, element: ElementType) -> Fraction:
    low, high = _integer_limits(element)
    number = Fraction(generator.choice((low, high, generator.randint(low, high), 0))) + generator.choice((0, 0, 1, -1))
    return number + generator.choice((0, 0, 0, Fraction(1, 2), Fraction(1, 2**40)))


def _spelled(generator: random.Random, number: Fraction) -> list[str]:
    """A number as one that Python can hold: its kind and its text."""
    kinds = ["fraction"]
    if number.denominator == 1:
        kinds += ["int", "int"]
    if abs(number) < 2**1023 and Fraction(float(number)) == number:
        kinds += ["float"] * 3
    if number.denominator.bit_length() < 400:
        kinds.append("decimal")
    kind = generator.choice(kinds)
    if kind == "decimal":
        return [kind, str(Context(prec=1000).divide(Decimal(number.numerator), Decimal(number.denominator)))]
    return [kind, float(number).hex() if kind == "float" else str(number)]


def draw_numbers(generator: random.Random) -> bytes:
    """A type, a place that takes numbers, and one to three numbers near values of the type."""
    name = generator.choice(_TYPES)
    element = element_type(name)
    drawn = list[list[str]]()
    for _ in range(generator.randint(1, 3)):
        part = {"complex<f32>": "f32", "complex<f64>": "f64"}.get(name, name)
        if generator.random() < 0.1:
            drawn.append(["strange", generator.choice(_STRANGE)])
        elif element.kind in (Kind.FLOAT, Kind.COMPLEX):
            drawn.append(_spelled(generator, _near_a_float(generator, part)))
        else:
            drawn.append(_spelled(generator, _near_an_integer(generator, element)))
        if element.kind is Kind.COMPLEX and generator.random() < 0.5:
            parts = [generator.uniform(-2, 2), float(generator.choice((0.0, -0.0, 1 + 2**-24, 1e39, 1e300, math.nan)))]
            drawn[-1] = ["complex", " ".join(part.hex() for part in parts)]
    return json.dumps([name, generator.choice(sorted(_PLACES)), drawn]).encode()


def _number(kind: str, text: str) -> Any:
    if kind == "strange":
        return (
            {"true": True, "false": False, "none": None, "text": "1"}[text]
            if text[0] in "tf" or text == "none"
            else float(text)
        )
    if kind == "complex":
        return complex(*map(float.fromhex, text.split()))
    return {"int": int, "float": float.fromhex, "fraction": Fraction, "decimal": Decimal}[kind](text)


# What is right.


class _RefusedError(Exception):
    """A number that the type refuses."""


def _nearest(number: Any, name: str) -> float:
    digits, least, _, greatest = _floats(name)
    is_nan = isinstance(number, float) and math.isnan(number)
    if isinstance(number, float) and not math.isfinite(number):
        special = element_type(name).dtype.type(number)
        if math.isnan(special) != is_nan or (not is_nan and not math.isinf(special)):
            raise _RefusedError
        return number
    exact, is_negative = Fraction(number), math.copysign(1, number) < 0 if isinstance(number, float) else number < 0
    has_zero = name != "f8E8M0FNU"
    if not has_zero and exact < 0:
        raise _RefusedError
    size = abs(exact)
    exponent = least if not size else max(size.numerator.bit_length() - size.denominator.bit_length() - 1, least)
    if size >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** (exponent - digits + 1)
    rounded = round(size / unit) * unit  # ties go to the even one
    if not has_zero:
        rounded = max(rounded, unit)
    if rounded > greatest:
        raise _RefusedError
    return -float(rounded) if is_negative and (rounded or not name.endswith("UZ")) and has_zero else float(rounded)


def _expected(number: Any, element: ElementType) -> Any:
    """The element that a number becomes, as a number of Python. Raises `_RefusedError`."""
    if number is None or isinstance(number, str) or (isinstance(number, bool) and element.name != "i1"):
        raise _RefusedError
    if element.kind is Kind.COMPLEX:
        part = "f32" if element.bits == 64 else "f64"
        is_pair = isinstance(number, complex)
        return complex(*[_nearest(each, part) for each in ((number.real, number.imag) if is_pair else (number, 0.0))])
    if isinstance(number, complex):
        raise _RefusedError
    if element.kind is Kind.FLOAT:
        return _nearest(number, element.name)
    low, high = _integer_limits(element)
    if isinstance(number, float) and not math.isfinite(number):
        raise _RefusedError
    if Fraction(number).denominator != 1 or not low <= number <= high:
        raise _RefusedError
    return int(number)


# The places.


@cache
def _program(name: str, count: int) -> stablehlo_py.Program:
    type_ = f"tensor<{count}x{name}>"
    return stablehlo_py.load(f"func.func @main(%x: {type_}) -> {type_} {{ return %x : {type_} }}")


_returned: list[Any] = []


@cache
def _handled(name: str, count: int) -> stablehlo_py.Program:
    stablehlo_py.custom_call_handler("fuzz.numbers")(lambda call: _returned[-1])
    type_ = f"tensor<{count}x{name}>"
    text = f"%0 = stablehlo.custom_call @fuzz.numbers() : () -> {type_}"
    return stablehlo_py.load(f"func.func @main() -> {type_} {{ {text}\n return %0 : {type_} }}")


def _of_handler(numbers: list[Any], element: ElementType) -> Any:
    _returned[:] = [numbers]
    return _handled(element.name, len(numbers))()


@cache
def _context() -> Any:
    return make_context()


def _attribute(numbers: list[Any], element: ElementType) -> Any:
    with _context():
        type_ = ir.Type.parse(f"tensor<{len(numbers)}x{element}>")
        return stablehlo_py.to_numpy(stablehlo_py.from_numpy(numbers, type_)).view(element.dtype)


def _beside(numbers: list[Any], element: ElementType) -> Any:
    if element.is_quantized:
        return ops.typed(numbers, element)
    return ops.select(True, numbers, np.zeros(len(numbers), element.dtype))


def _cast(numbers: list[Any], element: ElementType) -> Any:
    """The numbers converted as `--cast-inputs` converts an array of doubles or integers; others as an argument."""
    if {type(number) for number in numbers} in ({float}, {int}):
        array = np.array(numbers)
        if array.dtype.kind in "iuf" and array.tolist() == numbers:
            return fitted(array, TensorType(array.shape, element), cast=True)
    return _program(element.name, len(numbers))(numbers)


def _literal(numbers: list[Any], element: ElementType) -> Any:
    """The numbers as a literal of a program; as an argument if a literal cannot say them, or MLIR's rule is another."""
    least = 0.0 if element.name == "f8E8M0FNU" else -math.inf
    if element.kind is not Kind.FLOAT or not all(
        type(number) is float and abs(number) <= _floats(element.name)[3] and math.copysign(1, number) > least
        for number in numbers
    ):
        return _program(element.name, len(numbers))(numbers)
    texts = [f"{Decimal(number):f}" for number in numbers]
    texts = [text if "." in text else f"{text}.0" for text in texts]
    type_ = f"tensor<{len(numbers)}x{element}>"
    text = f"%0 = stablehlo.constant dense<[{', '.join(texts)}]> : {type_}"
    return stablehlo_py.load(f"func.func @main() -> {type_} {{ {text}\n return %0 : {type_} }}")()


_PLACES: dict[str, Callable[[list[Any], ElementType], Any]] = {
    "argument": lambda numbers, element: _program(element.name, len(numbers))(numbers),
    "attribute": _attribute,
    "cast": _cast,
    "constant": ops.constant,
    "handler": _of_handler,
    "literal": _literal,
    "operand": _beside,
    "typed": ops.typed,
}


def judge_numbers(case: bytes) -> str:
    """A list becomes the array of the nearest elements, or is refused because the type lacks one of its numbers."""
    name, place, drawn = json.loads(case)
    element, numbers = element_type(name), [_number(*each) for each in drawn]
    try:
        expected = [_expected(number, element) for number in numbers]
    except _RefusedError:
        expected = None
    try:
        found = np.asarray(_PLACES[place](numbers, element))
    except stablehlo_py.StablehloError as error:
        if expected is not None:
            raise WrongError(f"{numbers} are refused: {error}, expected {expected}") from None
        return f"{place}: refused"
    if expected is None:
        raise WrongError(f"{numbers} become {found}, expected a refusal")
    with np.errstate(all="ignore"):
        wanted = np.array(expected, element.dtype)
    # A NaN is one whatever its bits; of all others each bit counts.
    parts = [each.view(f"f{each.itemsize // 2}") if each.dtype.kind == "c" else each for each in (found, wanted)]
    same = [a.tobytes() == b.tobytes() or (a != a and b != b) for a, b in zip(*parts, strict=True)]
    if found.dtype != element.dtype or not all(same):
        raise WrongError(f"{numbers} become {found} of {found.dtype}, expected {wanted}")
    return f"{place}: taken"

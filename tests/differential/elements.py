"""Values of each element type, and what an op on them comes to here and officially."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from oracle import official

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.types import Kind, element_type
from stablehlo_py.reference.interpreter import interpret

BOOLEAN = ["i1"]
NARROW_SIGNED, NARROW_UNSIGNED = ["i2", "i4"], ["ui2", "ui4"]
SIGNED, UNSIGNED = [*NARROW_SIGNED, "i8", "i16", "i32", "i64"], [*NARROW_UNSIGNED, "ui8", "ui16", "ui32", "ui64"]
FINITE_ONLY = ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN"]
BYTES = ["f8E3M4", "f8E4M3", "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ"]
POWERS = ["f8E8M0FNU"]
WIDE_FLOATS = ["bf16", "f16", "f32", "f64"]
FLOATS = [*FINITE_ONLY, *BYTES, *WIDE_FLOATS]
COMPLEX = ["complex<f32>", "complex<f64>"]
INTEGERS = [*SIGNED, *UNSIGNED]


def dtype_of(name: str) -> np.dtype:
    return element_type(name).dtype


@cache
def every_value(name: str) -> np.ndarray:
    """All values of a type of at most 16 bits."""
    described = element_type(name)
    patterns = np.arange(1 << described.bits, dtype=f"u{described.dtype.itemsize}")
    return patterns.astype(np.bool_) if described.kind is Kind.BOOLEAN else patterns.view(described.dtype)


@cache
def special_values(name: str) -> np.ndarray:
    """The values of a wider type where operations have their edges: limits, zeros, denormals, infinities, NaN."""
    described = element_type(name)
    if described.bits <= 8:
        return every_value(name)
    if described.is_integer:
        limits = np.iinfo(described.dtype)
        picked = [limits.min, limits.min + 1, limits.max, limits.max - 1, limits.max // 2, 0, 1, 2, 3, 7, 8, 15, 16]
        picked += [31, 32, 33, 63, 64, 65, 100] + ([-1, -2, -3, -8, -31, -32, -64] if limits.min else [])
        return np.array(picked, described.dtype)
    if described.kind is Kind.COMPLEX:
        parts = special_values(f"f{described.bits // 2}")[:22]
        return np.array([complex(real, imag) for real in parts for imag in parts], described.dtype)
    if described.bits == 16:
        return every_value(name)[:: 1 << 6]
    limits = np.finfo(described.dtype)
    magnitudes = [0.0, 1.0, np.inf, np.nan, limits.smallest_subnormal, limits.tiny, limits.max, 0.5, 1.5, 2.5, 3.0]
    magnitudes += [
        1 - limits.epsneg,
        1 + limits.eps,
        limits.eps,
        0.1,
        np.pi / 2,
        np.pi,
        10.0,
        88.0,
        104.0,
        700.0,
        750.0,
    ]
    magnitudes += [1e-3, 1e-8, 1e-30, 1e5, 1e10, 1e30, 2.0**23 + 0.5, 2.0**31, 2.0**32, 2.0**63, 2.0**64, 255.5, 256.0]
    values = np.array(magnitudes, described.dtype)
    return np.stack([values, -values], -1).reshape(-1)


def random_values(name: str, count: int, generator: np.random.Generator) -> np.ndarray:
    """Values of a type: a third random bits, a third of a random magnitude near one, a third special ones."""
    described = element_type(name)
    if described.bits <= 8:
        return generator.choice(every_value(name), count)
    bits = generator.integers(0, 256, (count, described.dtype.itemsize), np.uint8).view(described.dtype).reshape(-1)
    if described.is_integer:
        moderate = generator.integers(0, 100, count).astype(described.dtype)
    else:
        parts = generator.standard_normal((2, count)) * 10.0 ** generator.integers(-4, 4, (2, count))
        moderate = (parts[0] + 1j * parts[1] if described.kind is Kind.COMPLEX else parts[0]).astype(described.dtype)
    special = generator.choice(special_values(name), count)
    return (
        np.choose(generator.integers(0, 3, count), [bits, moderate, special])
        if described.bits != 16
        else np.where(generator.random(count) < 0.5, bits, moderate)
    )


def part_of(name: str) -> str:
    """The type of a complex type's parts; any other type is itself."""
    return name.removeprefix("complex<").removesuffix(">")


def pairs(lhs: np.ndarray, rhs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every element of lhs with every element of rhs."""
    return np.repeat(lhs, len(rhs)), np.tile(rhs, len(lhs))


def op_text(
    op: str,
    types: Sequence[str],
    shapes: Sequence[Sequence[int]],
    results: Sequence[str],
    attributes: str,
    result_shape: Sequence[int] | None = None,
) -> str:
    """A program of one op; `types` and `results` are element types, the results have the shape of the last operand
    unless told otherwise."""

    def tensor(element: str, shape: Sequence[int]) -> str:
        return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"

    operand_types = [tensor(element, shape) for element, shape in zip(types, shapes, strict=True)]
    shape = shapes[-1] if result_shape is None else result_shape
    result_types = ", ".join(tensor(element, shape) for element in results)
    names = ", ".join(f"%a{index}" for index in range(len(types)))
    parameters = ", ".join(f"%a{index}: {type_}" for index, type_ in enumerate(operand_types))
    outcome = ", ".join(f"%r#{index}" for index in range(len(results))) if len(results) > 1 else "%r"
    count = f":{len(results)}" if len(results) > 1 else ""
    return (
        f"func.func @main({parameters}) -> ({result_types}) {{\n"
        f'  %r{count} = "{op}"({names}) {{{attributes}}} : ({", ".join(operand_types)}) -> ({result_types})\n'
        f"  return {outcome} : {result_types}\n}}\n"
    )


@cache
def _context() -> ir.Context:
    return make_context()


def every_result(text: str, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The results of a program here."""
    return [np.asarray(result) for result in interpret(ir.Module.parse(text, _context()), list(arguments))]


def ours(text: str, arguments: Sequence[np.ndarray]) -> np.ndarray:
    """The only result of a program here."""
    return every_result(text, arguments)[0]


def theirs(text: str, arguments: Sequence[np.ndarray]) -> np.ndarray:
    """The only result of a program officially. Fails where there is none."""
    results = official(text, arguments)
    if results is None:
        raise AssertionError(f"the official interpreter does not run\n{text}")
    return results[0]


def same_bits(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Where two arrays have the same bits, or both NaN."""
    if lhs.dtype.kind == "c":
        part = np.dtype(f"f{lhs.dtype.itemsize // 2}")
        both = same_bits(np.ascontiguousarray(lhs).view(part), np.ascontiguousarray(rhs).view(part))
        return both.reshape(*lhs.shape, 2).all(-1)
    unsigned = f"u{lhs.dtype.itemsize}"
    equal = lhs.view(unsigned) == rhs.view(unsigned)
    if lhs.dtype.kind in "biu" or lhs.dtype.name.startswith(("int", "uint")):
        return equal
    wide = np.float64
    return equal | (np.isnan(lhs.astype(wide)) & np.isnan(rhs.astype(wide)))


def ulps(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """How many values of their float type lie between two arrays; 0 for two NaN, infinite for one."""
    if lhs.dtype.kind == "c":
        part = np.dtype(f"f{lhs.dtype.itemsize // 2}")
        both = ulps(np.ascontiguousarray(lhs).view(part), np.ascontiguousarray(rhs).view(part))
        return both.reshape(*lhs.shape, 2).max(-1)
    lhs_nan, rhs_nan = np.isnan(lhs.astype(np.float64)), np.isnan(rhs.astype(np.float64))
    distance = np.abs(_ordinal(lhs) - _ordinal(rhs))
    return np.where(lhs_nan & rhs_nan, 0.0, np.where(lhs_nan | rhs_nan, np.inf, distance))


def _ordinal(values: np.ndarray) -> np.ndarray:
    """Floats as numbers that grow by one from each value to the next, exact for near ones."""
    width = 8 * values.dtype.itemsize
    bits = values.view(f"u{values.dtype.itemsize}").astype(np.uint64)
    sign = bits >> np.uint64(width - 1)
    magnitude = (bits & np.uint64((1 << (width - 1)) - 1)).astype(np.longdouble)
    return np.where(sign, -magnitude, magnitude)


def report(
    op: str, names: Sequence[str], wrong: np.ndarray, arguments: Sequence[np.ndarray], *results: np.ndarray
) -> str:
    """The first few disagreements in words."""
    lines = [f"{op} on {', '.join(names)}: {int(wrong.sum())} of {wrong.size} disagree"]
    for index in list(zip(*np.nonzero(wrong), strict=True))[:5]:
        operands = ", ".join(
            str(argument[index] if argument.shape == wrong.shape else argument) for argument in arguments
        )
        lines.append(f"  ({operands}): here {results[0][index]}, officially {results[1][index]}")
    return "\n".join(lines)


def assert_same_bits(
    op: str,
    names: Sequence[str],
    arguments: Sequence[np.ndarray],
    result: str,
    attributes: str = "",
    result_shape: Sequence[int] | None = None,
) -> None:
    """Fails unless an op gives the official results, bit by bit. Which NaN is left open."""
    shapes = [argument.shape for argument in arguments]
    text = op_text(f"stablehlo.{op}", names, shapes, [result], attributes, result_shape)
    here, officially = ours(text, arguments), theirs(text, arguments)
    assert here.dtype == officially.dtype
    assert here.shape == officially.shape
    wrong = ~same_bits(here, officially)
    assert not wrong.any(), report(op, names, wrong, arguments, here, officially)

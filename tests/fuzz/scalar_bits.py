"""Functions of scalars have the definitions' bits: `tools/run fuzz/scalar_bits --count=1000000` draws operands.

With MPFR and without it, for each type; complex doubles need it. The C library of this process is measured: run it on
glibc and on musl. Exits with 1 if a bit differs.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from stablehlo_py.bindings.types import element_type
from stablehlo_py.interpreter import element_types
from stablehlo_py.interpreter.fast import complex_scalars, scalars

BINARY = scalars.BINARY | {"divide"}
TYPES = ["bf16", "f16", "f32", "f64", "complex<f32>", "complex<f64>"]


def functions(type_name: str) -> list[str]:
    """The names of a type's functions."""
    return sorted(complex_scalars.NAMES if type_name.startswith("complex") else scalars.FUNCTIONS)


def draw(random: np.random.Generator, dtype: np.dtype, count: int) -> np.ndarray:
    """Numbers of common sizes, of many sizes, of few bits, and any bits at all."""
    if dtype.kind == "c":
        parts = [draw(random, np.dtype(f"f{dtype.itemsize // 2}"), count) for _ in range(2)]
        return np.stack(parts, axis=-1).view(dtype)[:, 0]
    part = count // 4 + 1
    sizes = 2.0 ** random.uniform(-30, 10, part) * random.choice([-1, 1], part)
    few = np.rint(random.normal(size=part) * 20) / 4
    bits = random.integers(0, 256, part * dtype.itemsize, dtype=np.uint8).view(dtype)
    values = [(random.normal(size=part) * 3).astype(dtype), sizes.astype(dtype), few.astype(dtype), bits]
    return random.permutation(np.concatenate(values))[:count]


def _texts(value: Any) -> list[str]:
    """The parts of a number, which tell zeros apart and no NaN from another."""
    return [repr(abs(part) if math.isnan(part) else part) for part in (float(value.real), float(value.imag))]


def differences(name: str, type_name: str, count: int, *, mpfr: bool) -> Iterator[str]:
    """The operands where a function of scalars differs from its definition."""
    type_ = element_type(type_name)
    definition, random = getattr(element_types.arithmetic(type_), name), np.random.default_rng(len(name))
    operands = [draw(random, type_.dtype, count) for _ in range(2 if name in BINARY else 1)]
    if type_.dtype.kind == "c":
        function = complex_scalars.on_complex_scalars(name, type_.dtype, definition)
    else:
        function = scalars.on_scalars(name, type_.dtype, definition, use_mpfr=mpfr)
    with np.errstate(all="ignore"):
        expected = definition(*operands)
        for number, row in enumerate(zip(*operands, strict=True)):
            found, wanted = np.asarray(function(*row)), np.asarray(expected[number])
            if _texts(found) != _texts(wanted):
                yield f"{name}({', '.join(map(str, row))}) of {type_name} is {found}, not {wanted}"
        for start in range(0, count, 3):
            few = [operand[start : start + 3] for operand in operands]
            if not np.array_equal(function(*few), expected[start : start + 3], equal_nan=True):
                yield f"{name}({', '.join(map(str, few))}) of {type_name} is {function(*few)}"


def main() -> None:
    """Compare, print a line for each function and type, and the differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="operands of each function")
    parser.add_argument("--type", action="append", choices=TYPES, help="of these types")
    options = parser.parse_args()
    wrong = 0
    for type_name in options.type or TYPES:
        for name in functions(type_name):
            for mpfr in (True, False) if type_name == "f64" and scalars.mpfr_functions() else (False,):
                found = list(differences(name, type_name, options.count, mpfr=mpfr))
                wrong += len(found)
                print(
                    f"{name} {type_name}{' by MPFR' * mpfr}: {options.count:,} operands, {len(found)} differ",
                    flush=True,
                )
                print(*found[:3], sep="\n", end="\n" * bool(found))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()

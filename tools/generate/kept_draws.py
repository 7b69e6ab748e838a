"""Write tests/unit/conformance/kept_draws.txt: what the conformance kit and the fuzzer draw, as a digest for each part.

Users keep scores by case and report findings by seed, so both stay what they are unless a change means to change them.
Takes 40 seconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np

from stablehlo_py.bindings import make_context
from stablehlo_py.conformance.case import Case
from stablehlo_py.conformance.cases import contraction, near_ties
from stablehlo_py.conformance.catalog import Choice, cases
from stablehlo_py.conformance.fuzz.builder import ProgramOptions
from stablehlo_py.conformance.fuzz.structures import STEPS, draw_program
from stablehlo_py.conformance.generate.structures import Product

PATH = Path(__file__).resolve().parents[2] / "tests" / "unit" / "conformance" / "kept_draws.txt"
TYPES = ("i1", "i4", "i32", "ui8", "f8E5M2", "f32", "f64", "complex<f32>", "complex<f64>", "quantized")
OPTIONS = {
    "usual": ProgramOptions(),
    "dynamic": ProgramOptions(dynamic=True, special=False),
    "undefined": ProgramOptions(undefined=True, sign_sensitive=False, depth=1),
    **{name: ProgramOptions(size=4, depth=1, weights={**dict.fromkeys(STEPS, 0), name: 1}) for name in STEPS},
}
_SEEDS = 12


@contextmanager
def few() -> Iterator[None]:
    """Make the parts of the kit small that take long."""
    product = Product([2, 5, 4], [2, 4, 3], [2, 5, 3], [0], [0], [2], [1])
    edges = Product([4, 3, 64], [4, 64, 2], [4, 3, 2], [0], [0], [2], [1])
    with patch.multiple(contraction, _LARGE=product, _EDGES=edges), patch.multiple(near_ties, COUNT=4, _MANY=40):
        yield


def _digest(case: Case) -> bytes:
    """Return the bytes of a case. Bounds and operands of fft have six digits: the last ones depend on the machine."""
    found = [case.name, case.module, case.source, case.reference, *case.parameters]
    for array in case.inputs:
        values = _digits(array) if case.op == "fft" else array.tobytes().hex()
        found.append(f"{array.dtype.name} {array.shape} {values}")
    for each in case.expected:
        found.append(f"{each.type} {each.rule} {each.ulp:.6g} {each.dimension}")
        if each.rule == "bounds":
            found += [_digits(array) for array in (each.low, each.high) if array is not None]
        else:
            found.append(each.value.tobytes().hex())
    return "\0".join(found).encode()


def _digits(array: np.ndarray) -> str:
    """Return six digits of each element; what is left of a difference, far below the largest one, is zero."""
    flat = np.ascontiguousarray(array).reshape(-1)
    parts = flat.view(flat.real.dtype).astype(np.float64)
    largest = np.abs(parts[np.isfinite(parts)]).max(initial=0)
    return " ".join(f"{number:.6g}" for number in np.where(np.abs(parts) < largest * 1e-9, 0.0, parts).tolist())


def of_kit(element: str) -> dict[str, str]:
    """Return a digest of the cases of each op for an element type."""
    found: dict[str, hashlib._Hash] = {}
    with few():
        for case in cases(Choice(types=(element,))):
            found.setdefault(case.op, hashlib.sha256()).update(_digest(case))
    return {f"{element} {op}": each.hexdigest()[:10] for op, each in found.items()}


def of_fuzzer() -> dict[str, str]:
    """Return a digest of the programs of some seeds, with all options and with each step alone."""
    context, found = make_context(), dict[str, str]()
    for name, options in OPTIONS.items():
        programs = [draw_program(Random(seed), options, context) for seed in range(_SEEDS)]
        arrays = [f"{array.dtype.name} {array.shape} {array.tobytes().hex()}"
                  for each in programs for array in each.arguments]  # fmt: skip
        texts = "\0".join([*[each.text for each in programs], *arrays])
        found[f"fuzz {name}"] = hashlib.sha256(texts.encode()).hexdigest()[:10]
    return found


def kept(path: Path = PATH) -> dict[str, str]:
    """Return the digests in a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {part: digest for part, _, digest in (line.rpartition(" ") for line in lines)}


def changes(path: Path, found: Mapping[str, str], *firsts: str) -> list[str]:
    """Return the parts whose digests a file lacks or has others of, of those that begin with one of these words.

    Ops that bindings of earlier releases lack are left out.
    """
    context = make_context()
    known = {
        part: digest
        for part, digest in kept(path).items()
        if part.partition(" ")[0] in firsts
        and (part in found or context.is_registered_operation(f"stablehlo.{part.partition(' ')[2]}"))
    }
    return sorted(part for part in {**known, **found} if known.get(part) != found.get(part))


def write(path: Path, found: Mapping[str, str]) -> None:
    """Write digests."""
    path.write_text("".join(f"{part} {digest}\n" for part, digest in found.items()), encoding="utf-8")


def main() -> None:
    """Write the file."""
    found = of_fuzzer()
    for element in TYPES:
        found |= of_kit(element)
    write(PATH, found)


if __name__ == "__main__":
    main()

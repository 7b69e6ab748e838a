"""The spread of a program's results: how far runs are apart that the specification permits.

No bound is known for a program as a whole. It is run in double precision, in the engine's own types, and on arguments
that are one unit in the last place off, or with such weights if no argument is a float. The distance of these results
shows how the program amplifies rounding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from ...bindings import ir, make_context
from ...bindings.bytecode import bytecode_of
from ...bindings.elements import constant_value, from_numpy
from ...bindings.types import dtype_name
from ...bindings.walk import operations
from ...engines import Engine, Outcome
from ...engines.reference import backend
from ...engines.worker import Run
from ...errors import StablehloError
from ...interpreter.element_types.ulp import epsilon
from .enclosures import Allowed, Question
from .measures import EXACT, Difference, Tolerance, beyond, difference, is_float, parts_of, wide_type

MARGIN = 16.0  # times the spread is allowed: an engine's error is a sample of it, and so are the runs
_UNITS = 4.0
_PERTURBED = 2  # runs on arguments that are one unit off
_KEPT = 4
SENTENCE = "Accuracy: the spec guarantees none; rounding takes this program as far in the reference"

_RANGE = "Accuracy: the spec guarantees none; a step of the op is too large for its type, not for double precision"


class Local(Engine):
    """The interpreter in this process, its floats in another type if one is named; see `engines.reference`."""

    def __init__(self, element: str = "") -> None:
        super().__init__(f"reference:{element}" if element else "reference", "")
        self.element = element
        self.programs: dict[str, Run | StablehloError] = {}

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        """Run a program; an error is an outcome."""
        digest = hashlib.sha256(module).hexdigest()
        if digest not in self.programs:
            if len(self.programs) >= _KEPT:
                del self.programs[next(iter(self.programs))]
            try:
                self.programs[digest] = backend(*filter(None, [self.element])).load(module)
            except StablehloError as error:
                self.programs[digest] = error
        program = self.programs[digest]
        if isinstance(program, StablehloError):
            return Outcome("unsupported", message=program.message)
        try:
            with np.errstate(all="ignore"):
                return Outcome("ok", tuple(program(list(arguments))))
        except StablehloError as error:
            return Outcome("error", message=error.message)


def perturbed(array: np.ndarray, seed: int) -> np.ndarray:
    """Return floats, each unchanged or one unit in the last place larger or smaller."""
    if not is_float(array.dtype) or array.dtype.kind == "c":
        return array
    steps = np.random.default_rng(seed).integers(-1, 2, array.shape)
    type_ = np.float32 if array.dtype.itemsize < 8 else np.float64
    with np.errstate(all="ignore"):
        wide = array.astype(type_, copy=False)
        moved = (wide * (1 + steps.astype(type_) * type_(epsilon(array.dtype)))).astype(array.dtype, copy=False)
    return np.where(np.isfinite(wide), moved, array)


def perturbed_weights(module: bytes, seed: int) -> bytes:
    """Return a program with its weights `perturbed`: the constants that hold different floats."""
    changed = ir.Module.parse(module, make_context())
    for op in operations(changed.operation):
        if op.name != "stablehlo.constant":
            continue
        value = constant_value(op)
        if is_float(value.dtype) and value.dtype.kind != "c" and value.size and (value != value.flat[0]).any():
            op.attributes["value"] = from_numpy(perturbed(value, seed), op.results[0].type)
    return bytecode_of(changed)


def ways(
    arguments: Sequence[np.ndarray], narrow: str = "", perturbations: int = _PERTURBED
) -> list[tuple[str, list[np.ndarray]]]:
    """Return runs of a program that show its spread: a float type, or none for its own, and the arguments.

    A `narrow` type is that of an engine with fewer digits than the program's. So many `perturbations` are one unit off.
    """
    given = list(arguments)
    runs = [("f64", given), *(("f64", [perturbed(one, seed) for one in given]) for seed in range(perturbations))]
    return [*runs, (narrow, given)] if narrow else runs


def narrower(given: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> str:
    """Return the float type of an engine's results if it has fewer digits than the program's type."""
    pairs = zip((a.dtype for a in given), (b.dtype for b in expected), strict=False)
    found = next((a for a, b in pairs if is_float(a) and is_float(b) and epsilon(a) > epsilon(b)), None)
    return "" if found is None else dtype_name(found)


def tolerance_of(expected: np.ndarray, others: Sequence[np.ndarray]) -> Tolerance:
    """Return the tolerance for a result, given what other runs have for it."""
    type_ = wide_type(expected.dtype)
    wide = parts_of(expected, type_)
    spread = np.zeros_like(wide)
    with np.errstate(all="ignore"):
        for other in others:
            apart = np.abs(parts_of(other, type_) - wide)
            spread = np.maximum(spread, np.where(np.isfinite(apart), apart, 0))  # rounding explains no NaN
    if not is_float(expected.dtype):
        return Tolerance(absolute=np.where(spread > 0, type_(np.inf), spread))
    some = spread[np.isfinite(spread) & (spread > 0)]
    typical = np.median(some) if some.size else type_(0)
    return Tolerance(ulp=_UNITS, absolute=type_(MARGIN) * np.maximum(spread, typical))


def tolerances(
    module: bytes, arguments: Sequence[np.ndarray], given: Sequence[np.ndarray], expected: Sequence[np.ndarray]
) -> list[Tolerance]:
    """Return how far each result `given` by an engine may be from the reference's `expected` one."""
    if all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in zip(given, expected, strict=True)):
        return [EXACT] * len(expected)
    engines: dict[str, Engine] = {}
    found = list[Sequence[np.ndarray]]()
    has_floats = any(is_float(one.dtype) for one in arguments)
    for number, (element, values) in enumerate(ways(arguments, narrower(given, expected))):
        program = module if has_floats or not 0 < number <= _PERTURBED else perturbed_weights(module, number)
        outcome = engines.setdefault(element, Local(element)).run(program, values)
        if not outcome.ok and element == "f64":  # an op is tied to the bits of its type
            outcome = engines.setdefault("", Local()).run(program, values)
        if outcome.ok:
            found.append(outcome.results)
    return [tolerance_of(value, [other[number] for other in found]) for number, value in enumerate(expected)]


def first_beyond(
    module: bytes,
    arguments: Sequence[np.ndarray],
    given: Sequence[np.ndarray],
    expected: Sequence[np.ndarray],
    tolerance: Tolerance | None = None,
) -> tuple[int, Difference | None] | None:
    """Return the first result that is too far from the expected one, and how far; the difference is None where the
    shapes differ. Without a tolerance, results may be as far apart as `tolerances` says."""
    allowed = tolerances(module, arguments, given, expected) if tolerance is None else [tolerance] * len(expected)
    for number, (a, b) in enumerate(zip(given, expected, strict=True)):
        found = difference(a, b, allowed[number]) if a.shape == b.shape else None
        if found is None or not found.same:
            return number, found
    return None


def spread_of_op(question: Question) -> list[Allowed]:
    """Return the enclosures of an op that is a program of its own, such as a loop."""
    inputs = question.extractor.alone(question.op).inputs
    arguments = [question.values[value] for value in inputs]
    narrow = narrower([np.empty(0, dtype) for dtype in question.types], question.wanted)
    runs = list[Sequence[np.ndarray]]()
    for element, values in ways(arguments, narrow):
        try:
            runs.append(question.run(dict(zip(inputs, values, strict=True)), element))
        except StablehloError:
            runs.append(question.run(dict(zip(inputs, values, strict=True))))

    def outside(number: int, given: np.ndarray) -> npt.NDArray[np.bool_]:
        wanted = question.wanted[number]
        allowed = tolerance_of(wanted, [run[number] for run in runs])
        return beyond(given, wanted, allowed)

    found = list[Allowed]()
    for number, wanted in enumerate(question.wanted):
        finite = [np.isfinite(parts_of(one)).all(1).reshape(wanted.shape) for one in (wanted, runs[0][number])]
        found.append(Allowed(wanted, partial(outside, number), SENTENCE).opened(finite[0] != finite[1], _RANGE))
    return found

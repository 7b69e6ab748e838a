"""Whether two programs compute the same function: by fingerprints, without a tolerance.

Results with equal residues are the same function, but for rounding; `interpreter.fingerprints` says what that proves.
If they are not equal, both programs run again, and results that only one has are looked at in program order. Products
and quotients by constants, and constants, that are a rounding apart are taken for equal and named. What is left is a
difference if values show it in double precision, or if neither rounding nor an unknown identity can explain it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from .. import sarif
from ..bindings import ir
from ..bindings.types import TensorType
from ..engines import Limits
from ..errors import ResourceError, StablehloError, UsageError
from ..interpreter.element_types.ulp import epsilon, parts
from ..interpreter.fingerprints.reading import FingerprintReading, Run
from ..interpreter.fingerprints.storage import as_numbers, as_values, is_read, residues
from ..interpreter.plan import Step
from ..interpreter.program import Program
from ..interpreter.settings import Settings
from ..interpreter.values import flat
from .compare import at_least_one, draw_samples
from .programs.inputs import Distribution
from .programs.subject import Subject, examine

FunctionVerdict = Literal["the same function but for rounding", "the same function but for roundings of constants",
                          "different functions", "cannot tell"]  # fmt: skip
SAME, ROUNDED, DIFFERENT, UNKNOWN = FunctionVerdict.__args__
_SCALED = frozenset({"stablehlo.divide", "stablehlo.multiply"})
_ALGEBRA = frozenset({f"stablehlo.{name}" for name in (
    "add", "broadcast_in_dim", "concatenate", "constant", "convert", "convolution", "divide", "dot_general", "gather",
    "multiply", "negate", "pad", "reduce", "reshape", "select", "slice", "subtract", "transpose")})  # fmt: skip
_NOISE = 1e-9
_ROUNDINGS = 64
_UNDERFLOW = 2.0**-126
_LONGEST_CHAIN = 8
_MOST_RESULTS, _MOST_BYTES = 1 << 18, 1 << 30


class Rounding(NamedTuple):
    """An op of each program, with their places, that are taken for equal, and their relative distance."""

    first: str
    second: str
    distance: float

    def __str__(self) -> str:
        return f"{self.first} ~ {self.second}: {self.distance:.1e} apart"


@dataclass(frozen=True)
class Equivalence:
    """The outcome of `equivalent`.

    Attributes:
        verdict: What the programs are to each other.
        roundings: The roundings of constants that are between them.
        first: The first op of each program whose result the other lacks, or empty.
        message: The result that shows a difference, or why nothing can be told.
        samples: How many times was looked.
        arguments: The arguments that show a difference.
    """

    verdict: FunctionVerdict
    roundings: tuple[Rounding, ...] = ()
    first: tuple[str, ...] = ()
    message: str = ""
    samples: int = 0
    arguments: tuple[np.ndarray, ...] = field(repr=False, default=())

    @property
    def is_same(self) -> bool:
        """Whether the programs are the same function, but for rounding."""
        return self.verdict in (SAME, ROUNDED)

    @property
    def exit_code(self) -> int:
        """0 for the same function, 1 for different ones, 2 if nothing can be told."""
        return 0 if self.is_same else 1 if self.verdict == DIFFERENT else 2

    @property
    def summary(self) -> str:
        """The verdict in a line, with what shows it."""
        count = len(self.roundings)
        head = f"the same function but for {count} rounding{'s' * (count > 1)} of constants" if count else self.verdict
        return f"{head}: {self.message}" if self.message else head

    def __str__(self) -> str:
        lines = [self.summary, *(f"  {each}" for each in self.roundings)]
        lines += [f"  first op of program {number} that the other lacks: {op}"
                  for number, op in enumerate(self.first, 1) if op]  # fmt: skip
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the outcome as JSON holds it."""
        found = {name: value for name, value in vars(self).items() if name != "arguments"}
        return {**found, "roundings": [each._asdict() for each in self.roundings], "first": list(self.first)}

    def as_sarif(self, name: str) -> dict[str, Any]:
        """Return the outcome as a document of SARIF about the file called `name`."""
        texts = map(str, self.roundings) if self.is_same else [str(self)]
        level = {ROUNDED: "note", UNKNOWN: "warning"}.get(self.verdict, "error")
        results = [sarif.result(level, text, name, "equiv") for text in texts]
        return sarif.document("stablehlo equiv", results, {"equiv": "Two programs compute the same function."})


def equivalent(
    a: ir.Module,
    b: ir.Module,
    *,
    arguments: Sequence[np.ndarray] | None = None,
    samples: int = 2,
    seed: int = 0,
    distributions: dict[int | None, Distribution] | None = None,
    limits: Limits | None = None,
    keeps_rounding: bool = False,
) -> Equivalence:
    """Tell whether two programs compute the same function, without a tolerance.

    Args:
        a: The first program; its `main`, or only function, is run.
        b: The second one.
        arguments: The values that decide the ways taken; drawn by default.
        samples: How many times to look, with other primes and hashes, and with other arguments if they are drawn.
        seed: Where drawing starts.
        distributions: How to draw, see `draw_arguments`.
        limits: Of each run.
        keeps_rounding: Whether conversions to narrower floats and `reduce_precision` are part of the function.

    Raises:
        InputError: The arguments cannot be drawn.
        UsageError: The programs do not take the same types, or there is less than one sample.
    """
    first, second = examine(a), examine(b)
    types = [[str(each.type) for each in one.block.arguments] for one in (first, second)]
    if types[0] != types[1]:
        notes = [f"{name} takes {', '.join(each) or 'nothing'}" for name, each in zip("ab", types, strict=True)]
        raise UsageError("the programs take different arguments", notes=notes)
    if arguments is None:
        drawn = draw_samples(first, samples, seed, distributions)
    else:
        drawn = at_least_one([list(arguments)] * samples)
    settings = Settings(timeout=None if limits is None else limits.seconds)
    runs = [(runner(first, each, settings), runner(second, each, settings), each) for each in drawn]
    return same_function(runs, keeps_rounding)


def function_hash(module: ir.Module, samples: int = 2) -> str:
    """Return a name for what a program computes: the same for programs that are the same function but for rounding."""
    subject, digest = examine(module), hashlib.blake2b(digest_size=16)
    for sample, arguments in enumerate(draw_samples(subject, samples, 0)):
        for result in runner(subject, arguments, Settings())(FingerprintReading(sample)):
            digest.update(_key(result))
    return digest.hexdigest()


def runner(subject: Subject, arguments: Sequence[np.ndarray], settings: Settings) -> Run:
    """Return the run of a program on these arguments."""

    def run(reading: FingerprintReading) -> list[Any]:
        program = Program(subject.module, settings, reading)
        return flat(program.run_values(reading.arguments_of(arguments, program.parameter_types())))

    return run


def same_function(runs: Sequence[tuple[Run, Run, Sequence[np.ndarray]]], keeps_rounding: bool = False) -> Equivalence:
    """Compare the runs of two programs on sets of arguments, each with the fields of a sample."""
    worst = Equivalence(SAME)
    for sample, (first, second, arguments) in enumerate(runs):
        try:
            found = _compared(first, second, partial(FingerprintReading, sample, keeps_rounding=keeps_rounding))
        except ResourceError:
            raise
        except StablehloError as error:
            found = Equivalence(UNKNOWN, message=str(error))
        found = replace(found, arguments=() if found.is_same else tuple(arguments))
        worst = replace(max(worst, found, key=lambda one: (SAME, ROUNDED, UNKNOWN, DIFFERENT).index(one.verdict)),
                        samples=sample + 1)  # fmt: skip
        if worst.verdict == DIFFERENT:
            break
    return worst


def _compared(first: Run, second: Run, read: Callable[..., FingerprintReading]) -> Equivalence:
    """Compare the results of two runs, and if they differ also what is on the way to them."""
    reading = read()
    expected, given = first(reading), second(read())
    shapes = [[np.shape(each) for each in results] for results in (expected, given)]
    if shapes[0] != shapes[1]:
        return Equivalence(DIFFERENT, message=f"results of shapes {shapes[0]} and {shapes[1]}")
    if _are_same(expected, given):
        return Equivalence(SAME)
    theirs = _Log()
    second(read(theirs))
    ours = _Log(theirs)
    first(read(ours))
    theirs = _Pairing(ours)
    again = read(theirs)
    given = second(again)
    if _are_same(expected, given):
        return Equivalence(ROUNDED, tuple([Rounding(str(a), str(b), distance) for a, b, distance in theirs.pairs]))
    return _difference(expected, given, ours, theirs, len(reading.state.doubts ^ again.state.doubts))


def _are_same(expected: Sequence[Any], given: Sequence[Any]) -> bool:
    return all(np.array_equal(residues(a), residues(b)) for a, b in zip(expected, given, strict=True))


@dataclass(eq=False)
class _Result:
    """A result of an op that ran. Values are kept of those that the other program lacks."""

    step: Step
    key: bytes
    operands: tuple[bytes, ...]
    is_constant: bool
    value: Any = None

    @property
    def is_scaled(self) -> bool:
        return self.step.op.name in _SCALED

    def __str__(self) -> str:
        return f"{self.step.op.name} at {self.step.op.location}"


def _key(value: Any) -> bytes:
    found = residues(value)
    shape = str(found.shape).encode()[:64]
    return hashlib.blake2b(np.ascontiguousarray(found).tobytes(), digest_size=16, key=shape).digest()


class _Log:
    """The results of one run by their residues, in order, with the values of those that another one lacks."""

    def __init__(self, other: _Log | None = None) -> None:
        self.found: dict[bytes, _Result] = {}
        self.other, self._room = other, _MOST_BYTES

    def __call__(self, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> tuple[Any, ...]:
        keys = tuple([_key(operand) for operand in operands if isinstance(operand, np.ndarray | np.generic)])
        known = [self.found.get(key) for key in keys]
        is_constant = not step.regions and all(each is not None and each.is_constant for each in known)
        return tuple([
            self.note(_Result(step, _key(result), keys, is_constant, result))
            if isinstance(result, np.ndarray | np.generic) else result
            for result in results
        ])  # fmt: skip

    def note(self, result: _Result) -> Any:
        """Keep a result, and return its value."""
        if result.key not in self.found and len(self.found) < _MOST_RESULTS:
            is_kept = self.other is not None and result.key not in self.other.found and self._room > 0
            self._room -= is_kept * np.asarray(result.value).nbytes
            self.found[result.key] = result if is_kept else replace(result, value=None)
        return result.value

    def lacking(self, other: _Log) -> list[_Result]:
        """Return the results that another run lacks."""
        return [each for key, each in self.found.items() if key not in other.found]

    def leading(self, other: _Log) -> _Result | None:
        """Return the first result that another run lacks and whose operands it has, or the first of all."""
        lacking = self.lacking(other)
        for each in lacking:
            operands = [self.found.get(key) for key in each.operands]
            is_known = [one is None or one.is_constant or one.key in other.found for one in operands]
            if not each.is_constant and all(is_known):
                return each
        return next(iter(lacking), None)


class _Pairing(_Log):
    """The results of the second program, of which those that are a rounding from one of the first are replaced."""

    def __init__(self, first: _Log) -> None:
        super().__init__(first)
        self.first, self.pairs = first, list[tuple[_Result, _Result, float]]()
        self._by_clue: dict[Any, list[_Result]] = {}
        for each in first.found.values():
            if each.value is not None and (each.is_constant or each.is_scaled):
                self._by_clue.setdefault(_clue(each.value), []).append(each)

    def note(self, result: _Result) -> Any:
        if result.key not in self.first.found and self._fits(result, self, self.first):
            clues = {_clue(result.value, factor) for factor in (1 - 1e-5, 1.0, 1 + 1e-5)}
            for other in [one for clue in clues for one in self._by_clue.get(clue, ())]:
                distance = _distance(result, other)
                if distance <= 2 and other.is_constant == result.is_constant and self._fits(other, self.first, self):
                    self.pairs.append((other, result, distance * _epsilon(other, result)))
                    result = replace(other, step=result.step, operands=result.operands)
                    break
        return super().note(result)

    @staticmethod
    def _fits(result: _Result, own: _Log, other: _Log) -> bool:
        """Whether a result is a constant, or a value that the other program has, multiplied or divided by constants."""
        for _ in range(_LONGEST_CHAIN):
            if result.is_constant or not result.is_scaled:
                return result.is_constant
            known = [(key, own.found.get(key)) for key in result.operands]
            rest = [(key, each) for key, each in known if each is None or not each.is_constant]
            if len(rest) != 1:
                return False
            key, inner = rest[0]
            if inner is None or key in other.found:
                return True
            result = inner
        return False


def _clue(value: Any, factor: float = 1.0) -> tuple[Any, ...]:
    """Return the type and shape, and the first element to some digits, by which equal values are found."""
    array = np.asarray(value)
    first = np.asarray(as_values(array.reshape(-1)[:1])).tolist()
    return array.dtype.str, array.shape, *[f"{abs(each) * factor:.3e}" for each in first]


def _epsilon(*results: _Result) -> float:
    """Return the distance of 1 to the next float in the coarsest of the results' types."""
    types = [type_ for result in results for type_ in result.step.op.result_types if isinstance(type_, TensorType)]
    return max([epsilon(as_numbers(type_).dtype) for type_ in types if is_read(type_.element_type)], default=_NOISE)


def _numbers(value: Any) -> np.ndarray:
    """Return the values of floats, or of both parts of complex numbers in a new last dimension."""
    found = np.asarray(as_values(value))
    return parts(found) if found.dtype.kind == "c" else found


def _distance(first: _Result, second: _Result) -> float:
    """Return the largest relative distance of two elements, in units of the coarsest type's last place."""
    a, b = _numbers(first.value), _numbers(second.value)
    if a.shape != b.shape or a.dtype != b.dtype or a.dtype.kind != "f":
        return np.inf
    size = np.maximum(np.abs(a), np.abs(b))
    is_alike = (a == b) | (np.isnan(a) & np.isnan(b))
    distances = np.where(is_alike, 0, np.abs(a - b) / np.where(size > 0, size, 1))
    return float(np.max(distances, initial=0.0)) / _epsilon(first, second)


def _difference(expected: Sequence[Any], given: Sequence[Any], ours: _Log, theirs: _Log, doubts: int) -> Equivalence:
    """Return what different residues mean."""
    leading = ours.leading(theirs), theirs.leading(ours)
    lacking = ours.lacking(theirs), theirs.lacking(ours)
    message, distance = max(_shown(expected, given), key=lambda one: one[1])
    found = Equivalence(UNKNOWN, first=tuple(["" if each is None else str(each) for each in leading]))
    if doubts:
        return replace(found, message=f"rounding may have decided {doubts} comparisons otherwise")
    can_be_rounding = all(any(each.is_constant for each in own) for own in lacking)
    is_algebra = all(each.step.op.name in _ALGEBRA for log in (ours, theirs) for each in log.found.values())
    is_large = distance > _ROUNDINGS * max(map(_epsilon, (*lacking[0], *lacking[1])), default=_NOISE)
    is_proven = not can_be_rounding and (distance > _NOISE or is_algebra)
    if is_large or is_proven or _differ_in_constants(leading, (ours, theirs)):
        return replace(found, verdict=DIFFERENT, message=message)
    why = "by roundings of constants" if can_be_rounding else "by an identity that fingerprints do not know"
    return replace(found, message=f"{message}, which may be explained {why}")


def _differ_in_constants(leading: Sequence[_Result | None], logs: Sequence[_Log]) -> bool:
    """Whether the first ops that only one program has are of one name, with constants more than a rounding apart."""
    if len({"" if each is None else each.step.op.name for each in leading} - {""}) != 1 or None in leading:
        return False
    operands = [[log.found.get(key) for key in each.operands] for each, log in zip(leading, logs, strict=True) if each]
    pairs = [(a, b) for a, b in zip(*operands, strict=False) if a is not None and b is not None]
    return any(_distance(a, b) > 2 for a, b in pairs if a.value is not None and b.value is not None and a.is_constant)


def _shown(expected: Sequence[Any], given: Sequence[Any]) -> Iterator[tuple[str, float]]:
    """Give the element of each result that differs most by value, in words, and by how much relative to the largest."""
    for number, (a, b) in enumerate(zip(expected, given, strict=True)):
        if np.array_equal(residues(a), residues(b)):
            continue
        x, y = map(_numbers, (a, b))
        if x.dtype.kind == "f":
            size = max([np.max(np.abs(each), initial=0.0, where=np.isfinite(each)) for each in (x, y)])
            apart = np.abs(np.subtract(x, y, where=x != y, out=np.zeros_like(x)))
            apart = np.where((np.isnan(x) & np.isnan(y)) | (apart < _UNDERFLOW), 0, apart)
            distances = np.nan_to_num(apart / (size if size else 1), nan=1.0, posinf=1.0)
        else:
            distances = (x != y).astype(np.float64)
        index = np.unravel_index(int(np.argmax(distances)), distances.shape)
        place = f"result {number}{[int(each) for each in index]}"
        yield f"{place} is {x[index]} in the first program, {y[index]} in the second", float(distances[index])

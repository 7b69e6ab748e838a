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
from typing import Any, Literal

import numpy as np

from ..bindings import ir
from ..bindings.types import TensorType
from ..engines import Limits
from ..errors import ResourceError, StablehloError, UsageError
from ..interpreter.fingerprints.complex_elements import COMPLEX
from ..interpreter.fingerprints.elements import FINGERPRINT
from ..interpreter.fingerprints.reading import FingerprintReading
from ..interpreter.fingerprints.storage import argument, as_numbers, as_values, residues
from ..interpreter.plan import Step
from ..interpreter.program import Program
from ..interpreter.settings import Settings
from ..interpreter.values import flat
from .allowed.measures import epsilon
from .compare import draw_samples
from .programs.inputs import Distribution
from .programs.subject import Subject, examine

FunctionVerdict = Literal["the same function but for rounding", "the same function but for roundings of constants",
                          "different functions", "cannot tell"]  # fmt: skip
SAME, ROUNDED, DIFFERENT, UNKNOWN = FunctionVerdict.__args__
Run = Callable[[FingerprintReading], list[Any]]
"""Runs a program by a reading, and returns its results."""
_SCALED = frozenset({"stablehlo.divide", "stablehlo.multiply"})
_ALGEBRA = frozenset({f"stablehlo.{name}" for name in (
    "add", "broadcast_in_dim", "concatenate", "constant", "convert", "convolution", "divide", "dot_general", "gather",
    "multiply", "negate", "pad", "reduce", "reshape", "select", "slice", "subtract", "transpose")})  # fmt: skip
_NOISE = 1e-9
_ROUNDINGS = 64


@dataclass(frozen=True)
class Rounding:
    """A pair of ops that are taken for equal.

    Attributes:
        first: The op of the first program, with its place.
        second: That of the second program.
        distance: How far they are apart, relative to their size.
    """

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
        first: The first op of each program whose result the other lacks, if there are any.
        message: The result that shows a difference, or why nothing can be told.
        samples: How many sets of arguments were looked at.
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

    def __str__(self) -> str:
        head = self.verdict
        if self.roundings:
            count = len(self.roundings)
            head = f"the same function but for {count} rounding{'s' * (count > 1)} of constants"
        lines = [f"{head}: {self.message}" if self.message else head]
        lines += [f"  {rounding}" for rounding in self.roundings]
        names = ("first", "second")
        lines += [f"  first op of the {name} program that the other lacks: {op}"
                  for name, op in zip(names, self.first, strict=False) if op]  # fmt: skip
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """The outcome as JSON holds it."""
        found = {name: value for name, value in vars(self).items() if name != "arguments"}
        return {**found, "roundings": [vars(each) for each in self.roundings], "first": list(self.first)}

    def as_sarif(self, name: str) -> dict[str, Any]:
        """The outcome as a document of SARIF about the file called `name`."""
        texts = [str(each) for each in self.roundings] if self.is_same else [str(self)]
        level = {SAME: "none", ROUNDED: "note", DIFFERENT: "error", UNKNOWN: "warning"}[self.verdict]
        where = [{"physicalLocation": {"artifactLocation": {"uri": name}}}]
        results = [{"ruleId": "equiv", "level": level, "message": {"text": text}, "locations": where} for text in texts]
        run = {"tool": {"driver": {"name": "stablehlo equiv"}}, "results": results}
        return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


@dataclass(eq=False)
class _Result:
    """A result of an op that ran. Values are kept of those that the other program lacks."""

    step: Step
    key: bytes
    operands: tuple[bytes, ...]
    is_constant: bool
    value: Any = None

    def __str__(self) -> str:
        return f"{self.step.op.name} at {self.step.op.location}"


def _key(value: Any) -> bytes:
    found = residues(value)
    return hashlib.blake2b(
        np.ascontiguousarray(found).tobytes(), digest_size=16, key=str(found.shape).encode()[:64]
    ).digest()


class _Log:
    """The results of one run by their residues, in order."""

    def __init__(self, lacking: Callable[[bytes], bool] = lambda _: False) -> None:
        self.found: dict[bytes, _Result] = {}
        self._lacking = lacking

    def __call__(self, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> tuple[Any, ...]:
        keys = tuple([_key(operand) for operand in operands if isinstance(operand, np.ndarray | np.generic)])
        known = [self.found.get(key) for key in keys]
        is_constant = not step.regions and all(each is not None and each.is_constant for each in known)
        return tuple([self.note(step, keys, is_constant, result) for result in results])

    def note(self, step: Step, operands: tuple[bytes, ...], is_constant: bool, result: Any) -> Any:
        """Keep a result, and return it."""
        if isinstance(result, (np.ndarray, np.generic)):
            key = _key(result)
            entry = _Result(step, key, operands, is_constant, result if self._lacking(key) else None)
            self.found.setdefault(key, entry)
        return result

    def without(self, other: _Log, paired: frozenset[bytes] = frozenset()) -> list[_Result]:
        """Return the results that another run lacks."""
        return [each for key, each in self.found.items() if key not in other.found and key not in paired]


class _Pairing(_Log):
    """The results of the second program, of which those that are a rounding from one of the first are replaced."""

    def __init__(self, first: _Log) -> None:
        super().__init__(lambda key: key not in first.found)
        self.first, self.pairs = first, list[tuple[_Result, _Result, float]]()
        self._by_shape: dict[Any, list[_Result]] = {}
        for each in first.found.values():
            if each.value is not None and (each.is_constant or each.step.op.name in _SCALED):
                self._by_shape.setdefault(_clue(each.value), []).append(each)

    def note(self, step: Step, operands: tuple[bytes, ...], is_constant: bool, result: Any) -> Any:
        if not isinstance(result, np.generic | np.ndarray) or not self._lacking(_key(result)):
            return super().note(step, operands, is_constant, result)
        mine = _Result(step, _key(result), operands, is_constant, result)
        if mine.is_constant or (step.op.name in _SCALED and self._is_scaled(mine, self, self.first)):
            for other in [one for clue in _clues(result) for one in self._by_shape.get(clue, ())]:
                distance = _distance(result, other.value)
                fits = other.is_constant == mine.is_constant and distance <= 2 * _epsilon(mine, other)
                if fits and (mine.is_constant or self._is_scaled(other, self.first, self)):
                    self.pairs.append((other, mine, distance))
                    result = other.value
                    break
        return super().note(step, operands, is_constant, result)

    @staticmethod
    def _is_scaled(result: _Result, own: _Log, other: _Log) -> bool:
        """Whether an op multiplies or divides by constants a value that the other program has, or one that is such."""
        for _ in range(8):
            operands = [own.found.get(key) for key in result.operands]
            rest = [(key, each) for key, each in zip(result.operands, operands, strict=True)
                    if each is None or not each.is_constant]  # fmt: skip
            if len(rest) != 1:
                return False
            key, inner = rest[0]
            if inner is None or key in other.found:
                return True
            if inner.step.op.name not in _SCALED:
                return False
            result = inner
        return False


def _clue(value: Any, factor: float = 1.0) -> tuple[Any, ...]:
    """Return the type and shape, and the first element to some digits, by which equal values are found."""
    array = np.asarray(value)
    first = np.asarray(as_values(array.reshape(-1)[:1])).tolist()
    return array.dtype.str, array.shape, *[f"{abs(each) * factor:.3e}" for each in first]


def _clues(value: Any) -> set[tuple[Any, ...]]:
    return {_clue(value, factor) for factor in (1 - 1e-5, 1.0, 1 + 1e-5)}


def _epsilon(*results: _Result) -> float:
    """Return the distance of 1 to the next float in the coarsest of the results' types."""
    return max([_epsilon_of(type_) for result in results for type_ in result.step.op.result_types])


def _epsilon_of(type_: Any) -> float:
    if not isinstance(type_, TensorType) or type_.dtype not in (FINGERPRINT, COMPLEX):
        return 0.0
    return max(epsilon(as_numbers(type_).dtype), _NOISE / 1000)


def _distance(first: Any, second: Any) -> float:
    """Return the largest relative distance of two elements."""
    a, b = [np.asarray(as_values(each)) for each in (first, second)]
    if a.shape != b.shape or a.dtype != b.dtype:
        return np.inf
    if a.dtype.kind not in "fc":
        return 0.0 if np.array_equal(a, b) else np.inf
    size = np.maximum(np.abs(a), np.abs(b))
    is_alike = (a == b) | (np.isnan(a) & np.isnan(b))
    return float(np.max(np.where(is_alike, 0, np.abs(a - b) / np.where(size > 0, size, 1)), initial=0.0))


def equivalent(
    a: ir.Module,
    b: ir.Module,
    *,
    arguments: Sequence[np.ndarray] | None = None,
    samples: int = 2,
    seed: int = 0,
    distributions: dict[int | None, Distribution] | None = None,
    limits: Limits | None = None,
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

    Returns:
        The outcome. An op without a reading is a reason in it.

    Raises:
        InputError: The arguments cannot be drawn.
        UsageError: The programs do not take the same types.
    """
    first, second = examine(a), examine(b)
    types = [[str(each.type) for each in one.block.arguments] for one in (first, second)]
    if types[0] != types[1]:
        notes = [f"{name} takes {', '.join(each) or 'nothing'}" for name, each in zip("ab", types, strict=True)]
        raise UsageError("the programs take different arguments", notes=notes)
    drawn = [list(arguments)] * samples if arguments is not None else draw_samples(first, samples, seed, distributions)
    settings = Settings() if limits is None else Settings(timeout=limits.seconds)
    given = [[runner(one, each, settings) for one in (first, second)] for each in drawn]
    return same_function([(pair[0], pair[1], tuple(each)) for pair, each in zip(given, drawn, strict=True)])


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
        pairs = enumerate(zip(arguments, program.parameter_types(), strict=True))
        given = [argument(reading.state, value, type_, number) for number, (value, type_) in pairs]
        return flat(program.run_values(given))

    return run


def same_function(runs: Sequence[tuple[Run, Run, tuple[np.ndarray, ...]]]) -> Equivalence:
    """Compare the runs of two programs on sets of arguments, each with the fields of a sample."""
    outcomes = list[Equivalence]()
    for sample, (first, second, arguments) in enumerate(runs):
        try:
            found = _compared(first, second, sample)
        except ResourceError:
            raise
        except StablehloError as error:
            found = Equivalence(UNKNOWN, message=str(error))
        outcomes.append(replace(found, samples=sample + 1, arguments=() if found.is_same else arguments))
        if found.verdict == DIFFERENT:
            break
    worst = max(outcomes, key=lambda one: (SAME, ROUNDED, UNKNOWN, DIFFERENT).index(one.verdict))
    return replace(worst, samples=len(outcomes))


def _compared(first: Run, second: Run, sample: int) -> Equivalence:
    """Compare two runs: their results, then what they have in common."""
    readings = [FingerprintReading(sample) for _ in range(2)]
    expected, given = [run(reading) for run, reading in zip((first, second), readings, strict=True)]
    shapes = [[np.shape(each) for each in results] for results in (expected, given)]
    if shapes[0] != shapes[1]:
        return Equivalence(DIFFERENT, message=f"results of shapes {shapes[0]} and {shapes[1]}")
    if _are_same(expected, given):
        return Equivalence(SAME)
    theirs = _Log()
    second(FingerprintReading(sample, theirs))
    ours = _Log(lambda key: key not in theirs.found)
    first(FingerprintReading(sample, ours))
    pairing = _Pairing(ours)
    reading = FingerprintReading(sample, pairing)
    given = second(reading)
    if pairing.pairs and _are_same(expected, given):
        roundings = tuple([Rounding(str(a), str(b), distance) for a, b, distance in pairing.pairs])
        return Equivalence(ROUNDED, roundings)
    doubts = readings[0].state.doubts + reading.state.doubts
    return _difference(expected, given, ours, pairing, doubts)


def _are_same(expected: Sequence[Any], given: Sequence[Any]) -> bool:
    return all(np.array_equal(residues(a), residues(b)) for a, b in zip(expected, given, strict=True))


def _difference(
    expected: Sequence[Any], given: Sequence[Any], ours: _Log, theirs: _Pairing, doubts: int
) -> Equivalence:
    """Return what different residues mean."""
    paired = frozenset(other.key for other, _, _ in theirs.pairs)
    lacking = [ours.without(theirs, paired), theirs.without(ours)]
    logs = (ours, theirs)
    leading = [next(_leading(own, log, other), None) for own, log, other in zip(lacking, logs, logs[::-1], strict=True)]
    first = tuple(["" if each is None else str(each) for each in leading])
    message, distance = _shown(expected, given)
    coarsest = max([_epsilon(each) for each in (*lacking[0], *lacking[1])], default=_NOISE)
    can_be_rounding = all(any(each.is_constant for each in own) for own in lacking)
    is_algebra = all(each.step.op.name in _ALGEBRA for own in lacking for each in own)
    if doubts:
        return Equivalence(UNKNOWN, first=first, message=f"rounding may have decided {doubts} comparisons otherwise")
    if distance > _ROUNDINGS * coarsest or (not can_be_rounding and (distance > _NOISE or is_algebra)):
        return Equivalence(DIFFERENT, first=first, message=message)
    if _differ_in_constants(leading, logs):
        return Equivalence(DIFFERENT, first=first, message=message)
    why = "by roundings of constants" if can_be_rounding else "by an identity that fingerprints do not know"
    return Equivalence(UNKNOWN, first=first, message=f"{message}, which may be explained {why}")


def _leading(lacking: Sequence[_Result], own: _Log, other: _Log) -> Iterator[_Result]:
    """Return the results whose operands the other program has, or all of them if there is none."""

    def is_known(key: bytes) -> bool:
        entry = own.found.get(key)
        return entry is None or entry.is_constant or key in other.found

    found = [each for each in lacking if not each.is_constant and all(map(is_known, each.operands))]
    yield from found or lacking


def _differ_in_constants(leading: Sequence[_Result | None], logs: Sequence[_Log]) -> bool:
    """Whether the first ops that only one program has are of one name, with constants more than a rounding apart."""
    first, second = leading
    if first is None or second is None or first.step.op.name != second.step.op.name:
        return False
    constants = [
        [log.found[key] for key in each.operands if key in log.found and log.found[key].is_constant]
        for each, log in zip((first, second), logs, strict=True)
    ]
    pairs = zip(*constants, strict=False)
    kept = [(a, b) for a, b in pairs if a.value is not None and b.value is not None]
    return any(_distance(a.value, b.value) > 2 * _epsilon(a, b) for a, b in kept)


def _shown(expected: Sequence[Any], given: Sequence[Any]) -> tuple[str, float]:
    """Return the element of a result that differs most by value, in words, and by how much relative to the largest."""
    worst, message = -1.0, ""
    for number, (a, b) in enumerate(zip(expected, given, strict=True)):
        if np.array_equal(residues(a), residues(b)):
            continue
        x, y = [np.asarray(as_values(each)) for each in (a, b)]
        if x.dtype.kind not in "fc":
            distances = (x != y).astype(np.float64)
        else:
            size = max([float(np.max(np.abs(each), initial=0.0, where=np.isfinite(each))) for each in (x, y)])
            distances = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0, np.abs(x - y) / (size if size else 1))
            distances = np.where(np.isnan(distances), 1.0, distances)
        index = np.unravel_index(int(np.argmax(distances)), distances.shape)
        if distances[index] > worst:
            worst = float(distances[index])
            message = (
                f"result {number}{list(map(int, index))} is {x[index]} in the first program, {y[index]} in the second"
            )
    return message, worst

"""Whether engines give the same results for a program, and how far they are apart; as JUnit XML for CI, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import numpy as np

from ..bindings import ir
from ..bindings.types import TensorType
from ..engines import Engine, Limits, Outcome, open_engine
from ..errors import UsageError
from ..interpreter.values import flat
from ..junit import JUnitCase, junit_report
from ..syntax.tables import table
from .allowed.measures import EXACT, Difference, Tolerance, check_tolerances, difference, tolerance_for
from .allowed.spread import tolerances as spread
from .allowed.widths import DEFAULT, AccuracyProfile
from .programs.inputs import Distribution, draw_arguments
from .programs.subject import Subject, examine
from .tracing.rows import Trace
from .tracing.trace import Tracer

Verdict = Literal["same", "differs", "implementation-defined", "could not be run"]


@dataclass(frozen=True)
class ResultComparison:
    """One result of the program in one engine, compared with the first engine's.

    Attributes:
        sample: Number of the set of arguments.
        result: Number of the result.
        type: Its type, as text.
        engine: The engine that is compared.
        difference: How far it is apart; None where the engine has no result of that shape.
        tolerance: What was allowed.
        open_ops: Ops that differ where the spec leaves it to the implementation, if none is wrong; with the sentence.
        culprit: The first op that is wrong on the engine's own operands, or empty.
    """

    sample: int
    result: int
    type: str
    engine: str
    difference: Difference | None
    tolerance: Tolerance
    open_ops: tuple[str, ...] = ()
    culprit: str = ""

    @property
    def verdict(self) -> Verdict:
        """The meaning of the difference, in words."""
        if self.difference is not None and self.difference.same:
            return "same"
        return "implementation-defined" if self.open_ops else "differs"

    def __str__(self) -> str:
        head = f"sample {self.sample}, result {self.result} {self.type}: {self.engine} {self.verdict}"
        if self.difference is None:
            return f"{head}: it is of another shape"
        lines = [f"  {line}" for line in self.difference.lines()]
        return "\n".join([f"{head} (allowed: {self.tolerance})", *lines, *self.because])

    @property
    def because(self) -> list[str]:
        """The lines on the ops that make the result differ."""
        lines = [f"  implementation-defined: {reason}" for reason in self.open_ops]
        return lines + ([f"  first wrong op: {self.culprit}"] if self.culprit else [])

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison of the result as JSON holds it."""
        return {
            **{name: getattr(self, name) for name in ("sample", "result", "type", "engine", "verdict")},
            "tolerance": str(self.tolerance),
            "implementation_defined": list(self.open_ops),
            "culprit": self.culprit,
            "difference": None if self.difference is None else self.difference.as_dict(),
        }


@dataclass(frozen=True)
class Comparison:
    """The outcome of `compare`.

    Attributes:
        engines: The engines, the one that the others are compared with first.
        outcomes: For each sample and engine, what became of the run.
        results: The comparisons, by sample, result and engine.
        arguments: The arguments of each sample.
    """

    engines: tuple[str, ...]
    outcomes: tuple[tuple[Outcome, ...], ...]
    results: tuple[ResultComparison, ...]
    arguments: tuple[tuple[np.ndarray, ...], ...] = field(repr=False, default=())

    @property
    def verdict(self) -> Verdict:
        """The worst of all verdicts; engines that could not run count only where nothing differs."""
        verdicts = {result.verdict for result in self.results}
        if "differs" in verdicts:
            return "differs"
        if any(failed_runs(self)):
            return "could not be run"
        return "implementation-defined" if "implementation-defined" in verdicts else "same"

    @property
    def exit_code(self) -> int:
        """0 where the results are the same, 1 where they differ, 2 where an engine could not run."""
        return {"same": 0, "implementation-defined": 0, "differs": 1, "could not be run": 2}[self.verdict]

    def __str__(self) -> str:
        lines = [f"sample {number}: {name}: {outcome}" for number, name, outcome in failed_runs(self)]
        for entry in self.results:
            if entry.verdict != "same":
                lines.append(str(entry))
        counts = len(self.results), sum(entry.verdict == "same" for entry in self.results)
        lines.append(f"{self.verdict}: {counts[1]} of {counts[0]} results agree with {self.engines[0]}")
        if not self.results:
            return "\n".join(lines)
        measured = [entry.difference for entry in self.results if entry.difference is not None]
        largest = max(measured, key=lambda one: one.max_ulp, default=None)
        lines.append(f"largest difference: {'0 ULP' if largest is None else largest.amount}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        amounts = ["-" if entry.difference is None else entry.difference.amount for entry in self.results]
        rows = [(one.sample, one.result, one.type, one.engine, one.verdict, amount)
                for one, amount in zip(self.results, amounts, strict=True)]  # fmt: skip
        headers = ("sample", "result", "type", "engine", "verdict", "largest difference")
        return table(f"{self.verdict}: {', '.join(self.engines)}", headers, rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON holds it."""
        return {
            "engines": list(self.engines),
            "verdict": self.verdict,
            "outcomes": [
                [{"engine": name, **{key: value for key, value in vars(outcome).items() if key != "results"}}
                 for name, outcome in zip(self.engines, sample, strict=True)]
                for sample in self.outcomes
            ],
            "results": [entry.as_dict() for entry in self.results],
        }  # fmt: skip


def failed_runs(found: Comparison) -> Iterator[tuple[int, str, Outcome]]:
    """Return the runs without results: the number of the sample, the engine and the outcome."""
    for number, sample in enumerate(found.outcomes):
        for name, outcome in zip(found.engines, sample, strict=True):
            if not outcome.ok:
                yield number, name, outcome


class OtherProgram(Engine):
    """An engine that runs one program, whichever is asked for: to compare two programs in an engine."""

    def __init__(self, name: str, engine: Engine, module: ir.Module) -> None:
        super().__init__(name, engine.backend)
        self.engine, self.module = engine, examine(module).bytecode()

    def run(self, module: bytes, arguments: Sequence[np.ndarray]) -> Outcome:
        """Run the other program."""
        return self.engine.run(self.module, arguments)


def compare_results(
    subject: Subject,
    sample: int,
    engine: str,
    given: Sequence[np.ndarray],
    expected: Sequence[np.ndarray],
    tolerances: Mapping[str, Tolerance],
    arguments: Sequence[np.ndarray],
) -> list[ResultComparison]:
    """Compare one engine's results with the expected ones, the reference's for these arguments."""
    types = zip(subject.result_types, given, strict=True)
    dtypes = [type_.dtype if isinstance(type_, TensorType) else array.dtype for type_, array in types]
    chosen = [tolerance_for(index, dtype, tolerances) for index, dtype in enumerate(dtypes)]
    fits = all(a.shape == b.shape for a, b in zip(given, expected, strict=True))
    ours = spread(subject.bytecode(), arguments, given, expected) if fits and None in chosen else [EXACT] * len(chosen)
    entries = list[ResultComparison]()
    for index, (a, b, type_) in enumerate(zip(given, expected, subject.result_types, strict=True)):
        users = chosen[index]
        tolerance = ours[index] if users is None else users
        found = difference(a, b, tolerance) if a.shape == b.shape else None
        entries.append(ResultComparison(sample, index, str(type_), engine, found, tolerance))
    return entries


_Sets = TypeVar("_Sets", bound=Sequence[Sequence[np.ndarray]])


def at_least_one(sets: _Sets) -> _Sets:
    """Return sets of arguments. Raises UsageError for none, on which all programs and engines agree."""
    if not sets:
        remedy = "samples is 1 or more; the one set of a program without parameters is empty: [[]]"
        raise UsageError("there is no set of arguments to run", notes=[remedy])
    return sets


def draw_samples(
    subject: Subject, samples: int, seed: int, distributions: Mapping[int | None, Distribution] | None = None
) -> list[list[np.ndarray]]:
    """Draw one or more sets of arguments for a program's `main`.

    Raises:
        InputError: A type cannot be drawn.
        UsageError: There is less than one sample, or the seed is negative.
    """
    given = None if distributions is None else dict(distributions)
    return at_least_one([draw_arguments(subject.function, seed + number, given) for number in range(samples)])


def compare(
    module: ir.Module,
    engines: Sequence[str | Engine] = ("reference", "xla"),
    *,
    arguments: Sequence[Sequence[np.ndarray]] | None = None,
    samples: int = 1,
    seed: int = 0,
    distributions: Mapping[int | None, Distribution] | None = None,
    tolerances: Mapping[str, Tolerance] | None = None,
    limits: Limits | None = None,
    profile: AccuracyProfile = DEFAULT,
    explains: bool = True,
) -> Comparison:
    """Run a program in several engines and compare their results with the first engine's.

    Args:
        module: The program; its `main`, or only function, is run.
        engines: Names as `open_engine` takes them, or engines that are open.
        arguments: A list of sets of arguments; drawn where it is None.
        samples: How many sets to draw.
        seed: Where drawing starts; sample n of seed s is sample 0 of seed s + n.
        distributions: How to draw, see `draw_arguments`.
        tolerances: By number of a result, element type or "" for all, in place of what rounding explains.
        limits: Of each run.
        profile: How accurate functions have to be.
        explains: Whether to look for the first wrong op of results that differ, see `explained`; each op is run.

    Returns:
        The comparison. An engine that fails is an outcome in it.

    Raises:
        InputError: The arguments cannot be drawn.
        UsageError: There are fewer than two engines, or no arguments; or an engine, result, type or argument is named
            that is not there.
    """
    subject, allowed = examine(module), {} if tolerances is None else dict(tolerances)
    _check(subject, engines, allowed)
    drawn = draw_samples(subject, samples, seed, distributions) if arguments is None else at_least_one(arguments)
    sets = [list(map(np.asarray, flat(each))) for each in drawn]
    with ExitStack() as opened:
        chosen = [one if isinstance(one, Engine) else opened.enter_context(open_engine(one, limits)) for one in engines]
        outcomes = list(zip(*[engine.runs(subject.bytecode(), sets) for engine in chosen], strict=True))
        names = tuple(engine.name for engine in chosen)
        entries = [
            entry
            for number, (first, *others) in enumerate(outcomes)
            for name, outcome in zip(names[1:], others, strict=True)
            if first.ok and outcome.ok
            for entry in compare_results(subject, number, name, outcome.results, first.results, allowed, sets[number])
        ]
        found = Comparison(names, tuple(outcomes), tuple(entries), tuple(map(tuple, sets)))
        return explained(found, module, chosen, profile) if explains else found


def explained(
    comparison: Comparison, module: ir.Module, engines: Sequence[Engine], profile: AccuracyProfile = DEFAULT
) -> Comparison:
    """Return a comparison with the first wrong op, or the unspecified ops, of results that differ.

    Args:
        comparison: The comparison of the program in these engines.
        module: The program.
        engines: The engines, open.
        profile: How accurate functions have to be.
    """
    subject, by_name = examine(module), {engine.name: engine for engine in engines}
    found: dict[tuple[int, str], Trace] = {}

    def with_ops(entry: ResultComparison) -> ResultComparison:
        if entry.verdict != "differs" or entry.difference is None or isinstance(by_name[entry.engine], OtherProgram):
            return entry
        key = entry.sample, entry.engine
        if key not in found:
            tracer = Tracer(subject, engines[0], by_name[entry.engine], profile=profile, own_operands=True)
            found[key] = tracer.run(comparison.arguments[entry.sample])
        if found[key].culprit is not None:
            return replace(entry, culprit=str(found[key].culprit))
        return replace(entry, open_ops=tuple([f"{row}: {row.sentence}" for row in found[key].rows if row.is_open]))

    return replace(comparison, results=tuple(map(with_ops, comparison.results)))


def _check(subject: Subject, engines: Sequence[object], tolerances: Mapping[str, Tolerance]) -> None:
    """Raise UsageError for one engine or a tolerance that is for no result."""
    if len(engines) < 2:
        raise UsageError("two or more engines are needed for a comparison")
    check_tolerances(tolerances, len(subject.results))


def as_junit(name: str, comparison: Comparison) -> bytes:
    """Return a report with a case for each engine, sample and result."""
    suite = f"stablehlo compare {name}"
    cases = [
        JUnitCase(suite, engine, f"sample {number}", "error", str(outcome))
        for number, engine, outcome in failed_runs(comparison)
    ]
    for entry in comparison.results:
        case = JUnitCase(suite, entry.engine, f"sample {entry.sample} result {entry.result}")
        if entry.verdict == "differs":
            ulp = "another shape" if entry.difference is None else entry.difference.amount
            case = case._replace(outcome="failure", message=f"differs by {ulp}, allowed {entry.tolerance}")
        cases.append(case)
    return junit_report(suite, cases)

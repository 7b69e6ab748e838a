"""Judges which of several engines is wrong about a program, and says how that is known.

Each op is held against what `allowed` permits on the engine's own operands, so that no engine answers for the errors of
another op. An engine is wrong only if a smaller program shows the same again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from .. import sarif
from ..bindings import ir
from ..bindings.bytecode import bytecode_of
from ..engines import Engine, Limits, Outcome, open_engine
from ..errors import STRING, StablehloError, UsageError
from ..interpreter.values import flat
from ..syntax import readable_text
from ..syntax.tables import table
from .allowed.enclosures import meaning
from .allowed.measures import EXACT, Difference, difference
from .allowed.spread import first_beyond
from .allowed.widths import DEFAULT, AccuracyProfile
from .bisect import bisect
from .bisect_passes import bisect_xla
from .compare import compare_results, draw_samples
from .programs.slices import Progress, Values, is_observable, run_reference
from .programs.subject import OpLocation, Subject, examine
from .reduction.predicates import Disagreement
from .tracing.rows import Trace, TraceRow
from .tracing.trace import Tracer, largest

Verdict = Literal["permitted", "wrong", "unspecified", "crashed", "rejected"]
SPEC = "https://openxla.org/stablehlo/spec"
_AMPLIFIERS = 3
_TOGETHER = "each op is right alone; compiled together, the results are farther off than rounding explains"
_XLA = re.compile(r"xla\b")
_RULES = {
    "permitted": "The results are within the specification's limits.",
    "wrong": "An op gives a result that the specification does not permit.",
    "unspecified": "The results differ where the specification leaves the value to the implementation.",
    "crashed": "The engine ends with a crash.",
    "rejected": "The engine refuses the program.",
}


@dataclass(frozen=True)
class EngineJudgement:
    """The verdict on one engine.

    Attributes:
        engine: The engine.
        verdict: `permitted`; `wrong`; `unspecified` where results differ as the spec leaves to the implementation;
            `crashed` and `rejected` where there are no results.
        place: The first wrong op, or the first that the spec leaves open.
        difference: How far the results are from allowed ones.
        sentence: Where it is said what they may be, or why there are none.
        amplifiers: Ops that made a permitted difference larger, and how many times.
        program: A program that shows the error by itself.
        arguments: Its arguments.
        step: XLA's pass that makes this program wrong, or its code generation; empty if that is not known.
    """

    engine: str
    verdict: Verdict
    place: OpLocation | None = None
    difference: Difference | None = None
    sentence: str = ""
    amplifiers: tuple[tuple[OpLocation, float], ...] = ()
    program: ir.Module | None = None
    arguments: tuple[np.ndarray, ...] = ()
    step: str = ""

    @property
    def section(self) -> str:
        """The section of the spec about the op, or empty."""
        return "" if self.place is None else f"{SPEC}#{self.place.op.partition('.')[2]}"

    @property
    def cause(self) -> str:
        """The verdict in a line, the same for errors of one kind."""
        op = "" if self.place is None else f" {self.place.op}"
        step = f" ({self.step})" if self.step else ""
        return f"{self.engine}: {self.verdict}{op}{step}: {self.sentence}"

    def __str__(self) -> str:
        lines = [f"{self.engine} is {self.verdict}" + (f": {self.place}" if self.place is not None else "")]
        if self.difference is not None:
            lines += [f"  {line}" for line in self.difference.lines()]
        lines += [f"  {text}" for text in (self.sentence, self.section) if text]
        lines += [f"  at fault: {self.step}"] if self.step else []
        lines += [f"  differences grow {growth:.3g} times at {place}" for place, growth in self.amplifiers]
        if self.program is not None:
            lines += ["  this program shows it by itself:", readable_text(self.program).rstrip()]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the judgement as JSON holds it."""
        return {
            "engine": self.engine,
            "verdict": self.verdict,
            "place": None if self.place is None else vars(self.place),
            "difference": None if self.difference is None else self.difference.as_dict(),
            "sentence": self.sentence,
            "section": self.section,
            "step": self.step,
            "amplifiers": [{**vars(place), "growth": growth} for place, growth in self.amplifiers],
            "program": None if self.program is None else readable_text(self.program),
        }


@dataclass(frozen=True)
class Judgement:
    """The outcome of `judge`: a judgement for each engine."""

    judgements: tuple[EngineJudgement, ...]

    @property
    def exit_code(self) -> int:
        """Return 1 if an engine is wrong, 2 if one has no results, otherwise 0."""
        verdicts = {judgement.verdict for judgement in self.judgements}
        return 1 if "wrong" in verdicts else 2 if verdicts & {"crashed", "rejected"} else 0

    def __str__(self) -> str:
        return "\n".join(map(str, self.judgements))

    def _repr_html_(self) -> str:
        rows = [
            (one.engine, one.verdict, "" if one.place is None else one.place, one.sentence) for one in self.judgements
        ]
        return table("verdicts", ("engine", "verdict", "op", "because"), rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the judgements as JSON holds them."""
        return {"judgements": [judgement.as_dict() for judgement in self.judgements]}

    def as_sarif(self, name: str) -> dict[str, Any]:
        """Return the judgements as SARIF 2.1.0 holds them; `name` is the program's file."""
        levels = {"permitted": "none", "unspecified": "note"}
        results = [
            sarif.result(
                levels.get(one.verdict, "error"),
                str(replace(one, program=None)),
                name if one.place is None else one.place.location.replace(f"{STRING}:", f"{name}:") or name,
                one.verdict if one.place is None else f"{one.verdict}/{one.place.op}",
                partialFingerprints={"cause/v1": one.cause},
            )
            for one in self.judgements
        ]
        rules = {found["ruleId"]: _RULES[one.verdict] for found, one in zip(results, self.judgements, strict=True)}
        return sarif.document("stablehlo judge", results, rules)


def judge(
    module: ir.Module,
    engines: Sequence[str | Engine] = ("xla",),
    *,
    reference: str | Engine = "reference",
    arguments: Sequence[np.ndarray] | None = None,
    seed: int = 0,
    profile: AccuracyProfile = DEFAULT,
    limits: Limits | None = None,
    progress: Progress | None = None,
    say: Callable[[str], object] | None = None,
) -> Judgement:
    """Say of each engine whether its results for a program are permitted.

    Args:
        module: The program; its `main`, or only function, is run.
        engines: Names as `open_engine` takes them, or engines that are open.
        reference: Computes what is allowed.
        arguments: The arguments; drawn where it is None.
        seed: Where drawing starts.
        profile: How accurate functions have to be.
        limits: Of each run.
        progress: Called with the ops of a program that were looked at and all, once for each slice of ops.
        say: Called with how far each engine's results are from the reference's, before its ops are looked at.

    Returns:
        A judgement for each engine.

    Raises:
        StablehloError: The reference does not run the program, the arguments cannot be drawn, or there is no engine.
    """
    if not engines:
        raise UsageError("there is no engine to judge")
    subject = examine(module)
    given = draw_samples(subject, 1, seed)[0] if arguments is None else flat(arguments)
    with ExitStack() as opened:
        right, *others = [one if isinstance(one, Engine) else opened.enter_context(open_engine(one, limits))
                          for one in (reference, *engines)]  # fmt: skip
        expected = run_reference(right, subject, given)
        cases = [_Case(subject, given, right, one, profile, progress, say) for one in others]
        return Judgement(tuple([case.judgement(expected) for case in cases]))


@dataclass(frozen=True)
class _Case:
    """A program in one engine."""

    subject: Subject
    arguments: Sequence[np.ndarray]
    reference: Engine
    engine: Engine
    profile: AccuracyProfile
    progress: Progress | None = None
    say: Callable[[str], object] | None = None

    def judgement(self, expected: Outcome) -> EngineJudgement:
        """Return the verdict, given what the reference makes of the program; of XLA also the step that is at fault."""
        found = self._judgement(expected)
        if found.verdict != "wrong" or found.program is None or not _XLA.match(found.engine):
            return found
        subject = examine(found.program)
        try:
            step = bisect_xla(subject, found.arguments, self.reference, limits=self.engine.limits, xla=found.engine)
        except StablehloError:  # a plugin need not write its HLO
            return found
        return found if step is None else replace(found, step=" or ".join(step.guilty))

    def _judgement(self, expected: Outcome) -> EngineJudgement:
        name, outcome = self.engine.name, self.engine.run(self.subject.bytecode(), self.arguments)
        if not outcome.ok:
            verdict = "rejected" if outcome.status in ("rejected", "unsupported") else "crashed"
            return EngineJudgement(name, verdict, sentence=str(outcome))
        if self.say is not None:
            self.say(f"{name}: {_in_short(outcome, expected)}; looking at each op")
        tracer = self._tracer(self.subject)
        found = tracer.run(self.arguments)
        wrong = self._confirmed(found)
        if wrong is not None:
            return wrong
        first_open = next((row for row in found.rows if row.is_open), None)
        if first_open is not None:
            later = self._given_the_open(found)
            unspecified = EngineJudgement(name, "unspecified", first_open.place, first_open.local, first_open.sentence)
            return unspecified if later is None else later
        entries = compare_results(self.subject, 0, name, outcome.results, expected.results, {}, self.arguments)
        differs = [entry.difference for entry in entries if entry.verdict == "differs"]
        differs_in_context = any(row.differs_in_context or (row.wrong and not row.failure) for row in found.rows)
        if differs and (differs_in_context or self._differs_in_context(tracer, outcome)):
            return self._together()
        largest = max((entry.difference for entry in entries if entry.difference is not None),
                      key=lambda one: one.max_ulp, default=None)  # fmt: skip
        rows = sorted(found.rows, key=lambda row: -row.growth)[:_AMPLIFIERS] if largest and largest.max_ulp else []
        grown = tuple([(row.place, row.growth) for row in rows if row.growth > 1])
        return EngineJudgement(name, "permitted", difference=largest, amplifiers=grown)

    def _tracer(self, subject: Subject) -> Tracer:
        return Tracer(subject, self.reference, self.engine, profile=self.profile, own_operands=True,
                      progress=self.progress)  # fmt: skip

    def _differs_in_context(self, tracer: Tracer, outcome: Outcome) -> bool:
        """Whether the program's results are others than the engine has for its last ops."""
        results = self.subject.results
        if not all(value in tracer.own for value in results):
            return True
        own = [tracer.own[value] for value in results]
        return first_beyond(self.subject.bytecode(), self.arguments, outcome.results, own) is not None

    def _given_the_open(self, found: Trace) -> EngineJudgement | None:
        """The judgement that the engine is wrong even if all is as the engine has it which the spec leaves open."""
        ops, extractor = self.subject.ops, self.subject.extractor
        numbers = {row.place.number for row in found.rows if row.is_open}
        values: Values = dict(zip(self.subject.block.arguments, self.arguments, strict=True))
        given = extractor.ops(ops, [result for number in sorted(numbers) for result in ops[number].results])
        kept = [number for number in range(len(ops)) if number not in numbers]
        made = {result for number in kept for result in ops[number].results}
        outputs = [value for value in self.subject.results if value in made]
        rest = extractor.ops([ops[number] for number in kept], outputs)
        outcome = self.engine.run(given.bytecode(), [values[value] for value in given.inputs])
        if not outcome.ok or not rest.outputs:
            return None
        values.update(zip(given.outputs, outcome.results, strict=True))
        inputs = [values[value] for value in rest.inputs]
        case = replace(self, subject=examine(rest.module), arguments=inputs, say=None)
        expected = self.reference.run(rest.bytecode(), case.arguments)
        later = case._judgement(expected) if expected.ok else None
        if later is None or later.verdict != "wrong" or later.place is None:
            return None
        return replace(later, place=_renumbered(later.place, kept))

    def _confirmed(self, found: Trace) -> EngineJudgement | None:
        """Return the judgement on an op that is wrong in a program of its own, too."""
        row = _first_wrong(found)
        if row is None or found.program is None:
            return None
        again = _first_wrong(self._tracer(examine(found.program)).run(found.arguments))
        place = row.place if row.inside is None else row.inside.place
        if again is None or again.place.op != place.op:
            return None
        return EngineJudgement(
            self.engine.name, "wrong", place, again.local, again.sentence, (), found.program, found.arguments
        )

    def _together(self) -> EngineJudgement:
        """Return the judgement if no op is wrong alone: the engine is wrong if a part of the program shows it again."""
        found = bisect(self.subject, self.arguments, self.reference, self.engine, profile=self.profile)
        name = self.engine.name
        if found.program is None:
            return EngineJudgement(name, "permitted", sentence="the results differ in some runs only")
        shown = Disagreement(self.reference, self.engine).signature(bytecode_of(found.program), found.arguments)
        verdict: Verdict = "wrong" if shown else "permitted"
        sentence = _TOGETHER
        if found.place is not None and (short := found.place.op.partition(".")[2]):
            is_measured = all(map(is_observable, self.subject.ops[found.place.number].results))
            sentence = f"{_TOGETHER}; {meaning(short)}" if is_measured else meaning(short)
        return EngineJudgement(
            name, verdict, found.place, found.difference, sentence, (), found.program, found.arguments
        )


def _renumbered(spot: OpLocation, numbers: Sequence[int]) -> OpLocation:
    """Return the place with the number of its outermost op looked up."""
    if not spot.path:
        return replace(spot, number=numbers[spot.number])
    number, _, rest = spot.path[0].partition(" ")
    return replace(spot, path=(f"#{numbers[int(number[1:])]} {rest}", *spot.path[1:]))


def _in_short(outcome: Outcome, expected: Outcome) -> str:
    """Return how far results are from the expected ones, whatever is allowed, in a line."""
    pairs = list(zip(outcome.results, expected.results, strict=True))
    if any(a.shape != b.shape for a, b in pairs):
        return "a result has another shape than the reference's"
    found = largest([difference(a, b, EXACT) for a, b in pairs])
    if found is None or not found.max_ulp:
        return "the results are the reference's"
    return f"the results differ by {found.amount} at most"


def _first_wrong(found: Trace) -> TraceRow | None:
    """Return the first op that the engine runs, and whose results are not allowed."""
    return next((row for row in found.rows if row.wrong and not row.failure), None)

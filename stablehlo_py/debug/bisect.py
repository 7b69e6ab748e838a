"""Finds the op that is wrong by cutting: O(log n) runs where `trace` runs everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..bindings import ir
from ..engines import Engine, require_running
from ..syntax import readable_text
from ..syntax.tables import table
from .allowed.measures import Difference, Tolerance
from .allowed.spread import first_beyond
from .allowed.widths import DEFAULT, AccuracyProfile
from .programs.slices import Progress, Values, is_observable, run_ops, run_reference
from .programs.subject import Extract, OpLocation, Subject, is_token, needed, place
from .reduction.predicates import NOT_INTERESTING, Disagreement
from .tracing.rows import Inner
from .tracing.trace import Tracer

# The judge of a cut: maps a program and its arguments to whether the error shows.
Judge = Callable[[bytes, Sequence[np.ndarray]], bool]


@dataclass(frozen=True)
class BisectionStep:
    """One run: how many ops the program was cut after, and whether the error showed."""

    ops: int
    shows: bool


@dataclass(frozen=True)
class Bisection:
    """The outcome of `bisect`.

    Attributes:
        place: The first op with which the error shows; None where it does not show at all.
        inside: The op inside its regions that is wrong, where one was found.
        alone: Whether the op shows the error alone, on the reference's operands. Otherwise it takes the ops before it,
            as where a compiler fuses them.
        program: The op alone, or the body around it, or the program cut after it.
        arguments: The arguments for `program`.
        difference: How far the results of `program` are apart; None for a judge that gives verdicts only.
        steps: The runs, in order.
        engine: The engine that was looked at.
        ops: How many ops the program has.
        failure: Why the engine does not run `program`, or empty.
    """

    place: OpLocation | None
    inside: Inner | None = None
    alone: bool = False
    program: ir.Module | None = None
    arguments: tuple[np.ndarray, ...] = ()
    difference: Difference | None = None
    steps: tuple[BisectionStep, ...] = ()
    engine: str = ""
    ops: int = 0
    failure: str = ""

    @property
    def culprit(self) -> OpLocation | None:
        """The op, or the one inside its regions."""
        return self.place if self.inside is None else self.inside.place

    def __str__(self) -> str:
        if self.place is None:
            return f"the results agree: {self.engine} is not wrong on these arguments"
        together = "alone" if self.alone else "only together with the ops before it"
        lines = [f"first wrong op: {self.culprit}"]
        lines.append(f"it shows {together}, found in {len(self.steps)} runs of {self.ops} ops")
        if self.failure:
            lines.append(f"{self.engine} fails: {self.failure}")
        if self.difference is not None:
            lines += self.difference.lines()
        if self.program is not None and self.alone:
            lines.append(readable_text(self.program).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        title = "the results agree" if self.culprit is None else f"first wrong op: {self.culprit}"
        rows = [(step.ops, "shows" if step.shows else "does not show") for step in self.steps]
        return table(title, ("ops run", "the error"), rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the bisection as JSON holds it."""
        return {
            "culprit": None if self.culprit is None else vars(self.culprit),
            "alone": self.alone,
            "program": None if self.program is None else readable_text(self.program),
            "difference": None if self.difference is None else self.difference.as_dict(),
            "failure": self.failure,
            "steps": [vars(step) for step in self.steps],
        }


def prefix(subject: Subject, count: int) -> Extract:
    """Return the first `count` ops of a program as one that returns all that the rest needs.

    Values of unknown sizes are among that if the program itself returns such: not every engine takes them.
    """
    ops = subject.ops
    later = set(subject.results)
    for op in ops[count:]:
        later.update(needed(op))
    is_returned = is_observable if all(map(is_observable, subject.results)) else _is_ranked
    live = [result for op in ops[:count] for result in op.results if result in later and is_returned(result)]
    return subject.extractor.ops(ops[:count], live)


def _is_ranked(value: ir.Value) -> bool:
    return isinstance(value.type, ir.RankedTensorType)


def _arguments(subject: Subject, extract: Extract, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    given: Values = dict(zip(subject.block.arguments, arguments, strict=True))
    return [given[value] for value in extract.inputs]


def _disagree(engines: Disagreement, module: bytes, arguments: Sequence[np.ndarray]) -> bool:
    return engines.signature(module, arguments) != NOT_INTERESTING


def first_bad_cut(
    subject: Subject, arguments: Sequence[np.ndarray], judge: Judge, progress: Progress | None = None
) -> tuple[int | None, list[BisectionStep]]:
    """Return the smallest number of ops that shows the error, or None where no number does; and the runs made."""
    steps: list[BisectionStep] = []

    def shows(count: int) -> bool:
        if progress is not None:
            progress(len(steps), len(subject.ops).bit_length() + 1)
        extract = prefix(subject, count)
        steps.append(BisectionStep(count, judge(extract.bytecode(), _arguments(subject, extract, arguments))))
        return steps[-1].shows

    low, high = 0, len(subject.ops)
    if not high or not shows(high):
        return None, steps
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high, steps


def bisect(
    subject: Subject,
    arguments: Sequence[np.ndarray],
    reference: Engine,
    engine: Engine,
    *,
    tolerance: Tolerance | None = None,
    judge: Judge | None = None,
    progress: Progress | None = None,
    profile: AccuracyProfile = DEFAULT,
) -> Bisection:
    """Find the op that makes an engine's results wrong.

    Args:
        subject: The program.
        arguments: Its arguments.
        reference: The engine that is right.
        engine: The engine that is wrong.
        tolerance: What results may differ by, in place of what rounding explains.
        judge: Tells whether the error shows; by default whether the engines disagree.
        progress: Called with the runs made and those that it may take.
        profile: How accurate functions have to be.

    Returns:
        The op, alone where that shows the error.

    Raises:
        StablehloError: The reference does not run the program, or the engine does not run at all.
    """
    engines = Disagreement(reference, engine, tolerance)
    verdict = partial(_disagree, engines) if judge is None else judge
    count, steps = first_bad_cut(subject, arguments, verdict, progress)
    made = partial(Bisection, steps=tuple(steps), engine=engine.name, ops=len(subject.ops))
    if count is None:
        if judge is None:
            run_reference(reference, subject, arguments)
        return made(None)
    op, spot = subject.ops[count - 1], place(subject.ops[count - 1], count - 1)
    together = _together(made(spot), subject, count, arguments, engines if judge is None else None)
    extract, values = _operands(subject, op, count, arguments, reference)
    if extract is None:
        return together
    chosen = tuple([values[value] for value in extract.inputs])
    if judge is not None:
        shows = judge(extract.bytecode(), chosen)
        return made(spot, alone=True, program=extract.module, arguments=chosen) if shows else together
    row = Tracer(subject, reference, engine, tolerance=tolerance, profile=profile).single(op, spot, values)
    if not row.wrong:
        return together
    if row.inside is None:
        return made(spot, None, True, extract.module, chosen, difference=row.local, failure=row.failure)
    inner = row.inside
    return made(spot, inner, True, inner.module, inner.arguments, difference=inner.difference, failure=row.failure)


def _together(
    found: Bisection, subject: Subject, count: int, arguments: Sequence[np.ndarray], engines: Disagreement | None
) -> Bisection:
    """The finding with the program cut after some ops, and the difference of its results or why there are none.

    Raises StablehloError where the engine does not run at all.
    """
    cut = prefix(subject, count)
    found = replace(found, program=cut.module, arguments=tuple(_arguments(subject, cut, arguments)))
    if engines is None:
        return found
    expected, given = (one.run(cut.bytecode(), found.arguments) for one in (engines.reference, engines.engine))
    if not given.ok:
        require_running(engines.engine)
        return replace(found, failure=str(given))
    if not expected.ok:
        return found
    wrong = first_beyond(cut.bytecode(), found.arguments, given.results, expected.results, engines.tolerance)
    return found if wrong is None else replace(found, difference=wrong[1])


def _operands(
    subject: Subject, op: ir.Operation, count: int, arguments: Sequence[np.ndarray], reference: Engine
) -> tuple[Extract | None, Values]:
    """Return the op alone, and the reference's values of its operands; None if the reference cannot compute them."""
    values: Values = dict(zip(subject.block.arguments, arguments, strict=True))
    wanted = [value for value in needed(op) if value not in values and not is_token(value)]
    if not all(map(_is_ranked, wanted)):
        return None, values
    if wanted:
        before = subject.extractor.ops(subject.ops[: count - 1], wanted)
        outcome = reference.run(before.bytecode(), [values[value] for value in before.inputs])
        if not outcome.ok:
            return None, values
        values.update(zip(wanted, outcome.results, strict=True))
    outputs = [result for result in op.results if is_observable(result)]
    made, _ = run_ops(reference, subject.extractor, [op], values, isolated=True)
    values.update(made)
    return subject.extractor.ops([op], outputs, isolated=True), values

"""Finds the op that is wrong by measuring every op of a program in one engine against another.

*Local* error: the engine gets the reference's operands for each op; the op is wrong if a result is outside what
`allowed` says. *Accumulated*: the engine goes on from its own values, which may be as far apart as `spread` says.
*As compiled*: the program is cut after an op and returns that op's results alone, so that the compiler fuses the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.attributes import CALLS
from ...bindings.types import TensorType, TypeReader, dtype_name
from ...dialect.facts import facts
from ...engines import Engine, Outcome, require_running
from ...engines.probing import returned_types
from ...interpreter.element_types.ulp import epsilon, parts
from ..allowed.measures import EXACT, Difference, Tolerance, difference, is_float, is_same
from ..allowed.ops import Question, allowed
from ..allowed.spread import Local, tolerance_of, tolerances, ways
from ..allowed.widths import DEFAULT, AccuracyProfile
from ..programs.slices import (
    Progress,
    RegionRun,
    Slice,
    Values,
    bodies,
    is_observable,
    run_extract,
    run_ops,
    slices,
    until,
)
from ..programs.subject import OpLocation, Subject, examine, needed, place
from .rows import Inner, Trace, TraceRow

DEFAULT_CAP = 256 << 20


@dataclass
class Tracer:
    """Walks one block of a program in two engines.

    Ops are measured on the engine's `own_operands`, or on the reference's. `types` are those in which the engine
    returns values, None for the outermost tracer. `expected` has values of the reference, as long as they are needed,
    `own` those of the engine, which goes on from them, and `reruns` those of runs that show how rounding grows.
    """

    subject: Subject
    reference: Engine
    engine: Engine
    tolerance: Tolerance | None = None
    profile: AccuracyProfile = DEFAULT
    own_operands: bool = False
    types: Mapping[np.dtype, np.dtype] | None = None
    cap: int = DEFAULT_CAP
    progress: Progress | None = None

    def __post_init__(self) -> None:
        self.options: dict[str, Any] = {"tolerance": self.tolerance, "profile": self.profile, "cap": self.cap}
        self.expected: Values = {}
        self.own: Values = {}
        self.reruns: list[tuple[Engine, Values]] = []
        self.path: tuple[str, ...] = ()
        self.rows: list[TraceRow] = []
        self.errors: dict[ir.Value, float] = {}
        self.note = ""
        self.stopped: dict[ir.Value, str] = {}  # values that the engine goes on from and has not computed, with the op
        self.nonfinite: dict[str, OpLocation] = {}
        self.only_fails = False  # whether the reproducer is of an op that the engine does not run
        self.reproducer: tuple[ir.Module, tuple[np.ndarray, ...]] | None = None

    def run(self, arguments: Sequence[np.ndarray], path: tuple[str, ...] = ()) -> Trace:
        """Measure every op on these arguments. Raises StablehloError where the engine does not run at all."""
        block = self.subject.block
        self.expected = dict(zip(block.arguments, arguments, strict=True))
        self.own = dict(self.expected)
        self.path = path
        if self.types is None:
            self.types = self._returned_types()
            narrow = dtype_name(next(iter(self.types.values()))) if self.types else ""
            shown = [] if self.own_operands else ways(arguments, narrow, perturbations=1)
            self.reruns = [(Local(element), dict(zip(block.arguments, values, strict=True)))
                           for element, values in shown]  # fmt: skip
        ops = self.subject.ops
        for part in slices(ops, self.subject.results, self.cap):
            self._step(part)
            if not part.first and all(row.failure for row in self.rows):
                require_running(self.engine)
            for values in (self.expected, self.own, self.errors, *(values for _, values in self.reruns)):
                for value in part.dying:
                    values.pop(value, None)
            if self.progress is not None:
                self.progress(part.first + len(part.ops), len(ops))
        program, given = (None, ()) if self.reproducer is None else self.reproducer
        rows, nonfinite = tuple(self.rows), dict(self.nonfinite)
        return Trace(self.engine.name, self.reference.name, rows, nonfinite, self.note, program, given)

    def _returned_types(self) -> dict[np.dtype, np.dtype]:
        """Return the types of the engine's floats, if they have fewer digits than the program's."""
        used = dict.fromkeys(type_.dtype for type_ in self.subject.tensor_types() if is_float(type_.dtype))
        found = returned_types(self.engine, list(used))
        return {dtype: other for dtype, other in found.items() if epsilon(other) > epsilon(dtype)}

    def compiled(self, rows: Sequence[TraceRow], arguments: Sequence[np.ndarray]) -> list[TraceRow]:
        """Return the rows with the errors as compiled: each of the program up to the op, which returns nothing else."""
        numbers = [row.place.number for row in rows]
        together, given = until(self.subject, *numbers), dict[ir.Value, np.ndarray]()
        values: Values = dict(zip(self.subject.block.arguments, arguments, strict=True))
        expected = run_extract(self.reference, together, values)
        if not expected.ok:
            return list(rows)
        wanted = dict(zip(together.outputs, expected.results, strict=True))
        for number in numbers:
            extract = until(self.subject, number)
            found = run_extract(self.engine, extract, values)
            results = zip(extract.outputs, found.results, strict=False)
            given |= {value: array for value, array in results if array.shape == wanted[value].shape}
        inputs, known = [values[value] for value in together.inputs], {**wanted, **given}
        allowances = tolerances(together.bytecode(), inputs, list(known.values()), list(wanted.values()))
        measured = {value: difference(given[value], wanted[value], allowance)
                    for value, allowance in zip(wanted, allowances, strict=True) if value in given}  # fmt: skip
        results = [self.subject.ops[number].results for number in numbers]
        worst = [largest([measured[value] for value in each if value in measured]) for each in results]
        return [replace(row, compiled=one) for row, one in zip(rows, worst, strict=True)]

    def with_compiled(self, found: Trace, arguments: Sequence[np.ndarray], cuts: int) -> Trace:
        """The trace with the errors as compiled of the worst `cuts` ops of each kind, and of the first wrong ones."""
        rows = [row for kind in ("local", "accumulated") for row in found.worst(kind, cuts)]
        rows += [row for row in (found.first, found.parting) if row is not None]
        chosen = {row.place.number: row for row in rows} if cuts else {}
        measured = dict(zip(chosen, self.compiled(list(chosen.values()), arguments), strict=True)) if chosen else {}
        return replace(found, rows=tuple([measured.get(row.place.number, row) for row in found.rows]))

    def single(self, op: ir.Operation, spot: OpLocation, expected: Values) -> TraceRow:
        """Measure one op, and if it is wrong those inside it, given the reference's values of operands and results."""
        self.types = self._returned_types() if self.types is None else self.types
        base, wanted = self._operands([op], expected, expected)
        local, failed = run_ops(self.engine, self.subject.extractor, [op], base, isolated=True)
        return self._row(op, spot, base, wanted, local, failed.get(op))

    def _step(self, part: Slice) -> None:
        """Measure one slice."""
        extractor, expected, own = self.subject.extractor, self.expected, self.own
        made, failed = run_ops(self.reference, extractor, part.ops, expected, isolated=False)
        expected.update(made)
        for engine, values in self.reruns:
            values.update(made | run_ops(engine, extractor, part.ops, values, isolated=False)[0])
        accumulated, stopped = run_ops(self.engine, extractor, part.ops, own, isolated=False)
        spots = {op: place(op, number, self.path) for number, op in enumerate(part.ops, part.first)}
        self.stopped |= {result: f"{self.engine.name} does not run {spots[op]}: {why}"
                         for op, why in stopped.items() for result in op.results}  # fmt: skip
        own.update({value: made[value] for value in made if value not in accumulated})  # go on past what failed
        own.update(accumulated)
        base, wanted = self._operands(part.ops, own if self.own_operands else expected, made)
        local, local_failed = run_ops(self.engine, extractor, part.ops, base, isolated=True)
        for op, spot in spots.items():
            if op in failed and op == next(iter(failed)):
                self.note = f"the reference cannot run {spot}: {failed[op]}; ops that use it are not measured"
            self.watch((self.reference.name, op, spot, expected), (self.engine.name, op, spot, own))
            if op.name == "stablehlo.constant" or not any(map(is_observable, op.results)):
                continue
            self.rows.append(self._row(op, spot, base, wanted, local, local_failed.get(op)))

    def _operands(self, ops: Sequence[ir.Operation], values: Values, made: Values) -> tuple[Values, Values]:
        """Return the operands of ops as the engine holds them, and the reference's results on these."""
        types = TypeReader()
        narrow: Mapping[np.dtype, np.dtype] = self.types if self.types else {}
        base: Values = {}
        for value in dict.fromkeys(used for op in ops for used in needed(op) if used in values):
            type_, array = types[value.type], values[value]
            dtype = type_.dtype if isinstance(type_, TensorType) else array.dtype
            with np.errstate(all="ignore"):
                base[value] = array.astype(narrow.get(dtype, dtype), copy=False).astype(dtype, copy=False)
        if not self.own_operands and all(array is values[value] for value, array in base.items()):
            return values, made
        return base, run_ops(self.reference, self.subject.extractor, ops, base, isolated=True)[0]

    def look_inside(self, op: ir.Operation, spot: OpLocation, values: Values) -> tuple[Inner | None, str]:
        """Find the innermost op in the regions of `op` that is wrong on its own, running these as the reference does.

        Return the op, or None where each is right, and only the whole is wrong; and the sentence that leaves an op
        inside open, or empty.
        """
        left_open = ""
        for body in bodies(self.subject.extractor, self.reference, op, values):
            if body.expected is not None and not self._differs(body):
                continue
            inner = Tracer(examine(body.extract.module), self.reference, self.engine, types=self.types, **self.options)
            traced = inner.run(body.arguments, (*spot.path, f"#{spot.number} {op.name} {body.title}"))
            if (found := traced.first) is not None:
                if found.inside is not None:
                    return found.inside, ""
                program, arguments = body.extract.module, tuple(body.arguments)
                alone = traced.program if inner.only_fails == bool(found.failure) else None
                if alone is not None and self._shows(traced, alone):
                    program, arguments = alone, traced.arguments
                return Inner(found.place, found.local, program, arguments), ""
            left_open = next((row.sentence for row in traced.rows if row.is_open), left_open)
        return None, left_open

    def _shows(self, traced: Trace, program: ir.Module) -> bool:
        """Whether the op alone that a trace has for a program is wrong there, too."""
        again = Tracer(examine(program), self.reference, self.engine, types=self.types, **self.options)
        return again.run(traced.arguments).first is not None

    def _differs(self, body: RegionRun) -> bool:
        """Whether the engine's results are not bit for bit the reference's."""
        given = self.engine.run(body.code, body.arguments)
        expected = () if body.expected is None else body.expected
        return not given.ok or not all(is_same(a, b) for a, b in zip(given.results, expected, strict=True))

    def _row(
        self, op: ir.Operation, spot: OpLocation, base: Values, wanted: Values, local: Values, failure: Outcome | None
    ) -> TraceRow:
        """Measure an op on operands, given the results of the reference and of the engine on these."""
        measured, sentence, is_open = self._measured(op, base, wanted, local)
        known = [result for result in op.results if result in self.own and result in self.expected]
        accumulated = None if self.own_operands else largest([self._apart(result) for result in known])
        if not all(result in wanted for result in op.results if is_observable(result)):
            return TraceRow(spot, accumulated=accumulated)  # the reference does not run it, so that nothing can be said
        text = "" if failure is None or measured is not None else str(failure)
        wrong = bool(text) or (measured is not None and not measured.same)
        inside, differs_in_context = None, False
        if (len(op.regions) or op.name in CALLS) and (
            wrong or (facts(op.name).is_control_flow and measured is not None and measured.max_ulp > 0)
        ):
            inside, left_open = self.look_inside(op, spot, base)
            if left_open and not text:
                wrong, is_open, sentence = False, True, left_open
        wrong = wrong or inside is not None
        if self.own_operands and not wrong and not is_open and not self._is_own(op, local):
            among, because, is_open = self._measured(op, base, wanted, self.own)
            differs_in_context, sentence = among is not None and not among.same, because if is_open else sentence
        if wrong and (self.reproducer is None or (self.only_fails and not text)):  # a wrong result says more
            self.reproducer = self._alone(op, base) if inside is None else (inside.module, inside.arguments)
            self.only_fails = bool(text)
        growth = self._growth(op) if self.own_operands else 0.0
        return TraceRow(spot, measured, accumulated, failure=text, wrong=wrong, inside=inside, sentence=sentence,
                   is_open=is_open, growth=growth, differs_in_context=differs_in_context)  # fmt: skip

    def _is_own(self, op: ir.Operation, local: Values) -> bool:
        """Whether the engine has bit for bit the same results among other ops."""
        return all(result in local and is_same(local[result], self.own[result]) for result in op.results
                   if result in self.own)  # fmt: skip

    def _apart(self, result: ir.Value) -> Difference:
        """Return the accumulated error of a value."""
        own, expected = self.own[result], self.expected[result]
        others = [values[result] for _, values in self.reruns if result in values]
        return difference(own, expected, tolerance_of(expected, others) if others else EXACT)

    def _growth(self, op: ir.Operation) -> float:
        """Return the relative error of an op's results divided by that of its operands."""
        errors = [[self._error(value) for value in values if value in self.own and value in self.expected]
                  for values in (op.results, needed(op))]  # fmt: skip
        before, after = max(errors[1], default=0.0), max(errors[0], default=0.0)
        return after / before if before and np.isfinite(before) else 0.0

    def _error(self, value: ir.Value) -> float:
        """Return the relative error of a value; zero for integers."""
        if value not in self.errors:
            own, expected = self.own[value], self.expected[value]
            self.errors[value] = relative_error(own, expected) if is_float(expected.dtype) else 0.0
        return self.errors[value]

    def _alone(self, op: ir.Operation, expected: Values) -> tuple[ir.Module, tuple[np.ndarray, ...]]:
        extract = self.subject.extractor.ops([op], [result for result in op.results if is_observable(result)])
        return extract.module, tuple([expected[value] for value in extract.inputs])

    def _measured(
        self, op: ir.Operation, base: Values, wanted: Values, given: Values
    ) -> tuple[Difference | None, str, bool]:
        """Return the largest local error over the specified results of an op, and whether unspecified ones differ."""
        known = [result for result in op.results if result in given and result in wanted]
        pairs = [(given[result], wanted[result]) for result in known]
        if all(is_same(a, b) for a, b in pairs):
            return largest([difference(a, b, EXACT) for a, b in pairs]), "", False
        if self.tolerance is not None and not facts(op.name).is_control_flow:
            return largest([difference(a, b, self.tolerance) for a, b in pairs]), "", False
        wanted_of, types = [b for _, b in pairs], [a.dtype for a, _ in pairs]
        question = Question(op, base, wanted_of, types, self.subject.extractor, known, self.profile)
        enclosures = list(zip(allowed(question), pairs, strict=True))
        measured = [enclosure.measure(a) for enclosure, (a, _) in enclosures]
        is_open = any(enclosure.leaves_open(a) for enclosure, (a, _) in enclosures)
        first = next((number for number, one in enumerate(measured) if not one.same), 0)
        enclosure, (given_first, _) = enclosures[first]
        return largest(measured), enclosure.reason(given_first), is_open

    def watch(self, *runs: tuple[str, ir.Operation, OpLocation, Values]) -> None:
        """Remember the first op of each run, by its name, that makes NaN or infinities out of finite operands."""
        for name, op, spot, values in runs:
            if name in self.nonfinite or op.name == "stablehlo.constant":
                continue
            if has_nonfinite(op.results, values) and not has_nonfinite(op.operands, values):
                self.nonfinite[name] = spot


def trace(
    subject: Subject,
    arguments: Sequence[np.ndarray],
    reference: Engine,
    engine: Engine,
    *,
    tolerance: Tolerance | None = None,
    cap: int = DEFAULT_CAP,
    cuts: int = 2,
    progress: Progress | None = None,
    profile: AccuracyProfile = DEFAULT,
) -> Trace:
    """Measure every op of a program in one engine against another.

    Args:
        subject: The program, see `examine`.
        arguments: Its arguments.
        reference: The engine that is right.
        engine: The engine to measure.
        tolerance: What one op may differ by on the same operands, in place of what is allowed.
        cap: Bytes of results that are held at a time.
        cuts: How many of the worst ops of each kind are also measured as compiled.
        progress: Called with the ops done and all ops.
        profile: How accurate functions have to be.

    Returns:
        The errors of every op.

    Raises:
        StablehloError: The engine does not run at all.
    """
    tracer = Tracer(subject, reference, engine, tolerance=tolerance, profile=profile, cap=cap, progress=progress)
    return tracer.with_compiled(tracer.run(arguments), arguments, cuts)


def largest(found: Sequence[Difference]) -> Difference | None:
    """Return the difference that matters most: one beyond the tolerance, then the largest in ULP."""
    return max(found, key=lambda one: (one.mismatches > 0, one.max_ulp), default=None)


def relative_error(value: np.ndarray, exact: np.ndarray | None) -> float:
    """Return the root mean square of the error, relative to that of the exact values; infinite if one is not finite."""
    if exact is None or not value.size:
        return 0.0
    if is_same(value, exact):
        return 0.0
    kind = np.complex128 if exact.dtype.kind == "c" else np.float64
    wide, right = parts(value.astype(kind)).ravel(), parts(exact.astype(kind)).ravel()
    both, others = np.isfinite(wide), np.isfinite(right)
    if not np.array_equal(both, others):
        return float("inf")
    if not both.any():
        return 0.0
    if not both.all():
        wide, right = wide[both], right[both]
    wide -= right
    error, scale = (float(np.sqrt(np.einsum("i,i", one, one))) for one in (wide, right))
    return error / scale if scale else (0.0 if not error else float("inf"))


def has_nonfinite(chosen: Sequence[ir.Value], values: Values) -> bool:
    """Whether any of the values that are known has NaN or infinities."""
    arrays = [values[value] for value in chosen if value in values]
    return any(is_float(array.dtype) and not np.isfinite(array).all() for array in arrays)

"""Every op of a program measured against the op of another one that does the same: a model in bf16 against it in f32.

*Local*: both ops get the other program's operands, rounded to what both programs can hold. *Accumulated*: each program
goes on from its own values. *As compiled*: both are cut after the op, with its results alone as outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.types import TensorType, TypeReader
from ...bindings.walk import body_of
from ...dialect.facts import facts
from ...engines import Engine, Outcome
from ...errors import InputError
from ...interpreter.element_types.ulp import epsilon
from ..allowed.measures import Difference, Tolerance, difference, half_the_digits, is_float
from ..allowed.ops import Question, allowed
from ..allowed.widths import DEFAULT, AccuracyProfile
from ..programs.slices import Progress, Slice, Values, bodies, is_observable, last_uses, run_ops, run_until
from ..programs.subject import Extract, OpLocation, Subject, examine, is_token, needed, place
from .changes import ProgramMatching, cause, changes, match
from .rows import Inner, Trace, TraceRow
from .trace import DEFAULT_CAP, Tracer, largest


class _Other:
    """The other program, run as far as needed."""

    def __init__(self, subject: Subject, engine: Engine) -> None:
        self.subject, self.engine = subject, engine
        self.values: Values = {}
        self.done = 0
        self.missing = ""
        self.last_use = last_uses(subject.ops, subject.results)

    def advance(self, count: int) -> None:
        """Run up to the first `count` ops."""
        if count > self.done:
            chosen = self.subject.ops[self.done : count]
            made, failed = run_ops(self.engine, self.subject.extractor, chosen, self.values, isolated=False)
            self.values.update(made)
            if failed and not self.missing:
                op, outcome = next(iter(failed.items()))
                self.missing = f"the reference cannot run {op.name}: {outcome}; ops that use it are not measured"
            self.done = count

    def forget(self, needed_later: set[ir.Value]) -> None:
        """Let go of values that neither program uses any more."""
        gone = [v for v in self.values if self.last_use.get(v, -1) < self.done and v not in needed_later]
        for value in gone:
            del self.values[value]


class _Pair(Tracer):
    """Walks two programs side by side."""

    def __init__(
        self,
        subject: Subject,
        other: Subject,
        reference: Engine,
        engine: Engine,
        shared: Mapping[int, int] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(subject, reference, engine, types={}, **options)
        self.matching: ProgramMatching = match(subject, other, shared)
        self.reader = TypeReader()
        self.narrowest = _narrowest(subject, other)
        self.other = _Other(other, reference)
        self.first_operands: Values = {}  # of the ops of a slice, rounded to what both programs can hold
        self.last_use: dict[ir.Value, int] = {}  # the last op of the first program that asks for a value of the second
        for number, op in enumerate(subject.ops):
            for value in (*needed(op), *op.results):
                if value in self.matching.values:
                    self.last_use[self.matching.values[value]] = number

    def run(
        self,
        arguments: Sequence[np.ndarray],
        path: tuple[str, ...] = (),
        others: Sequence[np.ndarray] | None = None,
    ) -> Trace:
        """Return the rows of all ops that have a partner. The second program gets the same arguments, or `others`."""
        given = self.given(arguments) if others is None else others
        self.other.values = dict(zip(self.other.subject.block.arguments, given, strict=True))
        found = super().run(arguments, path)
        counts = len(self.matching.partners), len(self.subject.ops), len(self.other.subject.ops)
        matched = "{} of {} ops have a partner among {} of the other program".format(*counts)
        return replace(found, reference=f"the other program in {self.reference.name}", matched=matched)

    def given(self, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the arguments of the second program."""
        return [self.cast(value, to) for value, to in zip(arguments, self.other.subject.block.arguments, strict=True)]

    def _step(self, part: Slice) -> None:
        """Measure one slice of the first program, and as much of the second as it needs."""
        partners = self.matching.partners
        end = part.first + len(part.ops)
        self.other.advance(max((partners[n] + 1 for n in range(part.first, end) if n in partners), default=0))
        made, failed = run_ops(self.engine, self.subject.extractor, part.ops, self.own, isolated=False)
        self.own.update(made)
        self._measure(part, failed)
        self.other.forget({value for value, number in self.last_use.items() if number >= end})
        self.note = self.other.missing

    def cast(self, value: np.ndarray, to: ir.Value) -> np.ndarray:
        """Return an array in the element type of another value."""
        type_ = self.reader[to.type]
        with np.errstate(all="ignore"):
            return value.astype(type_.dtype) if isinstance(type_, TensorType) else value

    def _measure(self, part: Slice, failed: dict[ir.Operation, Outcome]) -> None:
        """Add the rows of a slice, which has been run."""
        partners, own, others = self.matching.partners, self.own, self.other.values
        pairs = [(op, self.other.subject.ops[partners[number]], number)
                 for number, op in enumerate(part.ops, part.first) if number in partners]  # fmt: skip
        local, expected, rounded = self._local_runs([(a, b) for a, b, _ in pairs])
        for a, b, number in pairs:
            spot, there = place(a, number, self.path), place(b, partners[number], self.path)
            self.watch(("the program", a, spot, own), ("the other program", b, there, others))
            if a.name == "stablehlo.constant" or not any(map(is_observable, a.results)):
                continue
            results = list(zip(a.results, b.results, strict=False))
            measured, sentence = self._local(a, b, (local, expected, rounded))
            known = [(own[x], others[y]) for x, y in results if x in own and y in others]
            accumulated = largest([self._whole(x, y) for x, y in known if x.shape == y.shape])
            wrong = a in failed or (measured is not None and not measured.same)
            apart = accumulated is not None and not accumulated.same
            inside = self._inside(a, b, spot) if len(a.regions) and (apart or wrong) else None
            if facts(a.name).is_control_flow and inside is None:
                wrong = a in failed  # no round is wrong: rounding has grown from one to the next
            failure = str(failed[a]) if a in failed else ""
            if wrong and self.reproducer is None:
                self.reproducer = self._alone(a, {**own, **self.first_operands})
            self.rows.append(TraceRow(spot, measured, accumulated, None, failure, wrong, inside, there, sentence))

    def _local_runs(self, pairs: Sequence[tuple[ir.Operation, ir.Operation]]) -> tuple[Values, Values, Values]:
        """The results of both ops of each pair on the same operands, and these operands in the second program."""
        values = self.other.values
        known = [(a, b, self.matching.operands(a, b)) for a, b in pairs]
        usable = [
            (a, b, operands)
            for a, b, operands in known
            if operands is not None and all(self.matching.values[x] in values for x, _ in operands)
        ]
        forms: dict[ir.Value, dict[ir.Type, ir.Value]] = {}  # each value, by the types that it is used in
        for _, _, operands in usable:
            for x, y in operands:
                forms.setdefault(self.matching.values[x], {}).update({x.type: x, y.type: y})
        rounded = {root: values[root] for root in forms}
        for root, used in forms.items():
            for value in used.values():
                rounded[root] = self.cast(rounded[root], value)
        first: Values = {}
        second: Values = {}
        for _, _, operands in usable:
            for x, y in operands:
                root = rounded[self.matching.values[x]]
                first[x], second[y] = self.cast(root, x), self.cast(root, y)
        here, there = self.subject.extractor, self.other.subject.extractor
        ours = run_ops(self.engine, here, [a for a, _, _ in usable], first, isolated=True)[0]
        theirs = run_ops(self.reference, there, [b for _, b, _ in usable], second, isolated=True)[0]
        self.first_operands = first
        return ours, theirs, second

    def _local(
        self, a: ir.Operation, b: ir.Operation, runs: tuple[Values, Values, Values]
    ) -> tuple[Difference | None, str]:
        """Return the largest local error of an op, held against what its partner may give."""
        local, expected, operands = runs
        pairs = [(x, y) for x, y in zip(a.results, b.results, strict=False) if x in local and y in expected]
        given, wanted = [local[x] for x, _ in pairs], [expected[y] for _, y in pairs]
        if not pairs or any(one.shape != other.shape for one, other in zip(given, wanted, strict=True)):
            return None, ""
        if self.tolerance is not None:
            return largest([difference(*each, self.tolerance) for each in zip(given, wanted, strict=True)]), ""
        types, known = [one.dtype for one in given], [y for _, y in pairs]
        question = Question(b, operands, wanted, types, self.other.subject.extractor, known, self.profile)
        found = allowed(question)
        return largest([each.measure(one) for each, one in zip(found, given, strict=True)]), found[0].sentence

    def _whole(self, a: np.ndarray, b: np.ndarray) -> Difference:
        """Return the difference of two values in the narrowest type of the programs."""
        if not is_float(a.dtype) or a.dtype.kind == "c":
            return difference(a, b, half_the_digits(a.dtype))
        with np.errstate(all="ignore"):
            rounded = a.astype(self.narrowest)
            wanted = b.astype(self.narrowest) if a.dtype == b.dtype else b  # equal values stay equal
        return difference(rounded, wanted, half_the_digits(self.narrowest))

    def apart(self) -> str:
        """How the first results that differ do, in words; within the tolerance of the narrower of their own types."""
        self.other.advance(len(self.other.subject.ops))
        mine, theirs = self.subject.results, self.other.subject.results
        if len(mine) != len(theirs):
            return f"the program has {len(mine)} results, the other one {len(theirs)}"
        for number, (x, y) in enumerate(zip(mine, theirs, strict=True)):
            a, b = self.own.get(x), self.other.values.get(y)
            if a is None or b is None:
                continue
            if a.shape != b.shape:
                return f"result {number} has shape {list(a.shape)}, that of the other program {list(b.shape)}"
            tolerance = max((half_the_digits(one.dtype) for one in (a, b)), key=lambda one: one.relative)
            found = difference(a, b, tolerance)
            if not found.same:
                head = f"result {number} differs (allowed: {tolerance})"
                return "\n".join([head, *(f"  {line}" for line in found.lines())])
        return ""

    def _inside(self, a: ir.Operation, b: ir.Operation, spot: OpLocation) -> Inner | None:
        """Return the first op in the regions of a pair at which the programs differ, in the first such iteration."""
        values, extractor = self.other.values, self.other.subject.extractor
        if len(a.regions) != len(b.regions) or any(operand not in values for operand in b.operands):
            return None
        regions = {extractor.region(b, n).bytecode(): n for n in range(len(b.regions))}
        for body in bodies(extractor, self.reference, b, values):
            mine, shared = self._same_region(a, b, regions[body.code], body.extract)
            arguments, others = list[np.ndarray](), list(body.arguments)
            for number, value in enumerate(mine.inputs):
                if number not in shared and value not in self.own:
                    return None
                given = body.arguments[shared[number]] if number in shared else self.own[value]
                arguments.append(self.cast(given, value))
                if number in shared:
                    others[shared[number]] = self.cast(arguments[-1], body.extract.inputs[shared[number]])
            path = (*spot.path, f"#{spot.number} {a.name} {body.title}")
            try:
                pair = _Pair(examine(mine.module), examine(body.extract.module), self.reference, self.engine, shared,
                             **self.options)  # fmt: skip
            except InputError:  # the loops carry other values
                return None
            found = pair.run(arguments, path, others)
            row = found.first if found.first is not None else found.parting
            if row is not None:
                here = Inner(row.place, row.accumulated, mine.module, tuple(arguments))
                return here if row.inside is None else row.inside
        return None

    def _same_region(
        self, a: ir.Operation, b: ir.Operation, index: int, there: Extract
    ) -> tuple[Extract, dict[int, int]]:
        """Return a region of the first of two ops, and which of its arguments are which of the second's region: those
        of the block by position, captured values where they are the same in both programs."""
        counts = [sum(not is_token(value) for value in body_of(op, index).arguments) for op in (a, b)]
        captured = {self.matching.roots.get(value, value): number
                    for number, value in enumerate(there.inputs) if number >= counts[1]}  # fmt: skip
        partner = {value: captured[same] for value, same in self.matching.values.items() if same in captured}
        mine = self.subject.extractor.region(a, index, partner)
        shared = dict(zip(range(counts[0]), range(counts[1]), strict=False))
        outside = enumerate(mine.inputs[counts[0] :], counts[0])
        return mine, shared | {number: partner[value] for number, value in outside if value in partner}

    def compiled(self, rows: Sequence[TraceRow], arguments: Sequence[np.ndarray]) -> list[TraceRow]:
        """Return the rows with the errors as compiled."""
        return [self._compiled(row, arguments) for row in rows]

    def _compiled(self, row: TraceRow, arguments: Sequence[np.ndarray]) -> TraceRow:
        partner = self.matching.partners[row.place.number]
        ours = run_until(self.engine, self.subject, row.place.number, arguments)
        theirs = run_until(self.reference, self.other.subject, partner, self.given(arguments))
        if not (ours.ok and theirs.ok):
            return row
        pairs = zip(ours.results, theirs.results, strict=True)
        return replace(row, compiled=largest([self._whole(a, b) for a, b in pairs if a.shape == b.shape]))


def _narrowest(*subjects: Subject) -> np.dtype:
    """Return the float type with the fewest digits in the programs, which limits the agreement of results."""
    used = (type_.dtype for subject in subjects for type_ in subject.tensor_types())
    return max(filter(is_float, used), key=lambda dtype: (epsilon(dtype), dtype.name), default=np.dtype(np.float32))


def trace_against(
    subject: Subject,
    other: Subject,
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
    """Measure every op of a program against the op of another one that does the same.

    Args:
        subject: The program.
        other: The one that is right: the same program in other float types, or exported by another version.
        arguments: The arguments of `subject`; the other program gets the same numbers.
        reference: What runs `other`.
        engine: What runs `subject`.
        tolerance: What one op may differ by on the same operands, in place of what is allowed.
        cap: Bytes of results of `subject` that are held at a time.
        cuts: How many of the worst ops of each kind are also measured as compiled.
        progress: Called with the ops done and all ops.
        profile: How accurate functions have to be.

    Returns:
        The errors of every op that has a partner.

    Raises:
        InputError: The programs take different arguments, or have no ops in common.
        StablehloError: The engine does not run at all.
    """
    tracer = _Pair(subject, other, reference, engine, tolerance=tolerance, profile=profile, cap=cap, progress=progress)
    if not tracer.matching.partners:
        raise InputError("the programs have no op in common")
    parameters = zip(arguments, subject.block.arguments, other.block.arguments, strict=True)
    both = [tracer.cast(tracer.cast(value, theirs), mine) for value, mine, theirs in parameters]
    found = tracer.with_compiled(tracer.run(both), both, cuts)
    changed, apart = changes(tracer.matching, subject, other), tracer.apart()
    found = replace(found, changes=tuple([change.text for change in changed]), apart=apart)
    if found.exit_code != 1:
        return found
    wrong, parting = (None if row is None else row.place.number for row in (found.first, found.parting))
    return replace(found, cause=cause(changed, subject, other, wrong, parting))

"""Make programs smaller as long as they show an error: fewer ops, regions, sizes, attributes and values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import islice
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.attributes import CALLS
from ...bindings.types import TypeReader
from ...bindings.walk import operations
from ...engines import Engine
from ...errors import counted
from ...syntax import readable_text
from ...syntax.tables import table
from ..bisect import prefix
from ..programs.inputs import Distribution, draw
from ..programs.slices import Values, bodies, is_observable, run_ops, slices
from ..programs.subject import Extract, Subject, examine, needed
from .predicates import alike, relaxed, shorten
from .resizing import resized_candidates
from .search import Candidate, NotInterestingError, Search
from .simplifying import (
    argument_candidates,
    attribute_candidates,
    constant_candidates,
    fewer_values,
    merge_candidates,
    region_candidates,
    type_candidates,
    with_argument,
)

_CAP = 256 << 20
_BODIES_TRIED = 2000
_MOST_ELEMENTS = 4096  # arguments with more are made simple as a whole only
_ROUNDS = 8
_QUIET = frozenset({"stablehlo.constant", "stablehlo.return"})  # ops that are never the wrong ones

Moves = Callable[[Candidate], Iterator[Candidate | None]]
_MOVES: tuple[Moves, ...] = (
    *(region_candidates, constant_candidates, merge_candidates, resized_candidates),
    *(attribute_candidates, argument_candidates),
)


@dataclass(frozen=True)
class Reduction:
    """The outcome of `reduce`.

    Attributes:
        program: The smallest program that was found.
        arguments: Its arguments.
        ops: How many ops it has, those in regions not counted.
        ops_before: How many ops the program had.
        signature: The error that it shows.
        tests: Programs that were tested.
        unstable: Programs that showed the error in some runs only, and were passed over.
        stopped: Whether the time was used up before nothing smaller could be found.
        interrupted: Whether the user stopped it.
        notes: What cannot be told of the error, such as whether it is the one that the program showed at first.
    """

    program: ir.Module
    arguments: tuple[np.ndarray, ...]
    ops: int
    ops_before: int
    signature: str
    tests: int
    unstable: int = 0
    stopped: bool = False
    interrupted: bool = False
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = (
            f"{self.signature}: {counted(self.ops_before, 'op')} reduced to {self.ops} in {counted(self.tests, 'test')}"
        )
        if self.unstable:
            text += f"\n{self.unstable} programs were passed over that show the error in some runs only"
        if self.stopped:
            text += "\nstopped when the time was used up"
        if self.interrupted:
            text += "\ninterrupted: this is the smallest program so far"
        return "\n".join([text, *(f"note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        rows = [(number, f"{array.dtype}{list(array.shape)}") for number, array in enumerate(self.arguments)]
        program = f"<pre>{escape(readable_text(self.program))}</pre>"
        return table(str(self), ("argument", "type"), rows) + program

    def as_dict(self) -> dict[str, Any]:
        """Return the reduction as JSON holds it."""
        plain = {key: value for key, value in vars(self).items() if key not in ("program", "arguments")}
        return {**plain, "program": readable_text(self.program), "arguments": [a.tolist() for a in self.arguments]}


def reduce(module: ir.Module, arguments: Sequence[np.ndarray], reference: Engine, search: Search) -> Reduction:
    """Reduce a program to one as small as can be found that shows the same error.

    Args:
        module: The program.
        arguments: Arguments with which it shows the error.
        reference: The engine whose values stand in for ops that are removed.
        search: What judges candidates.

    Returns:
        The reduced program, valid and runnable with its arguments; after Ctrl-C the smallest one so far.

    Raises:
        FlakyError: The first program does not show the error in every run.
        NotInterestingError: The first program does not show it at all.
    """
    subject = examine(module)
    current = _started(module, Candidate(subject.module, tuple(arguments)), search)
    shorten(reference, search.seconds)
    before = len(subject.ops)
    notes = list[str]()
    interrupted = False
    try:
        current = _smaller(current, reference, search, notes)
    except KeyboardInterrupt:
        current, interrupted = current if search.best is None else search.best, True
    together = len(_computing(current))
    if together > 1 and not interrupted:
        notes.append(f"the error takes {together} ops together: which of them is wrong cannot be told")
    ops = len(examine(current.module).ops)
    return Reduction(current.module, current.arguments, ops, before, search.signature,
                     search.tests, search.unstable, search.stopped, interrupted, tuple(notes))  # fmt: skip


def _smaller(current: Candidate, reference: Engine, search: Search, notes: list[str]) -> Candidate:
    """Make moves of all kinds until none makes the program smaller; add what cannot be told to the notes."""
    current = _fewer_results(current, search)
    for _ in range(_ROUNDS):
        size = _size(current)
        current = _fewer_ops(current, reference, search)
        current = _into_regions(current, reference, search, notes)
        current = fewer_values(current, search)
        for moves in _MOVES:
            current = _repeat(current, moves, search)
        current = _fewer_elements(current, search)
        if _size(current) == size:
            break
    return _narrower(current, search, notes)


def _narrower(current: Candidate, search: Search, notes: list[str]) -> Candidate:
    """Make element types narrower as long as the error is the one of the original types.

    It comes last: an error that narrower types bring with them is never looked at on its own."""
    predicate = search.predicates[0]
    original = current.bytecode(), current.arguments

    def moves(candidate: Candidate) -> Iterator[Candidate]:
        for made in filter(None, type_candidates(candidate)):
            if alike(predicate, original, (made.bytecode(), made.arguments)) is not False:
                yield made

    narrow = _repeat(current, moves, search)
    if narrow is not current and alike(predicate, original, (narrow.bytecode(), narrow.arguments)) is None:
        notes.append("element types became narrower: whether the error is that of the original types cannot be told")
    return narrow


def _started(module: ir.Module, inlined: Candidate, search: Search) -> Candidate:
    """Return the first program: with all calls inlined, or as it is where the error needs the calls."""
    try:
        search.start(inlined)
    except NotInterestingError:
        if not any(op.name in CALLS for op in operations(module.operation)):
            raise
        whole = Candidate(module, inlined.arguments)
        search.start(whole)
        return whole
    return inlined


def _size(candidate: Candidate) -> tuple[int, int, int]:
    """The sizes that a reduction makes smaller: of the text, the arguments, and their elements that are not zero."""
    return (
        len(str(candidate.module.operation)),
        sum(argument.nbytes for argument in candidate.arguments),
        sum(int(np.count_nonzero(argument)) for argument in candidate.arguments),
    )


def _repeat(current: Candidate, moves: Moves, search: Search) -> Candidate:
    """Make moves of one kind as long as one of them keeps the error."""
    while (found := search.first(moves(current))) is not None:
        current = found
    return current


def recorded(subject: Subject, arguments: Sequence[np.ndarray], reference: Engine) -> Values:
    """Return the value of every op in the reference; those that it cannot compute are drawn."""
    values: Values = dict(zip(subject.block.arguments, arguments, strict=True))
    types = TypeReader()
    for part in slices(subject.ops, subject.results, _CAP):
        made, _ = run_ops(reference, subject.extractor, part.ops, values, isolated=False)
        values.update(made)
        for number, value in enumerate(result for op in part.ops for result in op.results if is_observable(result)):
            if value not in values:
                random = np.random.default_rng([part.first, number])
                values[value] = draw(types[value.type], Distribution(), random, None)
    return values


def _fewer_ops(current: Candidate, reference: Engine, search: Search) -> Candidate:
    """Keep only ops that matter; the values of the others become arguments."""
    current = current if search.required_ops else _cut_at_error(current, search)
    subject = examine(current.module)
    values = recorded(subject, current.arguments, reference)

    def candidate(chosen: Sequence[int]) -> Candidate | None:
        """Return the chosen ops as a program that returns what none of them uses."""
        ops = [subject.ops[number] for number in chosen]
        used = {value for op in ops for value in needed(op)}
        outputs = [result for op in ops for result in op.results if result not in used and is_observable(result)]
        return _candidate(subject.extractor.ops(ops, outputs), values) if outputs else None

    alone = candidate([len(subject.ops) - 1]) if len(subject.ops) > 1 else None
    made = search.first([alone])
    made = search.fewest(range(len(subject.ops)), candidate) if made is None else made
    current = current if made is None else _fewer_results(made, search)
    wrong = _computing(current)
    if len(wrong) == 1:
        search.settle(current, wrong[0] - _QUIET)
    return current


def _computing(candidate: Candidate) -> list[set[str]]:
    """Return the names of each op of a program and of those inside it, without constants."""
    subject = examine(candidate.module)  # which its ops do not keep
    return [{inner.name for inner in operations(op)} for op in subject.ops if op.name != "stablehlo.constant"]


def _cut_at_error(current: Candidate, search: Search) -> Candidate:
    """Cut the program after the first op that shows the error."""
    subject = examine(current.module)
    given: Values = dict(zip(subject.block.arguments, current.arguments, strict=True))
    low, high = 0, len(subject.ops)
    while high - low > 1:
        middle = (low + high) // 2
        found = search.first([_candidate(prefix(subject, middle), given)])
        low, high, current = (middle, high, current) if found is None else (low, middle, found)
    return current


def _candidate(extract: Extract, values: Values) -> Candidate | None:
    """Return a part of a program with the values of its inputs, or None if one is missing."""
    if any(value not in values for value in extract.inputs):
        return None
    return Candidate(extract.module, tuple([values[value] for value in extract.inputs]))


def _fewer_results(current: Candidate, search: Search) -> Candidate:
    """Return only the results that show the error."""

    def moves(candidate: Candidate) -> Iterator[Candidate | None]:
        subject = examine(candidate.module)
        given: Values = dict(zip(subject.block.arguments, candidate.arguments, strict=True))
        for result in subject.results if len(subject.results) > 1 else ():
            if not isinstance(result.owner, ir.Block):  # an argument is never wrong
                yield _candidate(subject.extractor.ops(subject.ops, [result]), given)

    found = search.first(moves(current))
    return current if found is None else found


def _into_regions(current: Candidate, reference: Engine, search: Search, notes: list[str]) -> Candidate:
    """Continue with a region alone, on its arguments in the iteration that shows the error.

    The error of a region may have another size than that of its op, which is told in a note."""

    def moves(candidate: Candidate) -> Iterator[Candidate | None]:
        subject = examine(candidate.module)
        values: Values | None = None
        for op in subject.ops:
            if not len(op.regions):
                continue
            values = recorded(subject, candidate.arguments, reference) if values is None else values
            for body in islice(bodies(subject.extractor, reference, op, values), _BODIES_TRIED):
                yield Candidate(body.extract.module, tuple(body.arguments))

    before = search.signature, search.required_ops
    search.required_ops = frozenset()
    for wanted in dict.fromkeys((before[0], relaxed(before[0]))):
        search.signature = wanted
        found = search.first(moves(current))
        if found is not None:
            search.settle(found, ())
            if wanted != before[0]:
                notes.append(f"{before[0]} became {search.signature} inside a region: they may be different errors")
            return _fewer_ops(found, reference, search)
    search.signature, search.required_ops = before
    return current


def _fewer_elements(current: Candidate, search: Search) -> Candidate:
    """Set elements of the arguments to zero as long as the error shows."""
    for number in range(len(current.arguments)):
        argument = current.arguments[number]
        positions = np.flatnonzero(argument)
        if positions.size > _MOST_ELEMENTS:
            continue
        made = search.fewest(positions.tolist(), partial(_masked, current, number))
        current = current if made is None else made
    return current


def _masked(candidate: Candidate, number: int, kept: Sequence[int]) -> Candidate:
    """Return the candidate with zeros everywhere else in one argument."""
    argument = candidate.arguments[number]
    result = np.zeros(argument.shape, argument.dtype)
    result.ravel()[list(kept)] = argument.ravel()[list(kept)]
    return with_argument(candidate, number, result)

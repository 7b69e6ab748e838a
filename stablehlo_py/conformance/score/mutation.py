"""Find errors that the kit would miss: put small ones into the reference, one at a time, and see whether a case fails.

A first run of the kit notes which cases get to which lines of the kernels, and where the reference gives exactly the
expected values. Then each mutant runs in a fork of this process, on the cases that get to its lines, until one fails or
is less exact.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import random
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType, ModuleType
from typing import Any

from ...bindings import ir, make_context
from ...engines import Outcome
from ...isolation.children import run_in_child
from ...isolation.limits import Limits
from ..case import Case
from ..cases.contraction import LARGE_SUMS
from ..catalog import Choice, cases
from .mutants import ROOT, Mutant, choose, files, no_errors, source_of
from .scoring import score, ulps

_REFERENCE = "stablehlo_py.interpreter"
_SECONDS = 8.0  # of processor time for a mutant
_BY_THE_CLOCK = 600.0
_MEMORY = 4 << 30
_FEW_CASES = 20
_SOON = 0.01
_ENDED = "the process ended"


@dataclass(frozen=True)
class Verdict:
    """Whether a mutant was caught, by which case, and how many cases were tried."""

    mutant: Mutant
    by: str
    tried: int

    @property
    def caught(self) -> bool:
        """Whether a case failed."""
        return bool(self.by)

    def __str__(self) -> str:
        if self.caught:
            return f"caught {self.mutant} ({self.by})"
        return f"MISSED {self.mutant} ({f'{self.tried} cases pass' if self.tried else 'no case gets there'})"


@dataclass
class Reach:
    """Which cases get to which lines: numbers of cases by file and line, how long each took, and which are exact."""

    lines: dict[str, dict[int, list[int]]] = field(default_factory=dict[str, dict[int, list[int]]])
    seconds: list[float] = field(default_factory=list[float])
    exact: set[int] = field(default_factory=set[int])

    def of(self, mutant: Mutant, every: Sequence[Case]) -> list[int]:
        """The cases that get to a mutant, those that are soon done first, those of different ops mixed.

        What is computed once and kept shows in the first case alone: where few cases get to the lines, the others of
        their ops and element types follow.
        """
        first, last = mutant.lines
        known = self.lines.get(mutant.file, {})
        found = {number for line in range(first, last + 1) for number in known.get(line, ())}
        others = set[int]()
        if 0 < len(found) < _FEW_CASES:
            near = {every[number].op for number in found} | {every[number].type for number in found}
            others = {number for number, case in enumerate(every) if case.op in near or case.type in near} - found
        return [*self._mixed(found, mutant.place), *self._mixed(others, mutant.place)]

    def _mixed(self, numbers: Iterable[int], seed: int) -> list[int]:
        ordered = sorted(numbers)
        random.Random(seed).shuffle(ordered)
        return sorted(ordered, key=lambda number: self.seconds[number] > _SOON)


class _Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the changed module in place of the one in the file."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = f"{_REFERENCE}.{mutant.file.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")
        self.mutant = mutant

    def find_spec(self, fullname: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        is_package = self.mutant.file.endswith("__init__.py")
        spec = importlib.machinery.ModuleSpec(fullname, self, is_package=is_package)
        if is_package:
            spec.submodule_search_locations = [str((ROOT / self.mutant.file).parent)]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(source_of(self.mutant), str(ROOT / self.mutant.file), "exec"), module.__dict__)


def _runner() -> Callable[[Case], Outcome]:
    """A function that runs a case in the reference, imported anew: by definitions alone."""
    os.environ["STABLEHLO_PY_FAST"] = "0"
    for name in [name for name in sys.modules if name == _REFERENCE or name.startswith(f"{_REFERENCE}.")]:
        del sys.modules[name]
    made = importlib.import_module(f"{_REFERENCE}.program")
    context = make_context()

    settings = importlib.import_module(f"{_REFERENCE}.settings").Settings

    def run(case: Case) -> Outcome:
        program = made.Program(ir.Module.parse(case.module, context), settings(deterministic=case.kind == LARGE_SUMS))
        return Outcome("ok", tuple(program.run(list(case.inputs))))

    return run


def _reached(every: Sequence[Case]) -> Reach:
    """Run all cases and note the lines of kernels that each gets to."""
    names = {str(path): path.relative_to(ROOT).as_posix() for path in files()}
    run, found, current = _runner(), Reach(), set[tuple[str, int]]()

    def in_kernels(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename not in names:
            return None
        return in_line(frame, event, None)

    def in_line(frame: FrameType, _: str, __: object) -> Any:
        current.add((frame.f_code.co_filename, frame.f_lineno))
        return in_line

    threading.settrace(in_kernels)
    for number, case in enumerate(every):
        current.clear()
        started = time.process_time()
        sys.settrace(in_kernels)
        outcome = run(case)
        sys.settrace(None)
        found.seconds.append(time.process_time() - started)
        if _is_exact(case, outcome):
            found.exact.add(number)
        for file, line in current:
            found.lines.setdefault(names[file], {}).setdefault(line, []).append(number)
    return found


def _is_exact(case: Case, outcome: Outcome) -> bool:
    """Whether results have the expected values, also where others near them are allowed."""
    pairs = zip(outcome.results, case.expected, strict=True)
    near = [pair for pair in pairs if pair[1].rule in ("ulp", "bounds") and pair[0].dtype.kind not in "biu"]
    return not any(ulps(given, expected.value).any() for given, expected in near)


def _first_failure(mutant: Mutant, chosen: Iterable[tuple[Case, bool]]) -> tuple[str, int]:
    """The first case that fails with a mutant, empty where none does, and how many were tried. Of the chosen cases it
    is said whether the reference is exact."""
    limit = int(time.process_time() + 2 * _SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    sys.meta_path.insert(0, _Loader(mutant))
    try:
        run = _runner()
    except Exception as error:  # the change keeps the module from being imported
        return f"import: {type(error).__name__}", 0
    tried, end = 0, time.process_time() + _SECONDS
    for tried, (case, is_exact) in enumerate(chosen, 1):
        try:
            outcome = run(case)
            found = score(case, outcome)
        except Exception as error:  # an error where there should be a result
            return f"{case.name}: {type(error).__name__}", tried
        if found.verdict != "pass" or (is_exact and not _is_exact(case, outcome)):
            return case.name, tried
        if time.process_time() > end:
            break
    return "", tried


@dataclass(frozen=True)
class Mutation:
    """The outcome: a verdict for each mutant, and how many of the mutants that were drawn are listed as no errors."""

    verdicts: tuple[Verdict, ...]
    no_errors: int

    @property
    def caught(self) -> int:
        """How many mutants were caught."""
        return sum(verdict.caught for verdict in self.verdicts)

    @property
    def share(self) -> float:
        """The part of the mutants that was caught."""
        return self.caught / len(self.verdicts) if self.verdicts else 1.0

    def __str__(self) -> str:
        text = f"{self.caught} of {len(self.verdicts)} mutants caught, {self.share:.1%}"
        return f"{text}; {self.no_errors} more that were drawn are listed as no errors"


def mutate(
    count: int, seed: int = 0, choice: Choice | None = None, told: Callable[[Verdict], None] | None = None
) -> Mutation:
    """Try mutants of the reference.

    Args:
        count: How many, at most.
        seed: What they are chosen by.
        choice: The cases that they run on.
        told: Called with each verdict.

    Returns:
        The verdicts, by file and line.
    """
    every = list(cases(choice))
    chosen, others = choose(count, seed, no_errors())
    reached = run_in_child(lambda: _reached(every), Limits(_BY_THE_CLOCK))
    if not isinstance(reached.value, Reach):
        raise RuntimeError(f"no case was run: {reached.error if reached.error is not None else reached.crash}")
    verdicts = list[Verdict]()
    for mutant in chosen:
        numbers = reached.value.of(mutant, every)
        cases_of_mutant = [(every[number], number in reached.value.exact) for number in numbers]
        work = partial(_first_failure, mutant, cases_of_mutant)
        answer = run_in_child(work, Limits(_BY_THE_CLOCK)).value
        by, tried = (_ENDED, 0) if answer is None else answer
        verdicts.append(Verdict(mutant, by, tried))
        if told is not None:
            told(verdicts[-1])
    return Mutation(tuple(verdicts), len(others))

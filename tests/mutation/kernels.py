"""Find errors that the conformance kit would miss: `tools/run mutation/kernels` puts small ones into the reference.

A first run of the kit notes the lines of kernels that each case gets to, and the cases with exactly the expected
values. Then each mutant runs in a fork of this process, on the cases that get to its lines, until one fails or is less
exact.
"""

from __future__ import annotations

import argparse
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

from mutants import ROOT, Mutant, choose, files, no_errors, source_of

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.conformance.case import Case
from stablehlo_py.conformance.cases.contraction import LARGE_SUMS
from stablehlo_py.conformance.catalog import Choice, cases
from stablehlo_py.conformance.score.scoring import score
from stablehlo_py.engines import Outcome
from stablehlo_py.interpreter.element_types.ulp import distance
from stablehlo_py.isolation.limits import Limits
from stablehlo_py.isolation.process import run_in_child

_REFERENCE = "stablehlo_py.interpreter"
_SECONDS = 8.0  # of processor time for a mutant
_BY_THE_CLOCK = 600.0
_MEMORY = 4 << 30
_CASES_WANTED = 20
_SOON = 0.01
_ENDED = "the process ended"
_EXACT = {"element_types.exact": ("rounded",), "ops.exact_sums": ("_exact_sum", "_sum_to_odd")}


@dataclass(frozen=True)
class Verdict:
    """The outcome of one mutant.

    Attributes:
        mutant: The mutant.
        by: The case that fails.
        tried: The number of cases.
        is_slower: Whether it passes all cases, and exact arithmetic decides more of their results than without it, and
            never fewer: it makes bounds of errors wider, which costs time alone.
    """

    mutant: Mutant
    by: str
    tried: int
    is_slower: bool = False

    @property
    def caught(self) -> bool:
        """Whether a case failed."""
        return bool(self.by)

    def __str__(self) -> str:
        if self.caught:
            return f"caught {self.mutant} ({self.by})"
        if self.is_slower:
            return f"slower {self.mutant}"
        return f"MISSED {self.mutant} ({f'{self.tried} cases pass' if self.tried else 'no case gets there'})"


@dataclass
class Reach:
    """The numbers of the cases that get to each line, and for each case its time, whether it is exact, and the number
    of results that exact arithmetic decides."""

    lines: dict[str, dict[int, list[int]]] = field(default_factory=dict[str, dict[int, list[int]]])
    seconds: list[float] = field(default_factory=list[float])
    exact: set[int] = field(default_factory=set[int])
    decided: list[int] = field(default_factory=list[int])

    def of(self, mutant: Mutant, every: Sequence[Case]) -> list[int]:
        """Return the numbers of the cases that get to a mutant: fast cases first, the ops mixed.

        What is computed once and kept shows in the first case alone: where few cases get to the lines, the others of
        their ops and element types follow.
        """
        first, last = mutant.lines
        known = self.lines.get(mutant.file, {})
        found = {number for line in range(first, last + 1) for number in known.get(line, ())}
        others = set[int]()
        if 0 < len(found) < _CASES_WANTED:
            near = {every[number].op for number in found} | {every[number].type for number in found}
            others = {number for number, case in enumerate(every) if case.op in near or case.type in near} - found
        return [*self._mixed(found, mutant.position), *self._mixed(others, mutant.position)]

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


class _Runner:
    """Runs cases in the reference, imported anew: by definitions alone.

    Attributes:
        decided: The number of results of the last case that exact arithmetic decided.
    """

    def __init__(self) -> None:
        os.environ["STABLEHLO_PY_FAST"] = "0"
        for name in [name for name in sys.modules if name == _REFERENCE or name.startswith(f"{_REFERENCE}.")]:
            del sys.modules[name]
        self._program = importlib.import_module(f"{_REFERENCE}.program").Program
        self._settings = importlib.import_module(f"{_REFERENCE}.settings").Settings
        self._context = make_context()
        self.decided = 0
        for name, functions in _EXACT.items():
            module = importlib.import_module(f"{_REFERENCE}.{name}")
            for function in functions:
                setattr(module, function, self._counted(getattr(module, function)))

    def _counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            self.decided += 1
            return function(*arguments)

        return counted

    def __call__(self, case: Case) -> Outcome:
        self.decided = 0
        settings = self._settings(deterministic=case.kind == LARGE_SUMS)
        program = self._program(ir.Module.parse(case.module, self._context), settings)
        return Outcome("ok", tuple(program.run(list(case.inputs))))


def _reached(every: Sequence[Case]) -> Reach:
    """Run all cases and note the lines of kernels that each gets to."""
    names = {str(path): path.relative_to(ROOT).as_posix() for path in files()}
    run, found, current = _Runner(), Reach(), set[tuple[str, int]]()

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
        found.decided.append(run.decided)
        if _is_exact(case, outcome):
            found.exact.add(number)
        for file, line in current:
            found.lines.setdefault(names[file], {}).setdefault(line, []).append(number)
    return found


def _is_exact(case: Case, outcome: Outcome) -> bool:
    """Whether results have the expected values, also where others near them are allowed."""
    pairs = zip(outcome.results, case.expected, strict=True)
    near = [pair for pair in pairs if pair[1].rule in ("ulp", "bounds") and pair[0].dtype.kind not in "biu"]
    return not any(distance(given, expected.value).any() for given, expected in near)


def _judged(mutant: Mutant, reach: Reach, every: Sequence[Case]) -> Verdict:
    """Run the cases that get to a mutant until one fails."""
    limit = int(time.process_time() + 2 * _SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    sys.meta_path.insert(0, _Loader(mutant))
    try:
        run = _Runner()
    except Exception as error:  # the change keeps the module from being imported
        return Verdict(mutant, f"import: {type(error).__name__}", 0)
    tried, end, more = 0, time.process_time() + _SECONDS, set[bool]()
    for tried, number in enumerate(reach.of(mutant, every), 1):
        case = every[number]
        try:
            outcome = run(case)
            found = score(case, outcome)
        except Exception as error:  # an error where there should be a result
            return Verdict(mutant, f"{case.name}: {type(error).__name__}", tried)
        if found.verdict != "pass" or (number in reach.exact and not _is_exact(case, outcome)):
            return Verdict(mutant, case.name, tried)
        if run.decided != reach.decided[number]:
            more.add(run.decided > reach.decided[number])
        if time.process_time() > end:
            break
    return Verdict(mutant, "", tried, more == {True})


@dataclass(frozen=True)
class Mutation:
    """The outcome: a verdict for each mutant, and how many of the mutants that were drawn are listed as no errors."""

    verdicts: tuple[Verdict, ...]
    no_errors: int

    @property
    def caught(self) -> int:
        """The number of caught mutants."""
        return sum(verdict.caught for verdict in self.verdicts)

    @property
    def errors(self) -> int:
        """The number of mutants that are not merely slower."""
        return sum(not verdict.is_slower for verdict in self.verdicts)

    @property
    def share(self) -> float:
        """The part of the errors that was caught."""
        return self.caught / self.errors if self.errors else 1.0

    def __str__(self) -> str:
        text = (
            f"{self.caught} of {self.errors} mutants caught, {self.share:.1%}; {len(self.verdicts) - self.errors} more"
        )
        return f"{text} are slower, {self.no_errors} more that were drawn are listed as no errors"


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
        answer = run_in_child(partial(_judged, mutant, reached.value, every), Limits(_BY_THE_CLOCK)).value
        verdicts.append(answer if isinstance(answer, Verdict) else Verdict(mutant, _ENDED, 0))
        if told is not None:
            told(verdicts[-1])
    return Mutation(tuple(verdicts), len(others))


def main() -> None:
    """Print which mutants no case catches; exit with 1 if fewer than 98 % are caught."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=320, help="how many mutants (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="what mutants are chosen by (%(default)s)")
    parser.add_argument("--level", choices=["smoke", "full"], default="full", help="which cases (%(default)s)")
    options = parser.parse_args()
    found = mutate(options.count, options.seed, Choice(level=options.level), print)
    print(found)
    sys.exit(found.share < 0.98)


if __name__ == "__main__":
    main()

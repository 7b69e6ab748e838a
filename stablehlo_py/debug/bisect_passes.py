"""Finds the pass that changes a program's results, in a pipeline of ours or in XLA."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..bindings import ir
from ..bindings.bytecode import bytecode_of, copy_of
from ..engines import Engine, Limits, open_engine
from ..errors import StablehloError, UsageError
from ..passes.pipeline import MODULE, Pipeline, resolved_text, run_pipeline
from ..passes.pipeline_text import parse_pipeline
from ..syntax.tables import table
from .measures import Tolerance
from .program import Subject
from .spread import first_beyond

# XLA's files have the number of a module and of the file, a pipeline, the pass that ran and the one that is next.
_DUMP = re.compile(r"(?P<module>module_\d+).*\.\d{4}\..*\.after_(?P<name>[\w-]+)\.before_[\w-]+\.txt")
Verdict = Literal["changes results", "fails to verify", "fails", "inconclusive"]


@dataclass(frozen=True)
class PassBisection:
    """The outcome of a search for a pass.

    Attributes:
        guilty: The pass, or several that only help together; empty where no pass is to blame.
        verdict: What the pass does; `inconclusive` where it cannot be left out.
        message: What failed, or by how much results change.
        before: The program that the pass was given, in HLO for a pass of XLA; of its runs, the first that changed the
            program is shown.
        after: The program that it made.
        runs: How many programs were run.
        inconclusive: Passes that cannot be left out, so that nothing is known of them.
    """

    guilty: tuple[str, ...]
    verdict: Verdict
    message: str = ""
    before: str | None = None
    after: str | None = None
    runs: int = 0
    inconclusive: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The bisection as JSON holds it."""
        return {**vars(self), "guilty": list(self.guilty), "inconclusive": list(self.inconclusive)}

    def __str__(self) -> str:
        return passes_text(self)

    def _repr_html_(self) -> str:
        rows = [(name, self.verdict, self.message) for name in self.guilty]
        rows += [(name, "inconclusive", "cannot be left out") for name in self.inconclusive]
        return table(f"{self.verdict}, {self.runs} programs run", ("pass", "verdict", "message"), rows)


NO_PASS = "no pass is to blame: the results are right after all of them"


def passes_text(found: PassBisection, *, show: bool = False) -> str:
    """The pass and its changes; with `show`, also the program before and after it."""
    guilty = " and ".join(found.guilty) if found.guilty else "no single pass"
    lines = [f"{guilty}: {found.verdict}" + (f": {found.message}" if found.message else "")]
    lines.append(f"{found.runs} programs run")
    if found.inconclusive:
        lines.append(f"cannot be left out, so nothing is known of: {', '.join(found.inconclusive)}")
    if show and found.before is not None:
        after = "nothing" if found.after is None else found.after.rstrip()
        lines.append(f"// before\n{found.before.rstrip()}\n// after\n{after}")
    return "\n".join(lines)


def split_pipeline(pipeline: str) -> list[str]:
    """The passes of a pipeline in textual form, `a,b{c=1,2},func.func(d)`, one by one. Raises UsageError."""
    elements = parse_pipeline(pipeline)
    if len(elements) == 1 and elements[0].name == MODULE and elements[0].children is not None:
        elements = elements[0].children
    return [str(element) for element in elements]


class _Pipeline:
    """Runs the first passes of a pipeline on copies of a program, and compares what they make."""

    def __init__(
        self,
        subject: Subject,
        passes: Sequence[str],
        arguments: Sequence[np.ndarray],
        engine: Engine,
        tolerance: Tolerance | None,
    ) -> None:
        self.subject, self.passes, self.arguments = subject, passes, arguments
        self.engine, self.tolerance = engine, tolerance
        self.runs = 0
        expected = engine.run(subject.bytecode(), arguments)
        if not expected.ok:
            raise StablehloError(f"the program does not run before any pass: {expected}")
        self.expected = expected.results

    def module(self, count: int) -> ir.Module:
        """The program after the first `count` passes. Raises StablehloError where one fails."""
        copy = copy_of(self.subject.module)
        for name in self.passes[:count]:
            run_pipeline(copy, name)
        return copy

    def judge(self, count: int) -> tuple[Verdict, str] | None:
        """The error after the first `count` passes, or None."""
        self.runs += 1
        try:
            module = self.module(count)
        except StablehloError as error:
            return "fails", str(error)
        try:
            module.operation.verify()
        except ir.MLIRError as error:
            return "fails to verify", str(error)
        outcome = self.engine.run(bytecode_of(module), self.arguments)
        if not outcome.ok:
            return "fails", str(outcome)
        wrong = first_beyond(self.subject.bytecode(), self.arguments, outcome.results, self.expected, self.tolerance)
        if wrong is None:
            return None
        number, found = wrong
        amount = "of another shape" if found is None else f"{found.amount} apart"
        return "changes results", f"result {number} is {amount}"


def bisect_pipeline(
    subject: Subject,
    pipeline: str,
    arguments: Sequence[np.ndarray],
    engine: Engine,
    tolerance: Tolerance | None = None,
) -> PassBisection | None:
    """Find the first wrong pass of a `stablehlo-opt` pipeline.

    Args:
        subject: The program.
        pipeline: The passes, in textual form.
        arguments: The program's arguments.
        engine: What runs the program after passes: the engine `reference`.
        tolerance: What results may differ by; exact by type by default.

    Returns:
        The pass, or None where results are the same after all of them.

    Raises:
        UsageError: The pipeline is empty, or cannot be understood.
        StablehloError: The program does not run to begin with.
    """
    passes = split_pipeline(pipeline)
    if not passes:
        raise UsageError("the pipeline has no passes")
    resolved_text(Pipeline.from_text(pipeline), subject.module.context)  # a mistake in it is no pass that fails
    trial = _Pipeline(subject, passes, arguments, engine, tolerance)
    wrong = trial.judge(len(passes))
    if wrong is None:
        return None
    low, high = 0, len(passes)
    while high - low > 1:
        middle = (low + high) // 2
        found = trial.judge(middle)
        if found is None:
            low = middle
        else:
            high, wrong = middle, found
    before = str(trial.module(high - 1).operation)
    try:
        after = str(trial.module(high).operation)
    except StablehloError:
        after = None
    return PassBisection((passes[high - 1],), *wrong, before, after, trial.runs)


def dump_hlo(module: bytes, arguments: Sequence[np.ndarray], limits: Limits, folder: Path) -> list[tuple[str, Path]]:
    """Let XLA write a program as HLO whenever one of its passes has changed it.

    Args:
        module: The program.
        arguments: Its arguments.
        limits: Of the run.
        folder: Where the files go.

    Returns:
        Each pass that changed the program and the file with what it made, in order; the name of the first is empty.
    """
    options = f"xla_dump_to={folder},xla_dump_hlo_pass_re=.*,xla_dump_hlo_as_text=true"
    with open_engine(f"xla:{options}", limits) as engine:
        engine.run(module, arguments)
    modules: dict[str, list[tuple[str, Path]]] = {}
    for path in sorted(folder.iterdir()):
        found = _DUMP.match(path.name)
        if found is not None:
            name = "" if found["name"] == "pipeline-start" else found["name"]
            modules.setdefault(found["module"], []).append((name, path))
    return max([[], *modules.values()], key=len)  # programs that convert arguments are compiled, too


class _Xla:
    """Runs a program in XLA without some of its passes, and remembers whether the results were right."""

    def __init__(
        self,
        data: bytes,
        arguments: Sequence[np.ndarray],
        expected: Sequence[np.ndarray],
        tolerance: Tolerance | None,
        make_engine: Callable[[str], Engine],
    ) -> None:
        self.data, self.arguments, self.expected = data, arguments, expected
        self.tolerance, self.make_engine = tolerance, make_engine
        self.tried: dict[tuple[str, ...], bool | None] = {}

    def right_without(self, *names: str) -> bool | None:
        """Return whether XLA is right without these passes; None if it does not compile without them."""
        if names not in self.tried:
            name = f"xla:xla_disable_hlo_passes={'+'.join(names)}" if names else "xla"
            with self.make_engine(name) as engine:
                outcome = engine.run(self.data, self.arguments)
            self.tried[names] = None
            if outcome.ok:
                wrong = first_beyond(self.data, self.arguments, outcome.results, self.expected, self.tolerance)
                self.tried[names] = wrong is None
        return self.tried[names]


def bisect_xla(
    subject: Subject,
    arguments: Sequence[np.ndarray],
    reference: Engine,
    tolerance: Tolerance | None = None,
    limits: Limits | None = None,
    make_engine: Callable[[str], Engine] | None = None,
) -> PassBisection | None:
    """Find the HLO pass without which XLA's results are right.

    Args:
        subject: The program.
        arguments: Its arguments.
        reference: The engine that is right.
        tolerance: What results may differ by.
        limits: Of each run.
        make_engine: Opens XLA with a name such as `xla:xla_disable_hlo_passes=a+b`; for tests.

    Returns:
        The pass; several where only leaving out all of them helps; verdict `inconclusive` where that never helps. None
        where XLA is right.

    Raises:
        StablehloError: The reference does not run the program.
    """
    data = subject.bytecode()
    bounds = Limits() if limits is None else limits
    expected = reference.run(data, arguments)
    if not expected.ok:
        raise StablehloError(f"the reference does not run the program: {expected}")
    opened = partial(open_engine, limits=bounds) if make_engine is None else make_engine
    trial = _Xla(data, arguments, expected.results, tolerance, opened)
    if trial.right_without():
        return None
    with tempfile.TemporaryDirectory(prefix="stablehlo-xla-") as folder:
        dumps = dump_hlo(data, arguments, bounds, Path(folder))
        found, message = _guilty_passes(trial, list(dict.fromkeys(name for name, _ in dumps if name)))
        before, after = _around(dumps, found)
    mandatory = tuple(tried[0] for tried, verdict in trial.tried.items() if tried and verdict is None)
    verdict: Verdict = "changes results" if found else "inconclusive"
    return PassBisection(found, verdict, message, before, after, len(trial.tried), mandatory)


def _guilty_passes(trial: _Xla, names: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The pass without which XLA is right, or all that can be left out where that only helps together."""
    guilty = next((name for name in names if trial.right_without(name)), None)
    if guilty is not None:
        return (guilty,), ""
    optional = tuple(name for name in names if trial.right_without(name) is not None)
    return (optional, "only together") if len(optional) > 1 and trial.right_without(*optional) else ((), "")


def _around(dumps: Sequence[tuple[str, Path]], names: Sequence[str]) -> tuple[str | None, str | None]:
    """The program in front of the first run of any of these passes, and behind the last run of any."""
    runs = [number for number, (name, _) in enumerate(dumps) if name in names]
    if not runs:
        return None, None
    before, after = dumps[max(runs[0] - 1, 0)][1], dumps[runs[0] if len(names) == 1 else runs[-1]][1]
    return before.read_text(encoding="utf-8"), after.read_text(encoding="utf-8")

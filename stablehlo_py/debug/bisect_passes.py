"""Finds the pass that changes a program's results, in a pipeline of ours or in XLA."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..artifacts.formats import to_mlir
from ..bindings import ir
from ..bindings.bytecode import bytecode_of, copy_of
from ..engines import Engine, Limits, Outcome, open_engine, with_options
from ..errors import StablehloError, UsageError
from ..passes.pipeline import MODULE, Pipeline, resolved_text, run_pipeline
from ..passes.pipeline_text import parse_pipeline
from ..syntax import parse
from ..syntax.tables import table
from .allowed.measures import Tolerance
from .allowed.spread import first_beyond
from .equivalence import DIFFERENT, equivalent
from .programs.subject import Subject

# XLA's files have the number of a module and of the file, a pipeline, the pass that ran and the one that is next.
_DUMP = re.compile(r"(?P<module>module_\d+).*\.\d{4}\.(?P<pipeline>.*)\.after_(?P<name>[\w-]+)\.before_[\w-]+\.txt")
_AS_TEXT = ("xla_dump_hlo_as_text=true", "xla_dump_large_constants=true")
Verdict = Literal["changes results", "fails to verify", "fails", "inconclusive"]
Wrong = tuple[Verdict, str]
CONVERSION, GENERATION = "the conversion to HLO", "code generation"


@dataclass(frozen=True)
class PassBisection:
    """The outcome of a search for a pass.

    Attributes:
        guilty: The pass, or in XLA `CONVERSION` or `GENERATION`; several if what is between them cannot be run.
        verdict: What the pass does; `inconclusive` if there are several.
        message: What failed, or by how much results change.
        before: The program that the pass was given, in HLO for a pass of XLA.
        after: The program that it made.
        runs: How many programs were run.
        unknown: Passes after which the program cannot be run, each with the reason.
        functions: Passes of ours after which was looked, each with what became of the function.
    """

    guilty: tuple[str, ...]
    verdict: Verdict
    message: str = ""
    before: str | None = None
    after: str | None = None
    runs: int = 0
    unknown: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the bisection as JSON holds it."""
        lists = {name: list(getattr(self, name)) for name in ("guilty", "unknown", "functions")}
        return {**vars(self), **lists}

    def __str__(self) -> str:
        return passes_text(self)

    def _repr_html_(self) -> str:
        rows = [(name, self.verdict, self.message) for name in self.guilty]
        rows += [(*name.split(": ", 1), "") for name in self.unknown]
        return table(f"{self.verdict}, {self.runs} programs run", ("pass", "verdict", "message"), rows)


NO_PASS = "no pass is to blame: the results are right after all of them"


def passes_text(found: PassBisection, *, show: bool = False) -> str:
    """The pass and its changes; with `show`, also the program before and after it."""
    lines = [f"{' or '.join(found.guilty)}: {found.verdict}" + (f": {found.message}" if found.message else "")]
    lines.append(f"{found.runs} programs run")
    lines += [f"the program cannot be run after {reason}" for reason in found.unknown]
    lines += [f"after {text}" for text in found.functions]
    if show and found.before is not None:
        after = "nothing" if found.after is None else found.after.rstrip()
        lines.append(f"// before\n{found.before.rstrip()}\n// after\n{after}")
    return "\n".join(lines)


def split_pipeline(pipeline: str) -> list[str]:
    """Return the passes of a pipeline in textual form, `a,b{c=1,2},func.func(d)`, one by one. Raises UsageError."""
    elements = parse_pipeline(pipeline)
    if len(elements) == 1 and elements[0].name == MODULE and elements[0].children is not None:
        elements = elements[0].children
    return [str(element) for element in elements]


@dataclass
class _Steps:
    """The steps of a compiler. Any number of them can be run, from the first on.

    `program` makes the program after so many steps, and raises StablehloError or MLIRError if there is none. `text` has
    the same for readers, or None. Where `only_results` are looked at, a program that cannot be run tells nothing.
    """

    subject: Subject
    names: Sequence[str]
    arguments: Sequence[np.ndarray]
    engine: Engine
    tolerance: Tolerance | None
    program: Callable[[int], bytes]
    text: Callable[[int], str | None]
    only_results: bool = False
    runs: int = 0
    functions: dict[int, str] = field(default_factory=dict[int, str])

    def __post_init__(self) -> None:
        expected = self.engine.run(self.subject.bytecode(), self.arguments)
        if not expected.ok:
            raise StablehloError(f"the program does not run before any pass: {expected}")
        self.expected = expected.results

    def judge(self, count: int) -> Wrong | None:
        """The error after the first `count` steps, or None; `inconclusive` does not tell whether there is one."""
        try:
            made = self.program(count)
            found = self.error_of(self.engine.run(made, self.arguments))
            if found is None and not self.only_results:
                same = equivalent(self.subject.module, parse(made), arguments=self.arguments)
                self.functions[count] = f"{self.names[count - 1]}: {same.summary}"
                found = ("changes results", str(same)) if same.verdict == DIFFERENT else None
        except StablehloError as error:
            found = "fails", str(error)
        except ir.MLIRError as error:
            found = "fails to verify", str(error)
        unclear = self.only_results and found is not None and found[0] != "changes results"
        return ("inconclusive", found[1]) if unclear and found is not None else found

    def error_of(self, outcome: Outcome) -> Wrong | None:
        """Return the error in the outcome of a program that the steps made, or None."""
        if not outcome.ok:
            return "fails", str(outcome)
        wrong = first_beyond(self.subject.bytecode(), self.arguments, outcome.results, self.expected, self.tolerance)
        if wrong is None:
            return None
        number, found = wrong
        amount = "of another shape" if found is None else f"{found.amount} apart"
        return "changes results", f"result {number} is {amount}"

    def search(self, wrong: Wrong) -> PassBisection:
        """Find the step from right to wrong results, where those after all steps are wrong."""
        low, high = 0, len(self.names)
        unknown: dict[int, str] = {}
        while between := [count for count in range(low + 1, high) if count not in unknown]:
            middle = between[len(between) // 2]
            found = self.judge(middle)
            self.runs += 1
            if found is None:
                low = middle
            elif found[0] == "inconclusive":
                unknown[middle] = f"{self.names[middle - 1]}: {found[1]}"
            else:
                high, wrong = middle, found
        verdict = wrong[0] if high - low == 1 else "inconclusive"
        reasons = tuple([reason for count, reason in sorted(unknown.items()) if low < count < high])
        guilty = tuple(self.names[low:high])
        functions = tuple([text for _, text in sorted(self.functions.items())])
        return PassBisection(guilty, verdict, wrong[1], self.text(low), self.text(high), self.runs, reasons, functions)


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

    def module(count: int) -> ir.Module:
        copy = copy_of(subject.module)
        for name in passes[:count]:
            run_pipeline(copy, name)
        return copy

    def program(count: int) -> bytes:
        made = module(count)
        made.operation.verify()
        return bytecode_of(made)

    def text(count: int) -> str | None:
        try:
            return str(module(count).operation)
        except StablehloError:
            return None

    steps = _Steps(subject, passes, arguments, engine, tolerance, program, text, runs=1)
    wrong = steps.judge(len(passes))
    return None if wrong is None else steps.search(wrong)


def dump_hlo(
    module: bytes, arguments: Sequence[np.ndarray], limits: Limits, folder: Path, xla: str = "xla"
) -> tuple[Outcome, list[tuple[str, Path]]]:
    """Let XLA run a program, and write it as HLO into `folder` whenever one of its passes has changed it.

    Return the outcome, and each pass that changed the program with the file that it made, in order. Files from the
    start of a pipeline have its name; the first one is the program as it comes to XLA.
    """
    options = [f"xla_dump_to={folder}", "xla_dump_hlo_pass_re=.*", *_AS_TEXT]
    with open_engine(with_options(xla, options), limits) as engine:
        outcome = engine.run(module, arguments)
    modules: dict[str, list[tuple[str, Path]]] = {}
    for path in sorted(folder.iterdir()):
        found = _DUMP.match(path.name)
        if found is not None:
            name = f"the start of {found['pipeline']}" if found["name"] == "pipeline-start" else found["name"]
            modules.setdefault(found["module"], []).append((name, path))
    return outcome, modules[max(modules)] if modules else []  # what checks XLA's options is compiled before


def bisect_xla(
    subject: Subject,
    arguments: Sequence[np.ndarray],
    reference: Engine,
    tolerance: Tolerance | None = None,
    limits: Limits | None = None,
    xla: str = "xla",
) -> PassBisection | None:
    """Find the HLO pass that changes a program's results in the reference.

    Args:
        subject: The program.
        arguments: Its arguments.
        reference: What runs the program as it is, and after passes.
        tolerance: What results may differ by.
        limits: Of XLA's run.
        xla: XLA's name as an engine.

    Returns:
        The pass, `GENERATION` if the HLO is right after all of them, or None if XLA's results are right.

    Raises:
        StablehloError: The reference or XLA does not run the program.
    """
    bounds = Limits() if limits is None else limits
    with tempfile.TemporaryDirectory(prefix="stablehlo-xla-") as folder:
        outcome, dumps = dump_hlo(subject.bytecode(), arguments, bounds, Path(folder), xla)
        if not outcome.ok:
            raise StablehloError(f"XLA does not run the program: {outcome}")
        if not dumps:
            raise StablehloError("XLA does not write what its passes make of the program")
        names = [CONVERSION, *[name for name, _ in dumps[1:]], GENERATION]

        def program(count: int) -> bytes:
            return to_mlir(dumps[count - 1][1].read_bytes(), "hlo-text")[0]

        def text(count: int) -> str | None:
            if count == 0:
                return str(subject.module.operation)
            return dumps[count - 1][1].read_text(encoding="utf-8") if count <= len(dumps) else None

        steps = _Steps(subject, names, arguments, reference, tolerance, program, text, only_results=True)
        wrong = steps.error_of(outcome)
        return None if wrong is None else steps.search(wrong)

"""Which pass changes a program's results: of a pipeline of ours, or of XLA."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..bindings import ir
from ..engines import Engine, Limits, open_engine
from ..engines.reading import write_module
from ..errors import StablehloError, UsageError
from ..passes.pipeline import run_pipeline
from .measures import Tolerance, difference
from .program import Subject
from .tolerances import whole_program

Verdict = Literal["changes results", "fails to verify", "fails", "inconclusive"]


@dataclass(frozen=True)
class PassBisection:
    """The outcome of a search for a pass.

    Attributes:
        guilty: The pass, or several that only help together; empty where no pass is to blame.
        verdict: What the pass does; `inconclusive` where it cannot be left out.
        message: What failed, or by how much results change.
        before: The program that the pass was given; None for passes of XLA.
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
        return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}


def split_pipeline(pipeline: str) -> list[str]:
    """The passes of a pipeline in textual form, `a,b{c=1,2},func.func(d)`, one by one."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(pipeline):
        depth += (character in "({[<") - (character in ")}]>")
        if character == "," and not depth:
            parts.append(pipeline[start:position])
            start = position + 1
    parts.append(pipeline[start:])
    passes = [part.strip() for part in parts if part.strip()]
    if len(passes) == 1 and passes[0].startswith("builtin.module("):
        return split_pipeline(passes[0].removeprefix("builtin.module(").removesuffix(")"))
    return passes


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
        copy = ir.Module.parse(write_module(self.subject.module), self.subject.module.context)
        for name in self.passes[:count]:
            run_pipeline(copy, name)
        return copy

    def judge(self, count: int) -> tuple[Verdict, str] | None:
        """What is wrong after the first `count` passes, or None."""
        self.runs += 1
        try:
            module = self.module(count)
        except StablehloError as error:
            return "fails", str(error)
        try:
            module.operation.verify()
        except ir.MLIRError as error:
            return "fails to verify", str(error)
        outcome = self.engine.run(write_module(module), self.arguments)
        if not outcome.ok:
            return "fails", str(outcome)
        for number, (a, b) in enumerate(zip(outcome.results, self.expected, strict=True)):
            allowed = whole_program(a.dtype) if self.tolerance is None else self.tolerance
            found = difference(a, b, allowed) if a.shape == b.shape else None
            if found is None or not found.same:
                amount = "of another shape" if found is None else f"{found.max_ulp:.4g} ULP apart"
                return "changes results", f"result {number} is {amount}"
        return None


def bisect_pipeline(
    subject: Subject,
    pipeline: str,
    arguments: Sequence[np.ndarray],
    engine: Engine,
    tolerance: Tolerance | None = None,
) -> PassBisection | None:
    """Find the first pass of a `stablehlo-opt` pipeline after which something is wrong.

    Args:
        subject: The program.
        pipeline: The passes, in textual form.
        arguments: The program's arguments.
        engine: What runs the program after passes: the engine `reference`.
        tolerance: What results may differ by; exact by type by default.

    Returns:
        The pass, or None where results are the same after all of them.

    Raises:
        UsageError: The pipeline is empty.
        StablehloError: The program does not run to begin with.
    """
    passes = split_pipeline(pipeline)
    if not passes:
        raise UsageError("the pipeline has no passes")
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


def xla_passes(module: bytes, arguments: Sequence[np.ndarray], limits: Limits) -> list[str]:
    """The HLO passes that XLA runs on a program, in the order of their first run, from its dumps."""
    with tempfile.TemporaryDirectory(prefix="stablehlo-xla-") as folder:
        options = f"xla_dump_to={folder},xla_dump_hlo_pass_re=.*,xla_dump_hlo_as_text=true"
        with open_engine(f"xla:{options}", limits) as engine:
            engine.run(module, arguments)
        names: dict[str, None] = {}
        for path in sorted(Path(folder).iterdir()):
            for found in re.finditer(r"(?:before|after)_([A-Za-z][\w-]*?)(?=\.)", path.name):
                names[found[1]] = None
    return [name for name in names if not name.startswith("pipeline")]


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
    opened = (lambda name: open_engine(name, bounds)) if make_engine is None else make_engine
    expected = reference.run(data, arguments)
    if not expected.ok:
        raise StablehloError(f"the reference does not run the program: {expected}")
    tried: dict[tuple[str, ...], bool | None] = {}

    def right_without(names: Sequence[str]) -> bool | None:
        """Whether XLA is right without these passes; None where it does not compile without them."""
        key = tuple(names)
        if key not in tried:
            with opened("xla" if not names else f"xla:xla_disable_hlo_passes={'+'.join(names)}") as engine:
                outcome = engine.run(data, arguments)
            tried[key] = None if not outcome.ok else all(
                difference(a, b, whole_program(a.dtype) if tolerance is None else tolerance).same
                for a, b in zip(outcome.results, expected.results, strict=True)
            )  # fmt: skip
        return tried[key]

    if right_without(()):
        return None
    names = xla_passes(data, arguments, bounds)
    mandatory = []
    for name in names:
        verdict = right_without((name,))
        if verdict:
            return PassBisection((name,), "changes results", "", None, None, len(tried), tuple(mandatory))
        if verdict is None:
            mandatory.append(name)
    optional = [name for name in names if name not in mandatory]
    if optional and right_without(optional):
        return PassBisection(
            tuple(optional), "changes results", "only together", None, None, len(tried), tuple(mandatory)
        )
    return PassBisection((), "inconclusive", "", None, None, len(tried), tuple(mandatory))

"""A search that can be stopped and resumed: it draws, runs and compares programs, and reduces and groups findings.

In the folder of a session, `seeds.jsonl` has a line for each program that was run, and `groups/CAUSE/` the smallest
reproducer of a cause with the seeds that led to it.
"""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ...bindings import ir, make_context
from ...bindings.bytecode import bytecode_of
from ...bindings.walk import operations
from ...debug.allowed.enclosures import has_denormals
from ...debug.allowed.measures import is_float
from ...debug.allowed.spread import first_beyond
from ...debug.reduction.predicates import Disagreement, Failure
from ...debug.reduction.reduce import reduce
from ...debug.reduction.reproducer import issue_text
from ...debug.reduction.search import Search
from ...engines import Engine, Limits, Outcome, open_engine
from ...errors import StablehloError, UsageError
from ...interpreter.storage import save_arrays
from ...isolation.commands import filled
from ...isolation.logs import add_to_log, read_log
from ...isolation.pool import open_pool, perform_all
from ...syntax.spelling import hint
from ..generate.values import ELEMENTS
from .builder import ELEMENTS as USUAL
from .builder import ProgramOptions
from .changed import after_passes, through_artifact
from .structures import STEPS, draw_program

_QUIET = ("builtin.module", "func.func", "func.return", "stablehlo.return", "stablehlo.constant")
_NUMBER = re.compile(r"\d+")
_SHOWN_CHARACTERS = 1000


@dataclass(frozen=True)
class Finding:
    """A program on which engines disagree or fail, in the form of files and of messages between processes.

    Attributes:
        seed: What the program was drawn from.
        cause: What findings with the same cause have in common.
        program: The reduced program, or the whole one where it could not be reduced.
        arguments: Its arguments, an .npz.
        issue: The text of a bug report.
    """

    seed: int
    cause: str
    program: str
    arguments: bytes
    issue: str

    @property
    def group(self) -> str:
        """The cause as a name of a folder."""
        words = re.sub(r"[^A-Za-z0-9]+", "-", self.cause).strip("-")[:60].lower()
        return f"{words}-{hashlib.sha256(self.cause.encode()).hexdigest()[:6]}"


def cause_of(signature: str, message: str, program: ir.Module, values: Sequence[np.ndarray]) -> str:
    """Return the cause of a finding: the error, the ops, the element types, and whether denormal numbers take part."""
    ops = sorted({op.name.removeprefix("stablehlo.") for op in operations(program.operation) if op.name not in _QUIET})
    text = str(program.operation)
    types = sorted(set(re.findall(r"tensor<(?:[\d?]+x)*([^,<>]+(?:<\w+>)?)[,>]", text)))
    said = _NUMBER.sub("N", message.partition("\n")[0])[:80]
    tiny = not message and any(is_float(array.dtype) and has_denormals(array) for array in values)
    error = ("denormal numbers: " if tiny else "") + _NUMBER.sub("N", signature)
    return f"{error}: {', '.join(ops)} on {', '.join(types)}{f': {said}' if said else ''}"


@contextmanager
def _limits_kept(*engines: Engine) -> Generator[None]:
    """Give engines their limits back: a reduction shortens them for the small programs that it tries."""
    limits = [engine.limits for engine in engines]
    try:
        yield
    finally:
        for engine, before in zip(engines, limits, strict=True):
            engine.limits = before


def investigate(
    seed: int,
    program: ir.Module,
    arguments: tuple[np.ndarray, ...],
    reference: Engine,
    engine: Engine,
    command: str,
    end: float = math.inf,
) -> Finding | None:
    """Reduce a program that is wrong in an engine, and describe what is left; None where only some runs show the error.

    `command` finds the program again; reducing stops at `end`, as `time.monotonic` tells it.
    """
    outcome = engine.run(bytecode_of(program), arguments)
    fails = Failure(engine, outcome.status)
    search = Search([Disagreement(reference, engine) if outcome.ok else fails], end=end)
    try:
        with _limits_kept(reference, engine), np.errstate(all="ignore"):
            found = reduce(program, arguments, reference, search)
    except StablehloError as error:
        if not search.signature:
            return None
        cause = cause_of(search.signature, str(error), program, arguments)
        arrays = save_arrays("program.npz", list(arguments))
        return Finding(seed, cause, str(program.operation), arrays, f"{cause}\n\n```\n{error}\n```\n")
    shown, versions = list[tuple[str, str]](), dict[str, dict[str, str]]()
    values = list(found.arguments)
    message = ""
    for each in (reference, engine):
        ended = each.run(bytecode_of(found.program), found.arguments)
        values += ended.results
        versions[each.name] = each.versions
        results = "\n".join(str(result.tolist()) for result in ended.results)
        shown.append((each.name, results if ended.ok else str(ended)[:_SHOWN_CHARACTERS]))
        message = "" if ended.ok else ended.message
    cause = cause_of(found.signature, message, found.program, values)
    text, arrays = issue_text(found, command, versions, shown), save_arrays("program.npz", list(found.arguments))
    return Finding(seed, cause, str(found.program.operation), arrays, text)


_LOG = "seeds.jsonl"
_Task = tuple[int, float]  # a seed, and how many seconds are left


@dataclass
class Tally:
    """The outcome of a session: how often each answer was given, and the seeds behind each cause."""

    answers: Counter[str] = field(default_factory=Counter[str])
    groups: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    seconds: float = 0.0

    @property
    def programs(self) -> int:
        """The number of programs that were run."""
        return sum(self.answers.values())

    def sort(self) -> None:
        """Bring the causes into the order of their first seeds."""
        self.groups = dict(sorted([(cause, sorted(seeds)) for cause, seeds in self.groups.items()], key=itemgetter(1)))

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {answer}" for answer, count in self.answers.most_common())
        findings = sum(map(len, self.groups.values()))
        lines = [f"{self.programs} programs in {self.seconds:.0f} s: {counts}"]
        lines.append(f"{findings} findings with {len(self.groups)} causes")
        for cause, seeds in sorted(self.groups.items(), key=lambda item: -len(item[1])):
            lines.append(f"  {len(seeds)} x {cause} (seed {seeds[0]})")
        return "\n".join(lines)


def answer_of(
    program: bytes, arguments: Sequence[np.ndarray], expected: Outcome, given: Outcome, *, rejects: bool
) -> str:
    """The verdict on two runs of a program: `same`, or the error; `rejects` where refusing a program is wrong."""
    if not expected.ok:
        return f"reference: {expected.status}"
    if given.status == "unsupported" or (given.status == "rejected" and not rejects):
        return "unsupported"
    if not given.ok:
        return given.status
    types = [[(result.shape, result.dtype) for result in outcome.results] for outcome in (given, expected)]
    if types[0] != types[1] or first_beyond(program, arguments, given.results, expected.results) is not None:
        return "differs"
    return "same"


@dataclass(frozen=True)
class Tried:
    """The outcome of one seed; with a `finding` where its program is wrong in every run."""

    seed: int
    answer: str
    seconds: float
    finding: Finding | None = None


@dataclass(frozen=True)
class Trial:
    """The work on seeds: draw a program, run it in two engines, and investigate what is wrong.

    Attributes:
        open_engines: Opens the reference and the engine that is compared with it.
        options: What programs are like.
        command: The command that runs this search, for reports; `{seed}` stands for the seed.
        rejects: Whether refusing a valid program counts as wrong.
        reduction_seconds: How long the reduction of one finding may take; what is smallest then is kept.
    """

    open_engines: Callable[[], tuple[Engine, Engine]]
    options: ProgramOptions
    command: str
    rejects: bool = False
    reduction_seconds: float = 120.0

    @contextmanager
    def open(self) -> Generator[Callable[[_Task], Tried]]:
        """Start the engines."""
        with ExitStack() as opened:
            reference, engine = [opened.enter_context(each) for each in self.open_engines()]
            yield partial(self._try, make_context(), reference, engine)

    def lost(self, task: _Task, _why: str) -> Tried:
        """Return the answer where the workers ended."""
        return Tried(task[0], "lost", 0.0)

    def _try(self, context: ir.Context, reference: Engine, engine: Engine, task: _Task) -> Tried:
        seed, seconds = task
        started = time.monotonic()
        drawn = draw_program(Random(seed), self.options, context)
        program = drawn.text.encode()
        expected = reference.run(program, drawn.arguments)
        given = engine.run(program, drawn.arguments) if expected.ok else expected
        answer, finding = answer_of(program, drawn.arguments, expected, given, rejects=self.rejects), None
        if answer not in ("same", "unsupported"):
            # If the answer is about the reference, the reference is wrong.
            wrong = reference if answer.startswith("reference") else engine
            module, command = ir.Module.parse(drawn.text, context), filled(self.command, seed=seed)
            until = min(started + seconds, time.monotonic() + self.reduction_seconds)
            finding = investigate(seed, module, drawn.arguments, reference, wrong, command, until)
            answer = answer if finding is not None else f"{answer} in some runs only"
        return Tried(seed, answer, time.monotonic() - started, finding)


@dataclass
class Session:
    """One search.

    Attributes:
        trial: What is done with each seed.
        folder: Where findings go and what was done is kept; nothing is kept where it is None.
    """

    trial: Trial
    folder: Path | None = None
    tally: Tally = field(default_factory=Tally)

    def run(self, seeds: Iterator[int], *, seconds: float | None = None, jobs: int = 1, cluster: str = "") -> Tally:
        """Search until the seeds or the seconds are used up; seeds that the folder has are not run again.

        Of workers that are started here there are `jobs`; `cluster` is as for `open_pool`. The tally is the same in
        whatever order workers find it.
        """
        started = time.monotonic()
        end = math.inf if seconds is None else started + seconds
        done = self._load()
        pending = ((seed, end - time.monotonic()) for seed in seeds if seed not in done)
        new = takewhile(lambda task: task[1] > 0, pending)
        for tried in perform_all(self.trial, new, lambda: open_pool(cluster, jobs)):
            self._remember(tried)
        self.tally.seconds += time.monotonic() - started
        self.tally.sort()
        return self.tally

    def _load(self) -> set[int]:
        """Return the seeds that an earlier run of this session looked at."""
        if self.folder is None:
            return set()
        done: set[int] = set()
        fields = itemgetter("seed", "answer", "cause", "seconds")
        for seed, answer, cause, seconds in read_log(self.folder / _LOG, fields):
            done.add(int(seed))
            self._count(seed, answer, cause)
            self.tally.seconds += float(seconds)
        return done

    def _count(self, seed: int, answer: str, cause: str) -> None:
        self.tally.answers[answer] += 1
        if cause:
            self.tally.groups.setdefault(cause, []).append(seed)

    def _remember(self, tried: Tried) -> None:
        cause = "" if tried.finding is None else tried.finding.cause
        self._count(tried.seed, tried.answer, cause)
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        if tried.finding is not None:
            _write(self.folder / "groups" / tried.finding.group, tried.finding)
        entry = {"seed": tried.seed, "answer": tried.answer, "cause": cause, "seconds": round(tried.seconds, 3)}
        add_to_log(self.folder / _LOG, entry)


def _write(folder: Path, found: Finding) -> None:
    """Write the reproducer of a group unless there is a smaller one, and add the seed to the group's."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "seeds.txt", "a", encoding="utf-8") as file:
        file.write(f"{found.seed}\n")
    program = folder / "program.mlir"
    if program.exists():
        before = program.read_text(encoding="utf-8")
        if (len(before), before) <= (len(found.program), found.program):
            return
    program.write_text(found.program, encoding="utf-8")
    (folder / "program.npz").write_bytes(found.arguments)
    (folder / "issue.md").write_text(found.issue, encoding="utf-8")


@dataclass(frozen=True)
class Engines:
    """The engines that programs are run in; it can be called by workers."""

    engines: str
    passes: str
    through: str
    seconds: float

    def __call__(self) -> tuple[Engine, Engine]:
        """Return the trusted engine, and the engine to compare with it."""
        limits = Limits(self.seconds)
        if self.passes or self.through:
            changed = after_passes(self.passes, limits) if self.passes else through_artifact(self.through, limits)
            return open_engine("reference", limits), changed
        first, _, second = self.engines.partition(",")
        if not second:
            raise UsageError("--engines takes two engines")
        return open_engine(first, limits), open_engine(second, limits)


def options_from(types: str, weights: str, tame: bool, **others: Any) -> ProgramOptions:
    """Return the kind of programs that the flags ask for."""
    chosen = tuple([each for each in types.split(",") if each])
    for element in chosen:
        if element not in ELEMENTS:
            raise UsageError(f"unknown element type '{element}'{hint(element, ELEMENTS)}")
    return ProgramOptions(elements=chosen if chosen else USUAL, weights=_weights(weights), special=not tame, **others)


def _weights(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        name, _, weight = part.partition("=")
        if name not in STEPS or not weight.isdigit():
            raise UsageError(f"not a weight: '{part}'{hint(name, STEPS)}; steps are {', '.join(STEPS)}")
        found[name] = int(weight)
    return found


def as_flags(options: ProgramOptions) -> str:
    """Return the options of programs that are not the default, as flags."""
    usual = ProgramOptions()
    text = "".join(f" --{name}={getattr(options, name)}" for name in ("size", "depth")
                   if getattr(options, name) != getattr(usual, name))  # fmt: skip
    if options.elements != usual.elements:
        text += f" --types={','.join(options.elements)}"
    if options.weights:
        text += f" --weights={','.join(f'{name}={weight}' for name, weight in options.weights.items())}"
    flags = {"undefined": options.undefined, "dynamic": options.dynamic, "tame": not options.special}
    return text + "".join(f" --{name}" for name, given in flags.items() if given)

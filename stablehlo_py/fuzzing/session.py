"""A search that can be stopped and goes on: programs are drawn, run, compared; what is wrong is reduced and grouped.

In the folder of a session, `seeds.jsonl` has a line for each program that was run, and `groups/CAUSE/` the smallest
reproducer of a cause with the seeds that led to it.
"""

from __future__ import annotations

import json
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from ..bindings import ir, make_context
from ..debug.measures import difference
from ..debug.tolerances import whole_program
from ..engines import Engine, Outcome
from ..reference.storage import save_arrays
from .builder import Options
from .findings import Finding, investigate
from .program import draw_program

_LOG = "seeds.jsonl"


@dataclass
class Tally:
    """What a session came to: how often each answer, and the seeds behind each cause."""

    answers: Counter[str] = field(default_factory=Counter)
    groups: dict[str, list[int]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def programs(self) -> int:
        """How many programs were run."""
        return sum(self.answers.values())

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {answer}" for answer, count in self.answers.most_common())
        findings = sum(map(len, self.groups.values()))
        lines = [f"{self.programs} programs in {self.seconds:.0f} s: {counts}"]
        lines.append(f"{findings} findings with {len(self.groups)} causes")
        for cause, seeds in sorted(self.groups.items(), key=lambda item: -len(item[1])):
            lines.append(f"  {len(seeds)} x {cause} (seed {seeds[0]})")
        return "\n".join(lines)


def answer_of(expected: Outcome, given: Outcome, *, rejects: bool) -> str:
    """What two runs of a program say: `same`, or what is wrong; `rejects` where refusing a program is wrong."""
    if not expected.ok:
        return f"reference: {expected.status}"
    if given.status == "unsupported" or (given.status == "rejected" and not rejects):
        return "unsupported"
    if not given.ok:
        return given.status
    for a, b in zip(given.results, expected.results, strict=True):
        if a.shape != b.shape or a.dtype != b.dtype or not difference(a, b, whole_program(a.dtype)).same:
            return "differs"
    return "same"


@dataclass
class Session:
    """One search.

    Attributes:
        open_engines: Opens the reference and the engine that is compared with it.
        options: What programs are like.
        command: The command that runs this search, for reports; `{seed}` stands for the seed.
        folder: Where findings go and what was done is kept; nothing is kept where it is None.
        rejects: Whether refusing a valid program counts as wrong.
        reduction_seconds: How long the reduction of one finding may take; what is smallest then is kept.
    """

    open_engines: Callable[[], tuple[Engine, Engine]]
    options: Options
    command: str
    folder: Path | None = None
    rejects: bool = False
    reduction_seconds: float = 120.0
    tally: Tally = field(default_factory=Tally)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, seeds: Iterator[int], *, seconds: float | None = None, jobs: int = 1) -> Tally:
        """Search until the seeds or the time are used up; seeds that the folder has are not run again."""
        started = time.monotonic()
        end = None if seconds is None else started + seconds
        done = self._load()
        pending = (seed for seed in seeds if seed not in done)
        with ThreadPoolExecutor(jobs) as pool:
            for each in [pool.submit(self._work, pending, end) for _ in range(jobs)]:
                each.result()
        self.tally.seconds += time.monotonic() - started
        return self.tally

    def _work(self, pending: Iterator[int], end: float | None) -> None:
        context = make_context()
        with ExitStack() as opened:
            reference, engine = map(opened.enter_context, self.open_engines())
            while end is None or time.monotonic() < end:
                with self._lock:
                    seed = next(pending, None)
                if seed is None:
                    return
                self._try(seed, reference, engine, context, math.inf if end is None else end)

    def _try(self, seed: int, reference: Engine, engine: Engine, context: ir.Context, end: float) -> None:
        started = time.monotonic()
        drawn = draw_program(Random(seed), self.options, context)
        program = drawn.text.encode()
        expected = reference.run(program, drawn.arguments)
        given = engine.run(program, drawn.arguments) if expected.ok else expected
        answer, finding = answer_of(expected, given, rejects=self.rejects), None
        if answer not in ("same", "unsupported"):
            module = ir.Module.parse(drawn.text, context)
            wrong = reference if answer.startswith("reference") else engine
            until = min(end, time.monotonic() + self.reduction_seconds)
            command = self.command.format(seed=seed)
            finding = investigate(seed, module, drawn.arguments, reference, wrong, command, until)
            answer = answer if finding is not None else f"{answer} in some runs only"
        with self._lock:
            self._remember(seed, answer, finding, time.monotonic() - started)

    def _load(self) -> set[int]:
        """What an earlier run of this session did."""
        if self.folder is None or not (self.folder / _LOG).exists():
            return set()
        text = (self.folder / _LOG).read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:  # a line was being written when the session was killed
            (self.folder / _LOG).write_text(whole, encoding="utf-8")
        done: set[int] = set()
        for entry in map(json.loads, whole.splitlines()):
            done.add(entry["seed"])
            self._count(entry["seed"], entry["answer"], entry["cause"])
            self.tally.seconds += entry["seconds"]
        return done

    def _count(self, seed: int, answer: str, cause: str) -> None:
        self.tally.answers[answer] += 1
        if cause:
            self.tally.groups.setdefault(cause, []).append(seed)

    def _remember(self, seed: int, answer: str, finding: Finding | None, seconds: float) -> None:
        cause = "" if finding is None else finding.cause
        self._count(seed, answer, cause)
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        if finding is not None:
            _write(self.folder / "groups" / finding.group, finding)
        entry = {"seed": seed, "answer": answer, "cause": cause, "seconds": round(seconds, 3)}
        with open(self.folder / _LOG, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def _write(place: Path, finding: Finding) -> None:
    """Write the reproducer of a group unless there is a smaller one, and add the seed to the group's."""
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "seeds.txt", "a", encoding="utf-8") as file:
        file.write(f"{finding.seed}\n")
    text, program = str(finding.program.operation), place / "program.mlir"
    if program.exists() and len(program.read_text(encoding="utf-8")) <= len(text):
        return
    program.write_text(text, encoding="utf-8")
    (place / "program.npz").write_bytes(save_arrays("program.npz", list(finding.arguments)))
    (place / "issue.md").write_text(finding.issue, encoding="utf-8")

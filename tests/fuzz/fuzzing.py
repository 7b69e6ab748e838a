"""The loop that all fuzzers share: draw a case from a seed, judge it, keep and minimise what breaks something."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

HANG_SECONDS = 20.0  # a guarded reader is ended after ten
_TRIES_TO_MINIMISE = 200


class WrongError(Exception):
    """What a fuzzer looks for."""


@dataclass(frozen=True)
class Fuzzer:
    """A kind of input: how one is drawn, and how it is judged.

    `judge` returns in a word how the input was answered, and raises for what must not happen. What is drawn can be
    kept as a file; `shrinks` says whether it can be made smaller by cutting bytes out.
    """

    name: str
    summary: str
    draw: Callable[[random.Random], bytes]
    judge: Callable[[bytes], str]
    suffix: str = ".txt"
    shrinks: bool = True


@dataclass
class Findings:
    """What one run saw: how often each answer, and what was wrong, by the number of the case."""

    answers: Counter[str] = field(default_factory=Counter)
    wrong: dict[int, str] = field(default_factory=dict)
    slowest: float = 0.0
    cases: int = 0

    def __str__(self) -> str:
        answers = ", ".join(f"{count} {answer}" for answer, count in sorted(self.answers.items()))
        return f"{self.cases} cases: {answers}; {len(self.wrong)} wrong; the slowest took {self.slowest:.2f} s"


def problem_of(fuzzer: Fuzzer, case: bytes) -> tuple[str, str, float]:
    """The answer to a case, what is wrong with it (empty where nothing is), and the seconds it took."""
    started = time.monotonic()
    try:
        answer, problem = fuzzer.judge(case), ""
    except Exception as error:  # the finding itself
        answer, problem = "wrong", f"{type(error).__name__}: {error}"
    seconds = time.monotonic() - started
    if seconds > HANG_SECONDS and not problem:
        answer, problem = "wrong", f"it took {seconds:.1f} s"
    return answer, problem, seconds


def minimised(fuzzer: Fuzzer, case: bytes, problem: str) -> bytes:
    """A shorter case with the same kind of problem: parts are cut out, from halves down to single bytes."""
    kind, tries, size = problem.partition(":")[0], 0, len(case) // 2
    while size and tries < _TRIES_TO_MINIMISE:
        start = 0
        while start < len(case) and tries < _TRIES_TO_MINIMISE:
            shorter, tries = case[:start] + case[start + size :], tries + 1
            if problem_of(fuzzer, shorter)[1].partition(":")[0] == kind:
                case = shorter
            else:
                start += size
        size //= 2
    return case


def fuzz(fuzzer: Fuzzer, *, count: int, seed: int, seconds: float | None = None, keep: Path | None = None) -> Findings:
    """Judge `count` cases of `seed`, or as many as `seconds` allow; the same seed and number give the same case.

    A case is in `keep` while it is judged, so one that ends this process is found there.
    """
    findings, end = Findings(), None if seconds is None else time.monotonic() + seconds
    running = None if keep is None else keep / f"{fuzzer.name}-running{fuzzer.suffix}"
    for number in range(count):
        if end is not None and time.monotonic() > end:
            break
        case = fuzzer.draw(random.Random(f"{fuzzer.name}-{seed}-{number}"))
        if running is not None:
            running.write_bytes(case)
        answer, problem, taken = problem_of(fuzzer, case)
        findings.cases += 1
        findings.answers[answer] += 1
        findings.slowest = max(findings.slowest, taken)
        if problem:
            findings.wrong[number] = problem
            if keep is not None:
                stem = f"{fuzzer.name}-{seed}-{number}"
                (keep / f"{stem}{fuzzer.suffix}").write_bytes(case)
                if fuzzer.shrinks:
                    (keep / f"{stem}.min{fuzzer.suffix}").write_bytes(minimised(fuzzer, case, problem))
    if running is not None:
        running.unlink(missing_ok=True)
    return findings

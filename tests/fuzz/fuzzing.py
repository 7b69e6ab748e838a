"""The loop that all fuzzers share: draw a case from a seed, judge it, keep and minimise what breaks something."""

from __future__ import annotations

import faulthandler
import json
import os
import random
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn

from stablehlo_py.isolation.launcher import die_with_parent
from stablehlo_py.isolation.limits import limit_memory
from stablehlo_py.isolation.policy import enter_guard
from stablehlo_py.isolation.process import fork

HANG_SECONDS = 20.0  # a guarded reader is ended after ten
_TRIES_TO_MINIMISE = 200
# A case that takes a process of many longer than this is judged again in the one that guards.
_BATCH_SECONDS = 5.0
_BATCH_MEMORY = 1 << 31


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


class Judgement(NamedTuple):
    """How case `number` was answered, what is wrong with that (empty where nothing is), and the seconds it took."""

    number: int
    answer: str
    problem: str
    seconds: float


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


def _case(fuzzer: Fuzzer, seed: int, number: int) -> bytes:
    return fuzzer.draw(random.Random(f"{fuzzer.name}-{seed}-{number}"))


def _judge(fuzzer: Fuzzer, seed: int, number: int) -> Judgement:
    return Judgement(number, *problem_of(fuzzer, _case(fuzzer, seed, number)))


def _judge_as_child(fuzzer: Fuzzer, seed: int, numbers: range, pipe: int, parent: int) -> NoReturn:
    """Write a line for each case; nothing here is guarded, and the parent sees where the lines end."""
    try:
        die_with_parent(parent)
        faulthandler.disable()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        enter_guard()
        limit_memory(_BATCH_MEMORY)
        for number in numbers:
            os.write(pipe, json.dumps(_judge(fuzzer, seed, number)).encode() + b"\n")
    finally:
        os._exit(0)


def _lines(pipe: int) -> Iterator[bytes]:
    """The lines that arrive, until the pipe is closed or a line takes too long."""
    received = b""
    while select.select([pipe], [], [], _BATCH_SECONDS)[0]:
        chunk = os.read(pipe, 1 << 16)
        if not chunk:
            return
        *lines, received = (received + chunk).split(b"\n")
        yield from lines


def _judge_batch(fuzzer: Fuzzer, seed: int, numbers: range) -> Iterator[Judgement]:
    """Judge cases in one child, up to the one that ends it or takes too long."""
    read_end, write_end = os.pipe()
    parent = os.getpid()
    sys.stdout.flush()
    child = fork()
    if child == 0:
        os.close(read_end)
        _judge_as_child(fuzzer, seed, numbers, write_end, parent)
    os.close(write_end)
    try:
        for line in _lines(read_end):
            yield Judgement(*json.loads(line))
    finally:
        os.close(read_end)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _judge_in_batches(fuzzer: Fuzzer, seed: int, numbers: range, batch: int) -> Iterator[Judgement]:
    """Judge cases without a guard, `batch` in a child, and those with the guard that ended such a child."""
    number = numbers.start
    while number < numbers.stop:
        end = min(number + batch, numbers.stop)
        for judgement in _judge_batch(fuzzer, seed, range(number, end)):
            yield judgement
            number = judgement.number + 1
        if number < end:
            yield _judge(fuzzer, seed, number)
            number += 1


@dataclass(frozen=True)
class Judging:
    """Ranges of cases of a fuzzer, as tasks of a cluster's workers, which know it by its name."""

    name: str
    seed: int
    batch: int

    @contextmanager
    def open(self) -> Iterator[Callable[[range], list[Judgement]]]:
        """Find the fuzzer."""
        from fuzzers import FUZZERS

        yield lambda numbers: list(_judgements(FUZZERS[self.name], self.seed, numbers, self.batch))

    def lost(self, numbers: range, why: str) -> list[Judgement]:
        """The judgements where the workers ended."""
        return [Judgement(number, "wrong", f"lost: {why}", 0.0) for number in numbers]


def _judgements(fuzzer: Fuzzer, seed: int, numbers: range, batch: int) -> Iterator[Judgement]:
    if batch:
        return _judge_in_batches(fuzzer, seed, numbers, batch)
    return (_judge(fuzzer, seed, number) for number in numbers)


def _on_cluster(fuzzer: Fuzzer, seed: int, numbers: range, batch: int, cluster: str, jobs: int) -> Iterator[Judgement]:
    """The judgements as they come; a task is a batch, or a case."""
    import on_cluster

    step = max(batch, 1)
    ranges = (numbers[start : start + step] for start in range(0, len(numbers), step))
    work = Judging(fuzzer.name, seed, batch)
    for judged in on_cluster.results(work, ranges, cluster, jobs):
        yield from judged


def fuzz(
    fuzzer: Fuzzer,
    *,
    count: int,
    seed: int,
    first: int = 0,
    seconds: float | None = None,
    keep: Path | None = None,
    batch: int = 0,
    cluster: str = "",
    jobs: int = 1,
) -> Findings:
    """Judge `count` cases of `seed`, or as many as `seconds` allow; the same seed and number give the same case.

    Ctrl-C ends it with what was found until then.

    Args:
        fuzzer: What draws the cases and judges them.
        count: The number of cases.
        seed: What they are drawn from.
        first: The number of the first case.
        seconds: When to stop before that.
        keep: The folder for cases that break something, and for the number of the case that is judged.
        batch: How many cases share a child in which the C++ code runs unguarded; what ends the child is judged again
            with the guard. 0: every case is guarded, which takes several times as long.
        cluster: `local` or the address of a Dask scheduler, whose workers judge the cases, a fuzzer of `FUZZERS`.
        jobs: The workers of a local cluster.
    """
    findings, end = Findings(), None if seconds is None else time.monotonic() + seconds
    numbers = range(first, first + count)
    if cluster:
        judgements = _on_cluster(fuzzer, seed, numbers, batch, cluster, jobs)
    else:
        judgements = _judgements(fuzzer, seed, numbers, batch)
    running = None if keep is None else keep / f"{fuzzer.name}-running.txt"
    with suppress(KeyboardInterrupt):
        for judgement in judgements:
            _record(findings, fuzzer, seed, judgement, keep)
            if running is not None:
                running.write_text(f"case {judgement.number + 1} of seed {seed} or a later one\n", encoding="utf-8")
            if end is not None and time.monotonic() > end:
                break
    if running is not None:
        running.unlink(missing_ok=True)
    return findings


def _record(findings: Findings, fuzzer: Fuzzer, seed: int, judgement: Judgement, keep: Path | None) -> None:
    findings.cases += 1
    findings.answers[judgement.answer] += 1
    findings.slowest = max(findings.slowest, judgement.seconds)
    if not judgement.problem:
        return
    findings.wrong[judgement.number] = judgement.problem
    if keep is not None:
        case, stem = _case(fuzzer, seed, judgement.number), f"{fuzzer.name}-{seed}-{judgement.number}"
        (keep / f"{stem}{fuzzer.suffix}").write_bytes(case)
        if fuzzer.shrinks:
            (keep / f"{stem}.min{fuzzer.suffix}").write_bytes(minimised(fuzzer, case, judgement.problem))

"""The checks, in a child process that reads a module once for all of its checks.

A module that aborts or never ends costs this process, which `isolation.worker` starts again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from ...artifacts.artifact import serialize
from ...artifacts.formats.reading import read_program
from ...artifacts.roundtrip import round_trip
from ...artifacts.versions import resolve_version
from ...bindings import ir
from ...engines import Engine, Limits, open_engine
from ...engines.worker import failure, limit_process
from ...errors import ArtifactError, CheckError, InputError, UnsupportedOpError
from ...interpreter.program import Program
from ...isolation.launcher import die_with_parent
from ...isolation.policy import enter_guard
from ...isolation.worker import serve
from ...passes.guarded_pipeline import run_guarded_pipeline
from ..compare import compare, compare_results, draw_samples, failed_runs
from ..judge import judge
from ..programs.subject import Subject, examine

Verdict = tuple[str, str]  # a status, see `results.Row`, and why
OK: Verdict = ("ok", "")
_MODULES_KEPT = 8


class Checks:
    """Checks modules; the engines that it compares stay open for the next one."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._engines: dict[str, Engine] = {}
        self._checks: dict[str, Callable[[ir.Module, Sequence[str]], Verdict]] = {
            "verify": lambda _module, _options: OK,  # reading did
            "roundtrip": _roundtrip, "interpret": _interpret, "passes": _passes,
            "compare": self._compare, "judge": self._judge,
        }  # fmt: skip

    def answer(self, request: tuple[str, bytes]) -> Verdict:
        """Return the verdict of a check, as `run.read_check` returns it, of a module in any form."""
        name, _, options = request[0].partition(":")
        status = "rejected"
        try:
            if self.limits.memory_bytes is not None:
                limit_process(self.limits.memory_bytes)
            module = _read(request[1])
            status = "error"
            return self._checks[name](module, options.split(","))
        except Exception as error:  # every reason is one that the user has to see
            found = failure(error, status)
            return found["status"], found["message"]

    def _opened(self, names: Sequence[str]) -> list[Engine]:
        for name in names:
            if name not in self._engines:
                self._engines[name] = open_engine(name, self.limits)
        return [self._engines[name] for name in names]

    def _judge(self, module: ir.Module, names: Sequence[str]) -> Verdict:
        """Whether the results of engines for drawn arguments are permitted; the first engine computes what is."""
        reference, *engines = self._opened(names)
        for judgement in judge(module, engines, reference=reference).judgements:
            if judgement.verdict == "wrong":
                return "differs", judgement.cause
            if judgement.verdict in ("crashed", "rejected"):
                return "crash" if judgement.verdict == "crashed" else "unsupported", judgement.cause
        return OK

    def _compare(self, module: ir.Module, names: Sequence[str]) -> Verdict:
        """Whether engines agree about drawn arguments."""
        comparison = compare(module, self._opened(names))
        if comparison.exit_code == 0:
            return OK
        if comparison.verdict == "differs":
            entry = next(entry for entry in comparison.results if entry.verdict == "differs")
            return "differs", f"{entry.engine}: {_how_far(entry.result, entry.type, entry.difference)}"
        _, name, outcome = next(failed_runs(comparison))
        return outcome.status, f"{name}: {outcome.message}"


@lru_cache(_MODULES_KEPT)
def _read(module: bytes) -> ir.Module:
    return read_program(module)[0]


def main() -> None:
    """Answer requests until the parent ends, as do the engines that are started here."""
    enter_guard()  # the parent reports a crash
    die_with_parent(os.getppid())
    seconds, memory = sys.argv[1:]
    serve(Checks(Limits(float(seconds), int(memory) if memory else None)).answer)


def _how_far(result: int, type_: str, found: object) -> str:
    apart = "is of another shape" if found is None else f"differs by {getattr(found, 'amount', '0 ULP')}"
    return f"result {result} of type {type_} {apart}"


def _roundtrip(module: ir.Module, targets: Sequence[str]) -> Verdict:
    """Whether the program comes back the same from artifacts of versions."""
    for target in targets:
        version = resolve_version(target)
        try:
            serialize(module, version)
        except ArtifactError as error:
            return "unsupported", f"{target}: {error.message}"
        difference = round_trip(module, version).difference
        if difference is not None:
            return "differs", f"{target}: {difference}"
    return OK


def _run(subject: Subject, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [np.asarray(result) for result in Program(subject.module).run(list(arguments))]


def _draw(subject: Subject) -> list[np.ndarray]:
    try:
        return draw_samples(subject, 1, 0)[0]
    except InputError as error:
        raise UnsupportedOpError(error.message) from None


def _interpret(module: ir.Module, _options: Sequence[str]) -> Verdict:
    """Whether the program runs on drawn arguments, and its own checks hold."""
    subject = examine(module)
    arguments = _draw(subject)
    try:
        _run(subject, arguments)
    except CheckError as error:
        return "differs", str(error)
    return OK


def _passes(module: ir.Module, passes: Sequence[str]) -> Verdict:
    """Whether the program computes the same after a pipeline."""
    before, after = examine(module), examine(module).module
    arguments = _draw(before)
    run_guarded_pipeline(after, ",".join(passes), trust_input=True)
    results = _run(examine(after), arguments), _run(before, arguments)
    entries = compare_results(before, 0, "after", *results, {}, arguments)
    wrong = next((entry for entry in entries if entry.verdict == "differs"), None)
    return OK if wrong is None else ("differs", _how_far(wrong.result, wrong.type, wrong.difference))

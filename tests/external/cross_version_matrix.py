"""Every producer writes every program for every consumer; every consumer reads it and evaluates it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import on_cluster
from cross_version_environments import Answer, Job, Release, run_jobs

from stablehlo_py.artifacts.artifact import deserialize, serialize
from stablehlo_py.artifacts.explanation import minimum
from stablehlo_py.artifacts.versions import Version, current_version
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import StablehloError
from stablehlo_py.interpreter.program import interpret

_ROOT = Path(__file__).resolve().parent
_DIGITS = _ROOT.parents[1] / "examples" / "digits"
_BATCH, _SMALL_BATCH = 360, 8  # the official interpreter needs minutes for the whole batch

SAME, REFUSED, UNKNOWN, READ, FAILED = "same", "refused", "unknown", "read", "failed"
MEANINGS = {
    SAME: "the consumer's results agree with the reference interpreter",
    READ: "the consumer reads it, but its XLA cannot execute the op; the program that it writes back is the same",
    REFUSED: "the producer refuses: the program uses a feature that is newer than the version it writes for",
    UNKNOWN: "the program uses a feature that the producer is too old to know",
    FAILED: "something is wrong",
}
_LOCATION = re.compile(r"-:\d+:\d+: |[:. ]+$")
_TOLERANCE = {"rtol": 2e-5, "atol": 1e-6}


@dataclass(frozen=True)
class Program:
    """A program of the matrix: its artifact in the oldest version that it fits, its inputs and its results."""

    name: str
    minimum: Version
    feature: str
    artifact: Path
    inputs: Path | None
    results: tuple[np.ndarray[Any, Any], ...]


@dataclass
class Side:
    """A producer and consumer: `python` is the interpreter of its environment, None for this process."""

    name: str
    version: Version
    python: Path | None
    release: Release | None = None


@dataclass(frozen=True)
class Outcome:
    """The outcome of one program between one producer and one consumer."""

    status: str
    detail: str = ""


@dataclass
class Matrix:
    """All outcomes, by producer, consumer and program."""

    sides: list[Side]
    programs: list[Program]
    outcomes: dict[tuple[str, str, str], Outcome] = field(default_factory=dict)

    def cell(self, producer: Side, consumer: Side) -> dict[str, int]:
        """Numbers of programs by outcome."""
        counts: dict[str, int] = {}
        for program in self.programs:
            status = self.outcomes[producer.name, consumer.name, program.name].status
            counts[status] = counts.get(status, 0) + 1
        return counts


# Programs -----------------------------------------------------------------------------------------------------------


def _sources() -> Iterator[tuple[str, str, tuple[np.ndarray[Any, Any], ...]]]:
    for path in sorted((_ROOT / "cross_version_programs").glob("*.mlir")):
        yield path.stem, path.read_text(encoding="utf-8"), ()
    with np.load(_DIGITS / "held_out.npz") as archive:
        scans = archive["scans"][:_SMALL_BATCH].astype(np.uint8)
    text = (_DIGITS / "digits.mlir").read_text(encoding="utf-8")
    yield "digits", re.sub(rf"\b{_BATCH}x", f"{_SMALL_BATCH}x", text), (scans,)


def make_programs(folder: Path) -> list[Program]:
    """The programs, each written to `folder` for the oldest version that it fits, oldest first."""
    programs: list[Program] = []
    for name, text, inputs in _sources():
        module = ir.Module.parse(text, make_context())
        oldest = minimum(module)
        artifact, inputs_path = folder / f"{name}.bc", folder / f"{name}.inputs.npz"
        artifact.write_bytes(serialize(module, oldest.version))
        if inputs:
            np.savez(inputs_path, *inputs)
        feature = oldest.held_by[0].feature.name if oldest.held_by else ""
        results = tuple(np.asarray(result) for result in interpret(module, list(inputs)))
        programs.append(Program(name, oldest.version, feature, artifact, inputs_path if inputs else None, results))
    return sorted(programs, key=lambda program: (program.minimum, program.name))


# Writing ------------------------------------------------------------------------------------------------------------


def _target(producer: Side, consumer: Side) -> Version:
    """The version that the producer writes for the consumer: the consumer's, or its own if that is older."""
    return min(producer.version, consumer.version)


def _artifact_path(folder: Path, producer: Side, program: Program, target: Version) -> Path:
    return folder / f"{producer.name.replace(' ', '-')}.{program.name}.{target}.bc"


@dataclass(frozen=True)
class Answering:
    """The jobs of a side as a task: the answers of the side, and its number.

    Attributes:
        folder: Where jobs, answers and artifacts lie.
        step: Called after each answer, in this process.
    """

    folder: Path
    step: Callable[[], None] | None = field(default=None, compare=False)

    @contextmanager
    def open(self) -> Iterator[Callable[[tuple[int, Side, list[Job]]], tuple[int, list[Answer]]]]:
        """Give what answers."""
        yield self._answers

    def _answers(self, task: tuple[int, Side, list[Job]]) -> tuple[int, list[Answer]]:
        number, side, jobs = task
        found = []
        for answer in _answers(side, jobs, self.folder):
            found.append(answer)
            if self.step is not None:
                self.step()
        return number, found

    def lost(self, task: tuple[int, Side, list[Job]], why: str) -> tuple[int, list[Answer]]:
        """The answers of a side whose workers ended."""
        number, _, jobs = task
        return number, [{"error": why}] * len(jobs)


@dataclass(frozen=True)
class Run:
    """How the sides are asked.

    Attributes:
        folder: Where artifacts are put.
        step: Called for each answer.
        cluster: See `on_cluster.results`.
        jobs: The workers of a local cluster.
    """

    folder: Path
    step: Callable[[], None]
    cluster: str = ""
    jobs: int = 1

    def answers(self, sides: Sequence[Side], jobs: Sequence[list[Job]]) -> list[list[Answer]]:
        """The answers of each side to its jobs."""
        tasks = [(number, side, each) for number, (side, each) in enumerate(zip(sides, jobs, strict=True))]
        work = Answering(self.folder, None if self.cluster else self.step)
        found: dict[int, list[Answer]] = {}
        for number, answers in on_cluster.results(work, tasks, self.cluster, self.jobs):
            found[number] = answers
            for _ in answers if self.cluster else ():
                self.step()
        return [found[number] for number in range(len(sides))]


def write_all(sides: Sequence[Side], programs: Sequence[Program], run: Run) -> dict[Path, str]:
    """Has every producer write every program for every consumer. Returns, by the path of the artifact, why there is
    none, or an empty string."""
    asked: list[list[Job]] = []
    for producer in sides:
        known = [program for program in programs if program.minimum.opset <= producer.version.opset]
        jobs: list[Job] = []
        for program in known:
            targets = sorted({_target(producer, consumer) for consumer in sides})
            outputs = {str(target): str(_artifact_path(run.folder, producer, program, target)) for target in targets}
            jobs.append({"kind": "write", "source": str(program.artifact), "outputs": outputs})
        asked.append(jobs)
    errors: dict[Path, str] = {}
    for jobs, answers in zip(asked, run.answers(sides, asked), strict=True):
        for job, answer in zip(jobs, answers, strict=True):
            whole = answer.get("error", "")
            single = {written["target"]: written["error"] for written in answer.get("written", ())}
            for target, path in job["outputs"].items():
                errors[Path(path)] = whole if whole else single[target]
    return errors


def _answers(side: Side, jobs: Sequence[Job], folder: Path) -> Iterator[dict[str, Any]]:
    if side.python is not None:
        return run_jobs(side.python, jobs, folder / f"jobs-{side.name.replace(' ', '-')}")
    return map(_answer_here, jobs)


def _answer_here(job: Job) -> dict[str, Any]:
    """Return this package's answer to a job; cross_version_child.py answers for the others."""
    try:
        if job["kind"] == "write":
            module = deserialize(Path(job["source"]).read_bytes())
            return {"written": [_write_here(module, target, path) for target, path in job["outputs"].items()]}
        module = deserialize(Path(job["artifact"]).read_bytes())
        inputs: list[Any] = []
        if job["inputs"]:
            with np.load(job["inputs"]) as archive:
                inputs = [archive[name] for name in sorted(archive.files)]
        results = [np.asarray(result) for result in interpret(module, inputs)]
        np.savez(job["output"], *[], **{f"result_{number}": result for number, result in enumerate(results)})
    except StablehloError as error:
        return {"error": error.message}
    return {}


def _write_here(module: ir.Module, target: str, path: str) -> dict[str, str]:
    try:
        Path(path).write_bytes(serialize(module, target))
    except StablehloError as error:
        return {"target": target, "error": error.message}
    return {"target": target, "error": ""}


# Reading ------------------------------------------------------------------------------------------------------------


def read_all(matrix: Matrix, errors: dict[Path, str], run: Run) -> None:
    """Has every consumer read and evaluate what was written for it, and fills in the outcomes."""
    waiting: list[list[tuple[Side, Program, Job]]] = []
    early: dict[tuple[str, str, str], Outcome] = {}
    for consumer in matrix.sides:
        waiting.append([])
        for producer in matrix.sides:
            for program in matrix.programs:
                outcome = _before_reading(producer, consumer, program, errors, run.folder)
                if outcome is None:
                    job = _read_job(producer, consumer, program, run.folder)
                    waiting[-1].append((producer, program, job))
                else:
                    early[producer.name, consumer.name, program.name] = outcome
                    run.step()
    found = run.answers(matrix.sides, [[job for _, _, job in each] for each in waiting])
    for consumer, asked, answers in zip(matrix.sides, waiting, found, strict=True):
        matrix.outcomes |= {key: outcome for key, outcome in early.items() if key[1] == consumer.name}
        for (producer, program, job), answer in zip(asked, answers, strict=True):
            matrix.outcomes[producer.name, consumer.name, program.name] = _after_reading(program, job, answer)


def _before_reading(
    producer: Side, consumer: Side, program: Program, errors: dict[Path, str], folder: Path
) -> Outcome | None:
    if program.minimum.opset > producer.version.opset:
        return Outcome(UNKNOWN, f"{program.feature} came with {program.minimum}")
    target = _target(producer, consumer)
    error = errors[_artifact_path(folder, producer, program, target)]
    if not error:
        return None
    if program.minimum.opset > target.opset:
        return Outcome(REFUSED, f"{program.feature} came with {program.minimum}")
    return Outcome(FAILED, f"writing for {target}: {error}")


def _read_job(producer: Side, consumer: Side, program: Program, folder: Path) -> Job:
    path = _artifact_path(folder, producer, program, _target(producer, consumer))
    output = folder / f"{path.stem}.{consumer.name.replace(' ', '-')}"
    return {
        "kind": "run",
        "artifact": str(path),
        "inputs": None if program.inputs is None else str(program.inputs),
        "output": f"{output}.npz",
        "rewritten": f"{output}.bc",
        "target": str(consumer.version),
    }


def _after_reading(program: Program, job: Job, answer: dict[str, Any]) -> Outcome:
    if "error" in answer:
        return Outcome(FAILED, f"reading: {answer['error']}")
    if "not_executed" in answer:
        return _compare_rewritten(program, Path(job["rewritten"]), answer["not_executed"])
    with np.load(job["output"]) as archive:
        results = [archive[f"result_{number}"] for number in range(len(archive.files))]
    difference = _difference(results, program.results)
    return Outcome(FAILED, difference) if difference else Outcome(SAME)


def _compare_rewritten(program: Program, path: Path, reason: str) -> Outcome:
    """The consumer cannot execute the program: the text that it writes is evaluated here instead."""
    try:
        inputs: list[Any] = []
        if program.inputs is not None:
            with np.load(program.inputs) as archive:
                inputs = [archive[name] for name in sorted(archive.files)]
        results = [np.asarray(result) for result in interpret(deserialize(path.read_bytes()), inputs)]
    except StablehloError as error:
        return Outcome(FAILED, f"reading what it wrote back: {error.message}")
    difference = _difference(results, program.results)
    return Outcome(FAILED, difference) if difference else Outcome(READ, _LOCATION.sub("", reason))


def _difference(results: Sequence[np.ndarray[Any, Any]], expected: Sequence[np.ndarray[Any, Any]]) -> str:
    """Return the difference, or an empty string: floats up to rounding, everything else in every bit."""
    if len(results) != len(expected):
        return f"{len(results)} results instead of {len(expected)}"
    for number, (result, wanted) in enumerate(zip(results, expected, strict=True)):
        if result.shape != wanted.shape or result.dtype != wanted.dtype:
            return f"result {number} is {result.dtype}{result.shape} instead of {wanted.dtype}{wanted.shape}"
        exact = result.dtype.kind != "f"
        if not (np.array_equal(result, wanted) if exact else np.allclose(result, wanted, **_TOLERANCE)):
            return f"result {number} differs: {result.ravel()[:4]} instead of {wanted.ravel()[:4]}"
    return ""


def this_package() -> Side:
    """This package as a side of the matrix."""
    from stablehlo_py.version import __version__

    return Side(f"stablehlo_py {__version__}", current_version(), None)

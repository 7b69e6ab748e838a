"""Read damaged artifacts, and fail if one of them gives anything but a result or an error.

Each artifact is a golden one with a few bytes changed, cut out, put in or cut off; the same --seed gives the same ones.
It is read by `parse` and by `deserialize`, and its header by the function behind `stablehlo-compat info`. A child
prints, verifies and walks their results. Every --tool-every-th is also read by the tools, as processes.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

import stablehlo_py
from stablehlo_py.artifacts.artifact import deserialize
from stablehlo_py.artifacts.header import read_header
from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.handover import tried_in_child
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import ArtifactError, ParseError, VerificationError

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "lit" / "vhlo"
SLOWEST_SECONDS = 30.0
_TOOL_TIMEOUT_SECONDS = 60


class UseError(Exception):
    """A module was returned that cannot be used."""


Mutation = Callable[[bytearray, random.Random], None]


def _change(data: bytearray, generator: random.Random) -> None:
    data[generator.randrange(len(data))] = generator.randrange(256)


def _flip(data: bytearray, generator: random.Random) -> None:
    data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)


def _change_head(data: bytearray, generator: random.Random) -> None:
    data[generator.randrange(min(64, len(data)))] = generator.randrange(256)


def _insert(data: bytearray, generator: random.Random) -> None:
    position = generator.randrange(len(data))
    data[position:position] = generator.randbytes(generator.randint(1, 8))


def _remove(data: bytearray, generator: random.Random) -> None:
    position = generator.randrange(len(data))
    del data[position : position + generator.randint(1, 8)]


def _truncate(data: bytearray, generator: random.Random) -> None:
    del data[generator.randrange(len(data)) :]


def _repeat(data: bytearray, generator: random.Random) -> None:
    start, length = generator.randrange(len(data)), generator.randint(1, 32)
    data[start:start] = data[start : start + length]


MUTATIONS: tuple[Mutation, ...] = (_change, _change, _flip, _flip, _change_head, _insert, _remove, _truncate, _repeat)


def mutated(original: bytes, generator: random.Random) -> bytes:
    """The artifact with one to four changes."""
    data = bytearray(original)
    for _ in range(generator.randint(1, 4)):
        if data:
            generator.choice(MUTATIONS)(data, generator)
    return bytes(data)


def _use(op: ir.Operation) -> None:
    str(op)
    op.verify()
    for inner in operations(op):
        for value in (*inner.operands, *inner.results):
            str(value.type)
        for name in inner.attributes:
            inner.attributes[name]


def _answer(reader: Callable[[bytes], ir.Module], data: bytes) -> str:
    try:
        module = reader(data)
    except (ArtifactError, ParseError, VerificationError) as error:
        return "crashed" if "MLIR's reader fails" in error.message else "rejected"
    outcome = tried_in_child(_use, module.operation)
    if outcome.crash:
        raise UseError(f"what was read cannot be used: {outcome.crash}")
    outcome.result()
    return "read"


def read(data: bytes, context: ir.Context) -> str:
    """Return the outcome of reading: `read`, `parsed` if only the stored form can be read, `rejected` by the checks or
    the reader, or `crashed` if the child crashed. Raises any other exception, and UseError for a module that cannot be
    printed, verified or walked: this tool looks for these."""
    try:
        read_header(data)
    except ArtifactError:
        header = "rejected"
    else:
        header = "read"
    answers = [_answer(stablehlo_py.parse, data), _answer(partial(deserialize, context=context), data)]
    if header == "rejected" and "read" in answers:
        raise UseError("a module was read from an artifact whose header is damaged")
    return "parsed" if answers == ["read", "rejected"] else answers[1]


def _run_tools(data: bytes, folder: Path) -> str:
    """Return a problem of the tools' answer, or an empty string."""
    path = folder / "mutated.mlir.bc"
    path.write_bytes(data)
    for command in (["translate", "--deserialize", str(path)], ["compat", "info", str(path)], ["opt", str(path)]):
        code = f"from stablehlo_py.cli.{command[0]} import main; main()"
        try:
            finished = subprocess.run(
                [sys.executable, "-c", code, *command[1:]], capture_output=True, timeout=_TOOL_TIMEOUT_SECONDS
            )
        except subprocess.TimeoutExpired:
            return f"{command[0]}: no end within {_TOOL_TIMEOUT_SECONDS} s"
        if finished.returncode not in (0, 1) or b"Traceback" in finished.stderr:
            return f"{command[0]}: exit code {finished.returncode}: {finished.stderr[-300:]!r}"
        if finished.returncode == 1 and b"error:" not in finished.stderr:
            return f"{command[0]}: failed without a message"
    return ""


def fuzz(count: int, seed: int, tool_every: int, keep: Path | None) -> int:
    """The number of artifacts that were answered wrongly, after printing each and a summary."""
    originals = [path.read_bytes() for path in sorted(GOLDEN.glob("*.bc"))]
    answers: Counter[str] = Counter()
    slowest = 0.0
    context = make_context()
    with tempfile.TemporaryDirectory() as folder, click.progressbar(range(count), file=sys.stderr) as numbers:
        for number in numbers:
            generator = random.Random(f"{seed}-{number}")
            data = mutated(generator.choice(originals), generator)
            started = time.monotonic()
            try:
                answer = read(data, context)
            except Exception as error:  # the finding itself
                answer, problem = "wrong", f"{type(error).__name__}: {error}"
            else:
                problem = ""
            elapsed = time.monotonic() - started
            slowest = max(slowest, elapsed)
            if elapsed > SLOWEST_SECONDS:
                answer, problem = "wrong", f"it took {elapsed:.1f} s"
            if not problem and tool_every and number % tool_every == 0:
                problem = _run_tools(data, Path(folder))
                answer = "wrong" if problem else answer
            answers[answer] += 1
            if problem:
                print(f"mutation {number} of seed {seed}: {problem}")
                if keep is not None:
                    (keep / f"{seed}-{number}.mlir.bc").write_bytes(data)
    summary = ", ".join(f"{answers[answer]} {answer}" for answer in sorted(answers))
    print(f"{count} mutated artifacts, seed {seed}: {summary}; the slowest took {slowest:.2f} s")
    return answers["wrong"]


def main() -> int:
    """The exit code: 1 where an artifact was answered wrongly."""
    parser = argparse.ArgumentParser(prog="fuzz_artifacts", description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=20261120)
    parser.add_argument("--tool-every", type=int, default=100, help="0: never run the tools themselves")
    parser.add_argument("--keep", type=Path, help="write the artifacts that were answered wrongly to this folder")
    arguments = parser.parse_args()
    return 1 if fuzz(arguments.count, arguments.seed, arguments.tool_every, arguments.keep) else 0


if __name__ == "__main__":
    sys.exit(main())

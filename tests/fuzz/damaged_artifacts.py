"""Damage artifacts, and read them by `parse`, `deserialize` and the function behind `stablehlo-compat info`.

Each is a golden artifact with a few bytes changed, cut out, put in or cut off. A child prints, verifies and walks what
was read.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import stablehlo_py
from stablehlo_py.artifacts.artifact import deserialize
from stablehlo_py.artifacts.header import read_header
from stablehlo_py.bindings import ir
from stablehlo_py.bindings.handover import tried_in_child
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import ArtifactError, ParseError, VerificationError

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "lit" / "vhlo"


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
    printed, verified or walked."""
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

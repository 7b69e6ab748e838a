"""Looks inside the regions of an op that is wrong: which iteration, which branch, which op of the body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..bindings import ir
from ..engines import Engine
from .extraction import Extract
from .measures import Difference
from .places import Place
from .program import Subject
from .regions import Body, bodies
from .slices import Values


@dataclass(frozen=True)
class Inner:
    """The op inside a region that is wrong, and by how much.

    Attributes:
        place: The op; its `path` tells the region and the iteration.
        difference: Its local error, None where the engine does not run it.
        module: The body in which it was found.
        arguments: What the body was run on.
    """

    place: Place
    difference: Difference | None
    module: ir.Module
    arguments: tuple[np.ndarray, ...]


class Walker(Protocol):
    """A search for wrong ops in a program, and in the bodies that it is handed."""

    subject: Subject
    reference: Engine
    engine: Engine

    def wrong_in_body(self, body: Extract, arguments: Sequence[np.ndarray], path: tuple[str, ...]) -> Inner | None:
        """The first wrong op of a body on these arguments."""
        ...


def wrong_inside(tracer: Walker, op: ir.Operation, spot: Place, values: Values) -> Inner | None:
    """Find the op inside the regions of `op` that is wrong on its own, running the regions as the reference does.

    Returns:
        The innermost wrong op, or None where each op of the regions is right, and only the whole is wrong.
    """
    for body in bodies(tracer.subject.extractor, tracer.reference, op, values):
        if body.expected is not None and not _differs(tracer, body):
            continue
        path = (*spot.path, f"#{spot.number} {op.name} {body.title}")
        found = tracer.wrong_in_body(body.extract, body.arguments, path)
        if found is not None:
            return found
    return None


def _differs(tracer: Walker, body: Body) -> bool:
    """Whether the engine's results are not bit for bit the reference's."""
    given = tracer.engine.run(body.code, body.arguments)
    expected = () if body.expected is None else body.expected
    return not given.ok or any(a.tobytes() != b.tobytes() for a, b in zip(given.results, expected, strict=True))

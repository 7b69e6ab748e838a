"""Whether results differ only because of a triangle that the spec leaves to the implementation.

`cholesky` returns one triangle of a matrix; the values in the other are open. Where results differ, the program is run
once more with zeros in all such triangles. The spec says the same of `triangular_solve`, but its result is a whole
matrix: a difference counts there, or errors in half of a solution would pass.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..bindings import ir
from ..bindings.build import create_value, tensor_type
from ..bindings.bytecode import bytecode_of
from ..bindings.elements import from_numpy
from ..bindings.types import TensorType, TypeReader
from ..bindings.walk import insertion_point_after, operations
from ..engines import Engine
from .measures import Tolerance, difference
from .program import Subject

TRIANGLE = "cholesky leaves the other triangle open, and only that differs"


def with_closed_triangles(subject: Subject) -> bytes | None:
    """The program with zeros in all triangles that are open; None where there are none."""
    with subject.module.context:
        module = ir.Module.parse(subject.bytecode())
    closed = [_close(op) for op in operations(module.operation) if op.name == "stablehlo.cholesky"]
    return bytecode_of(module) if any(closed) else None


def _close(op: ir.Operation) -> bool:
    """Put zeros into the open triangle of an op's result; False where its shape or element type is not static."""
    result = op.results[0]
    type_ = TypeReader()[result.type]
    if not isinstance(type_, TensorType) or not type_.is_static or type_.dtype.kind not in "fcV":
        return False
    keep = np.tril if ir.BoolAttr(op.attributes["lower"]).value else np.triu
    mask = np.broadcast_to(keep(np.ones(type_.static_shape[-2:], bool)), type_.static_shape)
    users = [(use.owner.operation, use.operand_number) for use in result.uses]
    with op.location, insertion_point_after(op):
        mask_type = tensor_type(type_.static_shape, ir.IntegerType.get_signless(1))
        zeros = np.zeros(type_.static_shape, type_.dtype)
        kept = create_value("stablehlo.constant", (), mask_type, {"value": from_numpy(mask, mask_type)})
        zero = create_value("stablehlo.constant", (), result.type, {"value": from_numpy(zeros, result.type)})
        closed = create_value("stablehlo.select", [kept, result, zero], result.type)
    for user, number in users:
        user.operands[number] = closed
    return True


def explained_by_triangles(
    code: bytes | None,
    arguments: Sequence[np.ndarray],
    engines: tuple[Engine, Engine],
    number: int,
    tolerance: Tolerance,
) -> bool:
    """Whether engines agree on a result of the program `code`, whose open triangles are closed."""
    if code is None:
        return False
    expected, given = (engine.run(code, arguments) for engine in engines)
    if not (expected.ok and given.ok):
        return False
    return difference(given.results[number], expected.results[number], tolerance).same

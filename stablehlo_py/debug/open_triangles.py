"""Whether results differ only because of a triangle that the spec leaves to the implementation.

`cholesky` and `triangular_solve` return one triangle of a matrix; the values in the other are open. Where results
differ, the program is run once more with zeros in all such triangles.
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

_TRIANGULAR = ("stablehlo.cholesky", "stablehlo.triangular_solve")
TRIANGLE = "cholesky and triangular_solve leave the other triangle open, and only that differs"


def with_closed_triangles(subject: Subject) -> bytes | None:
    """The program with zeros in all triangles that are open; None where there are none."""
    with subject.module.context:
        module = ir.Module.parse(subject.bytecode())
    closed = [_close(op) for op in operations(module.operation) if op.name in _TRIANGULAR]
    return bytecode_of(module) if any(closed) else None


def _close(op: ir.Operation) -> bool:
    """Put zeros into the open triangle of an op's result; False where it is no square matrix of floats."""
    result = op.results[0]
    type_ = TypeReader()[result.type]
    if not isinstance(type_, TensorType) or not type_.is_static or type_.dtype.kind not in "fcV":
        return False
    rows, columns = type_.static_shape[-2:]
    if rows != columns:
        return False
    keep = np.tril if ir.BoolAttr(op.attributes["lower"]).value else np.triu
    mask = np.broadcast_to(keep(np.ones((rows, columns), bool)), type_.static_shape)
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

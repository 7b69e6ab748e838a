"""interpreter-instrument-with-probe: every tensor that a program computes is written out while it is interpreted."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import ClassVar

from ..bindings import ir
from ..bindings.build import create
from ..bindings.locations import name_of
from ..bindings.types import Kind, TensorType, decode_type
from ..bindings.walk import insertion_point_after, operations_within
from ..errors import StablehloError
from .base import Pass


@dataclass(frozen=True)
class InstrumentWithProbe(Pass):
    """Put an `interpreter.probe` after each op, for each of its results that is a tensor of static shape.

    A probe is called `probe1`, `probe2`, …, or with `useDebugInfo` after the op's name location up to an `@`:
    `dense1.2`. Constants are left out. Source: the pass of the same name in the official interpreter.
    """

    name: ClassVar[str] = "interpreter-instrument-with-probe"
    summary: ClassVar[str] = "Write out every tensor that the program computes, when it is interpreted"

    useDebugInfo: bool = False  # noqa: N815  # the option's spelling in the official tool

    def run(self, op: ir.Operation) -> None:
        """Add the probes. No error is known."""
        serial = itertools.count(1)
        for operation in operations_within(op, inner_first=True):
            if operation.name == "stablehlo.constant":
                continue
            name = name_of(operation.location) if self.useDebugInfo else None
            prefix = "probe" if name is None else name.split("@")[0] + "."
            for result in operation.results:
                if _can_be_written(result.type):
                    probe_id = {"probe_id": ir.StringAttr.get(f"{prefix}{next(serial)}", operation.context)}
                    with operation.context, operation.location, insertion_point_after(operation):
                        probe = create("interpreter.probe", [result], result.type, probe_id)
                    result.replace_all_uses_except(probe.results[0], [probe])


def _can_be_written(type_: ir.Type) -> bool:
    if not isinstance(type_, ir.RankedTensorType) or isinstance(type_.element_type, ir.IndexType):
        return False
    try:
        decoded = decode_type(type_)
    except StablehloError:  # elements that the spec does not have
        return False
    return isinstance(decoded, TensorType) and decoded.is_static and decoded.element_type.kind is not Kind.QUANTIZED

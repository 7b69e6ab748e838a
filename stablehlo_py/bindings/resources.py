"""Constants whose values lie in a resource of the file, which some consumers of programs do not read."""

from __future__ import annotations

from .provider import ir
from .walk import operations


def write_out_resources(module: ir.Operation) -> bool:
    """Give constants with resources the values as attributes of their own, in place; return whether there were any."""
    found = [
        operation
        for operation in operations(module)
        if operation.name == "stablehlo.constant"
        and not isinstance(operation.attributes["value"], ir.DenseElementsAttr)
    ]
    if found:
        from .elements import from_numpy, to_numpy

        for operation in found:
            values = to_numpy(operation.attributes["value"])
            operation.attributes["value"] = from_numpy(values, operation.results[0].type)
    return bool(found)

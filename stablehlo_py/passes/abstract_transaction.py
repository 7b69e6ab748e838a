"""Changes to a module that happen as a whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..bindings import ir
from ..bindings.diagnostics import describe
from ..bindings.walk import body_of, children
from ..errors import VerificationError

Result = TypeVar("Result")


def transformed(module: ir.Operation, change: Callable[[ir.Operation], Result]) -> Result:
    """Return the result of `change` for a copy of the module; the copy's content replaces the module's if nothing is
    raised and the copy verifies. Raises `VerificationError` otherwise."""
    copy = module.clone(ip=None)
    with ir.Location.unknown(module.context):  # types have to be created at some location
        result = change(copy)
    try:
        copy.verify()
    except ir.MLIRError as error:
        raise VerificationError([describe(diagnostic) for diagnostic in error.error_diagnostics]) from error
    for op in children(module):
        op.erase()
    point = ir.InsertionPoint(body_of(module))
    for op in children(copy):
        op.detach_from_parent()
        point.insert(op)
    for name, attribute in copy.attributes.items():
        if name not in module.attributes:
            module.attributes[name] = attribute
    for name, _ in list(module.attributes.items()):
        if name not in copy.attributes:
            del module.attributes[name]
    return result

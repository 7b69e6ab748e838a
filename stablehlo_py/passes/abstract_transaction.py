"""Passes whose changes to a module happen as a whole or not at all."""

from __future__ import annotations

from ..bindings import ir
from ..bindings.build import detached_copy
from ..bindings.diagnostics import describe
from ..bindings.walk import body_of, children
from ..errors import VerificationError
from .base import Pass


class Transaction(Pass):
    """A pass that changes a copy of the module, whose content replaces the module's once it verifies."""

    def change(self, module: ir.Operation) -> None:
        """Change a module. After an exception the pass's module is as it was."""
        raise NotImplementedError

    def run(self, op: ir.Operation) -> None:
        copy = detached_copy(op)
        with ir.Location.unknown(op.context):  # types have to be created at some location
            self.change(copy)
        try:
            copy.verify()
        except ir.MLIRError as error:
            raise VerificationError([describe(diagnostic) for diagnostic in error.error_diagnostics]) from error
        replace_contents(op, copy)


def replace_contents(op: ir.Operation, copy: ir.Operation) -> None:
    """Give a module the ops and the attributes of another one."""
    for inner in children(op):
        inner.erase()
    point = ir.InsertionPoint(body_of(op))
    for inner in children(copy):
        inner.detach_from_parent()
        point.insert(inner)
    for name, _ in list(op.attributes.items()):
        if name not in copy.attributes:
            del op.attributes[name]
    for name, attribute in copy.attributes.items():
        op.attributes[name] = attribute

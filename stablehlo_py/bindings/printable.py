"""Programs that MLIR's reader and verifier accept, and that its printer does not survive."""

from __future__ import annotations

from .provider import ir
from .walk import visit_operations

_FUNCTION = "vhlo.func_v1"
# The only op of VHLO with a form of its own. Its printer casts these attributes, which nothing has verified.
_KINDS = (
    ("sym_name", "#vhlo.string_v1<", "a string"),
    ("function_type", "#vhlo.type_v1<!vhlo.func_v1<", "a function type"),
)


def unprintable(module: ir.Operation) -> tuple[ir.Operation, str] | None:
    """Return an op within `module` that cannot be printed and the reason, or None if all can be."""
    functions = list[ir.Operation]()

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == _FUNCTION:
            functions.append(op)
        return ir.WalkResult.ADVANCE

    visit_operations(module, visit)
    for function in functions:
        for name, beginning, kind in _KINDS:
            if name not in function.attributes or not str(function.attributes[name]).startswith(beginning):
                return function, f"'{_FUNCTION}' op attribute '{name}' is not {kind}"
    return None

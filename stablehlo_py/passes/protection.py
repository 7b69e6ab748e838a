"""Protection of ops from passes written in C++ that crash on them or get them wrong: other ops replace them meanwhile.

A check op, which is unregistered in memory, becomes a `stablehlo.custom_call` of its name. An addition of booleans,
whose `true + true` may be true by the specification, becomes a `stablehlo.or`, which is equal and folds correctly.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ..bindings import ir
from ..bindings.build import attributes_of, create
from ..bindings.diagnostics import diagnostics_to, file_location
from ..bindings.walk import operations
from ..errors import Diagnostic, PassError
from ..syntax.source import CHECK_PREFIX

# Passes that look up the dialect of an op that uses a value, without asking whether there is one, and that add booleans
# as integers of one bit.
UNSAFE_PASSES = frozenset({"stablehlo-refine-shapes"})
_MARK = "stablehlo_py.stands_for"  # a dictionary with the name and the attributes of the op that was there


def _is_boolean(value: ir.Value) -> bool:
    element = ir.ShapedType(value.type).element_type
    return isinstance(element, ir.IntegerType) and element.width == 1


def _exchange(op: ir.Operation, name: str, attributes: dict[str, ir.Attribute]) -> ir.Operation:
    types = [result.type for result in op.results]
    new = create(name, list(op.operands), types, attributes, at=ir.InsertionPoint(op), location=op.location)
    for result, value in zip(op.results, new.results, strict=True):
        result.replace_all_uses_with(value)
    op.erase()
    return new


def _protect(op: ir.Operation) -> None:
    original = ir.DictAttr.get({**attributes_of(op), _MARK: ir.StringAttr.get(op.name)})
    if not op.name.startswith(CHECK_PREFIX):
        _exchange(op, "stablehlo.or", {_MARK: original})
        return
    target = {"call_target_name": ir.StringAttr.get(op.name), "has_side_effect": ir.BoolAttr.get(True)}
    message = f"'{op.name}' op on {', '.join(str(value.type) for value in op.operands)}"
    context, stand_in = op.context, _exchange(op, "stablehlo.custom_call", {**target, _MARK: original})
    try:
        with diagnostics_to(context, lambda _: None):
            stand_in.verify()
    except ir.MLIRError:
        message += " is not for this pass: StableHLO has no such type"
        raise PassError([Diagnostic("error", file_location(stand_in.location), message)]) from None


def _restore(op: ir.Operation) -> None:
    attributes = {named.name: named.attr for named in ir.DictAttr(op.attributes[_MARK])}
    _exchange(op, ir.StringAttr(attributes.pop(_MARK)).value, attributes)


@contextmanager
def unsafe_ops_protected(root: ir.Operation) -> Generator[None]:
    """Replace the check ops and the additions of booleans within `root` until the `with` block ends."""
    with root.context:
        unsafe = [
            op
            for op in operations(root)
            if op.name.startswith(CHECK_PREFIX) or (op.name == "stablehlo.add" and _is_boolean(op.results[0]))
        ]
        try:
            for op in unsafe:
                _protect(op)
            yield
        finally:
            for op in [op for op in operations(root) if unsafe and _MARK in op.attributes]:
                _restore(op)

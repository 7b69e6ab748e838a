"""Protection of additions of booleans from a pass that folds `true + true` to false; the specification says true.

While such a pass runs, each of these ops is a `stablehlo.or`, which is the same on booleans and is folded right.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..bindings import ir
from ..bindings.build import attributes_of, create
from ..bindings.walk import operations

# Passes that add booleans as integers of one bit.
WRONG_PASSES = frozenset({"stablehlo-refine-shapes"})
_ADD, _OR = "stablehlo.add", "stablehlo.or"
_MARK = "stablehlo_py.boolean_addition"


def _is_boolean(value: ir.Value) -> bool:
    element = ir.ShapedType(value.type).element_type
    return isinstance(element, ir.IntegerType) and element.width == 1


def _rename(op: ir.Operation, name: str, attributes: dict[str, ir.Attribute]) -> None:
    result = op.results[0]
    new = create(name, list(op.operands), result.type, attributes, at=ir.InsertionPoint(op), location=op.location)
    result.replace_all_uses_with(new.results[0])
    op.erase()


@contextmanager
def boolean_additions_protected(root: ir.Operation) -> Iterator[None]:
    """Turn the additions of booleans within `root` into `or` ops, and what is left of them back at the end."""
    additions = [op for op in operations(root) if op.name == _ADD and _is_boolean(op.results[0])]
    for op in additions:
        _rename(op, _OR, attributes_of(op) | {_MARK: ir.UnitAttr.get(root.context)})
    try:
        yield
    finally:
        for op in [op for op in operations(root) if additions and op.name == _OR and _MARK in op.attributes]:
            _rename(op, _ADD, {name: value for name, value in attributes_of(op).items() if name != _MARK})

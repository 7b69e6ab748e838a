"""Protection of check ops, which are unregistered in memory, from passes that crash on unregistered ops.

While such a pass runs, each check op is a `stablehlo.custom_call` of the same name, operands and attributes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..bindings import ir
from ..bindings.diagnostics import diagnostics_to, file_location
from ..bindings.walk import children, operations
from ..errors import Diagnostic, PassError
from ..syntax.check_dialect import GenericForm
from ..syntax.printer import Printing, print_text
from ..syntax.scanner import AttributeText, Cursor
from ..syntax.source import CHECK_PREFIX

# Passes that look up the dialect of an op that uses a value, without asking whether there is one.
UNSAFE_PASSES = frozenset({"stablehlo-refine-shapes"})
_TARGET = "call_target_name"
_SIDE_EFFECT = "has_side_effect"
_MARK = "stablehlo_py.check"


def _is_stand_in(op: ir.Operation) -> bool:
    return op.name == "stablehlo.custom_call" and _MARK in op.attributes


def _replace(op: ir.Operation, name: str, attributes: dict[str, AttributeText]) -> None:
    """Replace `op` by an op of another name, by way of text.

    The bindings cannot copy every attribute: they do not know those with complex elements.
    """
    operands = list(op.operands)
    arguments = ", ".join(f"%a{index}: {value.type}" for index, value in enumerate(operands))
    uses = ", ".join(f"%a{index}" for index in range(len(operands)))
    types = ", ".join(str(value.type) for value in operands)
    written = ", ".join(key if value.value == "unit" else f"{key} = {value}" for key, value in attributes.items())
    check = f'"{name}"({uses}) {{{written}}} : ({types}) -> () {op.location}'
    text = f"func.func private @f({arguments}) {{ {check}\n return }}"
    function = ir.Operation.parse(text, context=op.context)
    new = children(function.operation)[0]
    for index, value in enumerate(operands):
        new.operands[index] = value
    new.move_before(op)
    op.erase()


def _form(op: ir.Operation) -> GenericForm:
    text = print_text(op, Printing(print_generic_op_form=True, use_local_scope=True))
    return GenericForm.read(Cursor(text, text.index('"')))


def _protect(root: ir.Operation) -> None:
    for op in [op for op in operations(root) if op.name.startswith(CHECK_PREFIX)]:
        attributes = _form(op).attributes
        attributes[_TARGET] = AttributeText(f'"{op.name}"')
        attributes[_SIDE_EFFECT] = AttributeText("true")
        attributes[_MARK] = AttributeText("unit")
        try:
            with diagnostics_to(op.context, lambda _: None):
                _replace(op, "stablehlo.custom_call", attributes)
        except ir.MLIRError:
            types = ", ".join(str(value.type) for value in op.operands)
            message = f"'{op.name}' op on {types} is not for this pass: StableHLO has no such type"
            raise PassError([Diagnostic("error", file_location(op.location), message)]) from None


def _restore(root: ir.Operation) -> None:
    for op in filter(_is_stand_in, operations(root)):
        attributes = _form(op).attributes
        name = attributes[_TARGET].value[1:-1]
        kept = {key: value for key, value in attributes.items() if key not in (_TARGET, _SIDE_EFFECT, _MARK)}
        _replace(op, name, kept)


@contextmanager
def check_ops_protected(root: ir.Operation) -> Iterator[None]:
    """Turn the check ops within `root` into custom calls, and back at the end of the `with` block."""
    if not root.context.allow_unregistered_dialects:
        yield
        return
    try:
        _protect(root)
        yield
    finally:
        _restore(root)

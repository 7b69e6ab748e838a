"""Module → text, with check ops in the form that their dialect gives them."""

from __future__ import annotations

from typing import NamedTuple

from ..bindings import ir
from ..bindings.walk import any_operation, body_of
from .source import CHECK_PREFIX


class Printing(NamedTuple):
    """The options of printing. Elements attributes of more than `large_elements_limit` elements are elided, and so are
    resources of more than `large_resource_limit` characters; None means no limit."""

    large_elements_limit: int | None = None
    large_resource_limit: int | None = None
    enable_debug_info: bool = False
    pretty_debug_info: bool = False
    print_generic_op_form: bool = False
    use_local_scope: bool = False
    use_name_loc_as_prefix: bool = False
    skip_regions: bool = False
    # Without it an op that does not verify is printed in its generic form.
    assume_verified: bool = True


_WHILE = "stablehlo.while"
_SLICE = "stablehlo.dynamic_slice"


def _loses_types(op: ir.Operation) -> bool:
    """Whether a loop has other types inside than its operands. The pretty form only has the operands' types."""
    if op.name != _WHILE:
        return False
    types = [value.type for value in op.operands]
    inner = [[argument.type for argument in body_of(op, index).arguments] for index in range(2)]
    return any(types != other for other in ([result.type for result in op.results], *inner))


def print_text(op: ir.Operation | ir.Module | ir.OpView, printing: Printing | None = None) -> str:
    """Return the text of `op`; a module's ends with a line break. `readable_text` can be read again."""
    how = Printing() if printing is None else printing
    text = str(op.operation.get_asm(**how._asdict()))
    if CHECK_PREFIX not in text:
        return text
    from .check_dialect import write_check_ops

    return write_check_ops(text, generic=how.print_generic_op_form)


def readable_text(op: ir.Operation | ir.Module | ir.OpView) -> str:
    """Return the text of `op`, in generic form if its pretty one could not be read again."""
    text = print_text(op)
    # The pretty form of a slice of a scalar leaves out the empty list of start indices, which its parser wants.
    is_slice_of_scalar = _SLICE in text and any_operation(
        op.operation, lambda each: each.name == _SLICE and len(each.operands) == 1
    )
    is_lost = is_slice_of_scalar or loses_types(op, text)
    return print_text(op, Printing(print_generic_op_form=True)) if is_lost else text


def loses_types(op: ir.Operation | ir.Module | ir.OpView, text: str) -> bool:
    """Whether the pretty text of `op` has a loop that does not say its types."""
    return f"{_WHILE}(" in text and any_operation(op.operation, _loses_types)

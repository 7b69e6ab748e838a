"""Module → text, with check ops in the form that their dialect gives them."""

from __future__ import annotations

from typing import NamedTuple

from ..bindings import ir
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


def print_text(op: ir.Operation | ir.Module | ir.OpView, printing: Printing | None = None) -> str:
    """The text of `op`; a module's ends with a line break."""
    how = Printing() if printing is None else printing
    printed = op.operation.get_asm(
        large_elements_limit=how.large_elements_limit,
        large_resource_limit=how.large_resource_limit,
        enable_debug_info=how.enable_debug_info,
        pretty_debug_info=how.pretty_debug_info,
        print_generic_op_form=how.print_generic_op_form,
        use_local_scope=how.use_local_scope,
        use_name_loc_as_prefix=how.use_name_loc_as_prefix,
        assume_verified=how.assume_verified,
        skip_regions=how.skip_regions,
    )
    text = str(printed)
    if CHECK_PREFIX not in text:
        return text
    from .check_dialect import write_check_ops

    return write_check_ops(text, generic=how.print_generic_op_form)

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
    text = str(op.operation.get_asm(**how._asdict()))
    if CHECK_PREFIX not in text:
        return text
    from .check_dialect import write_check_ops

    return write_check_ops(text, generic=how.print_generic_op_form)

"""The flags of MLIR's printer, which `stablehlo-opt` and `stablehlo-translate --deserialize` share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .options import OPT

if TYPE_CHECKING:
    from ..bindings import ir
    from .command_line import Options


def printed(program: ir.Module | ir.Operation, options: Options) -> bytes:
    """Return the text of `program` as the command line wants it, with a line break at its end."""
    from ..syntax import Printing, loses_types, print_text

    printing = Printing(
        large_elements_limit=options.integer("mlir-elide-elementsattrs-if-larger"),
        large_resource_limit=options.integer("mlir-elide-resource-strings-if-larger"),
        enable_debug_info=options.switch("mlir-print-debuginfo") or options.switch("mlir-pretty-debuginfo"),
        pretty_debug_info=options.switch("mlir-pretty-debuginfo"),
        print_generic_op_form=options.switch("mlir-print-op-generic"),
        use_local_scope=options.switch("mlir-print-local-scope"),
        use_name_loc_as_prefix=options.switch("mlir-use-nameloc-as-prefix"),
        skip_regions=options.switch("mlir-print-skip-regions"),
        assume_verified=options.tool != OPT
        or options.switch("verify-each")
        or options.switch("mlir-print-assume-verified"),
    )
    unique, users = options.switch("mlir-print-unique-ssa-ids"), options.switch("mlir-print-value-users")
    if unique or users:
        from ..syntax.value_names import print_with_names

        text = print_with_names(program.operation, printing, unique=unique, users=users)
    else:
        text = print_text(program, printing)
    if loses_types(program, text):
        from .messages import announce

        message = "the pretty form of a 'stablehlo.while' with other types inside cannot be read again"
        announce("warning", message, "--mlir-print-op-generic prints a text that can")
    return f"{text}\n".encode() if not text.endswith("\n") else text.encode()

"""The flags of `stablehlo-opt` for the abstract interpretation library."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..shapes.library import activate, active_library, library

if TYPE_CHECKING:
    from ..bindings import ir
    from .command_line import Options
    from .output import Output


def use_library(_value: str, options: Options) -> None:
    """Adds the library functions of Python files to the built-in ones."""
    activate(library(options.all("abstract-interp-library")))


def print_library(op: str, options: Options) -> int:
    """Print the library functions as MLIR, for one op or all; an op without a dialect's name is of StableHLO. Returns
    the exit code."""
    from ..bindings import ir, make_context

    if options.is_given("abstract-interp-library"):
        use_library("", options)
    name = op if "." in op or not op else f"stablehlo.{op}"
    found = active_library().functions(op=name)
    if not found:
        raise UsageError(f"no shape or dtype function is known for '{name}'")
    with make_context():
        sys.stdout.write(f"{ir.Module.parse(active_library().text(found))}\n")
    return 0


def print_stub(op: str, options: Options) -> int:
    """Prints a file with the heads of an op's functions. Returns the exit code."""
    from ..shapes.signatures import stub_file

    sys.stdout.write(stub_file(op))
    return 0


def _printing(report: str) -> Callable[[str, Options], None]:
    """A handler that prints a report on the module instead of the module."""

    def write(module: ir.Module, output: Output) -> None:
        from ..passes import abstract_reports

        output.write(getattr(abstract_reports, report)(module.operation).encode())

    return lambda _, options: options.printers.append(write)


print_symbolic_shapes, print_why_dynamic = _printing("symbolic_shapes"), _printing("why_dynamic")

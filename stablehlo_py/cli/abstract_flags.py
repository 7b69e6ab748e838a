"""The flags of `stablehlo-opt` for the abstract interpretation library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..abstract.library import activate, active_library, library
from ..errors import UsageError

if TYPE_CHECKING:
    from ..bindings import ir
    from .opt_flags import Options
    from .output import Output


def use_library(paths: str, options: Options) -> None:
    """Adds the calculations of Python files, one in each line of `paths`, to the built-in ones."""
    activate(library(paths.split("\n")))


def print_library(op: str, options: Options) -> int:
    """Prints the calculations as MLIR, those of one op or all; an op without a dialect's name is of StableHLO.
    Returns the exit code."""
    import sys

    from ..bindings import ir, make_context

    if options.is_given("abstract-interp-library"):
        use_library(options.text("abstract-interp-library"), options)
    name = op if "." in op or not op else f"stablehlo.{op}"
    found = active_library().calculations(op=name)
    if not found:
        raise UsageError(f"no shape or dtype function is known for '{name}'")
    with make_context():
        sys.stdout.write(f"{ir.Module.parse(active_library().text(found))}\n")
    return 0


def print_stub(op: str, options: Options) -> int:
    """Prints a file with the heads of an op's functions. Returns the exit code."""
    import sys

    from ..abstract.signatures import stub_file

    sys.stdout.write(stub_file(op))
    return 0


def print_symbolic_shapes(_: str, options: Options) -> None:
    """Prints symbolic shapes instead of the module."""

    def write(module: ir.Module, output: Output) -> None:
        from ..passes.abstract_reports import symbolic_shapes

        output.write(symbolic_shapes(module.operation).encode())

    options.printers.append(write)


def print_why_dynamic(_: str, options: Options) -> None:
    """Prints why extents are unknown instead of the module."""

    def write(module: ir.Module, output: Output) -> None:
        from ..passes.abstract_reports import why_dynamic

        output.write(why_dynamic(module.operation).encode())

    options.printers.append(write)

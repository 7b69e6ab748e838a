"""The options that only tell something: help, versions, passes, dialects."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ..artifacts.header import read_header
from ..bindings import ir, make_context, provider, stablehlo_extension
from ..bindings.capabilities import missing as missing_capabilities
from ..bindings.context import PROGRAM_DIALECTS, has_dialect, is_registered_pass, loaded_dialects
from ..errors import UsageError
from ..passes.catalog import Description, available_passes, compiled_passes, describe_pass, passes_elsewhere
from ..syntax.spelling import hint
from ..version import __version__
from .command_line import Options
from .options import GROUPS, OPT, TRANSLATE, Option, spelling

if TYPE_CHECKING:
    from .output import Output

# The usage of each tool, and a sentence about it.
INTRODUCTION = {
    OPT: (
        "[FLAG | PASS]... [FILE]",
        "Reads a StableHLO module (text, MLIR bytecode or a portable artifact) from FILE, or from standard input for "
        "`-` or without FILE; runs passes on it in the order of their flags; prints the result. Flags can be written "
        "with one dash or two. The options of a pass follow its flag: --vhlo-to-version=target=1.9.0",
    ),
    TRANSLATE: (
        "[FLAG]... [FILE]",
        "Interprets a StableHLO program (text, bytecode or portable artifact), or translates it to and from portable "
        "artifacts. FILE is a path, or - for standard input; a flag may have one dash or two. Several steps are taken "
        "in their order.",
    ),
}


def descriptions() -> list[Description]:
    """Return all passes, with their options."""
    context = make_context()
    return [describe_pass(name, context) for name in available_passes()]


def _summary(option: Option) -> str:
    has_default = option.default and not option.variable  # which may say something else
    return f"{option.summary} (default: {option.default})" if has_default else option.summary


def served(tool: str) -> dict[str, list[Option]]:
    """Return the options that a tool serves, by their headings."""
    found = {title: [one for one in group if tool in one.tools and not one.refused] for title, group in GROUPS.items()}
    return {title: group for title, group in found.items() if group}


def show_help(_value: str, options: Options) -> int:
    """Print all options and passes."""
    usage, introduction = INTRODUCTION[options.tool]
    formatter = click.HelpFormatter(width=min(shutil.get_terminal_size().columns, 120))
    formatter.write_usage(options.tool, usage)
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(introduction)
    for title, group in served(options.tool).items():
        with formatter.section(title):
            formatter.write_dl([(spelling(one), _summary(one)) for one in group], col_max=34)
    if options.tool == OPT:
        with formatter.section("Pass flags (--list-passes shows their options)"):
            formatter.write_dl([(f"--{one.name}", one.summary) for one in descriptions()], col_max=34)
    sys.stdout.write(formatter.getvalue())
    return 0


def show_version(_value: str, _options: Options) -> int:
    """Print the versions."""
    sys.stdout.write(version_text())
    return 0


def list_passes(_value: str, _options: Options) -> int:
    """Print every pass: its flag, its anchor, its summary, and its options with their defaults."""
    for description in descriptions():
        where = "" if description.anchor == "any" else f" [{description.anchor}]"
        sys.stdout.write(f"--{description.name}{where}\n    {description.summary}\n")
        for option in description.options:
            summary = f"  {option.summary}" if option.summary else ""
            sys.stdout.write(f"      {option.name}={option.default}{summary}\n")
    for name in sorted(filter(is_registered_pass, passes_elsewhere())):
        sys.stdout.write(f"--{name}\n    A pass of {provider.distribution} that other providers lack\n")
    return 0


def show_dialects(_value: str, _options: Options) -> int:
    """Print the dialects that can be read, the check dialect included."""
    sys.stdout.write(f"Available Dialects: {','.join(sorted([*loaded_dialects(make_context()), 'check']))}\n")
    return 0


def bytecode_version() -> int:
    """Return the version of the MLIR bytecode in artifacts of the current version."""
    with make_context():
        module = ir.Module.parse("func.func @main() {\n  return\n}")
        data = stablehlo_extension.serialize_portable_artifact(module, stablehlo_extension.get_current_version())
    return read_header(data).bytecode_version


def missing() -> dict[str, list[str]]:
    """Return by kind what other releases have and the installed one lacks."""
    context = make_context()
    return {
        "dialects": [name for name in PROGRAM_DIALECTS if not has_dialect(context, name)],
        "passes": sorted(set(compiled_passes()) - set(available_passes())),
        "capabilities": missing_capabilities(with_substitute=False),
        "capabilities that have a substitute": missing_capabilities(with_substitute=True),
    }


def version_text() -> str:
    """Return the versions of this package, of StableHLO with the oldest writable one, of the bytecode and of the
    provider, and the provider's missing features."""
    current, minimum = stablehlo_extension.get_current_version(), stablehlo_extension.get_minimum_version()
    lines = [
        f"stablehlo-py {__version__}",
        f"StableHLO {current} (minimum {minimum})",
        f"MLIR bytecode {bytecode_version()}",
        f"provider {provider.name} {provider.version()}",
        *(f"  lacks {kind}: {', '.join(names)}" for kind, names in missing().items() if names),
    ]
    return "".join(f"{line}\n" for line in lines)


def explain_op(name: str, _options: Options) -> int:
    """Print the contract of the StableHLO op `name`, with or without the dialect in front. Raises UsageError."""
    from ..analysis.op_description import describe, too_new
    from ..dialect.catalog import contract, contract_names

    found = contract(name.removeprefix("stablehlo."))
    if found is None:
        raise UsageError(f"StableHLO has no op '{name}'{hint(name.removeprefix('stablehlo.'), contract_names())}")
    if not make_context().is_registered_operation(f"stablehlo.{found.op}"):
        raise UsageError(too_new(found.op))
    sys.stdout.write(describe(found))
    return 0


def use_library(_value: str, options: Options) -> None:
    """Add the library functions of Python files to the built-in ones."""
    from ..shapes import library

    library.activate(library.library(options.all("abstract-interp-library")))


def print_library(op: str, options: Options) -> int:
    """Print the library functions as MLIR, for one op or all; an op without a dialect's name is of StableHLO. Returns
    the exit code."""
    from ..shapes.library import active_library

    if options.is_given("abstract-interp-library"):
        use_library("", options)
    name = op if "." in op or not op else f"stablehlo.{op}"
    found = active_library().functions(op=name)
    if not found:
        guess = hint(name, {key[1] for key in active_library().registrations})
        raise UsageError(f"no shape or dtype function is known for '{name}'{guess}")
    with make_context():
        sys.stdout.write(f"{ir.Module.parse(active_library().text(found))}\n")
    return 0


def print_stub(op: str, options: Options) -> int:
    """Print a file with the heads of an op's functions. Returns the exit code."""
    from ..shapes.signatures import stub_file

    sys.stdout.write(stub_file(op))
    return 0


def _printing(report: str) -> Callable[[str, Options], None]:
    """Return a handler that prints a report on the module instead of the module."""

    def write(module: ir.Module, output: Output) -> None:
        from ..passes import abstract_reports

        output.write(getattr(abstract_reports, report)(module.operation).encode())

    return lambda _, options: options.printers.append(write)


print_symbolic_shapes, print_why_dynamic = _printing("symbolic_shapes"), _printing("why_dynamic")

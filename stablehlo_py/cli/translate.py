"""`stablehlo-translate`: interprets, serializes and deserializes programs. Drop-in for the tool of the same name."""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from ..errors import Diagnostic, DiagnosticsError, StablehloError, UsageError
from .common import DiagnosticPrinter, Output, run_tool

TOOL = "stablehlo-translate"
SPLIT_MARKER = "// -----"

_NEGATIVE_NUMBER = re.compile(r"-\d")
# Flags whose value is optional on LLVM's command lines, and what stands for a missing one.
_OPTIONAL_VALUES = {"split-input-file": SPLIT_MARKER}


def llvm_arguments(arguments: list[str]) -> list[str]:
    """The arguments as click understands them: LLVM's flags have one dash or two."""
    result = []
    for argument in arguments:
        if argument.startswith("-") and argument not in ("-", "-o", "-h") and not _NEGATIVE_NUMBER.match(argument):
            name = argument.lstrip("-")
            if name in _OPTIONAL_VALUES:
                name = f"{name}={_OPTIONAL_VALUES[name]}"
            argument = f"-o={name[2:]}" if name.startswith("o=") else f"--{name}"
            if argument.startswith("-o="):
                result += ["-o", argument[3:]]
                continue
        result.append(argument)
    return result


class _Translation:
    """One run of the tool: what to do with each chunk of the input."""

    def __init__(self, flags: dict[str, Any]) -> None:
        self.flags = flags
        self.output = Output(flags["output_file"])

    def translate(self) -> int:
        """The exit code, after writing what was asked for."""
        from ..syntax import read_source, split_source

        source = read_source(self.flags["input_file"])
        marker = self.flags["split_input_file"]
        chunks = [source] if marker is None else split_source(source, marker)[0]
        succeeded = True
        for index, chunk in enumerate(chunks):
            if index:
                self.output.write(f"{self.flags['output_split_marker']}\n".encode())
            succeeded = self._translate_chunk(chunk) and succeeded
        if succeeded:
            self.output.commit()
        return 0 if succeeded else 1

    def _translate_chunk(self, chunk: Any) -> bool:
        printer = DiagnosticPrinter({chunk.name: chunk})
        try:
            if self.flags["verify_diagnostics"]:
                return self._verify_diagnostics(chunk, printer)
            self.output.write(self._result(chunk))
        except DiagnosticsError as error:
            for diagnostic in error.diagnostics:
                printer(diagnostic)
            return False
        except UsageError:
            raise
        except StablehloError as error:
            printer(as_diagnostic(error))
            return False
        return True

    def _verify_diagnostics(self, chunk: Any, printer: DiagnosticPrinter) -> bool:
        from ..syntax.expected import ExpectedDiagnostics

        expected = ExpectedDiagnostics.read(chunk.name, chunk.lines, only_expected=False)
        try:
            self.output.write(self._result(chunk))
        except DiagnosticsError as error:
            for diagnostic in error.diagnostics:
                expected.receive(diagnostic)
        except StablehloError as error:
            expected.receive(as_diagnostic(error))
        failures = expected.finish()
        for failure in failures:
            printer(failure)
        return not failures

    def _result(self, chunk: Any) -> bytes:
        if self.flags["deserialize"]:
            return self._deserialize(chunk)
        module = self._parse(chunk)
        if self.flags["serialize"]:
            from ..vhlo.artifact import serialize

            return serialize(
                module,
                self.flags["target"],
                allow_other_dialects=self.flags["allow_other_dialects"],
                strip_debuginfo=self.flags["strip_debuginfo"],
            )
        from .interpret import Request, interpret

        names = Request.__dataclass_fields__
        return interpret(module, Request(**{name: self.flags[name] for name in names})).encode()

    def _parse(self, chunk: Any) -> Any:
        """The module in text, bytecode or an artifact; an artifact's comes in StableHLO."""
        from ..bindings import make_context
        from ..syntax import parse_source

        context = make_context(allow_unregistered_dialects=self.flags["allow_unregistered_dialect"])
        if chunk.is_bytecode:
            from ..vhlo.artifact import deserialize, parse_bytecode
            from ..vhlo.header import read_header

            read = deserialize if read_header(chunk.data).is_portable else parse_bytecode
            return read(chunk.data, context=context)
        return parse_source(chunk, context)

    def _deserialize(self, chunk: Any) -> bytes:
        from ..vhlo.artifact import deserialize, deserialize_text
        from ..vhlo.header import artifact_version_line

        if self.flags["print_stablehlo_version"]:
            print(artifact_version_line(chunk.data), flush=True)
        is_text = chunk.data and not chunk.is_bytecode
        module = deserialize_text(chunk.data) if is_text else deserialize(chunk.data)
        text: str = module.operation.get_asm(  # pyright: ignore[reportAssignmentType]  # text unless binary
            enable_debug_info=self.flags["mlir_print_debuginfo"],
            print_generic_op_form=self.flags["mlir_print_op_generic"],
        )
        return text.encode() if text.endswith("\n") else f"{text}\n".encode()


def as_diagnostic(error: StablehloError) -> Diagnostic:
    """The error as the compiler would report it."""
    notes = tuple(Diagnostic("note", error.location, note) for note in error.notes)
    subject = f"'{error.op}' op " if error.op else ""
    return Diagnostic("error", error.location, subject + error.message, notes)


@click.command(TOOL, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.argument("input_file", default="-")
@click.option("-o", "output_file", default="-", metavar="FILE", help="Write to this file, whole or not at all.")
@click.option("--interpret", is_flag=True, help="Run the program and print its results.")
@click.option("--serialize", is_flag=True, help="Write the program as a portable artifact.")
@click.option("--deserialize", is_flag=True, help="Print the program in a portable artifact.")
@click.option("--split-input-file", metavar="MARKER", help="Treat the chunks between markers as separate files.")
@click.option("--output-split-marker", default="", metavar="MARKER", help="Print this between the chunks' results.")
@click.option("--allow-unregistered-dialect", is_flag=True, help="Let ops of unknown dialects pass.")
@click.option("--verify-diagnostics", is_flag=True, help="Compare diagnostics with expected-* comments.")
@click.option("--target", default="current", metavar="VERSION", help="Serialize: X.Y.Z, current, minimum, 4w or 12w.")
@click.option("--strip-debuginfo", is_flag=True, help="Serialize: leave locations out.")
@click.option("--allow-other-dialects", is_flag=True, help="Serialize: let other dialects' ops pass.")
@click.option("--print-stablehlo-version", is_flag=True, help="Deserialize: print the artifact's version first.")
@click.option("--mlir-print-op-generic", is_flag=True, help="Deserialize: print ops in their generic form.")
@click.option("--mlir-print-debuginfo", is_flag=True, help="Deserialize: print locations.")
@click.option("--args", default="", metavar="ATTRIBUTES", help="Interpret: arguments, [dense<1> : tensor<2xi32>, …].")
@click.option("--input", "inputs", multiple=True, metavar="@FILE.npy", help="Interpret: the next argument.")
@click.option("--inputs", "inputs_archive", default="", metavar="FILE.npz", help="Interpret: all arguments.")
@click.option("--output", default="", metavar="@FILE", help="Interpret: write results to an .npy or .npz file.")
@click.option("--function", default="main", metavar="NAME", help="Interpret: what to run, default main.")
@click.option("--interpreter-print-dense", "print_dense", is_flag=True, help="Interpret: print dense attributes.")
@click.option("--probe-output-dir", default="", metavar="FOLDER", help="Interpret: where probes write.")
@click.option("--num-replicas", type=click.IntRange(1, 4096), default=1, help="Interpret: rows of the process grid.")
@click.option("--num-partitions", type=click.IntRange(1, 4096), default=1, help="Interpret: columns of the grid.")
@click.option("--max-memory", type=click.IntRange(0), metavar="BYTES", help="Interpret: no tensor larger than this.")
@click.option("--max-steps", type=click.IntRange(0), metavar="N", help="Interpret: stop after so many ops.")
@click.option("--timeout", type=click.FloatRange(0), metavar="SECONDS", help="Interpret: stop after so long.")
@click.option("--deterministic", is_flag=True, help="Interpret: the same bits everywhere, also of large contractions.")
@click.option("--progress", is_flag=True, help="Interpret: show a bar on a terminal.")
@click.option("--profile", is_flag=True, help="Interpret: print time and bytes by op and location to stderr.")
def command(**flags: Any) -> int:
    """Interprets a StableHLO program (text, bytecode or portable artifact), or translates it to and from portable
    artifacts. INPUT_FILE is a path, or - for standard input; a flag may have one dash or two."""
    chosen = [name for name in ("interpret", "serialize", "deserialize") if flags[name]]
    if len(chosen) != 1:
        raise UsageError("one of --interpret, --serialize and --deserialize is needed" if not chosen else
                         f"only one of --{' and --'.join(chosen)} can be done at a time")  # fmt: skip
    given = [name for name in ("args", "inputs", "inputs_archive") if flags[name]]
    if len(given) > 1:
        raise UsageError("--args, --input and --inputs exclude each other")
    return _Translation(flags).translate()


def _run(arguments: list[str]) -> int:
    try:
        code = command.main(llvm_arguments(arguments), TOOL, standalone_mode=False)
    except click.ClickException as error:
        raise UsageError(f"{error.format_message()} (--help lists all flags)") from error
    except click.Abort:
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0


def main() -> None:
    """The console script."""
    sys.exit(run_tool(TOOL, _run))

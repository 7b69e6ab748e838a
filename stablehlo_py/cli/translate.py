"""`stablehlo-translate`: interprets, serializes and deserializes programs. Drop-in for the tool of the same name."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from ..processes import limits
from .common import Output, common_options, run_tool
from .driver import Chunks, Sink, describe_place, load_program, note_reading
from .guard import doing

if TYPE_CHECKING:
    from ..bindings import ir
    from ..syntax import Source

TOOL = "stablehlo-translate"
SPLIT_MARKER = "// -----"

_NEGATIVE_NUMBER = re.compile(r"-\d")
_FORMS = "hlo-text, hlo-proto, jax-export, mhlo, onnx or torch-export"
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

    def run(self) -> int:
        """The exit code, after writing what was asked for."""
        chunks = Chunks(
            split_marker=self.flags["split_input_file"],
            output_marker=self.flags["output_split_marker"],
            verify_diagnostics="all" if self.flags["verify_diagnostics"] else "",
        )
        return chunks.run(self.flags["input_file"], self.output, self._process)

    def _process(self, chunk: Source, sink: Sink) -> None:
        if self.flags["deserialize"]:
            self.output.write(self._deserialize(chunk))
            return
        from ..bindings import make_context

        context = make_context(allow_unregistered_dialects=self.flags["allow_unregistered_dialect"])
        module = load_program(chunk, context, sink, form=self.flags["import_form"])
        if self.flags["export"]:
            from ..formats import export

            self.output.write(export(module, self.flags["export"]))
            return
        work = self._serialize if self.flags["serialize"] else self._interpret
        self.output.write(work(module, describe_place(chunk)))

    def _serialize(self, module: ir.Module, place: str) -> bytes:
        from ..vhlo.artifact import serialize

        doing(f"serializing {place}", limit=limits())
        return serialize(
            module,
            self.flags["target"],
            allow_other_dialects=self.flags["allow_other_dialects"],
            strip_debuginfo=self.flags["strip_debuginfo"],
        )

    def _interpret(self, module: ir.Module, place: str) -> bytes:
        from .interpret import Request, interpret

        doing(f"interpreting {place}")
        names = Request.__dataclass_fields__
        return interpret(module, Request(**{name: self.flags[name] for name in names})).encode()

    def _deserialize(self, chunk: Source) -> bytes:
        from ..vhlo.artifact import deserialize, deserialize_text
        from ..vhlo.header import artifact_version_line

        if self.flags["print_stablehlo_version"]:
            print(artifact_version_line(chunk.data), flush=True)
        note_reading(chunk)
        is_text = chunk.data and not chunk.is_bytecode
        module = deserialize_text(chunk.data) if is_text else deserialize(chunk.data)
        doing(f"printing {describe_place(chunk)}", limit=limits().for_reading(len(chunk.data)))
        text: str = module.operation.get_asm(  # pyright: ignore[reportAssignmentType]  # text unless binary
            enable_debug_info=self.flags["mlir_print_debuginfo"],
            print_generic_op_form=self.flags["mlir_print_op_generic"],
        )
        return text.encode() if text.endswith("\n") else f"{text}\n".encode()


@click.command(TOOL, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.argument("input_file", default="-")
@click.option("-o", "output_file", default="-", metavar="FILE", help="Write to this file, whole or not at all.")
@click.option("--interpret", is_flag=True, help="Run the program and print its results.")
@click.option("--serialize", is_flag=True, help="Write the program as a portable artifact.")
@click.option("--deserialize", is_flag=True, help="Print the program in a portable artifact.")
@click.option("--export", default="", metavar="FORM", help="Write the program as hlo-text or hlo-proto.")
@click.option(
    "--import",
    "import_form",
    default="",
    metavar="FORM",
    help=f"Read {_FORMS}.",
)
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
@click.option("--profile-output", default="", metavar="FILE", help="Interpret: write the profile as JSON.")
@common_options
def command(**flags: Any) -> int:
    """Interprets a StableHLO program (text, bytecode or portable artifact), or translates it to and from portable
    artifacts. INPUT_FILE is a path, or - for standard input; a flag may have one dash or two."""
    chosen = [name for name in ("interpret", "serialize", "deserialize", "export") if flags[name]]
    if len(chosen) != 1:
        raise UsageError("one of --interpret, --serialize and --deserialize is needed" if not chosen else
                         f"only one of --{' and --'.join(chosen)} can be done at a time")  # fmt: skip
    given = [name for name in ("args", "inputs", "inputs_archive") if flags[name]]
    if len(given) > 1:
        raise UsageError("--args, --input and --inputs exclude each other")
    return _Translation(flags).run()


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

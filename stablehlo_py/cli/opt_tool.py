"""`stablehlo-opt`: reads each chunk of the input, runs the passes, prints the module."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from ..bindings import ir, make_context, provider
from ..bindings.bytecode import bytecode_of
from ..bindings.diagnostics import Sink, diagnostics_to, file_location
from ..errors import STRING, ArtifactError, Diagnostic, UsageError, VerificationError
from ..isolation.limits import limits
from ..isolation.tool import doing
from ..syntax import Printing, Source, parse_source, print_text, read_source
from ..syntax.top_level import without_implicit_module
from .command_line import Options, read_command_line
from .diagnostics import Filter
from .driver import Chunks, describe_source, load_program, subject_of
from .options import OPT
from .output import Output
from .printing import printed

if TYPE_CHECKING:
    from ..passes.reproducers import Reproduced


def _with_producer(data: bytes, producer: str) -> bytes:
    """Return bytecode that names another producer. Raises UsageError if resources depend on the length of the name."""
    from ..artifacts.artifact import check_bytecode
    from ..artifacts.header import read_header
    from ..artifacts.writers import ProducerWriter

    buffer = BytesIO()
    ProducerWriter(buffer, producer).write(data)
    try:
        check_bytecode(buffer.getvalue())
    except ArtifactError:
        length = len(read_header(data).producer)
        raise UsageError(
            f"--emit-bytecode-producer={producer}: resources are aligned for a name of {length} characters",
            notes=["a name of this length works, and so does a program without resources"],
        ) from None
    return buffer.getvalue()


def _print_program(program: ir.Module | ir.Operation, options: Options, output: Output) -> None:
    version = options.integer("emit-bytecode-version")
    if options.switch("emit-bytecode") or version is not None:
        buffer = BytesIO()
        received: list[Diagnostic] = []
        try:
            with diagnostics_to(program.context, received.append):
                program.operation.write_bytecode(buffer, version)
        except ValueError:
            found = "; ".join(diagnostic.message for diagnostic in received)
            raise UsageError(
                f"--emit-bytecode-version={version}: {found or 'no such version of MLIR bytecode'}"
            ) from None
        data, producer = buffer.getvalue(), options.text("emit-bytecode-producer")
        output.write(_with_producer(data, producer) if producer else data)
        return
    output.write(printed(program, options))


def _first_difference(expected: str, actual: str) -> str:
    for expected_line, actual_line in zip(expected.splitlines(), actual.splitlines(), strict=False):
        if expected_line != actual_line:
            return f"'{actual_line.strip()}' where '{expected_line.strip()}' was written"
    return "the number of lines differs"


def _verify_roundtrip(module: ir.Module) -> None:
    """Raise VerificationError where reading back what was written gives another module, and ParseError where what was
    written cannot be read."""
    printing = Printing(enable_debug_info=True)
    expected = print_text(module, printing)
    for form, data in (("text", expected.encode()), ("bytecode", bytecode_of(module))):
        actual = print_text(parse_source(Source(STRING, data), module.context), printing)
        if actual != expected:
            location = file_location(module.operation.location)
            message = f"the module read back from {form} differs: {_first_difference(expected, actual)}"
            raise VerificationError([Diagnostic("error", location, message)])


# Upstream's test passes: their errors are answers, not failures of the tool.
_TEST_PASSES = "hlo-test-"


class _Tool:
    """One run of the tool: a context that all chunks of the input share, and where results go."""

    def __init__(self, options: Options, output: Output) -> None:
        self.options = options
        self.output = output
        self.context = make_context()
        if options.is_given("irdl-file"):
            self._define_dialects(options.text("irdl-file"))

    def _define_dialects(self, path: str) -> None:
        """Make the dialects known that a file in MLIR's own language for dialects, IRDL, defines."""
        irdl = provider.optional_module("dialects.irdl")
        if not hasattr(irdl, "load_dialects"):
            raise UsageError(
                f"flag --irdl-file cannot be had: {provider.distribution} does not carry the IRDL dialect",
                notes=["torch-mlir does: pip install torch-mlir, and set STABLEHLO_PY_PROVIDER=torch_mlir"],
            )
        irdl.load_dialects(parse_source(read_source(path), self.context))

    def _parse(self, source: Source, sink: Sink) -> ir.Module:
        """The module in a chunk. Where unknown dialects are allowed, `sdy` can be one, as for the official tool."""
        lenient = self.options.switch("allow-unregistered-dialect")
        self.context.allow_unregistered_dialects = lenient
        try:
            return load_program(source, self.context, sink, artifact_as_vhlo=True)
        except VerificationError as error:
            if not lenient or not error.message.startswith("'sdy."):
                raise
        context = make_context(allow_unregistered_dialects=True, with_sdy=False)
        return load_program(source, context, sink, artifact_as_vhlo=True)

    def process(self, source: Source, sink: Sink) -> None:
        """Read, transform and print a chunk; diagnostics go to `sink`, or into the raised error."""
        reproduced: Reproduced | None = None
        if self.options.switch("run-reproducer"):
            from ..passes.reproducers import read_reproducer

            reproduced = read_reproducer(source)
            source = reproduced.source
        module = self._parse(source, sink)
        described = describe_source(source)
        if self.options.switch("verify-roundtrip"):
            _verify_roundtrip(module)
        for work in self.options.before_passes:
            work(module)
        program = without_implicit_module(module, source) if self.options.switch("no-implicit-module") else module
        if reproduced is not None or self.options.passes or self.options.is_given("pass-pipeline"):
            from .opt_passes import remarks_of, run_passes

            with remarks_of(program.context, self.options, sink):
                run_passes(program, self.options, sink, source, reproduced)
        for work in self.options.after_passes:
            work(module)
        subject = ("", "", b"") if self.options.passes else subject_of(source)
        doing(f"printing {described}", subject, limit=limits().for_reading(len(source.data)))
        for printer in self.options.printers:
            printer(module, self.output)
        if not self.options.printers:
            _print_program(program, self.options, self.output)


def _is_pass(name: str) -> bool:
    from ..passes.catalog import is_pass

    return is_pass(name)


def run(arguments: list[str]) -> int:
    """Return the exit code of the tool. Raises StablehloError for an error outside of all chunks."""
    options = read_command_line(OPT, arguments, _is_pass)
    code = options.handle()
    if code is not None:
        return code
    output = Output(options.text("o"))
    errors_fail = not any(name.startswith(_TEST_PASSES) for name, _ in options.passes)
    chunks = Chunks.of(options, Filter.of(options))._replace(may_be_empty=True, errors_fail=errors_fail)
    return chunks.run(options.input, output, _Tool(options, output).process)

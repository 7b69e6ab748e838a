"""What `stablehlo-opt` does with a command line: reads each chunk of the input, runs the passes, prints the module."""

from __future__ import annotations

import importlib
from dataclasses import replace

from ..bindings import ir, make_context
from ..bindings.diagnostics import Sink
from ..errors import Diagnostic, InputError, StablehloError, UsageError, VerificationError, as_diagnostics
from ..passes.catalog import is_pass
from ..syntax import Printing, Source, parse_source, print_text, read_source, split_source
from .common import DiagnosticPrinter, Output
from .constraint_notes import naming_constraints
from .guard import doing
from .opt_flags import FLAGS, Options, read_command_line


def _print_module(module: ir.Module, options: Options, output: Output) -> None:
    if options.printers:
        for printer in options.printers:
            printer(module, output)
        return
    version = options.integer("emit-bytecode-version")
    if options.switch("emit-bytecode") or version is not None:
        import io

        buffer = io.BytesIO()
        module.operation.write_bytecode(buffer, version)
        output.write(buffer.getvalue())
        return
    output.write(print_text(module, printing_of(options)).encode())


def printing_of(options: Options) -> Printing:
    """The printing flags of the command line."""
    return Printing(
        large_elements_limit=options.integer("mlir-elide-elementsattrs-if-larger"),
        large_resource_limit=options.integer("mlir-elide-resource-strings-if-larger"),
        enable_debug_info=options.switch("mlir-print-debuginfo") or options.switch("mlir-pretty-debuginfo"),
        pretty_debug_info=options.switch("mlir-pretty-debuginfo"),
        print_generic_op_form=options.switch("mlir-print-op-generic"),
        use_local_scope=options.switch("mlir-print-local-scope"),
        use_name_loc_as_prefix=options.switch("mlir-use-nameloc-as-prefix"),
        skip_regions=options.switch("mlir-print-skip-regions"),
        assume_verified=options.switch("verify-each") or options.switch("mlir-print-assume-verified"),
    )


class _Tool:
    """One run of the tool: a context that all chunks of the input share, and where results and diagnostics go."""

    def __init__(self, options: Options, output: Output) -> None:
        self.options = options
        self.output = output
        self.context = make_context()

    def process(self, source: Source) -> bool:
        """Whether one chunk of input went well; its diagnostics are printed."""
        printer = DiagnosticPrinter({source.name: source})
        if not self.options.is_given("verify-diagnostics"):
            return self._transform(source, naming_constraints(source, printer))
        from ..syntax.expected import ExpectedDiagnostics

        only_expected = self.options.text("verify-diagnostics") == "only-expected"
        expected = ExpectedDiagnostics.read(source.name, source.lines, only_expected=only_expected)
        self._transform(source, expected.receive)
        failures = expected.finish()
        for failure in failures:
            printer(failure)
        return not failures

    def _transform(self, source: Source, sink: Sink) -> bool:
        """Reads, transforms and prints a chunk. Every diagnostic goes to `sink` once."""
        received: list[Diagnostic] = []

        def receive(diagnostic: Diagnostic) -> None:
            received.append(diagnostic)
            sink(diagnostic if self.options.switch("mlir-print-op-on-diagnostic") else without_op(diagnostic))

        try:
            self._steps(source, receive)
        except (UsageError, InputError):  # they concern the command line, not this chunk
            raise
        except StablehloError as error:
            for diagnostic in as_diagnostics(error):
                if diagnostic not in received:
                    receive(diagnostic)
            return False
        return True

    def _parse(self, source: Source, sink: Sink) -> ir.Module:
        """The module in a chunk. Where unknown dialects are allowed, `sdy` can be one, as for the official tool."""
        lenient = self.options.switch("allow-unregistered-dialect")
        self.context.allow_unregistered_dialects = lenient
        received: list[Diagnostic] = []
        try:
            return parse_source(source, self.context, sink=received.append)
        except VerificationError as error:
            if not lenient or not error.message.startswith("'sdy."):
                raise
            received.clear()
        finally:
            for diagnostic in received:
                sink(diagnostic)
        context = make_context(allow_unregistered_dialects=True, with_sdy=False)
        return parse_source(source, context, sink=sink)

    def _steps(self, source: Source, sink: Sink) -> None:
        place = describe_place(source)
        doing(f"reading {place}", source)
        module = self._parse(source, sink)
        if self.options.switch("verify-roundtrip"):
            from .opt_roundtrip import verify_roundtrip

            verify_roundtrip(module)
        for work in self.options.before_passes:
            work(module)
        if self.options.passes or self.options.is_given("pass-pipeline"):
            from .opt_passes import run_passes

            run_passes(module, self.options, sink, place)
        for work in self.options.after_passes:
            work(module)
        doing(f"printing {place}", None if self.options.passes else source)
        _print_module(module, self.options, self.output)


def without_op(diagnostic: Diagnostic) -> Diagnostic:
    """`diagnostic` without the note that shows the op that it is about."""
    notes = tuple(note for note in diagnostic.notes if not note.message.startswith("see current operation: "))
    return replace(diagnostic, notes=notes)


def describe_place(source: Source) -> str:
    """The file's name, and the line at which a chunk of it begins."""
    text = source.data.lstrip(b"\n")
    line = source.data[: len(source.data) - len(text)].count(b"\n") + 1
    return source.name if line == 1 else f"{source.name}, from line {line} on"


def _chunks(source: Source, options: Options) -> list[Source]:
    if not options.is_given("split-input-file"):
        return [source]
    chunks, misses = split_source(source, options.text("split-input-file"))
    printer = DiagnosticPrinter({source.name: source})
    for miss in misses:
        location = f"{source.name}:{miss.line}:{miss.column}"
        printer(Diagnostic("warning", location, "near miss with file split marker"))
    return chunks


def _handle(options: Options) -> int | None:
    """Runs the handlers of the flags that were given, in order. Returns the exit code of the one that ends the tool."""
    for name, value in list(options.values.items()):
        handler = FLAGS[name].handler
        if handler:
            module, _, function = handler.partition(":")
            code = getattr(importlib.import_module(module), function)(value, options)
            if code is not None:
                return code
    return None


def run(arguments: list[str]) -> int:
    """The exit code of the tool. Raises StablehloError for what concerns no chunk of the input."""
    options = read_command_line(arguments, is_pass)
    code = _handle(options)
    if code is not None:
        return code
    source = read_source(options.inputs[0] if options.inputs else "-")
    output = Output(options.text("o"))
    tool = _Tool(options, output)
    marker = options.text("output-split-marker")
    succeeded = True
    for index, chunk in enumerate(_chunks(source, options)):
        if index and marker:
            output.write(f"{marker}\n".encode())
        succeeded = tool.process(chunk) and succeeded
    if succeeded:
        output.commit()
    return 0 if succeeded else 1

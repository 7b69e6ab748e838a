"""`stablehlo-opt`: reads a module, runs passes on it, prints it. Drop-in for the tool of the same name."""

from __future__ import annotations

import importlib
import sys
from contextlib import suppress

from ..bindings import ir, make_context
from ..bindings.diagnostics import Sink
from ..errors import Diagnostic, DiagnosticsError
from ..passes.catalog import is_pass
from ..syntax import Printing, Source, parse_source, print_text, read_source, split_source
from .common import DiagnosticPrinter, Output, run_tool
from .opt_flags import FLAGS, Options, read_command_line

TOOL = "stablehlo-opt"


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
    )


def _run_passes(module: ir.Module, options: Options, sink: Sink) -> None:
    for work in options.before_passes:
        work(module)
    if options.passes or options.is_given("pass-pipeline"):
        from .opt_passes import run_passes

        run_passes(module, options, sink)
    for work in options.after_passes:
        work(module)


class _Tool:
    """One run of the tool: a context that all chunks of the input share, and where results and diagnostics go."""

    def __init__(self, options: Options, output: Output) -> None:
        self.options = options
        self.output = output
        self.context = make_context()

    def process(self, source: Source) -> bool:
        """Whether one chunk of input went well; its diagnostics are printed."""
        printer = DiagnosticPrinter({source.name: source})
        if self.options.is_given("verify-diagnostics"):
            return self._verify_diagnostics(source, printer)
        try:
            self._transform(source, printer)
        except DiagnosticsError:
            return False
        return True

    def _transform(self, source: Source, sink: Sink) -> None:
        self.context.allow_unregistered_dialects = self.options.switch("allow-unregistered-dialect")
        module = parse_source(source, self.context, sink=sink)
        _run_passes(module, self.options, sink)
        _print_module(module, self.options, self.output)

    def _verify_diagnostics(self, source: Source, printer: DiagnosticPrinter) -> bool:
        from ..syntax.expected import ExpectedDiagnostics

        only_expected = self.options.text("verify-diagnostics") == "only-expected"
        expected = ExpectedDiagnostics.read(source.name, source.lines, only_expected=only_expected)
        with suppress(DiagnosticsError):
            self._transform(source, expected.receive)
        failures = expected.finish()
        for failure in failures:
            printer(failure)
        return not failures


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


def _run(arguments: list[str]) -> int:
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


def main() -> None:
    """The console script."""
    sys.exit(run_tool(TOOL, _run))

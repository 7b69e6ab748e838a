"""What `stablehlo-opt` does with a command line: reads each chunk of the input, runs the passes, prints the module."""

from __future__ import annotations

import importlib
from dataclasses import replace

from ..bindings import ir, make_context
from ..bindings.diagnostics import Sink
from ..errors import Diagnostic, DiagnosticsError, VerificationError
from ..passes.catalog import is_pass
from ..processes import limits
from ..syntax import Printing, Source, print_text
from .common import Output
from .constraint_notes import naming_constraints
from .driver import Chunks, describe_place, load_program
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


# Upstream's test passes: what they answer with errors is no failure of the tool.
_TEST_PASSES = "hlo-test-"


class _Tool:
    """One run of the tool: a context that all chunks of the input share, and where results go."""

    def __init__(self, options: Options, output: Output) -> None:
        self.options = options
        self.output = output
        self.context = make_context()

    def process(self, source: Source, sink: Sink) -> None:
        """Reads, transforms and prints a chunk; every diagnostic goes to `sink`."""
        if not self.options.switch("mlir-print-op-on-diagnostic"):
            sink = _without_ops(sink)
        try:
            self._steps(source, sink)
        except DiagnosticsError as error:
            if not self.options.switch("mlir-print-op-on-diagnostic"):
                error.diagnostics = tuple(map(without_op, error.diagnostics))
            raise

    def _parse(self, source: Source, sink: Sink) -> ir.Module:
        """The module in a chunk. Where unknown dialects are allowed, `sdy` can be one, as for the official tool."""
        lenient = self.options.switch("allow-unregistered-dialect")
        self.context.allow_unregistered_dialects = lenient
        received: list[Diagnostic] = []
        try:
            return load_program(source, self.context, received.append, artifact_as_vhlo=True)
        except VerificationError as error:
            if not lenient or not error.message.startswith("'sdy."):
                raise
            received.clear()
        finally:
            for diagnostic in received:
                sink(diagnostic)
        context = make_context(allow_unregistered_dialects=True, with_sdy=False)
        return load_program(source, context, sink, artifact_as_vhlo=True)

    def _steps(self, source: Source, sink: Sink) -> None:
        module = self._parse(source, sink)
        place = describe_place(source)
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
        doing(
            f"printing {place}", None if self.options.passes else source, limit=limits().for_reading(len(source.data))
        )
        _print_module(module, self.options, self.output)


def _without_ops(sink: Sink) -> Sink:
    return lambda diagnostic: sink(without_op(diagnostic))


def without_op(diagnostic: Diagnostic) -> Diagnostic:
    """`diagnostic` without the note that shows the op that it is about."""
    notes = tuple(note for note in diagnostic.notes if not note.message.startswith("see current operation: "))
    return replace(diagnostic, notes=notes)


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
    output = Output(options.text("o"))
    chunks = Chunks(
        split_marker=options.text("split-input-file") if options.is_given("split-input-file") else None,
        output_marker=options.text("output-split-marker"),
        verify_diagnostics=options.text("verify-diagnostics") if options.is_given("verify-diagnostics") else "",
        explain=naming_constraints,
        errors_fail=not any(name.startswith(_TEST_PASSES) for name, _ in options.passes),
    )
    return chunks.run(options.inputs[0] if options.inputs else "-", output, _Tool(options, output).process)

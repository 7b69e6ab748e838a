"""Running the passes of a command line."""

from __future__ import annotations

import sys

from ..bindings import ir
from ..bindings.diagnostics import Sink
from ..errors import UsageError
from ..passes.pipeline import Instrumentation, Pipeline, resolved_text, run_pipeline
from ..passes.pipeline_text import Element
from ..processes import limits
from .guard import doing
from .opt_flags import Options


def pipeline_of(options: Options) -> Pipeline:
    """The pass flags in order, or the textual pipeline. Raises UsageError for both at once."""
    if not options.is_given("pass-pipeline"):
        return Pipeline([Element(name, text) for name, text in options.passes], implicit_nesting=True)
    if options.passes:
        raise UsageError("--pass-pipeline cannot be combined with pass flags; put all passes into the pipeline")
    return Pipeline.from_text(options.text("pass-pipeline"))


def instrumentation_of(options: Options) -> Instrumentation:
    return Instrumentation(
        verify_each=options.switch("verify-each"),
        print_before=options.names("mlir-print-ir-before"),
        print_after=options.names("mlir-print-ir-after"),
        print_before_all=options.switch("mlir-print-ir-before-all"),
        print_after_all=options.switch("mlir-print-ir-after-all"),
        print_after_change=options.switch("mlir-print-ir-after-change"),
        print_after_failure=options.switch("mlir-print-ir-after-failure"),
        print_module_scope=options.switch("mlir-print-ir-module-scope"),
        print_generic=options.switch("mlir-print-op-generic"),
        print_debug_info=options.switch("mlir-print-debuginfo"),
        large_elements_limit=options.integer("mlir-elide-elementsattrs-if-larger"),
        large_resource_limit=options.integer("mlir-elide-resource-strings-if-larger"),
        tree_directory=options.values.get("mlir-print-ir-tree-dir"),
        timing=options.switch("mlir-timing"),
        statistics=options.switch("mlir-pass-statistics"),
    )


def run_passes(module: ir.Module, options: Options, sink: Sink, place: str) -> None:
    """Runs the passes that the command line asks for on the module from `place`. Raises PassError and UsageError."""
    pipeline = pipeline_of(options)
    if options.switch("dump-pass-pipeline"):
        text = resolved_text(pipeline, module.context)
        sys.stderr.write(f"Pass Manager with {len(pipeline.elements)} passes:\n{text}\n\n")
    sys.stdout.flush()
    sys.stderr.flush()
    doing(f"running {pipeline} on {place}", limit=limits())
    run_pipeline(module, pipeline, instrumentation=instrumentation_of(options), sink=sink)

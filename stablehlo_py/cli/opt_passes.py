"""Running the passes of a command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from ..bindings import ir
from ..bindings.diagnostics import Sink, diagnostics_to, file_location
from ..bindings.remarks import remarks
from ..errors import Diagnostic, PassError, UsageError
from ..isolation.limits import limits
from ..isolation.tool import doing, keep_for_crash
from ..passes.catalog import compiled_passes, is_pass, pass_names
from ..passes.pipeline import Instrumentation, Pipeline, resolved_text, run_pipeline
from ..passes.pipeline_text import PipelineElement, split_top_level
from ..syntax import Source
from ..syntax.spelling import hint
from .command_line import Options
from .driver import describe_source, subject_of
from .messages import announce
from .output import write_file, write_whole

if TYPE_CHECKING:
    from ..passes.reproducers import Reproduced


def pipeline_of(options: Options, anchor: str) -> Pipeline:
    """Return the pass flags in order, or the textual pipeline. Raises UsageError for both at once."""
    if not options.is_given("pass-pipeline"):
        return Pipeline([PipelineElement(name, text) for name, text in options.passes], anchor, implicit_nesting=True)
    if options.passes:
        raise UsageError("--pass-pipeline cannot be combined with pass flags; put all passes into the pipeline")
    return Pipeline.from_text(options.text("pass-pipeline"), anchor)


def _named_passes(options: Options, name: str) -> frozenset[str]:
    """Return the passes that an option lists. Raises UsageError for a name that is not one."""
    names = frozenset(part for part in options.text(name).split(",") if part)
    for one in names:
        if not is_pass(one):
            raise UsageError(f"flag --{name}: there is no pass '{one}'{hint(one, pass_names())}")
    return names


def instrumentation_of(options: Options) -> Instrumentation:
    return Instrumentation(
        verify_each=options.switch("verify-each"),
        print_before=_named_passes(options, "mlir-print-ir-before"),
        print_after=_named_passes(options, "mlir-print-ir-after"),
        ir_printing={
            "print_before_all": options.switch("mlir-print-ir-before-all"),
            "print_after_all": options.switch("mlir-print-ir-after-all"),
            "print_after_change": options.switch("mlir-print-ir-after-change"),
            "print_after_failure": options.switch("mlir-print-ir-after-failure"),
            "print_module_scope": options.switch("mlir-print-ir-module-scope"),
            "print_generic_op_form": options.switch("mlir-print-op-generic"),
            "enable_debug_info": options.switch("mlir-print-debuginfo"),
            "large_elements_limit": options.integer("mlir-elide-elementsattrs-if-larger"),
            "large_resource_limit": options.integer("mlir-elide-resource-strings-if-larger"),
            "tree_printing_dir_path": options.given("mlir-print-ir-tree-dir"),
        },
        timing=options.switch("mlir-timing"),
        statistics=options.switch("mlir-pass-statistics"),
        statistics_as_list=options.text("mlir-pass-statistics-display") == "list",
    )


# Takes a pass and the sink of its diagnostics, and gives the sink to use while it runs.
_Watch = Callable[[Pipeline, Sink], AbstractContextManager[Sink]]
_LOCAL_REPRODUCER = "mlir-pass-pipeline-local-reproducer"
# The flag of each filter of remarks, and MLIR's parameter for it.
_REMARK_FILTERS = {
    "remarks-filter": "all_filter",
    "remarks-filter-passed": "passed_filter",
    "remarks-filter-missed": "missed_filter",
    "remarks-filter-failed": "failed_filter",
    "remarks-filter-analyse": "analysis_filter",
}


@contextmanager
def remarks_of(context: ir.Context, options: Options, sink: Sink) -> Generator[None]:
    """Report the remarks that the command line asks for; without a filter there are none. Raises UsageError."""
    filters = {name: options.text(flag) for flag, name in _REMARK_FILTERS.items() if options.is_given(flag)}
    if not filters:
        yield
        return
    for pattern in filters.values():
        try:
            re.compile(pattern)
        except re.error:
            raise UsageError(f"'{pattern}' is not a regular expression, which a filter of remarks is") from None
    how = [options.text(name) for name in ("remark-format", "remark-policy", "remarks-output-file")]
    with diagnostics_to(context, sink), remarks(context, filters, *how):
        yield


def run_passes(
    program: ir.Module | ir.Operation, options: Options, sink: Sink, source: Source, reproduced: Reproduced | None
) -> None:
    """Run the pipeline of a reproducer, and the passes that the command line asks for, on the program from `source`.
    Raises PassError and UsageError."""
    anchor = program.operation.name
    if reproduced is not None:
        options.values["verify-each"] = [str(reproduced.verify_each).lower()]
        _run(program, Pipeline.from_text(reproduced.pipeline, anchor), options, sink, source)
    if options.passes or options.is_given("pass-pipeline"):
        _run(program, pipeline_of(options, anchor), options, sink, source)


def _run(
    program: ir.Module | ir.Operation, pipeline: Pipeline, options: Options, sink: Sink, source: Source
) -> None:  # fmt: skip
    _check_values(pipeline, program.context)
    if options.switch("dump-pass-pipeline"):
        text = resolved_text(pipeline, program.context)
        sys.stderr.write(f"Pass Manager with {len(pipeline.elements)} passes:\n{text}\n\n")
    sys.stdout.flush()
    sys.stderr.flush()
    path = options.given("mlir-generate-reproducer")
    if path is not None:
        write_file(path, _reproducer(program, pipeline, options), "cannot write the reproducer")
    validate = _validation(program, options)
    watch = _recording(program, options, source)
    each = any(map(options.is_given, ("validate-each", "steps"))) or options.switch(_LOCAL_REPRODUCER)
    for part in pipeline.one_by_one() if each else (pipeline,):
        with watch(part, sink) as heard:
            _run_part(program, part, options, heard, source)
        validate(part)


def _run_part(
    program: ir.Module | ir.Operation, part: Pipeline, options: Options, sink: Sink, source: Source
) -> None:  # fmt: skip
    path = options.given("mlir-pass-pipeline-crash-reproducer")
    data = b"" if path is None else _reproducer(program, part, options)
    if path is not None:
        keep_for_crash(path, data.decode("utf-8", "surrogateescape"))
    doing(f"running {part} on {describe_source(source)}", subject_of(source, str(part)), limit=limits())
    try:
        run_pipeline(program, part, instrumentation=instrumentation_of(options), sink=sink)
    except PassError:
        if path is not None:
            write_file(path, data, "cannot write the reproducer")
            announce("note", f"a reproducer was written to '{path}'; --run-reproducer runs it")
        raise


def _reproducer(program: ir.Module | ir.Operation, pipeline: Pipeline, options: Options) -> bytes:
    from ..passes.reproducers import reproducer_of

    text = resolved_text(pipeline, program.context)
    return reproducer_of(program, text, verify_each=options.switch("verify-each"))


def report_passes(form: str, options: Options) -> None:
    """Print what the optimization passes did, as `json` or `text`, after they have run on a module; each chunk of a
    split file gets its own report."""
    from ..passes.report import start_collecting

    collection = start_collecting()

    def print_report(_: ir.Module) -> None:
        sys.stderr.write(collection.to_json() if form == "json" else collection.to_text())
        sys.stderr.write("\n")
        collection.reports.clear()

    options.after_passes.append(print_report)


def _check_values(pipeline: Pipeline, context: ir.Context) -> None:
    """Raise UsageError for a number or a switch of a compiled pass that is none: C++ prints what is wrong, and says
    no more than that something is."""
    steps = [step.element for step in pipeline.steps(one_pass_each=True) if step.element.options.isprintable()]
    for name, text in [(one.name, one.options) for one in steps if one.options and one.name in compiled_passes()]:
        from ..passes.catalog import available_passes, describe_pass

        known = describe_pass(name, context).options if name in available_passes() else ()
        defaults = {option.name: option.default for option in known}
        for option, _, value in [part.partition("=") for part in split_top_level(text, " \t\n")]:
            default = defaults.get(option, "")
            if default.removeprefix("-").isdigit() and not value.removeprefix("-").isdecimal():
                raise UsageError(f"option '{option}' of pass '{name}' is an integer, not '{value}'")
            if default in ("true", "false") and value.lower() not in ("true", "false", "1", "0", ""):
                raise UsageError(f"option '{option}' of pass '{name}' is true or false, not '{value}'")


def _recording(program: ir.Module | ir.Operation, options: Options, source: Source) -> _Watch:
    """Return what goes around each pass: with --steps, it records the program before and after that."""
    path = options.given("steps")
    if path is None:
        return lambda part, sink: nullcontext(sink)
    from ..debug.steps import PassSteps, remove_steps

    if not isinstance(program, ir.Module) or options.is_given("split-input-file"):
        raise UsageError("--steps needs one module, without --split-input-file and --no-implicit-module")
    steps = PassSteps(program, os.path.basename(source.name))
    asked = any(map(options.is_given, _REMARK_FILTERS))  # otherwise remarks are for the page alone
    if not path.endswith(".html"):
        os.makedirs(path, exist_ok=True)
        remove_steps(path)

    def write() -> None:
        for name, data in steps.files(path).items():
            write_file(name, data)

    @contextmanager
    def record(part: Pipeline, sink: Sink) -> Generator[Sink]:
        def hear(diagnostic: Diagnostic) -> None:
            step.hear(diagnostic)
            if asked or diagnostic.severity != "remark":
                sink(diagnostic)

        try:
            with steps.watch(",".join(map(str, part.elements)), program, listens=not asked) as step:
                write()  # which is what is left after a crash
                yield hear
        finally:
            write()

    return record


def _validation(program: ir.Module | ir.Operation, options: Options) -> Callable[[Pipeline], None]:
    """Return the check of the program after each pass, which raises PassError for one that changes a result."""
    if not options.is_given("validate-each"):
        return lambda part: None
    from ..debug.validation import Validator
    from ..interpreter.storage import save_arrays

    samples = options.text("validate-each")
    if not samples.isdecimal() or int(samples) < 1:
        raise UsageError(f"flag --validate-each expects a number of inputs, found '{samples}'")
    if not isinstance(program, ir.Module):
        raise UsageError("--validate-each needs a module, not another op at the top")
    validator = Validator(int(samples))
    validator.start(program)

    def validate(part: Pipeline) -> None:
        change, passes = validator.check(program), ",".join(map(str, part.elements))
        if change is None:
            if validator.function is not None:
                announce("remark", f"'{passes}': {validator.function}")
            return
        prefix = options.text("validate-each-prefix")
        files = {".before.mlir": change.before.encode(), ".after.mlir": change.after.encode()}
        files[".npz"] = save_arrays("inputs.npz", list(change.arguments))
        for end, data in files.items():
            write_whole(f"{prefix}{end}", data)
        note = f"wrote {', '.join(f'{prefix}{end}' for end in files)}"
        where = file_location(program.operation.location)
        message = f"'{passes}' changes what the program computes: {change.message}"
        raise PassError([Diagnostic("error", where, message, (Diagnostic("note", where, note),))])

    return validate

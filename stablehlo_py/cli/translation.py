"""The steps of `stablehlo-translate`, taken for each chunk of the input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import Diagnostic, DiagnosticsError, UsageError, as_diagnostics
from ..isolation.limits import Limits, limits
from ..isolation.tool import GUARD_OPTIONS, SECONDS_TO_SAY_SO, doing
from .command_line import Options, read_command_line
from .diagnostics import ALL, ERRORS, Filter
from .driver import Chunks, Sink, describe_source, load_program, located, note_reading
from .options import TRANSLATE
from .output import Output
from .printing import printed

if TYPE_CHECKING:
    from ..bindings import ir
    from ..syntax import Source

_STEPS = ("interpret", "serialize", "deserialize", "export")


class _Translation:
    """One run of the tool: what to do with each chunk of the input."""

    def __init__(self, options: Options, steps: Sequence[str], output: str) -> None:
        self.options = options
        self.steps = steps
        self.output = Output(output)
        errors_only = options.switch("error-diagnostics-only") and not options.is_given("verify-diagnostics")
        with_ops = options.switch("mlir-print-op-on-diagnostic")
        self.filter = Filter(ERRORS if errors_only else ALL, with_ops=with_ops, with_notes=True)

    def run(self) -> int:
        """Return the exit code, after writing what was asked for."""
        return Chunks.of(self.options, self.filter).run(self.options.input, self.output, self._process)

    def _process(self, chunk: Source, sink: Sink) -> None:
        """Run the steps on a chunk, each on the output of the one before it."""
        from ..syntax import Source

        for number, step in enumerate(self.steps):
            form = self.options.text("import") if number == 0 else ""
            chunk = Source(chunk.name, self._do(step, chunk, sink, form))
        self.output.write(chunk.data)

    def _do(self, step: str, chunk: Source, sink: Sink, form: str) -> bytes:
        if step == "deserialize":
            return self._deserialize(chunk)
        from ..bindings import make_context

        context = make_context(allow_unregistered_dialects=self.options.switch("allow-unregistered-dialect"))
        module = load_program(chunk, context, sink, form=form)
        if self.options.switch("no-implicit-module"):
            from ..syntax.top_level import require_module

            require_module(module, chunk)
        if step == "export":
            from ..artifacts.formats import export
            from ..passes.inlining import name_main

            if self.options.is_given("function"):
                name_main(module, self.options.text("function"))
            return export(module, self.options.text("export"))
        work = self._serialize if step == "serialize" else self._interpret
        return work(module, describe_source(chunk))

    def _serialize(self, module: ir.Module, source: str) -> bytes:
        from ..artifacts.artifact import serialize

        doing(f"serializing {source} and reading it back", limit=limits())
        return serialize(
            module,
            self.options.text("target"),
            allow_other_dialects=self.options.switch("allow-other-dialects"),
            strip_debuginfo=self.options.switch("strip-debuginfo"),
        )

    def _interpret(self, module: ir.Module, source: str) -> bytes:
        from .interpret import interpret

        timeout = self.options.number("timeout")
        limit = None if timeout is None else Limits(timeout + SECONDS_TO_SAY_SO)
        doing(f"interpreting {source}", limit=limit, options=("--timeout", GUARD_OPTIONS[1]))
        return interpret(module, self.options, f"interpreting {source}").encode()

    def _deserialize(self, chunk: Source) -> bytes:
        from ..artifacts.artifact import UnreadableError, deserialize, deserialize_text
        from ..artifacts.header import artifact_version_line
        from ..artifacts.versions import current_version

        if self.options.switch("print-stablehlo-version"):
            with located(chunk.name):
                print(artifact_version_line(chunk.data), flush=True)
        note_reading(chunk)
        is_text = chunk.data and not chunk.is_bytecode
        try:
            with located(chunk.name):
                module = deserialize_text(chunk.data) if is_text else deserialize(chunk.data)
        except UnreadableError as error:  # the official tool says a second line, too
            last = f"failed to deserialize portable artifact using StableHLO_v{current_version()}"
            raise DiagnosticsError([*as_diagnostics(error), Diagnostic("error", error.location, last)]) from None
        doing(f"printing {describe_source(chunk)}", limit=limits().for_reading(len(chunk.data)))
        return printed(module, self.options)


def run(arguments: list[str]) -> int:
    """Return the exit code of the tool. Raises StablehloError for an error outside of all chunks."""
    options = read_command_line(TRANSLATE, arguments)
    code = options.handle()
    if code is not None:
        return code
    steps = [name for name in options.values if name in _STEPS and (name == "export" or options.switch(name))]
    if not steps:
        raise UsageError("one of --interpret, --serialize and --deserialize is needed")
    if sum(bool(options.text(name)) for name in ("args", "input", "inputs")) > 1:
        raise UsageError("--args, --input and --inputs exclude each other")
    if options.text("grid") == "mpi":
        from ..spmd.ranks import ranks
        from .ranks import run_on_ranks

        if "interpret" not in steps or options.input == "-":
            raise UsageError("--grid=mpi goes with --interpret, of a file that every rank can read")
        run_on_ranks(_Translation(options, steps, "-" if ranks().rank else options.text("o")).run)
    return _Translation(options, steps, options.text("o")).run()

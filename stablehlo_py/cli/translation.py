"""The steps of `stablehlo-translate` after its command line was read, taken for each chunk of the input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import DiagnosticsError, UsageError
from ..isolation.limits import Limits, limits
from ..isolation.tool import GUARD_OPTIONS, SECONDS_TO_SAY_SO, doing
from .diagnostic_filter import ALL, ERRORS, Filter
from .driver import Chunks, Sink, describe_place, load_program, note_reading
from .opt_flags import Options
from .output import Output
from .printing import PRINTER_FLAGS, printed

if TYPE_CHECKING:
    from ..bindings import ir
    from ..syntax import Source

TOOL = "stablehlo-translate"


class _Translation:
    """One run of the tool: what to do with each chunk of the input."""

    def __init__(self, flags: dict[str, Any], steps: Sequence[str]) -> None:
        self.flags = flags
        self.steps = steps
        self.output = Output(flags.get("output_file", "-"))

    def run(self) -> int:
        """The exit code, after writing what was asked for."""
        chunks = Chunks(
            split_marker=self.flags.get("split_input_file"),
            output_marker=self.flags.get("output_split_marker", ""),
            verify_diagnostics=self.flags.get("verify_diagnostics", ""),
        )
        return chunks.run(self.flags.get("input_file", "-"), self.output, self._process)

    def _process(self, chunk: Source, sink: Sink) -> None:
        """Run the steps on a chunk, each on the output of the one before it."""
        errors_only = "error_diagnostics_only" in self.flags and "verify_diagnostics" not in self.flags
        with_ops = self.flags.get("mlir_print_op_on_diagnostic", True)
        filtering = Filter(ERRORS if errors_only else ALL, with_ops=with_ops, with_notes=True)
        try:
            for number, step in enumerate(self.steps):
                form = self.flags.get("import_form", "") if number == 0 else ""
                made = self._do(step, chunk, filtering.before(sink), form)
                chunk = replace(chunk, data=made, is_file=False)
        except DiagnosticsError as error:
            error.diagnostics = tuple(filtering.kept(error.diagnostics))
            raise
        self.output.write(chunk.data)

    def _do(self, step: str, chunk: Source, sink: Sink, form: str) -> bytes:
        if step == "deserialize":
            return self._deserialize(chunk)
        from ..bindings import make_context

        context = make_context(allow_unregistered_dialects="allow_unregistered_dialect" in self.flags)
        module = load_program(chunk, context, sink, form=form)
        if "no_implicit_module" in self.flags:
            from ..syntax.top_level import require_module

            require_module(module, chunk)
        if step == "export":
            from ..artifacts.formats import export

            return export(module, self.flags["export"])
        work = self._serialize if step == "serialize" else self._interpret
        return work(module, describe_place(chunk))

    def _serialize(self, module: ir.Module, place: str) -> bytes:
        from ..artifacts.artifact import serialize

        doing(f"serializing {place}", limit=limits())
        return serialize(
            module,
            self.flags.get("target", "current"),
            allow_other_dialects="allow_other_dialects" in self.flags,
            strip_debuginfo="strip_debuginfo" in self.flags,
        )

    def _interpret(self, module: ir.Module, place: str) -> bytes:
        from .interpret import Request, interpret

        request = Request(**{name: self.flags[name] for name in Request.__match_args__ if name in self.flags})
        limit = None if request.timeout is None else Limits(request.timeout + SECONDS_TO_SAY_SO)
        doing(f"interpreting {place}", limit=limit, options=("--timeout", GUARD_OPTIONS[1]))
        return interpret(module, request, f"interpreting {place}").encode()

    def _deserialize(self, chunk: Source) -> bytes:
        from ..artifacts.artifact import deserialize, deserialize_text
        from ..artifacts.header import artifact_version_line

        if "print_stablehlo_version" in self.flags:
            print(artifact_version_line(chunk.data), flush=True)
        note_reading(chunk)
        is_text = chunk.data and not chunk.is_bytecode
        module = deserialize_text(chunk.data) if is_text else deserialize(chunk.data)
        doing(f"printing {describe_place(chunk)}", limit=limits().for_reading(len(chunk.data)))
        given = {name: self.flags.get(name.replace("-", "_")) for name in PRINTER_FLAGS}
        return printed(
            module, Options({name: str(value).lower() for name, value in given.items() if value is not None})
        )


def translate(flags: dict[str, Any], steps: Sequence[str]) -> int:
    """Run the ordered `steps` with the given `flags`, and return the exit code of the tool.

    Raises:
        StablehloError: What concerns no chunk of the input.
    """
    if flags.get("grid") == "mpi":
        _run_on_ranks(flags, steps)
    return _Translation(flags, steps).run()


def _run_on_ranks(flags: dict[str, Any], steps: Sequence[str]) -> NoReturn:
    """Run on all ranks that mpiexec started, and end them."""
    from ..spmd.ranks import ranks
    from .ranks import run_on_ranks

    if "interpret" not in flags or flags.get("input_file", "-") == "-":
        raise UsageError("--grid=mpi goes with --interpret, of a file that every rank can read")
    here = {**flags, "output_file": "-"} if ranks().rank else flags
    run_on_ranks(_Translation(here, steps).run)

"""The way of the tools through an input file: its chunks one after the other, and the program in each.

Every tool reads its input here, so that text, bytecode and artifacts, split markers, expected diagnostics and the
notes for the message about a crash work alike.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ArtifactError, Diagnostic, InputError, StablehloError, UsageError, as_diagnostics
from ..isolation.limits import Limits, limits
from ..isolation.tool import doing
from .common import DiagnosticPrinter
from .messages import announce
from .output import Output

if TYPE_CHECKING:
    from ..bindings import ir
    from ..syntax import Source
    from .command_line import Options
    from .diagnostics import Filter

Sink = Callable[[Diagnostic], None]
# A tool's work on a chunk: diagnostics go to the sink, or into the raised error.
Process = Callable[["Source", Sink], None]


class Chunks(NamedTuple):
    """The options of the command line about splitting and checking the input.

    Attributes:
        shown: The diagnostics to print, or to compare with comments.
        split_marker: What stands between the chunks of a file; None for a file that is one chunk.
        output_marker: The line to print between the results of chunks; none where it is empty.
        verify_diagnostics: `all` or `only-expected` to compare diagnostics with comments; empty to print them.
        errors_fail: Whether the exit code is 1 after an error with which a pass went on; upstream's test passes answer
            with errors.
        may_be_empty: Whether an input without text is an empty program, and no mistake.
    """

    shown: Filter
    split_marker: str | None = None
    output_marker: str = ""
    verify_diagnostics: str = ""
    errors_fail: bool = True
    may_be_empty: bool = False

    @classmethod
    def of(cls, options: Options, shown: Filter) -> Chunks:
        """Read the options of a command line."""
        split, verify = options.given("split-input-file"), options.given("verify-diagnostics")
        marker = options.text("output-split-marker")
        return cls(shown, split, marker, "" if verify is None else verify)

    def run(self, path: str, output: Output, process: Process) -> int:
        """Return the exit code after `process` was called for each chunk of the file at `path`, and `output` written.

        Raises:
            InputError: The file cannot be read, or the output not be written.
            UsageError: The command line asks for something impossible.
        """
        succeeded = True
        for index, chunk in enumerate(self._split(path)):
            if index and self.output_marker:
                output.write(f"{self.output_marker}\n".encode())
            succeeded = self._process(chunk, process) and succeeded
        if succeeded:
            output.commit()
        return 0 if succeeded else 1

    def _split(self, path: str) -> Sequence[Source]:
        from ..syntax import read_source, split_source

        note_waiting(path)
        source = read_source(path, may_be_empty=self.may_be_empty)
        if self.split_marker is None:
            return [source]
        chunks, misses = split_source(source, self.split_marker)
        printer = DiagnosticPrinter({source.name: source})
        for miss in misses:
            location = f"{source.name}:{miss.line}:{miss.column}"
            printer(Diagnostic("warning", location, "near miss with file split marker"))
        return chunks

    def _process(self, chunk: Source, process: Process) -> bool:
        """Return whether one chunk succeeded; its diagnostics are printed, or compared with its expectations."""
        printer = DiagnosticPrinter({chunk.name: chunk})
        if not self.verify_diagnostics:
            with_notes = self.shown.with_notes
            return self._collect(chunk, process, lambda one: printer(_explained(one, chunk) if with_notes else one))
        from ..syntax.expected import ExpectedDiagnostics

        only_expected = self.verify_diagnostics == "only-expected"
        expected = ExpectedDiagnostics.read(chunk.name, chunk.lines, only_expected=only_expected)
        self._collect(chunk, process, expected.receive)
        failures = expected.finish()
        for failure in failures:
            printer(failure)
        return not failures

    def _collect(self, chunk: Source, process: Process, sink: Sink) -> bool:
        """Return whether `process` succeeds on the chunk. Every diagnostic that is shown goes to `sink` once."""
        received: list[Diagnostic] = []

        def receive(diagnostic: Diagnostic) -> None:
            received.append(diagnostic)
            kept = self.shown(diagnostic)
            if kept is not None:
                sink(kept)

        try:
            process(chunk, receive)
        except (UsageError, InputError):  # they concern the command line, not this chunk
            raise
        except StablehloError as error:
            for diagnostic in as_diagnostics(error):
                if diagnostic not in received:
                    receive(diagnostic)
            return False
        return not self.errors_fail or all(diagnostic.severity != "error" for diagnostic in received)


def describe_source(source: Source) -> str:
    """Return the file's name, and the first line of a chunk."""
    text = source.data.lstrip(b"\n")
    line = source.data[: len(source.data) - len(text)].count(b"\n") + 1
    return source.name if line == 1 else f"{source.name}, from line {line} on"


def subject_of(source: Source, pipeline: str = "") -> tuple[str, str, bytes]:
    """Return what is searched for the op that crashes the compiler, see `crash_report`.

    Args:
        source: The text that is read.
        pipeline: The passes that run on it.
    """
    return source.name, pipeline, b"" if source.is_bytecode else source.data


def note_waiting(path: str) -> None:
    """Tell the guard that a file is being read, which may be a pipe that gives nothing for long."""
    doing(f"reading {path}", limit=Limits(limits().seconds))


def note_reading(source: Source) -> None:
    """Tell the guard that `source` is being read, and how long that may take."""
    doing(f"reading {describe_source(source)}", subject_of(source), limit=limits().for_reading(len(source.data)))


@contextmanager
def located(name: str) -> Generator[None]:
    """Give errors about an artifact the location that MLIR's reader of bytecode gives."""
    try:
        yield
    except ArtifactError as error:
        error.location = error.location if error.location else f"{name}:0:0"
        raise


def load_program(
    source: Source, context: ir.Context, sink: Sink | None = None, *, artifact_as_vhlo: bool = False, form: str = ""
) -> ir.Module:
    """Return the verified module in text, MLIR bytecode or a portable artifact.

    It is read once, in this process: the tool's first process reports a crash.

    Args:
        source: What to read.
        context: Where the module is made.
        sink: Receives the warnings and remarks of its reading.
        form: Read another form than MLIR's; by default what the source shows it to be.
        artifact_as_vhlo: Take an artifact as it is stored, and MHLO as it is, as MLIR's opt tools do, and not in
            StableHLO.

    Raises:
        StablehloError: What is wrong with the program, with its location.
    """
    from ..artifacts.formats import is_mhlo, recognize, to_mlir
    from ..syntax import Source, parse_source

    note_reading(source)
    form = form if form else recognize(source)
    if not form and not artifact_as_vhlo and is_mhlo(source):
        form = "mhlo"
    if form:
        doing(f"importing {describe_source(source)}", subject_of(source), limit=limits())
        from ..program import import_check

        imported, doubt = to_mlir(source.data, form, source.name, import_check(form))
        if doubt:
            announce("warning", f"importing {describe_source(source)}: {doubt}")
        source = Source(source.name, imported)
    if not source.is_bytecode:
        return parse_source(source, context, sink=sink)
    from ..artifacts.artifact import check_bytecode, deserialize, parse_bytecode

    if artifact_as_vhlo:
        return parse_source(source, context, sink=sink, check=check_bytecode)
    from ..artifacts.header import read_header

    with located(source.name):
        read = deserialize if read_header(source.data).is_portable else parse_bytecode
        return read(source.data, context=context)


def _explained(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    from ..analysis.diagnostic_notes import explained

    return explained(diagnostic, source)

"""Changes to a text that an editor offers: expected diagnostics, passes, other forms; and running a test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

from ..bindings import ir, make_context
from ..errors import Diagnostic, InputError
from ..isolation.commands import LIT, TimeoutExpired, run_command
from ..passes.guarded_pipeline import run_guarded_pipeline
from ..syntax import Printing, Source, parse, print_text, split_source
from ..syntax.source import SPLIT_MARKER
from ..syntax.suggestions import suggestion
from .document import NAME, Document

PASSES = {
    "canonicalize": "canonicalize",
    "common subexpressions": "cse",
    "fold": "func.func(stablehlo-aggressive-folder)",
    "simplify": "func.func(stablehlo-aggressive-simplification)",
    "refine shapes": "stablehlo-refine-shapes",
    "CHLO to StableHLO": "func.func(chlo-legalize-to-stablehlo)",
}
FORMS = {"generic form": True, "pretty form": False}
_SECONDS_OF_A_TEST = 120
_LIT_CONFIGS = ("lit.cfg.py", "lit.cfg")
_LIT_CONFIG = """import os
from stablehlo_py.testing import lit
lit.configure(config, lit_config, name="editor", source_root=os.path.dirname(__file__))
"""


def expectation(document: Document, diagnostic: Diagnostic) -> tuple[int, str] | None:
    """Return the comment that expects a diagnostic, and the offset of the line before which it goes."""
    offset = document.offset_of(diagnostic.location)
    if offset is None:
        return None
    start = document.line_start(document.line_of(offset))
    line = document.text[start:].split("\n", 1)[0]
    indent = line[: len(line) - len(line.lstrip())]
    message = diagnostic.message.split("\n", 1)[0]
    return start, f"{indent}// expected-{diagnostic.severity} @+1 {{{{{message}}}}}\n"


def suggested(document: Document, diagnostic: Diagnostic) -> tuple[int, int, str] | None:
    """Return the nearest right word for a misspelled one, and the offsets of the wrong one."""
    offset = document.offset_of(diagnostic.location)
    if offset is None:
        return None
    start = document.line_start(document.line_of(offset))
    line = document.text[start:].split("\n", 1)[0]
    found = suggestion(diagnostic.message, line[offset - start :], line[: offset - start], document.text)
    at = -1 if found is None else max(line.find(found[0], offset - start), line.rfind(found[0], 0, offset - start))
    return None if found is None or at < 0 else (start + at, start + at + len(found[0]), found[1])


def after_passes(text: str, pipeline: str) -> str:
    """Return the text with each of its programs after a pipeline. Raises StablehloError."""
    return _changed(text, lambda module: run_guarded_pipeline(module, pipeline), Printing())


def in_form(text: str, *, generic: bool) -> str:
    """Return the text with each of its programs in the generic or the pretty form. Raises StablehloError."""
    return _changed(text, lambda module: None, Printing(print_generic_op_form=generic))


def _changed(text: str, change: Callable[[ir.Module], None], printing: Printing) -> str:
    chunks, _ = split_source(Source(NAME, text.encode("utf-8", "surrogateescape")))
    written: list[str] = []
    for chunk in chunks:
        module = parse(chunk.data, context=make_context(), source_name=NAME)
        change(module)
        lines = chunk.data.decode("utf-8", "surrogateescape").strip("\n").split("\n")
        lines_before_ops = takewhile(lambda line: not line.strip() or line.startswith("//"), lines)
        head = [line for line in lines_before_ops if line.strip()]
        written.append("".join(f"{line}\n" for line in head) + print_text(module, printing))
    return f"\n{SPLIT_MARKER}\n\n".join(written)


def text_of_bytecode(data: bytes) -> str:
    """Return the text of MLIR bytecode or of a portable artifact. Raises StablehloError."""
    from ..artifacts.artifact import deserialize, parse_bytecode
    from ..artifacts.header import read_header

    if read_header(data).is_portable:
        return print_text(deserialize(data))
    return print_text(parse_bytecode(data, make_context()))


def bytecode_of_text(text: str) -> bytes:
    """Return MLIR bytecode of a text. Raises StablehloError."""
    from ..bindings.bytecode import bytecode_of

    return bytecode_of(parse(text, context=make_context(), source_name=NAME))


def run_test(path: Path) -> tuple[bool, str]:
    """Return whether the RUN lines of a file pass in lit, and lit's output.

    The nearest `lit.cfg.py` above the file configures lit. Where there is none, a copy of the file and of the folder
    `Inputs` beside it run with the tools of this package.

    Raises:
        InputError: lit is not installed, or the test takes too long.
    """
    with tempfile.TemporaryDirectory() as scratch:
        if not any((folder / name).exists() for folder in path.parents for name in _LIT_CONFIGS):
            Path(scratch, _LIT_CONFIGS[0]).write_text(_LIT_CONFIG, encoding="utf-8")
            if (path.parent / "Inputs").is_dir():
                shutil.copytree(path.parent / "Inputs", Path(scratch, "Inputs"))
            path = Path(shutil.copy(path, scratch))
        command = [*LIT, "-v", str(path)]
        try:
            ended = run_command(command, seconds=_SECONDS_OF_A_TEST, folder=scratch)
        except TimeoutExpired:
            raise InputError(f"the test took longer than {_SECONDS_OF_A_TEST} s") from None
    if "No module named 'lit'" in ended.stderr:
        raise InputError("lit is not installed", notes=["pip install lit"])
    return ended.returncode == 0, ended.stdout + ended.stderr

"""Any program as an engine: `command:./mine {module} {inputs} {outputs}` for each run, `command+:./mine` for all.

`{module}` stands for a file of MLIR text, `{inputs}` for an .npz with the arrays `0`, `1`, … and `{outputs}` for the
.npz that the program has to write in the same form. Types that .npy lacks are stored as the unsigned integers of their
bits. A program that ends with an error and the line `unsupported: WHY` on standard error lacks something.

With `command+` the program reads lines of JSON, `{"module": PATH, "inputs": PATH, "outputs": PATH}`, and answers each
by a line, `{"status": "ok"}`, or `unsupported` or `error` with a `message`. docs/how-to/own-engine.md has an example.

A reader of artifacts is such a command, too: it gets the `artifact` and writes the program back as `module`.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..bindings.types import TensorType
from ..errors import InterpreterError, UnsupportedOpError, UsageError
from ..interpreter.program import Program
from ..interpreter.storage import from_stored, load_arrays, save_arrays
from ..isolation.commands import Conversation, filled, run_command, words_of
from ..syntax import readable_text
from .outcome import EngineCrashError
from .reading import read_module
from .worker import Run

Ask = Callable[[dict[str, str]], None]
_SHOWN_CHARACTERS = 2000
_UNSUPPORTED = re.compile(r"^unsupported: *(.*)$", re.MULTILINE)
_FILES = {"module": "module.mlir", "inputs": "inputs.npz", "outputs": "outputs.npz"}


@dataclass(frozen=True)
class CommandEngine:
    """Asks a command to run programs; `ask` has it write the outputs, given the paths of the files."""

    ask: Ask

    def load(self, module: bytes) -> Run:
        """Write the module as text; whether the command accepts it shows when it runs."""
        read = read_module(module)
        types = Program(read).result_types()
        text = readable_text(read)

        def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
            with tempfile.TemporaryDirectory(prefix="stablehlo-engine-") as folder:
                results = self._run(Path(folder), text, arguments)
            if len(results) != len(types):
                raise InterpreterError(f"the command wrote {len(results)} arrays, expected {len(types)}")
            for number, (result, type_) in enumerate(zip(results, types, strict=True)):
                if isinstance(type_, TensorType) and type_.is_static and result.shape != type_.static_shape:
                    shape = list(result.shape)
                    raise InterpreterError(f"the command wrote shape {shape} for result {number}, expected {type_}")
            return [
                from_stored(result, type_.dtype) if isinstance(type_, TensorType) else result
                for result, type_ in zip(results, types, strict=True)
            ]

        return run

    def _run(self, folder: Path, text: str, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
        files = {name: folder / file for name, file in _FILES.items()}
        files["module"].write_text(text, encoding="utf-8")
        files["inputs"].write_bytes(save_arrays("inputs.npz", list(arguments)))
        self.ask({name: str(path) for name, path in files.items()})
        if not files["outputs"].exists():
            raise InterpreterError("the command wrote no outputs")
        return load_arrays(str(files["outputs"]))


def _run_once(words: Sequence[str], files: dict[str, str]) -> None:
    """Run a command, which has to write the last one of the files."""
    ended = run_command([filled(word, **files) for word in words], tied=True)
    printed = (ended.stderr.strip() or ended.stdout.strip())[-_SHOWN_CHARACTERS:]
    if ended.returncode:
        lacking = _UNSUPPORTED.search(ended.stderr)
        if lacking is not None:
            raise UnsupportedOpError(lacking[1])
        if "Traceback (most recent call last)" in printed:
            printed = printed.splitlines()[-1]
        said = f": {printed}" if printed else ""
        raise InterpreterError(f"the command ended with exit code {ended.returncode}{said}")
    if printed and not Path([*files.values()][-1]).exists():
        raise InterpreterError(f"the command wrote no {[*files][-1]}: {printed}")


@dataclass
class _Conversation:
    """The one process of a `command+`, which is started again after it has ended."""

    words: Sequence[str]
    process: Conversation | None = field(default=None)

    def __call__(self, files: dict[str, str]) -> None:
        if self.process is None:
            self.process = Conversation(self.words)
        line = self.process.ask(json.dumps(files))
        if not line:
            self.process, ended = None, self.process.end()
            raise EngineCrashError(f"the command ended with exit code {ended}")
        try:
            answer: Any = json.loads(line)
            status, message = answer["status"], str(answer.get("message", ""))
        except (ValueError, TypeError, KeyError, AttributeError):
            said = line.strip()[:_SHOWN_CHARACTERS]
            raise InterpreterError(f"expected a line of JSON with a status, the command wrote: {said}") from None
        if status != "ok":
            raise (UnsupportedOpError if status == "unsupported" else InterpreterError)(message or str(status))


def _asking(text: str, *placeholders: str) -> Ask:
    """Return a function that runs a command line. Raises UsageError where a placeholder is missing."""
    for placeholder in placeholders:
        if placeholder not in text:
            raise UsageError(f"engine command: the command lacks {placeholder}: '{text}'")
    words = words_of(text)
    return lambda files: _run_once(words, files)


def _conversing(text: str) -> Ask:
    """Return a function that asks a command by lines. Raises UsageError if there is none."""
    words = words_of(text)
    if not words:
        raise UsageError("engine command+: there is no command", notes=["command+:./mine --option"])
    return _Conversation(words)


def backend(*options: str) -> CommandEngine:
    """Return the engine for a command line. Raises UsageError where a placeholder is missing."""
    return CommandEngine(_asking(",".join(options), "{module}", "{outputs}"))


def lines_backend(*options: str) -> CommandEngine:
    """Return the engine for a command that answers lines. Raises UsageError if there is none."""
    return CommandEngine(_conversing(",".join(options)))


def foreign_reader(reader: str) -> Callable[[bytes], bytes]:
    """Return a function that has a command read an artifact, and returns the program that it wrote.

    Args:
        reader: `command:./mine {artifact} {module}` or `command+:./mine`.

    Raises:
        UsageError: It is neither. The function raises UnsupportedOpError, InterpreterError or EngineCrashError.
    """
    kind, _, command = reader.partition(":")
    if kind not in ("command", "command+"):
        notes = ["a reader is command:./mine {artifact} {module}, or command+:./mine"]
        raise UsageError(f"'{reader}' is no reader", notes=notes)
    ask = _asking(command, "{artifact}", "{module}") if kind == "command" else _conversing(command)

    def read(artifact: bytes) -> bytes:
        with tempfile.TemporaryDirectory(prefix="stablehlo-reader-") as folder:
            given, written = Path(folder, "program.mlirbc"), Path(folder, "module.mlir")
            given.write_bytes(artifact)
            ask({"artifact": str(given), "module": str(written)})
            if not written.exists():
                raise InterpreterError("the command wrote no module")
            return written.read_bytes()

    return read

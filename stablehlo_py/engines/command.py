"""Any program as an engine: `command:./mine {module} {inputs} {outputs}`.

`{module}` stands for a file of MLIR text, `{inputs}` for an .npz with the arrays `0`, `1`, … and `{outputs}` for the
.npz that the program has to write in the same form. Types that .npy lacks are stored as the unsigned integers of their
bits.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..bindings.types import TensorType
from ..errors import InterpreterError, UsageError
from ..interpreter.program import Program
from ..interpreter.storage import from_stored, load_arrays, save_arrays
from ..isolation.commands import run_command
from ..syntax import readable_text
from .reading import read_module
from .worker import Run

_SHOWN_CHARACTERS = 2000


@dataclass(frozen=True)
class CommandEngine:
    """Runs a command for each run."""

    words: tuple[str, ...]

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
        files = {"module": folder / "module.mlir", "inputs": folder / "inputs.npz", "outputs": folder / "outputs.npz"}
        files["module"].write_text(text, encoding="utf-8")
        files["inputs"].write_bytes(save_arrays("inputs.npz", list(arguments)))
        words = [word.format_map({name: str(path) for name, path in files.items()}) for word in self.words]
        ended = run_command(words, tied=True)
        printed = (ended.stderr.strip() or ended.stdout.strip())[-_SHOWN_CHARACTERS:]
        if ended.returncode:
            said = f": {printed}" if printed else ""
            raise InterpreterError(f"the command ended with exit code {ended.returncode}{said}")
        if not files["outputs"].exists():
            raise InterpreterError(f"the command wrote no outputs: {printed}")
        return load_arrays(str(files["outputs"]))


def backend(*options: str) -> CommandEngine:
    """Return the engine for a command line. Raises UsageError where a placeholder is missing."""
    text = ",".join(options)
    for placeholder in ("{module}", "{outputs}"):
        if placeholder not in text:
            raise UsageError(f"engine command: the command lacks {placeholder}: '{text}'")
    return CommandEngine(tuple(shlex.split(text)))

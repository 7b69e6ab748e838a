"""IREE as an engine: its compiler runs in a process of its own, its runtime in the engine's. The extra `iree` has both.

Options: `target=llvm-cpu` (the default), `device=local-sync`, and `flags=--FLAG+--FLAG` for the compiler, where `+`
stands between flags. Arrays of types that numpy lacks enter by their bits, those of less than a byte as integers.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.types import TensorType
from ..bindings.walk import functions
from ..errors import InterpreterError, UnsupportedOpError, UsageError
from ..isolation.commands import run_command
from .carriers import carried, carrier_of, main_on_carriers, restored, signature, tensors
from .outcome import EngineCrashError
from .reading import read_module
from .worker import Run

_LACKS = re.compile(
    r"failed to legalize|un(?:supported|implemented|handled)|not (?:yet )?(?:supported|implemented)", re.I
)
_PROGRAM = "iree.program"
_SHOWN_CHARACTERS = 2000


class Iree:
    """Compiles programs with `iree-compile` and runs them on a device of IREE's runtime."""

    def __init__(self, options: dict[str, str]) -> None:
        try:
            self.runtime: Any = importlib.import_module("iree.runtime")
            binaries: Any = importlib.import_module("iree.compiler.tools.binaries")
        except ImportError:
            notes = ["pip install 'stablehlo-py[iree]' brings IREE's compiler and runtime"]
            raise UsageError("engine iree: IREE is not installed", notes=notes) from None
        self.release = f"IREE {importlib.metadata.version('iree-base-compiler')}"
        target = options.pop("target", "llvm-cpu")
        self.device = options.pop("device", "local-sync")
        flags = [
            f"--iree-hal-target-backends={target}",
            "--iree-input-type=stablehlo",
            "--iree-input-demote-f64-to-f32=false",
        ]
        if target == "llvm-cpu":
            flags.append("--iree-llvmcpu-target-cpu=host")
        flags += [flag for flag in options.pop("flags", "").split("+") if flag]
        if options:
            raise UsageError(f"engine iree: unknown option '{next(iter(options))}'",
                             notes=["the options are target, device and flags"])  # fmt: skip
        self.words: list[str] = [binaries.find_tool("iree-compile"), *flags]

    def load(self, module: bytes) -> Run:
        """Compile the module. Raises UnsupportedOpError, InterpreterError or EngineCrashError."""
        read = read_module(module)
        inputs, outputs = map(tensors, signature(functions(read.operation)["main"]))
        compiled = self._compile(_entered_by_carriers(read, inputs, outputs))
        context = self.runtime.SystemContext(config=self.runtime.Config(self.device))
        context.add_vm_module(self.runtime.VmModule.copy_buffer(context.instance, compiled))
        main = context.modules.module["main"]

        def run(arguments: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
            given = zip(arguments, inputs, strict=True)
            results: Any = main(*[np.array(carried(value, carrier_of(type_)), order="C") for value, type_ in given])
            several: list[Any] = [] if results is None else list(results) if len(outputs) > 1 else [results]
            # Copies: IREE takes the memory back with its arrays.
            return [_result(np.array(np.asarray(each)), type_) for each, type_ in zip(several, outputs, strict=True)]

        return run

    def _compile(self, text: str) -> bytes:
        with tempfile.TemporaryDirectory(prefix="stablehlo-iree-") as folder:
            source, compiled = Path(folder) / "module.mlir", Path(folder) / "module.vmfb"
            source.write_text(text, encoding="utf-8")
            ended = run_command([*self.words, str(source), "-o", str(compiled)], tied=True)
            if not ended.returncode:
                return compiled.read_bytes()
            said = _first_error(ended.stderr)
        if ended.returncode < 0 or "Stack dump" in ended.stderr:
            failed = next((f": {line}" for line in ended.stderr.splitlines() if "Assertion" in line), "")
            raise EngineCrashError(f"IREE's compiler crashed with exit code {ended.returncode}{failed}")
        raise (UnsupportedOpError if _LACKS.search(said) else InterpreterError)(said)


def _first_error(printed: str) -> str:
    """Return the first error that the compiler printed, without the path of its temporary file; else the first line."""
    lines = [line for line in printed.splitlines() if "error:" in line] or printed.strip().splitlines()
    line = lines[0] if lines else "nothing was printed"
    return re.sub(r"^\S*/module\.mlir:\d+:\d+: error: ", "", line)[:_SHOWN_CHARACTERS]


def _entered_by_carriers(module: ir.Module, inputs: Sequence[TensorType], outputs: Sequence[TensorType]) -> str:
    """Return the text of a program with a `main` whose arrays numpy has."""
    main = functions(module.operation)["main"]
    needs = any(carrier_of(type_) is not None for type_ in (*inputs, *outputs))
    main.attributes["sym_visibility"] = ir.StringAttr.get("private" if needs else "public", module.context)
    if needs:
        main.attributes["sym_name"] = ir.StringAttr.get(_PROGRAM, module.context)
    kept = [str(op.operation.get_asm(print_generic_op_form=True)) for op in module.body.operations]
    return "\n".join([*kept, main_on_carriers(_PROGRAM, inputs, outputs) if needs else ""])


def _result(array: np.ndarray, type_: TensorType) -> np.ndarray:
    carrier = carrier_of(type_)
    wanted = np.dtype(type_.dtype if carrier is None else carrier.dtype)
    return restored(
        array.view(wanted) if array.dtype.itemsize == wanted.itemsize else array.astype(wanted), type_, carrier
    )


def backend(*options: str) -> Iree:
    """Return the engine `iree`. Raises UsageError for an option that is not KEY=VALUE, or without IREE."""
    pairs = [option.partition("=") for option in options]
    wrong = next((key for key, equals, _ in pairs if not equals), None)
    if wrong is not None:
        raise UsageError(f"engine iree: expected KEY=VALUE, found '{wrong}'")
    return Iree({key: value for key, _, value in pairs})

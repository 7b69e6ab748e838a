"""Answer jobs in the environment of one release: `python cross_version_child.py JOBS ANSWERS`.

JOBS holds a JSON list, ANSWERS gets a JSON line for each job as soon as it is done, so that the parent knows which job
a crash belongs to. Needs nothing but the release itself and numpy, and any Python from 3.9 on: releases back to jaxlib
0.4.13 have to run it. A program goes in and out as a portable artifact, read and written with the release's own API.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np


class Jaxlib:
    """A jaxlib: artifacts through its XLA extension, as JAX itself does, evaluation on its XLA CPU client."""

    def __init__(self) -> None:
        from jaxlib import xla_client

        try:
            from jaxlib import _jax as extension
        except ImportError:
            from jaxlib import xla_extension as extension
        self.xla_client, self.extension = xla_client, extension
        self.client: Any = None

    def versions(self) -> dict[str, str]:
        from jaxlib.mlir.dialects import stablehlo

        return {"current": stablehlo.get_current_version(), "minimum": stablehlo.get_minimum_version()}

    def read(self, artifact: bytes) -> Any:
        """The program as text."""
        try:
            return self.extension.mlir.deserialize_portable_artifact(artifact)
        except RuntimeError as error:
            if "requires a Context" not in str(error):
                raise
        return self._in_context(lambda: str(self.extension.mlir.deserialize_portable_artifact(artifact)))

    def write(self, program: Any, target: str) -> bytes:
        """The artifact of a program that `read` returned."""
        try:
            return self.extension.mlir.serialize_portable_artifact(program, target)
        except TypeError:
            return self._in_context(lambda: self._write_module(program, target))

    def _in_context(self, call: Callable[[], Any]) -> Any:
        from jaxlib.mlir import ir
        from jaxlib.mlir._mlir_libs import _jax_mlir_ext
        from jaxlib.mlir.dialects import stablehlo

        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        with ir.Context() as context:
            context.append_dialect_registry(registry)
            context.load_all_available_dialects()
            stablehlo.register_dialect(context)
            return call()

    def _write_module(self, program: str, target: str) -> bytes:
        from jaxlib.mlir import ir

        return self.extension.mlir.serialize_portable_artifact(ir.Module.parse(program), target)

    def evaluate(self, program: Any, inputs: list[np.ndarray]) -> list[np.ndarray]:
        """The results of the program's `main`."""
        if self.client is None:
            self._initialize_jit_state()
            self.client = self.xla_client.make_cpu_client()
        executable = self._compile(program)
        buffers = [self._buffer(np.ascontiguousarray(value)) for value in inputs]
        return [np.asarray(result) for result in executable.execute(buffers)]

    def _initialize_jit_state(self) -> None:
        """Importing JAX sets this; without it, some releases end the process when they execute."""
        jit = getattr(self.extension, "jax_jit", None)
        if hasattr(jit, "set_thread_local_state_initialization_callback"):
            jit.set_thread_local_state_initialization_callback(lambda: None)
        state = jit.global_state() if hasattr(jit, "global_state") else None
        if hasattr(state, "enable_memories"):
            state.enable_memories = False

    def _compile(self, program: str) -> Any:
        if not hasattr(self.client, "compile_and_load"):
            return self.client.compile(program)
        devices = self.client.local_devices()
        if hasattr(self.extension, "DeviceList"):
            devices = self.extension.DeviceList(tuple(devices))
        return self.client.compile_and_load(program, devices, self.xla_client.CompileOptions())

    def _buffer(self, value: np.ndarray) -> Any:
        if hasattr(self.client, "buffer_from_pyval"):
            return self.client.buffer_from_pyval(value)
        device = self.client.local_devices()[0]
        return self.extension.dlpack_managed_tensor_to_buffer(value.__dlpack__(), device, None)


class TorchMlir:
    """torch-mlir: artifacts and evaluation by its StableHLO bindings, whose interpreter is the official one."""

    def __init__(self) -> None:
        from torch_mlir import ir
        from torch_mlir._mlir_libs import _stablehlo

        self.ir, self.stablehlo = ir, _stablehlo
        self.context = ir.Context()
        _stablehlo.register_dialect(self.context)

    def versions(self) -> dict[str, str]:
        return {"current": self.stablehlo.get_current_version(), "minimum": self.stablehlo.get_minimum_version()}

    def read(self, artifact: bytes) -> Any:
        return self.stablehlo.deserialize_portable_artifact(self.context, artifact)

    def write(self, program: Any, target: str) -> bytes:
        copy = self.ir.Module.parse(str(program), self.context)  # writing changes the module
        return self.stablehlo.serialize_portable_artifact(copy, target)

    def evaluate(self, program: Any, inputs: list[np.ndarray]) -> list[np.ndarray]:
        arguments = [self.ir.Attribute.parse(_dense(value), self.context) for value in inputs]
        return [np.array(result) for result in self.stablehlo.eval_module(program, arguments)]


def _dense(value: np.ndarray) -> str:
    """An unsigned array as a dense attribute."""
    shape = "".join(f"{size}x" for size in value.shape)
    return f"dense<{value.tolist()}> : tensor<{shape}ui{value.dtype.itemsize * 8}>"


def _release() -> Jaxlib | TorchMlir:
    try:
        import torch_mlir  # noqa: F401
    except ImportError:
        return Jaxlib()
    return TorchMlir()


def _write(release: Any, job: dict[str, Any]) -> Iterator[dict[str, str]]:
    program = release.read(Path(job["source"]).read_bytes())
    for target, output in job["outputs"].items():
        try:
            Path(output).write_bytes(release.write(program, target))
        except Exception as error:  # whatever this release raises is its answer
            yield {"target": target, "error": _message(error)}
        else:
            yield {"target": target, "error": ""}


def _run(release: Any, job: dict[str, Any]) -> dict[str, str]:
    """Evaluates an artifact. Where the release can read it and not execute it, it writes it again for others to."""
    program = release.read(Path(job["artifact"]).read_bytes())
    inputs = []
    if job["inputs"]:
        with np.load(job["inputs"]) as archive:
            inputs = [archive[name] for name in sorted(archive.files)]
    try:
        results = release.evaluate(program, inputs)
    except Exception as error:  # whatever this release raises is its answer
        Path(job["rewritten"]).write_bytes(release.write(program, job["target"]))
        return {"not_executed": _message(error)}
    np.savez(job["output"], **{f"result_{number}": result for number, result in enumerate(results)})
    return {}


def _message(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip().splitlines()[0][:300]


def _answer(release: Any, job: dict[str, Any]) -> dict[str, Any]:
    if job["kind"] == "versions":
        return release.versions()
    if job["kind"] == "write":
        return {"written": list(_write(release, job))}
    return _run(release, job)


def main(jobs_path: str, answers_path: str) -> None:
    release = _release()
    with open(answers_path, "a", encoding="utf-8") as answers:
        for job in json.loads(Path(jobs_path).read_text(encoding="utf-8")):
            try:
                answer = _answer(release, job)
            except Exception as error:  # whatever this release raises is its answer
                answer = {"error": _message(error)}
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

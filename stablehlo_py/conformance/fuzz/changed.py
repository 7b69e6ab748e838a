"""The reference on a program after it was changed: by passes, or by a way through an artifact. An engine's worker."""

from __future__ import annotations

from dataclasses import dataclass

from ...artifacts.artifact import deserialize, serialize
from ...artifacts.versions import resolve_version
from ...bindings import ir, make_context
from ...bindings.bytecode import bytecode_of
from ...engines import Engine, Limits
from ...engines.reading import read_module
from ...engines.reference import backend as reference
from ...engines.worker import Run
from ...errors import ArtifactError, UnsupportedOpError
from ...passes.pipeline import run_pipeline

PASSES, THROUGH = "passes", "through"


@dataclass(frozen=True)
class Changed:
    """Changes programs, and runs them in the reference."""

    how: str
    argument: str

    def load(self, module: bytes) -> Run:
        """Change the module and plan it."""
        read = read_module(module)
        if self.how == PASSES:
            run_pipeline(read, self.argument)
        else:
            read = deserialize(_artifact(read, self.argument))
        read.operation.verify()
        return reference().load(bytecode_of(read))


def _artifact(module: ir.Module, version: str) -> bytes:
    """Return the program for a version. Raises UnsupportedOpError where that version cannot say it."""
    try:
        return serialize(module, version)
    except ArtifactError as error:
        raise UnsupportedOpError(str(error)) from None


def after_passes(pipeline: str, limits: Limits) -> Engine:
    """The reference on programs after a pipeline. Raises UsageError for a pipeline that does not run on modules."""
    run_pipeline(ir.Module.parse("", make_context()), pipeline)
    return Engine(f"passes:{pipeline}", f"{__name__}:Changed", (PASSES, pipeline), limits)


def through_artifact(version: str, limits: Limits) -> Engine:
    """Return the reference on programs read back from artifacts. Raise UsageError for an unknown version."""
    return Engine(f"through:{version}", f"{__name__}:Changed", (THROUGH, str(resolve_version(version))), limits)

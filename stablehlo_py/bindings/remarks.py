"""MLIR's remarks, in which passes report on ops that they changed, or could not change."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ..errors import UsageError
from .capabilities import require
from .provider import ir

# The file of each format that has one; `emitRemark` reports diagnostics.
_DEFAULT_FILES = {"yaml": "mlir-remarks.yaml", "bitstream": "mlir-remarks.bitstream"}


def emit_remark(location: ir.Location, kind: str, name: str, category: str, message: str = "") -> None:
    """Emit a remark of a `RemarkKind` and a category if the context collects remarks of these."""
    if hasattr(location, "emit_remark"):
        location.emit_remark(getattr(ir.RemarkKind, kind), name, category=category, message=message)


@contextmanager
def remarks(context: ir.Context, filters: dict[str, str], form: str, policy: str, path: str) -> Generator[None]:
    """Collect the remarks whose category a filter matches, and report them as diagnostics or to a file.

    Args:
        context: The context whose passes emit remarks.
        filters: Regular expressions by the parameters of `Context.enable_remarks`.
        form: `emitRemark` for diagnostics, `yaml` or `bitstream` for a file.
        policy: `all` for each remark at once, `final` for the last ones of each op at the end.
        path: The file, empty for the default of the form.

    Raises:
        ProviderError: The bindings have no remark engine.
        UsageError: The file cannot be written.
    """
    require("remarks")
    settings: dict[str, Any] = {"policy": getattr(ir.RemarkPolicy, policy.upper()), **filters}
    if form in _DEFAULT_FILES:
        settings |= {"output_file": path or _DEFAULT_FILES[form], "format": getattr(ir.RemarkFormat, form.upper())}
    try:
        context.enable_remarks(**settings)
    except ValueError as error:
        raise UsageError(str(error)) from None
    try:
        yield
    finally:
        context.finalize_remarks()

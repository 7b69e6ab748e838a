"""`--pass-report`: what the optimization passes did, on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..passes.report import start_collecting

if TYPE_CHECKING:
    from ..bindings import ir
    from .opt_flags import Options


def report_passes(form: str, options: Options) -> None:
    """Prints a report, as `json` or `text`, after the passes have run on a module; each chunk of a split file gets its
    own."""
    collection = start_collecting()

    def print_report(_: ir.Module) -> None:
        sys.stderr.write(collection.to_json() if form == "json" else collection.to_text())
        sys.stderr.write("\n")
        collection.reports.clear()

    options.after_passes.append(print_report)

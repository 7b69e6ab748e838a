"""A report on a program: a page with tables, a graph, its text, and the overlays of other tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..bindings import ir
from ..bindings.walk import functions, has_body
from ..errors import UsageError
from .contents import contents
from .cost import cost
from .overlays import Overlay, overlay_of
from .page import Page, make_page

_SCRIPTS = (
    "dagre.min.js",
    "common.js",
    "model.js",
    "summary.js",
    "list.js",
    "groups.js",
    "graph.js",
    "moving.js",
    "view.js",
)


def view(module: ir.Module, *, title: str = "program", function: str = "main", overlays: Sequence[Any] = ()) -> Page:
    """Make a report on a program.

    Args:
        module: The program.
        title: What it is called.
        function: The function whose run is counted; the first one where there is none of this name.
        overlays: What other tools found out: overlays, results with `as_dict`, or the JSON that a verb prints.

    Returns:
        The page; nothing in it is fetched from anywhere.

    Raises:
        UsageError: An overlay is of no tool whose results can be shown.
    """
    return make_page(title, "view.html", _SCRIPTS, report_data(module, title, function, overlays))


def report_data(module: ir.Module, title: str, function: str = "main", overlays: Sequence[Any] = ()) -> dict[str, Any]:
    """Return the contents of a report, with the arguments of `view`."""
    known = [name for name, op in functions(module.operation).items() if has_body(op)]
    if not known:
        raise UsageError("the program has no function to report on")
    found = cost(module, function if function in known else known[0])
    return contents(module, title, found, [_overlay(one) for one in overlays])


def _overlay(value: Any) -> Overlay:
    if isinstance(value, Overlay):
        return value
    found = overlay_of(value.as_dict() if hasattr(value, "as_dict") else value)
    if found is None:
        raise UsageError(f"an overlay has to be the result of a tool, found {type(value).__name__}")
    return found

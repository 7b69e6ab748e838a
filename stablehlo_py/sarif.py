"""SARIF 2.1.0: findings in the form that code hosts show on the lines of a change.

Paths are relative to the root of the repository if the file is in one, since a code host looks for them there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .version import __version__

_LEVELS = ("error", "warning", "note", "none")


def position(location: str) -> tuple[str, int, int] | None:
    """Return the file, line and column of `file:line:column`; zeros for a file alone, None for no location."""
    name, line, column = location.rsplit(":", 2) if location.count(":") >= 2 else (location, "", "")
    if not (line.isdigit() and column.isdigit()):
        return (location, 0, 0) if location else None
    return name, int(line), int(column)


def location_of(location: str) -> dict[str, Any] | None:
    """Return a location of SARIF, or None for no location."""
    found = position(location)
    if found is None:
        return None
    name, line, column = found
    address = quote(_in_repository(name).replace(os.sep, "/"), safe="/:", errors="surrogateescape")
    physical: dict[str, Any] = {"artifactLocation": {"uri": address}}
    if line > 0:
        physical["region"] = {"startLine": line, "startColumn": max(column, 1)}
    return {"physicalLocation": physical}


def _in_repository(name: str) -> str:
    """Return the path of a file in its repository, or the name of anything else."""
    path = Path(name).absolute()
    if not path.exists():
        return name
    root = next((folder for folder in path.parents if (folder / ".git").exists()), None)
    return name if root is None else str(path.relative_to(root))


def result(level: str, text: str, location: str = "", rule: str = "", **more: Any) -> dict[str, Any]:
    """Return a finding.

    Args:
        level: `error` or `warning`; all else is a note, but for `none`.
        text: The message.
        location: `file:line:column`, a file, or empty.
        rule: The kind of finding.
        more: Other properties of SARIF's results.
    """
    found: dict[str, Any] = {"level": level if level in _LEVELS else "note", "message": {"text": text}, **more}
    if rule:
        found["ruleId"] = rule
    if (at := location_of(location)) is not None:
        found["locations"] = [at]
    return found


def document(tool: str, results: Sequence[dict[str, Any]], rules: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the document of a run of a tool; `rules` says what each kind of finding is."""
    known = [{"id": rule, "shortDescription": {"text": text}} for rule, text in (rules or {}).items()]
    driver = {"name": tool, "version": __version__, "rules": known}
    run = {"tool": {"driver": driver}, "results": list(results)}
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}

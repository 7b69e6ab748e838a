"""The messages of the tools on standard error: as text, as JSON with a line for each message, or as one SARIF document.

`--error-format` chooses. Text is coloured on terminals, where neither NO_COLOR nor `--color=false` forbids it.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any, TextIO

from ..errors import Diagnostic, Severity
from ..version import __version__

FORMAT_VARIABLE = "STABLEHLO_PY_ERROR_FORMAT"
COLOR_VARIABLE = "STABLEHLO_PY_COLOR"
FORMATS = ("text", "json", "sarif")
_COLORS = {"error": "31", "warning": "35", "remark": "34", "note": "36"}
_SEVERITY = r"((?:.*: )?)(error|warning|remark|note): (.*)$"
_SARIF_LEVELS = {"error": "error", "warning": "warning"}
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_collected: list[Diagnostic] = []
_tool = "stablehlo"


def speak_as(tool: str) -> None:
    """Set the tool that messages name."""
    global _tool
    _tool = tool


def error_format() -> str:
    """The format that the command line or the environment asks for."""
    return os.environ.get(FORMAT_VARIABLE, "") or FORMATS[0]


def say(diagnostic: Diagnostic, text: str) -> None:
    """Write a message to standard error, `text` being what people read; SARIF waits for `finish`."""
    if error_format() == "json":
        import json

        sys.stderr.write(json.dumps({"tool": _tool, **_values(diagnostic)}) + "\n")
    elif error_format() == "sarif":
        _collected.append(diagnostic)
    else:
        colored = "".join(map(_colored_line, text.splitlines(keepends=True))) if wants_color(sys.stderr) else text
        sys.stderr.write(colored)
    sys.stderr.flush()


def announce(severity: Severity, message: str, *notes: str, location: str = "") -> None:
    """Write a message about a location, or about none."""
    text = "".join([f"{location or _tool}: {severity}: {message}\n", *(f"{_tool}: note: {note}\n" for note in notes)])
    say(Diagnostic(severity, location, message, tuple(Diagnostic("note", "", note) for note in notes)), text)


def finish() -> None:
    """Write the SARIF document of all messages, if that is the format."""
    if error_format() == "sarif":
        import json

        sys.stderr.write(json.dumps(_sarif(), indent=2) + "\n")
        sys.stderr.flush()
        _collected.clear()


def wants_color(stream: TextIO) -> bool:
    """Whether what is written to a stream should be coloured."""
    asked = os.environ.get(COLOR_VARIABLE)
    if asked is not None:
        return asked != "false"
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def _colored_line(line: str) -> str:
    found = re.match(_SEVERITY, line)
    if found is not None:
        location, severity, message = found.groups()
        head = f"\x1b[1m{location}\x1b[0m" if location else ""
        return f"{head}\x1b[1;{_COLORS[severity]}m{severity}: \x1b[0;1m{message}\x1b[0m\n"
    return f"\x1b[1;32m{line.rstrip()}\x1b[0m\n" if line.strip() == "^" else line


def _position(location: str) -> tuple[str, int, int] | None:
    name, line, column = location.rsplit(":", 2) if location.count(":") >= 2 else (location, "", "")
    if not (line.isdigit() and column.isdigit()):
        return (location, 0, 0) if location else None
    return name, int(line), int(column)


def _values(diagnostic: Diagnostic) -> dict[str, Any]:
    found = _position(diagnostic.location)
    file, line, column = (None, None, None) if found is None else found
    return {
        "severity": diagnostic.severity,
        "file": file,
        "line": line,
        "column": column,
        "message": diagnostic.message,
        "notes": [_values(note) for note in diagnostic.notes],
    }


def _sarif_location(location: str) -> dict[str, Any] | None:
    found = _position(location)
    if found is None:
        return None
    from urllib.parse import quote

    name, line, column = found
    address = quote(name.replace(os.sep, "/"), safe="/:", errors="surrogateescape")  # bytes that are no text stay
    physical: dict[str, Any] = {"artifactLocation": {"uri": address}}
    if line > 0:
        physical["region"] = {"startLine": line, "startColumn": max(column, 1)}
    return {"physicalLocation": physical}


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    result: dict[str, Any] = {
        "level": _SARIF_LEVELS.get(diagnostic.severity, "note"),
        "message": {"text": diagnostic.message},
    }
    location = _sarif_location(diagnostic.location)
    if location is not None:
        result["locations"] = [location]
    related = [
        {"message": {"text": note.message}, **(_sarif_location(note.location) or {})} for note in diagnostic.notes
    ]  # fmt: skip
    if related:
        result["relatedLocations"] = related
    return result


def _sarif() -> dict[str, Any]:
    driver: dict[str, Any] = {"name": _tool, "version": __version__, "rules": []}
    results = [_result(diagnostic) for diagnostic in _collected]
    return {
        "$schema": _SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }

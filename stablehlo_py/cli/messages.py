"""The messages of the tools on standard error: as text, as JSON with a line for each message, or as one SARIF document.

`--error-format` chooses. Text is coloured on terminals, where neither NO_COLOR nor `--color=false` forbids it.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any, TextIO

from ..errors import Diagnostic, Severity

FORMAT_VARIABLE = "STABLEHLO_PY_ERROR_FORMAT"
COLOR_VARIABLE = "STABLEHLO_PY_COLOR"
FORMATS = ("text", "json", "sarif")
_COLORS = {"error": "31", "warning": "35", "remark": "34", "note": "36"}
_SEVERITY = r"((?:.*: )?)(error|warning|remark|note): (.*)$"
_collected: list[Diagnostic] = []
_tool = "stablehlo"


def speak_as(tool: str) -> None:
    """Set the tool that messages name."""
    global _tool
    _tool = tool


def error_format() -> str:
    """Return the format that the command line or the environment asks for."""
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

        from .. import sarif

        found = sarif.document(_tool, [_result(diagnostic) for diagnostic in _collected])
        sys.stderr.write(json.dumps(found, indent=2) + "\n")
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


def _values(diagnostic: Diagnostic) -> dict[str, Any]:
    from ..sarif import position

    found = position(diagnostic.location)
    file, line, column = (None, None, None) if found is None else found
    return {
        "severity": diagnostic.severity,
        "file": file,
        "line": line,
        "column": column,
        "message": diagnostic.message,
        "notes": [_values(note) for note in diagnostic.notes],
    }


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    from .. import sarif

    related = [
        {"message": {"text": note.message}, **(sarif.location_of(note.location) or {})} for note in diagnostic.notes
    ]  # fmt: skip
    more: dict[str, Any] = {"relatedLocations": related} if related else {}
    return sarif.result(diagnostic.severity, diagnostic.message, diagnostic.location, **more)

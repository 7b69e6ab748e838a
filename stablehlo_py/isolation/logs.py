"""Logs of work: files of JSON lines that outlive a killed process, so that another one goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from ..errors import InputError

Entry = TypeVar("Entry")


def read_log(path: Path, decode: Callable[[Any], Entry]) -> list[Entry]:
    """Return the entries of a log, none without a file, and cut off a line that a killed process did not finish.

    Args:
        path: The file.
        decode: Makes an entry of a line's value; it raises KeyError, TypeError or ValueError for a damaged one.

    Raises:
        InputError: A line is damaged, or the file cannot be read.
    """
    entries: list[Entry] = []
    try:
        with open(path, "r+b") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    file.truncate(file.tell() - len(line))
                    break
                try:
                    entries.append(decode(json.loads(line)))
                except (KeyError, TypeError, ValueError):
                    remedy = "without this line, or without the file, its work is done again"
                    raise InputError(
                        "not an entry of this log", location=f"{path}:{number}:1", notes=[remedy]
                    ) from None
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"cannot open '{path}': {error.strerror}") from None
    return entries


def add_to_log(path: Path, entry: Any) -> None:
    """Append an entry; it is in the file when this returns."""
    with open(path, "ab") as file:
        file.write(json.dumps(entry).encode() + b"\n")

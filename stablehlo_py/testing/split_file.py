"""`split-file`: writes the parts of a test as files, as LLVM's tool of this name does.

A part begins after a line `//--- NAME` (any single character may replace `//`) and ends before the next one.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import InputError


def parts(text: str, name: str) -> Iterator[tuple[str, int, str]]:
    """Yield the name, the number of the first line and the text of each part.

    Args:
        text: The whole test.
        name: The name of its file, for errors.

    Raises:
        InputError: A part has no name or the name of another part, or there is no part.
    """
    lines = text.splitlines(keepends=True)
    begins: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        length = 6 if line.startswith("//") else 5
        if line[length - 4 : length] != "--- ":
            continue
        part = line[length:].rstrip("\n")
        if not part or part != part.strip():
            raise InputError(f"the name of a part is {part!r}", location=f"{name}:{number}")
        if part in [other for _, other in begins]:
            raise InputError(f"the part '{part}' is there twice", location=f"{name}:{number}")
        begins.append((number, part))
    if not begins:
        raise InputError("no part begins", location=name, notes=["a part begins after a line '//--- NAME'"])
    for (number, part), (end, _) in zip(begins, [*begins[1:], (len(lines) + 1, "")], strict=True):
        yield part, number + 1, "".join(lines[number : end - 1])


def split_file(path: Path, folder: Path, *, leading_lines: bool = False) -> None:
    """Write the parts of a test into a folder, and remove its other contents.

    Args:
        path: The test.
        folder: The folder of the parts.
        leading_lines: Whether empty lines keep the numbers of a part's lines.

    Raises:
        InputError: The test has no parts, or one of them lies outside of the folder.
        OSError: A file cannot be read or written.
    """
    found = list(parts(path.read_text(encoding="utf-8"), str(path)))
    targets = [folder / part for part, _, _ in found]
    for (part, number, _), target in zip(found, targets, strict=True):
        if not target.resolve().is_relative_to(folder.resolve()):
            raise InputError(f"the part '{part}' lies outside of the folder", location=f"{path}:{number - 1}")
    if folder.is_dir():
        shutil.rmtree(folder)
    elif folder.exists():
        folder.unlink()
    for (_, number, text), target in zip(found, targets, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n" * (number - 1 if leading_lines else 0) + text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the tool on the process's arguments, and end the process."""
    parser = argparse.ArgumentParser("split-file", description="Write the parts of a test into a folder.")
    parser.add_argument("file", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--leading-lines", action=argparse.BooleanOptionalAction, help="keep the numbers of lines")
    given = parser.parse_args(arguments)
    try:
        split_file(given.file, given.folder, leading_lines=bool(given.leading_lines))
    except (InputError, OSError, UnicodeDecodeError) as error:
        sys.exit(f"split-file: {error}")

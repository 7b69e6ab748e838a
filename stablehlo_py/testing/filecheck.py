"""Finds LLVM's FileCheck, or else the `filecheck` package, and runs it from any test."""

from __future__ import annotations

import glob
import importlib.util
import os
import re
import shutil
import sys
import tempfile

from ..isolation.commands import run_command

VARIABLE = "STABLEHLO_PY_FILECHECK"


def _version(path: str) -> int:
    found = re.search(r"llvm-(\d+)", path)
    return int(found[1]) if found else 0


def find_filechecks() -> list[str]:
    """Return the paths of the FileChecks to use; the list is empty if none is installed.

    In this order: the programs that STABLEHLO_PY_FILECHECK names, which all have to pass, `FileCheck` on PATH, the
    newest /usr/lib/llvm-*/bin/FileCheck, `filecheck` beside this interpreter (`pip install filecheck`), `filecheck` on
    PATH. Without the variable there is one at most.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = [shutil.which(name) for name in named.split(os.pathsep)]
        return [path for path in found if path] if all(found) else []
    installed = sorted(glob.glob("/usr/lib/llvm-*/bin/FileCheck"), key=_version, reverse=True)
    candidates = [shutil.which("FileCheck"), *installed, shutil.which(_beside()), shutil.which("filecheck")]
    return [path for path in candidates if path][:1]


def find_filecheck() -> str | None:
    """Return the first of `find_filechecks()`, or None if FileCheck is not installed."""
    return next(iter(find_filechecks()), None)


def _beside() -> str:
    return os.path.join(os.path.dirname(sys.executable), "filecheck")


def is_package(path: str) -> bool:
    """Whether the program is the `filecheck` package of this interpreter."""
    return path == _beside() and importlib.util.find_spec("filecheck") is not None


def filecheck(output: str, checks: str) -> None:
    """Raise unless `output` matches `checks`.

    It serves tests without a file of their own, as in pytest: `filecheck(print_text(module), "CHECK: stablehlo.add")`.

    Args:
        output: The text to check.
        checks: Text with `CHECK:` lines.

    Raises:
        AssertionError: The output does not match; the message is FileCheck's.
        FileNotFoundError: FileCheck is not installed.
    """
    programs = find_filechecks()
    if not programs:
        raise FileNotFoundError("FileCheck is not installed; install it with: pip install filecheck")
    with tempfile.TemporaryDirectory() as folder:  # Windows opens no file twice that is deleted when closed
        path = os.path.join(folder, "checks.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(checks if checks.endswith("\n") else checks + "\n")
        for program in programs:
            result = run_command([program, path], text=output)
            if result.returncode != 0:
                raise AssertionError(result.stdout + result.stderr)

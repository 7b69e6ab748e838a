"""Finding FileCheck, LLVM's where there is one and else the `filecheck` package, and running it from any test."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

VARIABLE = "STABLEHLO_PY_FILECHECK"


def _version(path: str) -> int:
    found = re.search(r"llvm-(\d+)", path)
    return int(found[1]) if found else 0


def find_filecheck() -> str | None:
    """Return the path of the FileCheck to use, or None if it is not installed.

    In this order: the program that STABLEHLO_PY_FILECHECK names, `FileCheck` on PATH, the newest
    /usr/lib/llvm-*/bin/FileCheck, `filecheck` beside this interpreter (`pip install filecheck`), `filecheck` on PATH.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return shutil.which(named)
    installed = sorted(glob.glob("/usr/lib/llvm-*/bin/FileCheck"), key=_version, reverse=True)
    beside = os.path.join(os.path.dirname(sys.executable), "filecheck")
    candidates = [shutil.which("FileCheck"), *installed, shutil.which(beside), shutil.which("filecheck")]
    return next((path for path in candidates if path), None)


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
    program = find_filecheck()
    if program is None:
        raise FileNotFoundError("FileCheck is not installed; install it with: pip install filecheck")
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(checks if checks.endswith("\n") else checks + "\n")
        file.flush()
        result = subprocess.run([program, file.name], input=output, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise AssertionError(result.stdout + result.stderr)

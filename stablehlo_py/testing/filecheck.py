"""Finding FileCheck: LLVM's where there is one, else the `filecheck` package."""

from __future__ import annotations

import glob
import os
import re
import shutil
import sys

VARIABLE = "STABLEHLO_PY_FILECHECK"


def _version(path: str) -> int:
    found = re.search(r"llvm-(\d+)", path)
    return int(found[1]) if found else 0


def find_filecheck() -> str | None:
    """The path of the FileCheck to use, or None where there is none.

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

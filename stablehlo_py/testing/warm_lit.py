"""A lit test format that runs the tools of this package by fork, and everything else as lit's own shell does.

lit parses and runs the test; only where it would start one of the programs in the folder of tools does this format
start a `WarmProcess` instead. So pipes, redirections, `not`, substitutions and timeouts are lit's.
"""

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import SimpleNamespace
from typing import Any

import lit.TestRunner

from .. import interpret, parse, run_passes, serialize
from ..bindings.context import keep_a_context
from ..engines import worker
from ..errors import StablehloError
from ..isolation import worker as isolation_worker
from ..isolation.commands import python_command
from ..isolation.policy import fork_is_safe
from ..isolation.warm import Main, WarmProcess, exit_code
from .filecheck import is_package
from .process_substitution import SubstitutingShTest

_PACKAGE, _FILECHECK = __name__.partition(".")[0], "filecheck.main"
# The rooms whose modules are imported before the first fork; a test says when one is missing.
_ROOMS = (
    *("bindings", "dialect", "syntax", "artifacts", "interpreter", "passes", "engines", "analysis", "spmd"),
    *("conformance.score", "debug", "debug.corpus", "cli"),
)
# A program to run before the first fork, which fills the caches of the process.
_REHEARSED = """func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
# Variables that a process reads once, when it starts. A command with another value of them is not run by a fork.
_DECISIVE = ("PYTHONPATH", "PYTHONHOME", "PYTHONWARNINGS", "STABLEHLO_PY_PROVIDER", "STABLEHLO_PY_FAST")
_READ_AT_START = ("PYTHON", "LD_", "DYLD_", "LC_", "LANG", "OMP_", "OPENBLAS_", "MKL_", "MALLOC_", "GLIBC_", "TZ")
_LIT = os.path.dirname(os.path.abspath(lit.TestRunner.__file__))


def works_here() -> bool:
    """Whether this system and this lit have what the format needs. On macOS some libraries do not survive a fork."""
    return hasattr(os, "fork") and sys.platform != "darwin" and hasattr(lit.TestRunner, "subprocess")


class WarmShTest(SubstitutingShTest):
    """lit's format for tests with RUN lines, with some programs run by a fork of lit's process.

    Args:
        folder: Where those programs are, as `lit.make_tool_folder` makes them.
        tools: The modules of the command line tools by name.
        filechecks: What stands behind FileCheck.
    """

    def __init__(self, folder: str, tools: Mapping[str, str], filechecks: Sequence[str]) -> None:
        super().__init__()
        self.folder = folder
        self.tools = dict(tools)
        self.filechecks = tuple(filechecks)

    def execute(self, test: Any, litConfig: Any) -> Any:  # noqa: N803 (lit's name)
        """Return the result of a test."""
        started = SimpleNamespace(**{**vars(subprocess), "Popen": self.start})
        lit.TestRunner.__dict__.update(subprocess=started)
        try:
            return super().execute(test, litConfig)
        finally:
            lit.TestRunner.__dict__.update(subprocess=subprocess)

    def start(self, args: Sequence[str], *, executable: str, **options: Any) -> Any:
        """Start a process for a command line; takes the `options` of `subprocess.Popen`."""
        main = self.called(executable) if _is_like_here(options.get("env", os.environ)) else None
        if main is None:
            return subprocess.Popen(args, executable=executable, **options)
        return WarmProcess(main, args, **options)

    def called(self, program: str) -> Main | None:
        """Return the function to call for a program; None for one that has to be started."""
        folder, name = os.path.split(program)
        if folder != self.folder:
            return None
        if name == "FileCheck" and any(map(is_package, self.filechecks)):
            importlib.import_module(_FILECHECK)
            return self._all_filechecks
        return warm_tool(self.tools[name]) if name in self.tools else None

    def _all_filechecks(self) -> None:
        """Run each FileCheck on the same input until one fails."""
        args = sys.argv
        data = b"" if any("-input-file" in argument for argument in args) else sys.stdin.buffer.read()
        for path in self.filechecks:
            if is_package(path):
                sys.argv = list(args)  # which it takes apart
                sys.stdin = io.TextIOWrapper(io.BytesIO(data), "utf-8", "surrogateescape")
                code = exit_code(importlib.import_module(_FILECHECK).main)
            else:
                code = subprocess.run([path, *args[1:]], input=data, check=False).returncode
            if code:
                sys.exit(code)


def _is_like_here(variables: Mapping[str, str]) -> bool:
    """Whether a new process with these variables would start as this one did."""
    compared = {*_DECISIVE, *(name for name in variables if name.startswith(_READ_AT_START))}
    if variables.get("PYTHONPATH") == _LIT:  # lit puts it there for `cat` and `diff`, and leaves it there
        compared.remove("PYTHONPATH")
    return all(variables.get(name) == os.environ.get(name) for name in compared)


@cache
def warm_tool(name: str) -> Main:
    """Return what a fork of this process calls for a tool, with all loaded that the tools need."""
    _load_tools()
    return as_tool(importlib.import_module(f"{_PACKAGE}.cli.{name}").main)


def as_tool(main: Main) -> Main:
    """Return `main` for a fork whose engines are forks of it."""

    def run() -> None:
        isolation_worker.start_process = _engine
        main()

    return run


def _engine(args: Sequence[str], **options: Any) -> Any:
    """Return the process of an engine, a fork if that makes no difference."""
    if list(args) == python_command("-m", worker.__name__) and fork_is_safe():
        return WarmProcess(worker.main, args, errors=None, **options)
    return subprocess.Popen(args, **options)


@cache
def _load_tools() -> None:
    for name in _ROOMS:
        room = importlib.import_module(f"{_PACKAGE}.{name}")
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(module.name)
    with suppress(StablehloError):  # the tools will say so
        module = parse(_REHEARSED, trust_input=True)
        interpret(module)
        serialize(module)
        run_passes(module, "func.func(stablehlo-aggressive-folder)", trust_input=True)
    keep_a_context()

"""A lit test format that runs the tools of this package by fork, and everything else as lit's own shell does.

lit parses and runs the test; only where it would start one of the programs in the folder of tools does this format
start a `WarmProcess` instead. So pipes, redirections, `not`, substitutions, timeouts and all else are lit's.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, NoReturn

import lit.formats
import lit.TestRunner

from .. import interpret, parse, run_passes, serialize
from ..bindings.context import keep_a_context
from ..engines import worker
from ..errors import StablehloError
from ..isolation import worker as isolation_worker
from ..isolation.files import anonymous_file
from ..isolation.policy import fork_is_safe, guarding
from ..isolation.warm import Main, WarmProcess, exit_code, open_standard_streams
from .filecheck import is_package
from .process_substitution import with_files

_PACKAGE = __name__.partition(".")[0]
# The rooms whose modules are imported before the first fork; a test says when one is missing.
_ROOMS = (
    *("bindings", "dialect", "syntax", "artifacts", "interpreter", "passes", "engines", "analysis", "spmd"),
    *("conformance.score", "debug", "debug.corpus", "cli"),
)
# A program to rehearse with: what is found out once a process, and kept, is found out before the first fork.
_REHEARSED = """
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""
# What a process reads once, when it starts: where a command differs in one of the first, or sets one of the others to
# something else, it is not for a fork of this process.
_DECISIVE = ("PYTHONPATH", "PYTHONHOME", "PYTHONWARNINGS", "STABLEHLO_PY_PROVIDER", "STABLEHLO_PY_FAST")
_READ_AT_START = ("PYTHON", "LD_", "DYLD_", "LC_", "LANG", "OMP_", "OPENBLAS_", "MKL_", "MALLOC_", "GLIBC_", "TZ")
_LIT = os.path.dirname(os.path.abspath(lit.TestRunner.__file__))
# Commands that lit's shell runs with the interpreter.
_BUILTINS = {os.path.join(_LIT, "builtin_commands", f"{name}.py"): name for name in ("cat", "diff")}
_STREAMS_AND_VARIABLES = ("stdin", "stdout", "stderr", "env")
_UNDERSTOOD = ("cwd", "env", "stdin", "stdout", "stderr", "errors")
_FIRST_CODE_OF_A_SIGNAL = 129  # in shells


def works_here() -> bool:
    """Whether this system and this lit have what the format needs. On macOS some libraries do not survive a fork."""
    return hasattr(os, "fork") and sys.platform != "darwin" and hasattr(lit.TestRunner, "subprocess")


class WarmShTest(lit.formats.ShTest):
    """lit's format for tests with RUN lines, with some programs run by a fork of lit's process.

    Args:
        folder: Where those programs are, as `lit.make_tool_folder` makes them.
        tools: The modules of the command line tools by name.
        filechecks: What stands behind FileCheck.
    """

    def __init__(self, folder: str, tools: Mapping[str, str], filechecks: Sequence[str]) -> None:
        super().__init__(execute_external=False)
        self.folder = folder
        self.tools = dict(tools)
        self.filechecks = tuple(filechecks)
        # LLVM's FileCheck needs no Python to start it.
        alone = len(self.filechecks) == 1 and not is_package(self.filechecks[0])
        self.instead = {os.path.join(folder, "FileCheck"): self.filechecks[0]} if alone else {}

    def execute(self, test: Any, litConfig: Any) -> Any:  # noqa: N803 (lit's name)
        """The result of a test."""
        started = SimpleNamespace(**{**vars(subprocess), "Popen": self.start})
        execute = partial(_with_process_substitution, lit.TestRunner.executeScriptInternal)
        with _shell_with(subprocess=started, executeScriptInternal=execute):
            return super().execute(test, litConfig)

    def start(self, args: Sequence[str], *, executable: str, **options: Any) -> Any:
        """Start a process for a command line; takes the `options` of `subprocess.Popen`."""
        main = self.called(executable, args) if _is_like_here(options.get("env", os.environ)) else None
        if main is None:
            program = self.instead.get(executable, executable)
            return subprocess.Popen(args, executable=program, **options)
        return WarmProcess(main, args, **{name: options[name] for name in _UNDERSTOOD if name in options})

    def called(self, program: str, args: Sequence[str]) -> Main | None:
        """The function to call for a program; None for one that has to be started."""
        if program == sys.executable and len(args) > 1:
            return _builtin(args[1])
        folder, name = os.path.split(program)
        if folder != self.folder:
            return None
        if name == "not":
            return self._not
        if name == "FileCheck" and any(map(is_package, self.filechecks)):
            _package_filecheck()
            return self._all_filechecks
        return warm_tool(self.tools[name]) if name in self.tools else None

    def _not(self) -> NoReturn:
        """`not` and `not --crash`, as the program of that name in the folder of tools."""
        wants_crash = sys.argv[1:2] == ["--crash"]
        args = sys.argv[1 + wants_crash :]
        program = shutil.which(args[0]) if args else None
        if program is None:
            sys.exit(f"not: no such program: {' '.join(args)}")
        code = self.start(args, executable=program).wait()
        is_crash = code < 0 or code >= _FIRST_CODE_OF_A_SIGNAL
        sys.exit(0 if code and is_crash == wants_crash else 1)

    def _all_filechecks(self) -> None:
        """Runs each FileCheck on the same input until one fails."""
        args = sys.argv
        reads_input = not any("-input-file" in argument for argument in args)
        if reads_input:
            copy = anonymous_file("input")
            with open(copy, "wb", closefd=False) as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
            os.dup2(copy, 0)
        for path in self.filechecks:
            if reads_input:
                os.lseek(0, 0, os.SEEK_SET)
            if is_package(path):
                sys.argv = list(args)  # which it takes apart
                open_standard_streams()
                code = exit_code(_package_filecheck())
            else:
                code = subprocess.call([path, *args[1:]])
            if code:
                sys.exit(code)


@contextmanager
def _shell_with(**replaced: Any) -> Generator[None]:
    """Lets lit's shell use other things than those of these names."""
    module = lit.TestRunner.__dict__
    before = {name: module[name] for name in replaced}
    module.update(replaced)
    try:
        yield
    finally:
        module.update(before)


def _with_process_substitution(
    execute: Any, test: Any, config: Any, temporary: str, commands: Sequence[str], *others: Any, **options: Any
) -> Any:
    """What lit's shell does with commands, which may have `<(…)` in them."""
    found = [_understood(command, f"{temporary}.{index}") for index, command in enumerate(commands)]
    return execute(test, config, temporary, found, *others, **options)


def _understood(command: str, name: str) -> str:
    """A command for lit's shell; lit puts a note with the line's number in front of it."""
    if "<(" not in command:
        return command
    note = re.match(r"%dbg\([^)]*\)", command)
    start = note.end() if note else 0
    return command[:start] + with_files(command[start:], name)


def _is_like_here(variables: Mapping[str, str]) -> bool:
    """Whether a new process with these variables would start as this one did."""
    compared = {*_DECISIVE, *(name for name in variables if name.startswith(_READ_AT_START))}
    if variables.get("PYTHONPATH") == _LIT:  # lit puts it there for `cat` and `diff`, and leaves it there
        compared.remove("PYTHONPATH")
    return all(variables.get(name) == os.environ.get(name) for name in compared)


# What is loaded before the first fork --------------------------------------------------------------------------------


def _ready() -> None:
    """Keeps the collector from touching what is loaded, which a child would have to copy."""
    gc.collect()
    gc.freeze()


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
    """The process of an engine: a fork where that is the same."""
    if list(args) == [sys.executable, "-m", worker.__name__] and fork_is_safe():
        return WarmProcess(_be_worker, args, errors=None, **{name: options[name] for name in _STREAMS_AND_VARIABLES})
    return subprocess.Popen(args, **options)


def _be_worker() -> None:
    with guarding(True):  # unlike the tool, it has nobody to report its crash in reading
        worker.main()


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
    _ready()


@cache
def _package_filecheck() -> Main:
    main = importlib.import_module("filecheck.main").main
    _ready()
    return main


@cache
def _builtin(path: str) -> Main | None:
    name = _BUILTINS.get(path)
    if name is None:
        return None
    try:
        module = importlib.import_module(f"lit.builtin_commands.{name}")
    except ImportError:  # of some releases of lit only a program
        return None
    return lambda: module.main(sys.argv[1:])

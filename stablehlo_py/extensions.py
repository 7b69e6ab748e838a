"""Python files and installed packages of users that add to this package by its decorators (`stablehlo_py.extend`).

The registries that decorators fill ask for `load_installed` before they answer; it loads the files that `--load` names,
which a variable hands on to child processes, and the modules of the entry-point group.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

from .errors import InputError, StablehloError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from pathlib import Path

ENTRY_POINTS = "stablehlo_py.extensions"
LOAD_VARIABLE = "STABLEHLO_PY_LOAD"
_loaded: set[str] = set()


def load_file(path: str | os.PathLike[str]) -> None:
    """Run a Python file whose decorators register passes, patterns, kernels, custom-call handlers or shape functions.

    Args:
        path: The file. It is run once in a process, however often it is asked for.

    Raises:
        InputError: The file cannot be read, or raises an error, with the line.
    """
    key = os.path.abspath(path)
    if key not in _loaded:
        _loaded.add(key)
        from pathlib import Path

        run_file(Path(path), "extension", InputError)


def run_file(path: Path, what: str, error_type: type[StablehloError]) -> None:
    """Run a user's Python file; errors of `error_type` call it `what`."""
    import importlib.util
    import traceback
    from pathlib import Path

    name = f"stablehlo_py_{what}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if not path.is_file():
        raise error_type(f"cannot read the {what} {path}: there is no such file")
    if spec is None or spec.loader is None:
        raise error_type(f"cannot read the {what} {path}: it is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look up what their annotations name
    try:
        spec.loader.exec_module(module)
    except StablehloError:
        raise
    except Exception as error:  # whatever a user's file raises is reported, not passed on
        own = path.resolve()
        frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).resolve() == own]
        line = frames[-1].lineno if frames else getattr(error, "lineno", 0)
        raise error_type(f"the {what} raises {type(error).__name__}: {error}", location=f"{path}:{line}:1") from error


def load_installed() -> None:
    """Load what `LOAD_VARIABLE` and the entry points of installed packages name, once in a process.

    Raises:
        InputError: One of them cannot be loaded.
    """
    if ENTRY_POINTS in _loaded:
        return
    _loaded.add(ENTRY_POINTS)
    for path in filter(None, os.environ.get(LOAD_VARIABLE, "").split(os.pathsep)):
        load_file(path)
    if not _may_have_entry_points():
        return
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        load_entry_point(entry, "extension", InputError)


def load_entry_point(entry: EntryPoint, what: str, error_type: type[StablehloError]) -> None:
    """Import an entry point of an installed package; errors of `error_type` call it `what`."""
    try:
        entry.load()
    except StablehloError:
        raise
    except Exception as error:  # whatever an installed module raises is reported, not passed on
        raise error_type(f"the {what} '{entry.value}' raises {type(error).__name__}: {error}") from error


def _may_have_entry_points() -> bool:
    """Whether some installed package may name the group: asked of the files, for `importlib.metadata` imports `email`.

    Where packages are not in folders, or other finders know of more, it may.
    """
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        return True
    folders = [path if path else os.curdir for path in dict.fromkeys(sys.path)]
    return any(_names_group(folder) if os.path.isdir(folder) else os.path.exists(folder) for folder in folders)


def _names_group(folder: str) -> bool:
    """Whether a package in `folder` names the group."""
    try:
        names = [name for name in os.listdir(folder) if name.lower().endswith((".dist-info", ".egg-info", ".egg"))]
    except OSError:  # then importlib.metadata cannot list it either
        return False
    wanted = ENTRY_POINTS.encode()
    for name in names:
        inner = ("EGG-INFO",) if name.lower().endswith(".egg") else ()
        with suppress(OSError), open(os.path.join(folder, name, *inner, "entry_points.txt"), "rb") as file:
            if wanted in file.read():
                return True
    return False

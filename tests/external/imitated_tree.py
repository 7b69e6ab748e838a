"""Imitate a built tree of upstream's Python packages `mlir` and `stablehlo`, which nobody publishes.

torch-mlir's package has the layout and the Python sources of such a tree, and extensions built from the same C++. Here
they are linked under the name `mlir`, without what is torch-mlir's own. The extensions have the package's name compiled
in, so that a module called `torch_mlir` has to lead back to `mlir`. What is not imitated: a tree built from upstream
has Python classes for the ops of StableHLO and CHLO.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

_ALIAS = '''"""The name under which the linked extensions import `mlir`."""

import importlib
import importlib.abc
import importlib.machinery
import sys


class _Alias(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        is_ours = name.startswith("torch_mlir.")
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if is_ours else None

    def create_module(self, spec):
        return importlib.import_module("mlir" + spec.name.removeprefix("torch_mlir"))

    def exec_module(self, module):
        pass


__path__ = []
sys.meta_path.insert(0, _Alias())
import mlir.ir  # noqa: E402, F401  # from here on both names are one package
'''
_NOT_UPSTREAM = ("torch", "tools", "extras", "compiler_utils", "fx.py")


def imitate(folder: Path) -> bool:
    """Make the tree in `folder`, a folder for the path of modules; return False if torch-mlir is not installed."""
    spec = importlib.util.find_spec("torch_mlir")
    if spec is None or not spec.submodule_search_locations:
        return False
    source = Path(spec.submodule_search_locations[0])
    for path in source.rglob("*"):
        name = path.relative_to(source)
        if path.is_dir() or any(part.strip("_").startswith(_NOT_UPSTREAM) for part in name.parts):
            continue
        target = folder / "mlir" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            os.symlink(path, target)
    (folder / "torch_mlir.py").write_text(_ALIAS, encoding="utf-8")
    return True

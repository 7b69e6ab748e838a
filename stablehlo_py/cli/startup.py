"""Faster imports of numpy and the bindings' library, for `stablehlo-translate --interpret`.

Two thirds of its start are numpy and the library of the bindings. They are loaded side by side: the library by the
system's loader on a thread, numpy by Python. Of numpy what nobody reads in a tool is left out: docstrings and
signatures of its functions, and annotations.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from ..lean import imported_later

# What numpy only names while it is imported.
_ONLY_NAMED = ("ast", "pickle", "platform", "textwrap", "numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars")
_MEANWHILE: dict[str, dict[str, Callable[[Any], object]]] = {
    "inspect": {"signature": lambda _: None, "cleandoc": lambda text: text},
    "numpy._typing": {"NDArray": list},
}


def import_numpy() -> None:
    """Import numpy without what only people read of it, unless it is imported already."""
    with imported_later(*_ONLY_NAMED, meanwhile=_MEANWHILE):
        importlib.import_module("numpy")


@contextmanager
def library_loading() -> Generator[None]:
    """Load the bindings' library on a thread while the block runs, where that can be done."""
    path = _library()
    if path is None:
        yield
        return
    import ctypes
    import threading

    # The foreign function, unlike ctypes.CDLL(path) and an import, lets other threads run Python while it works.
    load = ctypes.CDLL(None).dlopen
    load.argtypes, load.restype = (ctypes.c_char_p, ctypes.c_int), ctypes.c_void_p
    thread = threading.Thread(target=load, args=(os.fsencode(path), os.RTLD_NOW), daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _library() -> str | None:
    """The file of the bindings that is largest to load: jaxlib's, where that is the provider."""
    if os.environ.get("STABLEHLO_PY_PROVIDER", "jaxlib") != "jaxlib" or not hasattr(os, "RTLD_NOW"):
        return None
    found = importlib.util.find_spec("jaxlib")
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        path = os.path.join(folder, "mlir", "_mlir_libs", "_mlir.so")
        if os.path.exists(path):
            return path
    return None

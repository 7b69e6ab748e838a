"""Plans of programs that were run lately, for as long as their modules live.

Replaces planning anew when `stablehlo_py.interpret` runs a module again that has not changed. The plans are of a copy,
which shares the constants. So they do not keep the module alive, and are dropped with it. Gains: a
second `interpret` of each row of `benchmarks/whole_models.py` takes its second run's time in place of the first's.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from ...bindings import ir
from ...bindings.build import detached_copy
from ...bindings.bytecode import bytecode_of
from ..settings import Settings

_LIMIT = 4
"""The number of modules with plans here."""

_Key = tuple[int, Settings]
_cache: OrderedDict[_Key, tuple[weakref.ref[ir.Module], bytes, Any]] = OrderedDict()
_lock = Lock()


@contextmanager
def cached_program(
    module: ir.Module | ir.Operation, settings: Settings, make: Callable[[Any, Settings], Any]
) -> Generator[Any]:
    """Give the program of this module, with the plans of earlier runs under these settings if it has not changed.

    A program with limits counts its own steps and time, so while one runs, another run gets one of its own.

    Args:
        module: A module, or an op, whose program is not kept.
        settings: The settings of the run.
        make: Makes a program of a module.
    """
    if not isinstance(module, ir.Module):
        yield make(module, settings)
        return
    key, fingerprint = (id(module), settings), _fingerprint(module)
    with _lock:
        found = _cache.get(key) if settings.is_unlimited else _cache.pop(key, None)
    if found is None or found[0]() is not module or found[1] != fingerprint:
        program = make(detached_copy(module.operation), settings)
    else:
        program = found[2]
    if settings.is_unlimited:
        _keep(key, module, fingerprint, program)
    try:
        yield program
    finally:
        if not settings.is_unlimited:
            _keep(key, module, fingerprint, program)


def _keep(key: _Key, module: ir.Module, fingerprint: bytes, program: Any) -> None:
    with _lock:
        _cache[key] = weakref.ref(module, lambda _: _cache.pop(key, None)), fingerprint, program
        _cache.move_to_end(key)
        while len(_cache) > _LIMIT:
            _cache.popitem(last=False)


def _fingerprint(module: ir.Module) -> bytes:
    """Return a digest of the module, in half a microsecond an op, a tenth of the time of planning."""
    import hashlib

    return hashlib.blake2b(bytecode_of(module)).digest()

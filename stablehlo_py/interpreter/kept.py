"""Programs that were run lately, so that running one again costs no planning."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

from ..bindings import ir
from ..bindings.bytecode import bytecode_of
from .program import Program
from .settings import Settings

_LIMIT = 4
"""The number of modules that are kept. A plan holds its module, so they stay in memory."""

_Key = tuple[int, Settings]
_kept: OrderedDict[_Key, tuple[ir.Module, bytes, Program]] = OrderedDict()
_lock = Lock()


@contextmanager
def kept_program(module: ir.Module | ir.Operation, settings: Settings) -> Generator[Program]:
    """The program of this module, with the plans of earlier runs under these settings where it has not changed since.

    A program with limits counts its own steps and time, so while one runs, another run gets one of its own.
    """
    if not isinstance(module, ir.Module):
        yield Program(module, settings)
        return
    key, print_ = (id(module), settings), _fingerprint(module)
    with _lock:
        found = _kept.get(key) if settings.is_unlimited else _kept.pop(key, None)
    known = found is not None and found[0] is module and found[1] == print_
    program = found[2] if found is not None and known else Program(module, settings)
    if settings.is_unlimited:
        _keep(key, (module, print_, program))
    try:
        yield program
    finally:
        if not settings.is_unlimited:
            _keep(key, (module, print_, program))


def _keep(key: _Key, entry: tuple[ir.Module, bytes, Program]) -> None:
    with _lock:
        _kept[key] = entry
        _kept.move_to_end(key)
        while len(_kept) > _LIMIT:
            _kept.popitem(last=False)


def _fingerprint(module: ir.Module) -> bytes:
    """Half a microsecond an op, which is a tenth of what planning costs."""
    return hashlib.blake2b(bytecode_of(module), digest_size=16).digest()

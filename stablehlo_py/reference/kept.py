"""Programs that were run lately, so that running one again costs no planning."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from threading import Lock

from ..bindings import ir
from ..bindings.bytecode import bytecode_of
from .interpreter import Program
from .settings import Settings

_LIMIT = 4
"""How many modules are kept. A plan holds its module, so they stay in memory."""

_kept: OrderedDict[int, tuple[ir.Module, bytes, Program]] = OrderedDict()
_lock = Lock()


def kept_program(module: ir.Module | ir.Operation, settings: Settings) -> Program:
    """The program of this module, with the plans of earlier runs where it has not changed since; those of runs with
    limits are not kept, which count from the first run on."""
    if not isinstance(module, ir.Module) or settings != Settings():
        return Program(module, settings)
    print_ = _fingerprint(module)
    with _lock:
        found = _kept.get(id(module))
        if found is not None and found[0] is module and found[1] == print_:
            _kept.move_to_end(id(module))
            return found[2]
        program = Program(module)
        _kept[id(module)] = (module, print_, program)
        _kept.move_to_end(id(module))
        while len(_kept) > _LIMIT:
            _kept.popitem(last=False)
        return program


def _fingerprint(module: ir.Module) -> bytes:
    """Half a microsecond an op, which is a tenth of what planning costs."""
    return hashlib.blake2b(bytecode_of(module), digest_size=16).digest()
